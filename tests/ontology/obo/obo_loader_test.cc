#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ontology/loaders.h"
#include "support/data.h"
#include "support/loaded.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

using test::Loaded;

Loaded loaded_obo(std::string_view text) { return test::finished(parse_obo(text, "o.obo")); }
Loaded loaded_obo_term(const std::string& tags) { return loaded_obo("[Term]\nid: A:1\n" + tags); }
std::string label_of_term(const std::string& tags) {
  const Loaded obo = loaded_obo_term(tags);
  return std::string(obo.names->label(0));
}

constexpr const char* kSmallObo =
    "format-version: 1.2\n"
    "data-version: releases/2024-01-31\n"
    "date: 31:01:2024 10:00\n"
    "\n"
    "[Term]\n"
    "id: DOID:4\n"
    "name: disease\n"
    "def: \"A \\\"disposition\\\" to suffer.\" [url:http\\://example.org]\n"
    "\n"
    "[Term]\n"
    "id: DOID:9351\n"
    "name: diabetes mellitus\n"
    "alt_id: DOID:1\n"
    "synonym: \"diabetes\" EXACT []\n"
    "synonym: \"sugar\" RELATED [X:1]\n"
    "xref: MESH:D003920\n"
    "xref: ICD10CM:E08-E13 \"a description\"\n"
    "is_a: DOID:4 {source=\"x\"} ! disease\n"
    "relationship: part_of DOID:77\n"
    "\n"
    "[Typedef]\n"
    "id: part_of\n"
    "name: part of\n";

TEST(OboLoader, TermsBecomeConcepts) {
  const Loaded obo = loaded_obo(kSmallObo);
  ASSERT_EQ(obo.taxonomy->size(), 2U);
  EXPECT_EQ(obo.names->id(0), "DOID:4");
  EXPECT_EQ(obo.names->label(0), "disease");
  EXPECT_EQ(obo.names->definition(0), "A \"disposition\" to suffer.");
  EXPECT_THAT(obo.parents("DOID:9351"), ElementsAre("DOID:4"));
  EXPECT_THAT(
      obo.terms("DOID:9351"),
      ElementsAre(Pair(TermKind::kLabel, "diabetes mellitus"), Pair(TermKind::kAltId, "DOID:1"),
                  Pair(TermKind::kExactSynonym, "diabetes"),
                  Pair(TermKind::kRelatedSynonym, "sugar"), Pair(TermKind::kXref, "MESH:D003920"),
                  Pair(TermKind::kXref, "ICD10CM:E08-E13")));
}

TEST(OboLoader, TheHeaderTellsTheVersion) {
  const auto draft = parse_obo(kSmallObo, "o.obo");
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->info.format, "obo");
  EXPECT_EQ(draft->info.version, "releases/2024-01-31");
  EXPECT_FALSE(draft->info.names_are_equal);
  EXPECT_THAT(draft->info.left_out, ElementsAre(Counted{"relations other than is_a", 1},
                                                Counted{"stanzas other than [Term]", 1}));
  EXPECT_EQ(parse_obo("date: 31:01:2024 10:00\n[Term]\nid: A:1\n", "o.obo")->info.version,
            "31:01:2024 10:00");
}

TEST(OboLoader, SynonymsHaveScopesOldAndNew) {
  EXPECT_THAT(
      loaded_obo_term("name: n\n"
                      "synonym: \"a\" EXACT layperson [X:1]\n"
                      "synonym: \"b\" NARROW []\n"
                      "synonym: \"c\" BROAD\n"
                      "synonym: \"d\" RELATED []\n"
                      "synonym: \"e\" []\n"
                      "synonym: \"f\"\n"
                      "exact_synonym: \"g\" []\n"
                      "narrow_synonym: \"h\" []\n"
                      "broad_synonym: \"i\" []\n"
                      "related_synonym: \"j\" []\n"
                      "other_synonym: not quoted\n"
                      "synonym: \"\" EXACT []\n")
          .terms("A:1"),
      ElementsAre(Pair(TermKind::kLabel, "n"), Pair(TermKind::kExactSynonym, "a"),
                  Pair(TermKind::kNarrowSynonym, "b"), Pair(TermKind::kBroadSynonym, "c"),
                  Pair(TermKind::kRelatedSynonym, "d"), Pair(TermKind::kRelatedSynonym, "e"),
                  Pair(TermKind::kRelatedSynonym, "f"), Pair(TermKind::kExactSynonym, "g"),
                  Pair(TermKind::kNarrowSynonym, "h"), Pair(TermKind::kBroadSynonym, "i"),
                  Pair(TermKind::kRelatedSynonym, "j")));
}

TEST(OboLoader, OlderCrossReferencesCount) {
  EXPECT_THAT(loaded_obo_term("xref_analog: ICD9:250 {a=\"b\"}\n").terms("A:1"),
              ElementsAre(Pair(TermKind::kXref, "ICD9:250")));
}

TEST(OboLoader, ATermWithoutANameIsLabelledByItsId) {
  EXPECT_EQ(label_of_term(""), "A:1");
  EXPECT_EQ(label_of_term("name:\n"), "A:1");
}

TEST(OboLoader, EscapesCommentsAndModifiersAreRead) {
  EXPECT_EQ(label_of_term("name: a\\Wb\\tc\\:d\\!e\\\\f\n"), "a b\tc:d!e\\f");
  EXPECT_EQ(label_of_term("name: plain ! a comment\n"), "plain");
  EXPECT_EQ(label_of_term("name: plain {source=\"x ! y\"} ! a comment\n"), "plain");
  EXPECT_EQ(label_of_term("name: N-{2-[a]}phenol\n"), "N-{2-[a]}phenol");
  EXPECT_EQ(label_of_term("name: a {b}\n"), "a {b}");
  EXPECT_EQ(label_of_term("! a comment\nname: x\n"), "x");
  EXPECT_EQ(loaded_obo_term("synonym: \"a ! \\\"b\\\" \\n\" EXACT []\n").terms("A:1")[0].second,
            "a ! \"b\" \n");
}

TEST(OboLoader, LinesMayBeContinuedEndWithCrlfAndFollowAByteOrderMark) {
  EXPECT_EQ(label_of_term("name: one \\\ntwo\\\n three\n"), "one two three");
  EXPECT_EQ(label_of_term("name: one \\\r\ntwo\r\n"), "one two");
  EXPECT_EQ(label_of_term("name: ends so\\\\\n"), "ends so\\");
  const Loaded obo = loaded_obo(
      "\xEF\xBB\xBF"
      "format-version: 1.4\r\n[Term]\r\nid: A:1\r\nname: a\r\n");
  EXPECT_EQ(obo.names->label(0), "a");
}

TEST(OboLoader, ObsoleteTermsAreLeftOutAndCounted) {
  const auto draft = parse_obo(
      "[Term]\nid: A:1\n\n"
      "[Term]\nid: A:2\nis_a: A:1\nis_a: A:3\n\n"
      "[Term]\nname: obsolete b\nid: A:3\nis_obsolete: true\nis_a: A:nowhere\n\n"
      "[Term]\nid: A:4\nis_obsolete: false\nis_a: A:1\n\n"
      "[Instance]\nid: I:1\n",
      "o.obo");
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->concepts(), 3U);
  EXPECT_THAT(draft->info.left_out,
              ElementsAre(Counted{"obsolete terms", 1}, Counted{"is_a links to obsolete terms", 1},
                          Counted{"stanzas other than [Term]", 1}));
}

TEST(OboLoader, AnObsoleteIdLeadsToItsOnlyLiveReplacement) {
  const Loaded obo = loaded_obo(
      "[Term]\nid: A:1\n\n"
      "[Term]\nid: A:2\nis_a: A:1\n\n"
      "[Term]\nid: A:3\nis_obsolete: true\nreplaced_by: A:2\n\n"
      "[Term]\nid: A:4\nis_obsolete: true\nreplaced_by: A:2\nreplaced_by: A:1\n\n"
      "[Term]\nid: A:5\nis_obsolete: true\nreplaced_by: A:3\n\n"
      "[Term]\nid: A:6\nis_obsolete: true\nreplaced_by: A:missing\n\n"
      "[Term]\nid: A:7\nis_obsolete: true\nreplaced_by: A:2 ! b\nreplaced_by: A:2\n\n"
      "[Term]\nid: A:8\nis_obsolete: true\n");
  EXPECT_THAT(obo.terms("A:2"),
              ElementsAre(Pair(TermKind::kAltId, "A:3"), Pair(TermKind::kAltId, "A:7")));
  EXPECT_THAT(obo.terms("A:1"), IsEmpty());
  EXPECT_THAT(obo.ontology.info().left_out,
              ElementsAre(Counted{"obsolete terms", 6},
                          Counted{"obsolete ids that lead to their replacement", 2}));
}

TEST(OboLoader, WhatIsWrongIsToldWithItsLine) {
  const auto expect_error = [](std::string_view text, const char* place, const char* message) {
    const auto draft = parse_obo(text, "o.obo");
    ASSERT_FALSE(draft) << text;
    EXPECT_EQ(draft.error().code, ErrorCode::kData);
    EXPECT_THAT(describe(draft.error(), Quote::kShow), ::testing::StartsWith(place));
    EXPECT_THAT(draft.error().message, HasSubstr(message));
  };
  expect_error("", "o.obo: ", "no [Term]");
  expect_error("format-version: 1.2\n[Typedef]\nid: x\n", "o.obo: ", "no [Term]");
  expect_error("[Term]\nid: A:1\nis_obsolete: true\n", "o.obo: ", "obsolete");
  expect_error("no tag here\n", "o.obo:1: ", "no colon");
  expect_error("[Term]\nid: A:1\nname\n", "o.obo:3: ", "no colon");
  expect_error("[Term\nid: A:1\n", "o.obo:1: ", "]");
  expect_error("\n[Term]\nname: a\n\n[Term]\nid: A:1\n", "o.obo:2: ", "without id");
  expect_error("[Term]\nid: ! none\n", "o.obo:2: ", "an id was expected");
  expect_error("[Term]\nid: A:1\nid: A:2\n", "o.obo:3: ", "a second id");
  expect_error("[Term]\nid: A:1\n[Term]\nid: A:2\n[Term]\nid: A:1\n", "o.obo:5: \"A:1\"", "line 1");
  expect_error("[Term]\nid: A:1\n[Term]\nid: A:1\nis_obsolete: true\n", "o.obo:3: \"A:1\"",
               "line 1");
  expect_error("[Term]\nid: A:1\nis_a: A:9 ! gone\n", "o.obo:3: \"A:9\"", "no [Term]");
  expect_error("[Term]\nid: A:1\nis_a: A:1\n", "o.obo:3: \"A:1\"", "its own parent");
  expect_error("[Term]\nid: A:1\nsynonym: \"a\\\" EXACT []\n", "o.obo:3: ", "never ends");
  expect_error("[Term]\nid: A:1\ndef: \"a\nname: b\n", "o.obo:3: ", "never ends");
  expect_error("[Term]\nid: A:1\nname: a \\\nb\nsynonym: a EXACT\n", "o.obo:5: ", "in quotes");
  expect_error("[Term]\nid: A:1\nname: \xFF\n", "o.obo:3: ", "UTF-8");
  expect_error(std::string_view("[Term]\nid: A:1\0\n", 16), "o.obo:2: ", "NUL");
}

TEST(OboLoader, ACycleIsFoundWhenTheOntologyIsFinished) {
  auto draft = parse_obo("[Term]\nid: A:1\nis_a: A:2\n[Term]\nid: A:2\nis_a: A:1\n", "o.obo");
  ASSERT_TRUE(draft);
  EXPECT_THAT(std::move(*draft).finish("o.obo").error().message, HasSubstr("cycle"));
}

// Counts as the folder's README lists them, of live terms; those of other ids (alt_id and
// replaced_by), and of synonyms that differ within a term, were counted by a script.
struct Release {
  const char* file;
  const char* version;
  std::size_t live, obsolete, links, leaves, alt_ids, replaced, synonyms, distinct_synonyms, xrefs;
};
class DiseaseOntology : public ::testing::TestWithParam<Release> {};
TEST_P(DiseaseOntology, IsReadWhole) {
  const Release& expected = GetParam();
  const auto file = test::data_file(expected.file);
  if (!file)
    SEMVEIL_SKIP_WITHOUT(std::string(expected.file) + " in $SEMVEIL_DATA or ../shared/data");
  auto draft = load_obo(*file);
  ASSERT_TRUE(draft) << describe(draft.error(), Quote::kShow);
  EXPECT_EQ(draft->terms(), 2 * expected.live + expected.alt_ids + expected.replaced +
                                expected.synonyms + expected.xrefs);
  const Loaded obo = test::finished(std::move(draft));
  EXPECT_EQ(obo.ontology.info().version, expected.version);
  EXPECT_EQ(obo.taxonomy->size(), expected.live);
  EXPECT_EQ(obo.ontology.info().left_out.front(), (Counted{"obsolete terms", expected.obsolete}));
  EXPECT_EQ(obo.taxonomy->arrays().parents.size(), expected.links);
  EXPECT_EQ(obo.names->label(0), "disease");
  EXPECT_EQ(obo.taxonomy->max_depth(), 14U);
  std::map<TermKind, std::size_t> kinds;
  for (TermId t = 0; t < obo.names->terms(); ++t) ++kinds[obo.names->term(t).kind];
  EXPECT_EQ(kinds[TermKind::kExactSynonym] + kinds[TermKind::kNarrowSynonym] +
                kinds[TermKind::kBroadSynonym] + kinds[TermKind::kRelatedSynonym],
            expected.distinct_synonyms);
  EXPECT_EQ(kinds[TermKind::kXref], expected.xrefs);
  EXPECT_EQ(kinds[TermKind::kLabel], expected.live);
  std::size_t leaves = 0;
  for (ConceptId c = 0; c < obo.taxonomy->size(); ++c) leaves += obo.taxonomy->is_leaf(c) ? 1 : 0;
  EXPECT_EQ(leaves, expected.leaves);
}
INSTANTIATE_TEST_SUITE_P(
    , DiseaseOntology,
    ::testing::Values(Release{"doid/doid-2024-01-31.obo.gz", "releases/2024-01-31/doid.obo", 11'501,
                              2'481, 15'995, 9'125, 1'449, 13, 18'766, 18'756, 37'782},
                      Release{"doid/doid-2016-09-01.obo.gz", "releases/2016-09-01", 6'971, 2'373,
                              8'155, 5'017, 1'335, 0, 12'020, 11'626, 36'879}),
    [](const auto& test) {
      return std::string("Of") + std::string(test.param.version).substr(9, 4);
    });

}  // namespace
}  // namespace semveil
