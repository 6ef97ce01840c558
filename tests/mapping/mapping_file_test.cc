#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mapping/small_ontology.h"

namespace semveil {
namespace {

using test::SmallOntology;
using testing::HasSubstr;

class MappingFileTest : public testing::Test {
 protected:
  Result<MappingFile> csv(std::string_view text) const {
    return MappingFile::parse(text, "m.csv", ontology_);
  }
  Result<MappingFile> toml(std::string_view text) const {
    return MappingFile::parse(text, "m.toml", ontology_);
  }
  std::string decided(const Result<MappingFile>& file, std::string_view value) const {
    if (!file) return "error: " + file.error().message;
    const std::optional<ConceptId>* found = file->find(value);
    if (found == nullptr) return "silent";
    return found->has_value() ? std::string((*ontology_.names())->id(**found)) : "unmapped";
  }
  static std::string where(const Result<MappingFile>& file) {
    return file ? "no error" : describe(file.error(), Quote::kShow);
  }

  Ontology ontology_ =
      SmallOntology()
          .label("R", {}, "root")
          .label("D:1", {"R"}, "dog")
          .label("D:2", {"R"}, "dog")
          .add("C", {"R"},
               {{TermKind::kLabel, "cat"}, {TermKind::kExactSynonym, "kitty, \"puss\""}})
          .label("G", {"R"}, "giraffe")
          .finish();
};

TEST_F(MappingFileTest, NeedsTwoColumnsInAnyOrder) {
  const auto file = csv("note,concept,value\nx,D:1,doggy\ny,cat,miao\nz,,nothing\n");
  EXPECT_EQ(decided(file, "doggy"), "D:1");
  EXPECT_EQ(decided(file, "miao"), "C");
  EXPECT_EQ(decided(file, "nothing"), "unmapped");
  EXPECT_EQ(decided(file, "Doggy"), "silent");
  EXPECT_EQ(decided(csv("value;concept\na,b;dog (D:2)\n"), "a,b"), "D:2");
}

TEST_F(MappingFileTest, ReadsToml) {
  const auto file = toml(R"([[mapping]]
value = "doggy"
concept = "D:1"
how = "file"

[[mapping]]
value = 'no"thing'
concept = ""
)");
  EXPECT_EQ(decided(file, "doggy"), "D:1");
  EXPECT_EQ(decided(file, "no\"thing"), "unmapped");
  EXPECT_TRUE(toml(""));
}

TEST_F(MappingFileTest, NamesFileLineAndColumnOfAnUnknownConcept) {
  const std::string error = where(csv("value,concept\nok,C\ntall one,girafe\n"));
  EXPECT_THAT(error, HasSubstr("m.csv:3: column 'concept': \"girafe\": "));
  EXPECT_THAT(error, HasSubstr("G giraffe"));
  EXPECT_THAT(where(toml("\n[[mapping]]\nvalue='x'\nconcept='girafe'\n")),
              HasSubstr("m.toml:2: column 'concept': \"girafe\": "));
}

TEST_F(MappingFileTest, ListsTheSensesOfAnAmbiguousName) {
  const std::string error = where(csv("value,concept\nrex,dog\n"));
  EXPECT_THAT(error, HasSubstr("m.csv:2"));
  EXPECT_THAT(error, HasSubstr("D:1 dog"));
  EXPECT_THAT(error, HasSubstr("D:2 dog"));
}

TEST_F(MappingFileTest, RefusesTwoDecisionsOnOneValue) {
  const std::string error = where(csv("value,concept\nrex,D:1\n\"a\nb\",C\nrex,D:2\n"));
  EXPECT_THAT(error, HasSubstr("m.csv:5: column 'value': \"rex\": "));
  EXPECT_THAT(error, HasSubstr("line 2"));
  EXPECT_THAT(where(csv("value,concept\nrex,D:1\nrex,\n")), HasSubstr("line 2"));
  EXPECT_EQ(decided(csv("value,concept\nrex,C\nrex,cat\n"), "rex"), "C");
}

TEST_F(MappingFileTest, RefusesWhatIsNoMappingFile) {
  EXPECT_THAT(where(csv("")), HasSubstr("empty"));
  EXPECT_THAT(where(csv("value,label\nx,y\n")), HasSubstr("m.csv:1: "));
  EXPECT_THAT(where(csv("value,label\nx,y\n")), HasSubstr("no column concept"));
  EXPECT_THAT(where(csv("value,value,concept\nx,y,C\n")), HasSubstr("two columns value"));
  EXPECT_THAT(where(csv("value,concept\nx\n")), HasSubstr("m.csv:2"));
  EXPECT_THAT(where(toml("[[mapping]\n")), HasSubstr("m.toml:1"));
  EXPECT_THAT(where(toml("[[mapping]]\nvalue='x'\n")), HasSubstr("needs the key concept"));
  EXPECT_THAT(where(toml("[[mapping]]\nvalue=1\nconcept='C'\n")), HasSubstr("needs the key value"));
  EXPECT_THAT(where(toml("mapping=[1]\n")), HasSubstr("m.toml:1"));
  EXPECT_THAT(where(toml("[mapping]\n")), HasSubstr("m.toml:1"));
  EXPECT_THAT(where(toml("[[mappings]]\n")), HasSubstr("[[mapping]]"));
  EXPECT_THAT(where(toml("a = '\xFF'\n")), HasSubstr("UTF-8"));
  EXPECT_THAT(where(toml("é = 1\n")), HasSubstr("m.toml:1"));
  EXPECT_THAT(where(toml("[$[a = 1\n")), HasSubstr("m.toml:1"));
}

TEST_F(MappingFileTest, ReadsFromDisk) {
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / "semveil_mapping_file_test.csv").string();
  std::ofstream(path) << "value,concept\r\nmiao,C\r\n";
  EXPECT_EQ(decided(MappingFile::read(path, ontology_), "miao"), "C");
  std::filesystem::remove(path);
  EXPECT_FALSE(MappingFile::read(path, ontology_));
}

class WrittenMapping : public MappingFileTest {
 protected:
  ColumnMapping mapping_ = [&] {
    const Mapper mapper = test::mapper_of(ontology_);
    const std::vector<std::string> values{"dog",    " cat ", "girafe",        "a,b", "say \"x\"",
                                          "two\nl", "\r",    "tab\t\x7F\x01", "ﬁ|é", "back\\slash"};
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    for (const std::string& value : values) counts.emplace_back(value, 1);
    counts[0].second = 5;
    return *map_values(counts, mapper, ontology_, {});
  }();
};

TEST_F(WrittenMapping, LooksAsDocumented) {
  const std::string text = mapping_csv(mapping_, **ontology_.names());
  EXPECT_THAT(text, testing::StartsWith("value,count,concept,label,how,senses,suggestions\n"
                                        "dog,5,D:1,dog,label,D:1 D:2,\n"));
  EXPECT_THAT(text, HasSubstr("\n\" cat \",1,C,cat,normalised,C,\n"));
  EXPECT_THAT(text, HasSubstr("\ngirafe,1,,,unmapped,,giraffe (G)\n"));
  EXPECT_THAT(mapping_toml(mapping_, **ontology_.names()),
              testing::StartsWith("[[mapping]]\nvalue = \"dog\"\ncount = 5\nconcept = \"D:1\"\n"
                                  "label = \"dog\"\nhow = \"label\"\nsenses = [\"D:1\", \"D:2\"]\n"
                                  "\n[[mapping]]\n"));
}

TEST_F(WrittenMapping, ReadsBackToTheSameDecisions) {
  const Names& names = **ontology_.names();
  for (const Result<MappingFile>& file :
       {csv(mapping_csv(mapping_, names)), toml(mapping_toml(mapping_, names))}) {
    ASSERT_TRUE(file) << where(file);
    for (const MappedValue& value : mapping_.values) {
      const std::optional<ConceptId>* found = file->find(value.value);
      ASSERT_NE(found, nullptr) << value.value;
      EXPECT_EQ(*found, value.concept_id) << value.value;
    }
  }
  const ColumnMapping nothing;
  EXPECT_TRUE(csv(mapping_csv(nothing, names)));
  EXPECT_TRUE(toml(mapping_toml(nothing, names)));
}

}  // namespace
}  // namespace semveil
