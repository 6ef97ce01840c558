#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ontology/loaders.h"
#include "semveil/mapping.h"
#include "support/data.h"
#include "support/loaded.h"
#include "support/small_rf2.h"

namespace semveil {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

using namespace test;  // NOLINT(google-build-using-namespace)

TEST(Rf2Loader, ReadsTheSample) {
  const auto folder = test::data_file("snomed-rf2-sample");
  if (!folder) SEMVEIL_SKIP_WITHOUT("snomed-rf2-sample in $SEMVEIL_DATA or ../shared/data");
  const Loaded rf2 = finished(load_rf2(*folder, ""));
  EXPECT_EQ(rf2.taxonomy->size(), 15U);
  EXPECT_EQ(rf2.taxonomy->arrays().parents.size(), 14U);
  EXPECT_FALSE(rf2.taxonomy->has_virtual_root());
  EXPECT_EQ(rf2.names->id(Taxonomy::root()), "138875005");
  EXPECT_EQ(rf2.names->label(rf2.find("409498004")), "Anthrax (disorder)");
  EXPECT_THAT(rf2.terms("409498004"), ElementsAre(Pair(TermKind::kLabel, "Anthrax (disorder)"),
                                                  Pair(TermKind::kExactSynonym, "Anthrax")));
  EXPECT_THAT(rf2.parents("409498004"), ElementsAre("404684003"));
  const OntologyInfo& info = rf2.ontology.info();
  EXPECT_EQ(info.format, "rf2");
  EXPECT_EQ(info.version, "20180731");
  EXPECT_THAT(info.contents,
              ElementsAre(Counted{"fully specified names", 15}, Counted{"synonyms", 0},
                          Counted{"definitions", 0}, Counted{"preferred names (language en)", 0}));
  EXPECT_THAT(info.left_out, ElementsAre(Counted{"relationships other than is-a", 3}));
}

TEST(Rf2Loader, OfEqualTimesTheLastRowStands) {
  SmallRf2 rows = two_concepts();
  rows.concept_row(409498004, 0);
  const Loaded rf2 = finished(read_release(rows.files("Full")));
  EXPECT_EQ(rf2.taxonomy->size(), 1U);
}

TEST(Rf2Loader, NamesComeFromTheChosenLanguage) {
  const Rf2Files files = two_concepts()
                             .described(501016, 409498004, kFullName, "Anaemia (disorder)")
                             .described(502016, 409498004, kSynonym, "Anemia")
                             .described(503016, 409498004, kSynonym, "Anaemia")
                             .described(504016, 409498004, kSynonym, "Low haemoglobin")
                             .described(505016, 409498004, kSynonym, "Blodbrist", "sv")
                             .described(506016, 409498004, kSynonym, "Old name", "en", 0)
                             .described(507016, 409498004, kDefinition, "Too little of it.")
                             .accepted("a", kUs, 501016, true)
                             .accepted("b", kUs, 502016, true)
                             .accepted("c", kGb, 501016, true)
                             .accepted("d", kGb, 503016, true)
                             .accepted("e", kGb, 504016, false)
                             .accepted("f", kUs, 504016, false, 0)
                             .accepted("g", 46011000052107U, 505016, true)
                             .accepted("h", kGb, 507016, true)
                             .files();
  const auto names = [&](const std::string& language) {
    return finished(read_release(files, language)).terms("409498004");
  };
  const auto us = ElementsAre(Pair(TermKind::kLabel, "Anemia"),
                              Pair(TermKind::kExactSynonym, "Anaemia (disorder)"),
                              Pair(TermKind::kExactSynonym, "Anaemia"));
  EXPECT_THAT(names(""), us);
  EXPECT_THAT(names("en-US"), us);
  EXPECT_THAT(names("en-us"), us);
  EXPECT_THAT(names("900000000000509007"), us);
  EXPECT_THAT(names("en-GB"), ElementsAre(Pair(TermKind::kLabel, "Anaemia"),
                                          Pair(TermKind::kExactSynonym, "Anaemia (disorder)"),
                                          Pair(TermKind::kExactSynonym, "Low haemoglobin")));
  EXPECT_THAT(names("en"), ElementsAre(Pair(TermKind::kLabel, "Anemia"),
                                       Pair(TermKind::kExactSynonym, "Anaemia (disorder)"),
                                       Pair(TermKind::kExactSynonym, "Anaemia"),
                                       Pair(TermKind::kExactSynonym, "Low haemoglobin")));
  for (const char* swedish : {"sv", "sv-SE", "46011000052107"}) {
    EXPECT_THAT(names(swedish), ElementsAre(Pair(TermKind::kLabel, "Blodbrist"),
                                            Pair(TermKind::kExactSynonym, "Anaemia (disorder)"),
                                            Pair(TermKind::kExactSynonym, "Anaemia")));
  }
  const Loaded british = finished(read_release(files, "en-GB"));
  EXPECT_EQ(british.names->definition(british.find("409498004")), "Too little of it.");
  EXPECT_THAT(
      british.ontology.info().contents,
      Contains(Counted{"preferred names (language reference set 900000000000508004 (en-GB))", 1}));
  EXPECT_THAT(british.ontology.info().left_out,
              ElementsAre(Counted{"inactive descriptions", 1},
                          Counted{"descriptions of other languages, dialects or types", 2}));
  EXPECT_THAT(finished(read_release(files, "en")).ontology.info().contents,
              Contains(Counted{"preferred names (language en, preferred by language reference set "
                               "900000000000509007 (en-US))",
                               1}));
  for (const char* missing : {"de", "nl-BE", "900000000000509000"}) {
    const auto draft = read_release(files, missing);
    ASSERT_FALSE(draft);
    EXPECT_EQ(draft.error().value, missing);
    EXPECT_THAT(draft.error().message, HasSubstr("en, sv"));
    EXPECT_THAT(draft.error().message, HasSubstr("900000000000508004 (en-GB)"));
  }
}

TEST(Rf2Loader, WithoutEnglishTheReleaseTellsTheLanguage) {
  SmallRf2 rows = two_concepts();
  rows.described(501016, 409498004, kSynonym, "Blodbrist", "sv");
  rows.described(502016, 409498004, kSynonym, "Anemie", "nl");
  rows.described(503016, 138875005, kSynonym, "Begrepp", "sv");
  const Loaded by_code = finished(read_release(rows.files()));
  EXPECT_EQ(by_code.names->label(by_code.find("409498004")), "Blodbrist");
  rows.accepted("a", 31000146106U, 502016, true);
  const Loaded by_set = finished(read_release(rows.files()));
  EXPECT_EQ(by_set.names->label(by_set.find("409498004")), "Anemie");
  EXPECT_EQ(by_set.names->label(by_set.find("138875005")), "138875005");
}

TEST(Rf2Loader, InactiveConceptsLeadToWhatStandsForThem) {
  SmallRf2 rows = two_concepts();
  rows.concept_row(404684003).is_a(200002029, 404684003, 138875005);
  for (const std::uint64_t old : {700001, 700002, 700003, 700004, 700005, 700006, 700007, 700008}) {
    rows.concept_row(old, 0);
  }
  const Loaded rf2 = finished(read_release(rows.leads("a", kSameAs, 700001, 700002)  // a chain
                                               .leads("b", kReplacedBy, 700002, 409498004)
                                               .leads("c", kPossiblyEquivalent, 700003, 409498004)
                                               .leads("d", kPossiblyEquivalent, 700003, 404684003)
                                               .leads("e", kSameAs, 700004, 700005)  // a cycle
                                               .leads("f", kSameAs, 700005, 700004)
                                               .leads("g", kMovedTo, 700006, 404684003)
                                               .leads("h", kReplacedBy, 700007, 404684003)
                                               .leads("i", kPossiblyEquivalent, 700007, 138875005)
                                               .leads("j", kSameAs, 700007, 138875005, 0)
                                               .leads("k", kSameAs, 700008, 999999)
                                               .described(501016, 700001, kSynonym, "old name")
                                               .is_a(200003029, 409498004, 700001)
                                               .is_a(200004029, 700001, 138875005)
                                               .files()));
  EXPECT_EQ(rf2.taxonomy->size(), 3U);
  EXPECT_THAT(rf2.terms("409498004"),
              ElementsAre(Pair(TermKind::kAltId, "700001"), Pair(TermKind::kAltId, "700002"),
                          Pair(TermKind::kAltId, "700003")));
  EXPECT_THAT(rf2.terms("404684003"),
              ElementsAre(Pair(TermKind::kAltId, "700003"), Pair(TermKind::kAltId, "700007")));
  EXPECT_THAT(rf2.terms("138875005"), IsEmpty());
  EXPECT_THAT(rf2.ontology.info().left_out,
              ElementsAre(Counted{"inactive concepts", 8},
                          Counted{"inactive concepts that lead to their replacement", 4},
                          Counted{"is-a links from or to inactive concepts", 2},
                          Counted{"descriptions of inactive concepts", 1}));
  // Several replacements are the senses of the old code.
  const Result<Mapper> mapper = Mapper::create(rf2.ontology);
  ASSERT_TRUE(mapper);
  const Match one = mapper->match("700001");
  EXPECT_EQ(one.how, How::kId);
  EXPECT_THAT(one.senses, ElementsAre(rf2.find("409498004")));
  EXPECT_THAT(mapper->match("700003").senses,
              ElementsAre(rf2.find("404684003"), rf2.find("409498004")));
  EXPECT_EQ(mapper->match("700004").how, How::kUnmapped);
}

TEST(Rf2Loader, AChainOfReplacementsWithoutEndIsGivenUp) {
  SmallRf2 rows = two_concepts();
  constexpr std::uint64_t kLong = 2000;
  for (std::uint64_t i = 0; i < kLong; ++i) {
    rows.concept_row(700000 + i, 0);
    rows.leads("m" + std::to_string(i), kSameAs, 700000 + i,
               i + 1 < kLong ? 700001 + i : 409498004);
  }
  const Loaded rf2 = finished(read_release(rows.files()));
  EXPECT_EQ(rf2.terms("409498004").size(), 255U);  // those that are near enough
  EXPECT_EQ(rf2.terms("409498004").back().second, "701999");
}

TEST(Rf2Loader, RelationshipsThatAreNotInferredIsALinksAreLeftOut) {
  SmallRf2 rows = two_concepts();
  rows.concept_row(404684003);
  rows.is_a(200002029, 404684003, 138875005, 0);
  rows.is_a(200003029, 404684003, 138875005, 1, 20200131, 363698007);
  rows.line(SmallRf2::kRelationships,
            "200004029\t20200131\t1\t900000000000207008\t404684003\t138875005\t0\t116680003\t"
            "900000000000010007\t900000000000451002\r\n");
  const Loaded rf2 = finished(read_release(rows.files()));
  EXPECT_TRUE(rf2.taxonomy->has_virtual_root());  // 404684003 has lost its parent
  EXPECT_THAT(rf2.ontology.info().left_out,
              ElementsAre(Counted{"inactive relationships", 1},
                          Counted{"relationships other than is-a", 2}));
}

TEST(Rf2Loader, TheNewestStateOfSeveralFilesStands) {
  const Rf2Files base = two_concepts()
                            .concept_row(404684003)
                            .is_a(200002029, 404684003, 138875005)
                            .files("Snapshot", "INT_20200131");
  const Rf2Files extension = SmallRf2()
                                 .concept_row(404684003, 0, 20210131)
                                 .concept_row(138875005, 0, 20190131)
                                 .concept_row(900000000000001109U)
                                 .is_a(300001029, 900000000000001109U, 409498004)
                                 .is_a(200001029, 409498004, 138875005, 0, 20190131)
                                 .files("UKCLSnapshot", "GB1000000_20210131");
  Rf2Files both = extension;  // whatever the order
  both.insert(both.end(), base.begin(), base.end());
  const Loaded rf2 = finished(read_release(both));
  EXPECT_EQ(rf2.taxonomy->size(), 3U);
  EXPECT_THAT(rf2.parents("900000000000001109"), ElementsAre("409498004"));
  EXPECT_THAT(rf2.parents("409498004"), ElementsAre("138875005"));
  EXPECT_EQ(rf2.ontology.info().version, "20210131");
  // Alone an extension hangs in the air.
  const auto alone = read_release(extension);
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().message, HasSubstr("extends"));
}

TEST(Rf2Loader, FilesThatAreNotMeantAreNotRead) {
  Rf2Files files = two_concepts().files();
  for (const char* other :
       {"sct2_StatedRelationship_Snapshot_INT_20200131.txt",
        "sct2_RelationshipConcreteValues_Snapshot_INT_20200131.txt",
        "sct2_sRefset_OWLExpressionSnapshot_INT_20200131.txt",
        "sct2_Concept_Delta_INT_20200131.txt", "der2_Refset_SimpleSnapshot_INT_20200131.txt",
        "der2_cRefset_AttributeValueSnapshot_INT_20200131.txt", "Readme_en_20200131.txt",
        "sct2_Concept_Snapshot_INT_20200131.txt.md5"}) {
    files.push_back({other, "not a table"});
  }
  EXPECT_EQ(finished(read_release(files)).taxonomy->size(), 2U);
}

}  // namespace
}  // namespace semveil
