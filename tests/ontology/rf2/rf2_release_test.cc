// Whole releases: generated ones against the slow twin, Full against Snapshot, zip against folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <algorithm>
#include <map>
#include <set>

#include "ontology/loaders.h"
#include "support/loaded.h"
#include "support/slow_rf2.h"
#include "support/small_rf2.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

using namespace test;  // NOLINT(google-build-using-namespace)

// What the ontology says of each concept, in the twin's words.
std::map<std::string, test::SlowRf2::Concept> said_by(const Loaded& rf2) {
  std::map<std::string, test::SlowRf2::Concept> concepts;
  for (ConceptId c = 0; c < rf2.taxonomy->size(); ++c) {
    if (rf2.taxonomy->is_virtual(c)) continue;
    auto& said = concepts[std::string(rf2.names->id(c))];
    said.label = rf2.names->label(c);
    said.definition = rf2.names->definition(c);
    for (TermId t = rf2.names->first_term(c) + 2; t < rf2.names->last_term(c); ++t) {
      const Term term = rf2.names->term(t);
      EXPECT_TRUE(said.others.emplace(term.kind, term.text).second) << term.text;
    }
    for (const ConceptId p : rf2.taxonomy->parents(c)) {
      if (!rf2.taxonomy->is_virtual(p)) said.parents.emplace(rf2.names->id(p));
    }
  }
  return concepts;
}

std::uint64_t count_of(const std::vector<Counted>& list, std::string_view what) {
  const auto found = std::ranges::find(list, what, &Counted::what);
  return found == list.end() ? 0 : found->count;
}

class GeneratedRelease : public ::testing::TestWithParam<std::uint64_t> {};
TEST_P(GeneratedRelease, IsReadAsItsSlowTwinReadsIt) {
  struct Choice {
    std::string wanted, set, code;
  };
  for (const Rf2Form form : {Rf2Form::kSnapshot, Rf2Form::kFull}) {
    const Rf2Files files = test::generated_rf2({400, GetParam(), true}, form);
    const test::SlowRf2::Files texts{files[0].text, files[1].text, files[2].text,
                                     files[3].text, files[4].text, files[5].text};
    for (const Choice& choice :
         {Choice{"", "900000000000509007", ""}, Choice{"en-GB", "900000000000508004", ""},
          Choice{"46011000052107", "46011000052107", ""}, Choice{"en", "900000000000509007", "en"},
          Choice{"SV", "46011000052107", "sv"}}) {
      SCOPED_TRACE(choice.wanted);
      const test::SlowRf2 slow(texts, choice.set, choice.code);
      const Loaded fast = finished(read_release(files, choice.wanted));
      EXPECT_GT(slow.inactive, 10U);
      EXPECT_GT(slow.followed, 5U);
      EXPECT_EQ(said_by(fast), slow.concepts);
      const auto& left_out = fast.ontology.info().left_out;
      EXPECT_EQ(count_of(left_out, "inactive concepts"), slow.inactive);
      EXPECT_EQ(count_of(left_out, "inactive concepts that lead to their replacement"),
                slow.followed);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(, GeneratedRelease, ::testing::Range<std::uint64_t>(1, 4));

void expect_same_names(const Names& a, const Names& b) {
  ASSERT_EQ(a.terms(), b.terms());
  for (TermId t = 0; t < a.terms(); ++t) {
    ASSERT_EQ(a.term(t).text, b.term(t).text);
    ASSERT_EQ(a.term(t).kind, b.term(t).kind);
    ASSERT_EQ(a.term(t).concept_id, b.term(t).concept_id);
  }
  EXPECT_EQ(a.arrays().definitions, b.arrays().definitions);
}

TEST(Rf2Loader, TheNewestStatesOfFullFilesAreTheSnapshot) {
  const Rf2Shape shape{500, 9, true};
  const Loaded snapshot = finished(read_release(test::generated_rf2(shape, Rf2Form::kSnapshot)));
  Rf2Files full = test::generated_rf2(shape, Rf2Form::kFull);
  EXPECT_GT(full[0].text.size(), test::generated_rf2(shape)[0].text.size());
  const Loaded reduced = finished(read_release(full));
  EXPECT_EQ(reduced.ontology.info(), snapshot.ontology.info());
  expect_same_names(*reduced.names, *snapshot.names);
  EXPECT_TRUE(
      std::ranges::equal(reduced.taxonomy->arrays().parents, snapshot.taxonomy->arrays().parents));
  // Where both lie in the folder the Snapshot alone is read.
  for (const Rf2Text& file : test::generated_rf2(shape, Rf2Form::kSnapshot)) full.push_back(file);
  for (Rf2Text& file : full) {
    if (file.name.starts_with("Full")) file.text = "is not read";
  }
  expect_same_names(*finished(read_release(full)).names, *snapshot.names);
}

void write_zip(const Rf2Files& files, const std::string& path) {
  zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  ASSERT_NE(zip, nullptr);
  for (const Rf2Text& file : files) {
    zip_source_t* source = zip_source_buffer(zip, file.text.data(), file.text.size(), 0);
    ASSERT_GE(zip_file_add(zip, ("SnomedCT_1/" + file.name).c_str(), source, 0), 0);
  }
  ASSERT_EQ(zip_close(zip), 0);
}

TEST(Rf2Loader, AnArchiveIsReadAsItsFolderIs) {
  const test::TemporaryFolder folder;
  const Rf2Files files = test::generated_rf2({300, 4, true});
  test::write_files(files, folder.path() + "/release");
  write_zip(files, folder.path() + "/release.zip");
  const Loaded unpacked = finished(load_rf2(folder.path() + "/release", "en-GB"));
  const Loaded packed = finished(load_rf2(folder.path() + "/release.zip", "en-GB"));
  EXPECT_EQ(packed.ontology.info(), unpacked.ontology.info());
  expect_same_names(*packed.names, *unpacked.names);
  EXPECT_TRUE(
      std::ranges::equal(packed.taxonomy->arrays().parents, unpacked.taxonomy->arrays().parents));
  EXPECT_EQ(said_by(packed), said_by(unpacked));
}

TEST(Rf2Loader, TellsTheFilesThatDecide) {
  const test::TemporaryFolder folder;
  const std::string release = folder.path() + "/release";
  Rf2Files files = two_concepts().files();
  files.push_back({"Full/sct2_Concept_Full_INT_20200131.txt", ""});
  files.push_back({"Readme.txt", ""});
  test::write_files(files, release);
  const std::vector<std::string> found = rf2_files(release);
  ASSERT_EQ(found.size(), 5U);
  EXPECT_THAT(found, Contains(release + "/sct2_Concept_Snapshot_INT_20200131.txt"));
  write_zip(files, folder.path() + "/release.zip");
  EXPECT_THAT(rf2_files(folder.path() + "/release.zip"),
              ElementsAre(folder.path() + "/release.zip"));
  EXPECT_THAT(rf2_files(folder.path() + "/nowhere"), ElementsAre(folder.path() + "/nowhere"));
  EXPECT_THAT(rf2_files(folder.path()), ::testing::SizeIs(5));  // below it, too
}

}  // namespace
}  // namespace semveil
