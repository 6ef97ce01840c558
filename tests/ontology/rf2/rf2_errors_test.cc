#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ontology/loaders.h"
#include "support/loaded.h"
#include "support/small_rf2.h"

namespace semveil {
namespace {

using ::testing::HasSubstr;

using namespace test;  // NOLINT(google-build-using-namespace)

void expect_rf2_error(const Rf2Files& files, const char* place, const char* message) {
  expect_refused(read_release(files), message, place, message);
}

TEST(Rf2Loader, ReleasesThatAreNoneAreRefused) {
  expect_rf2_error({}, "release: ", "no file sct2_Concept");
  expect_rf2_error(two_concepts().files("Delta"), "release: ", "Delta");
  for (const auto& [missing, message] :
       {std::pair{0, "sct2_Concept"}, {1, "sct2_Relationship"}, {2, "sct2_Description"}}) {
    Rf2Files files = two_concepts().files();
    files.erase(files.begin() + missing);
    expect_rf2_error(files, "release: ", message);
  }
  expect_rf2_error(SmallRf2().files(), "release: ", "no concept");
  expect_rf2_error(SmallRf2().concept_row(138875005, 0).files(), "release: ", "inactive");
  const auto nowhere = load_rf2("no/such/folder", "");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().place.file, "no/such/folder");
}

TEST(Rf2Loader, WhatIsWrongIsToldWithFileAndLine) {
  constexpr const char* kConcept = "release/sct2_Concept_Snapshot_INT_20200131.txt:";
  constexpr const char* kRelationship = "release/sct2_Relationship_Snapshot_INT_20200131.txt:";
  const auto at = [](const char* file, const char* rest) { return std::string(file) + rest; };
  const auto concept_line = [](const char* line) {
    return two_concepts().line(SmallRf2::kConcepts, line).files();
  };
  expect_rf2_error(two_concepts().concept_row(409498004).files(), at(kConcept, "4: ").c_str(),
                   "already");
  expect_rf2_error(two_concepts().is_a(200001029, 409498004, 138875005).files(),
                   at(kRelationship, "3: ").c_str(), "already");
  expect_rf2_error(two_concepts().is_a(200002029, 409498004, 999999).files(),
                   at(kRelationship, "3: \"999999\"").c_str(), "declares");
  expect_rf2_error(two_concepts().is_a(200002029, 999999, 138875005).files(),
                   at(kRelationship, "3: \"999999\"").c_str(), "declares");
  expect_rf2_error(two_concepts().is_a(200002029, 409498004, 409498004).files(),
                   at(kRelationship, "3: \"409498004\"").c_str(), "its own parent");
  expect_rf2_error(two_concepts().described(501016, 999999, kSynonym, "x").files(),
                   "release/sct2_Description_Snapshot-en_INT_20200131.txt:2: \"999999\"",
                   "declares");
  expect_rf2_error(
      two_concepts().accepted("a", kUs, 501016, true).accepted("a", kUs, 501016, true).files(),
      "release/der2_cRefset_LanguageSnapshot-en_INT_20200131.txt:3: ", "already");
  expect_rf2_error(two_concepts().leads("a", kSameAs, 700001, 1).files(),
                   "release/der2_cRefset_AssociationSnapshot_INT_20200131.txt:2: \"1\"",
                   "targetComponentId");
  expect_rf2_error(concept_line("12345\t20200131\t1\t9\t9\r\n"),
                   at(kConcept, "4: \"12345\"").c_str(), "SCTID");
  expect_rf2_error(concept_line("1234567890123456789\t20200131\t1\t9\t9\r\n"),
                   at(kConcept, "4: ").c_str(), "SCTID");
  expect_rf2_error(concept_line("0123456\t20200131\t1\t9\t9\r\n"), at(kConcept, "4: ").c_str(),
                   "SCTID");
  expect_rf2_error(concept_line("12345x6\t20200131\t1\t9\t9\r\n"), at(kConcept, "4: ").c_str(),
                   "SCTID");
  expect_rf2_error(concept_line("123456\t2020013\t1\t9\t9\r\n"),
                   at(kConcept, "4: \"2020013\"").c_str(), "effectiveTime");
  expect_rf2_error(concept_line("123456\t20200131\tyes\t9\t9\r\n"),
                   at(kConcept, "4: \"yes\"").c_str(), "active");
  expect_rf2_error(concept_line("123456\t20200131\t1"), at(kConcept, "4: ").c_str(),
                   "3 fields where the header has 5");
  expect_rf2_error(concept_line("123456\t20200131\t1\t9\t9\t9\r\n"), at(kConcept, "4: ").c_str(),
                   "6 fields");
  expect_rf2_error(concept_line("\r\n"), at(kConcept, "4: ").c_str(), "1 field where");
  expect_rf2_error(concept_line("123456\t20200131\t1\t9\t\xFF\r\n"), at(kConcept, "4: ").c_str(),
                   "UTF-8");
  Rf2Files files = two_concepts().files();
  files[0].text = "";
  expect_rf2_error(files, at(kConcept, "1: ").c_str(), "header");
  files[0].text = "id\teffectiveTime\tmoduleId\r\n";
  expect_rf2_error(files, at(kConcept, "1: ").c_str(), "no column 'active'");
  std::swap(files[0].text, files[2].text);
  expect_rf2_error(files, "release/sct2_Description_Snapshot-en_INT_20200131.txt:1: ", "no column");
}

TEST(Rf2Loader, ACycleIsFoundWhenTheOntologyIsFinished) {
  auto draft = read_release(two_concepts().is_a(200002029, 138875005, 409498004).files());
  ASSERT_TRUE(draft);
  EXPECT_THAT(std::move(*draft).finish("release").error().message, HasSubstr("cycle"));
}

// A line that never ends, of which nothing is ever held but a window.
class EndlessLine : public InputStream {
 public:
  Result<std::size_t> read(char* buffer, std::size_t size) override {
    std::fill_n(buffer, size, 'x');
    given_ += size;
    EXPECT_LT(given_, std::uint64_t{1} << 23);
    return given_ > std::uint64_t{1} << 30 ? 0 : size;
  }
  std::uint64_t position() const override { return given_; }

 private:
  std::uint64_t given_ = 0;
};

TEST(Rf2Loader, ALineOfAGigabyteIsRefusedInLittleMemory) {
  const Rf2Files files = two_concepts().files();
  Rf2Release release;
  for (const Rf2Text& file : files) release.names.push_back(file.name);
  release.path = "release";
  release.open = [&](const std::string& name) -> Result<NamedStream> {
    return NamedStream{std::make_unique<EndlessLine>(), name};
  };
  const auto draft = read_rf2(release, "");
  ASSERT_FALSE(draft);
  EXPECT_EQ(draft.error().place.line, 1U);
  EXPECT_THAT(draft.error().message, HasSubstr("million bytes"));
}

}  // namespace
}  // namespace semveil
