#include "mapping/codes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/small_ontology.h"
#include "ontology/loaders.h"
#include "support/loaded.h"

namespace semveil {
namespace {

using test::mapper_of;
using test::shown;
using test::SmallOntology;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(PlainCode, IsTheCodeWithoutWhatPeopleAdd) {
  for (const char* text :
       {"E10.30", "e1030", " E10.30 ", "E10.30†", "E10.30 †", "E10.30+", "e10.30*", "E10.30!",
        "E10.30-", "E1030.", "E10.30\u00A0", "\tE10.30.-"}) {
    EXPECT_EQ(plain_code(text), "E1030") << text;
  }
  EXPECT_EQ(plain_code("E11.-"), "E11");
  EXPECT_EQ(plain_code("E11.–"), "E11");
  EXPECT_EQ(plain_code("S00.01xA"), "S0001XA");
  EXPECT_EQ(plain_code("042"), "042");
  for (const char* text : {"", " ", ".", "-", "†", ".9", "E11..9", "1.1.2020", "E11-E14", "E 11",
                           "E11,9", "HIV", "Ä11", "S00.01XAAA", "123456789", "E11.9 diabetes"}) {
    EXPECT_EQ(plain_code(text), "") << text;
  }
}

Ontology small_of(std::string_view text) {
  auto draft = read_icd9cm({InputStream::over(text), "t"});
  return *std::move(*draft).finish("t");
}
Ontology icd10() {
  return small_of(
      "node_id,parent_id,label\nR-1,,all\nE10-E14,R-1,Diabetes\nE11,E10-E14,Type 2\n"
      "E11.6,E11,Other\nE11.69,E11.6,Other complication\nE11.9,E11,Without\n"
      "S00.01XA,R-1,Abrasion of scalp\nB20-B20,R-1,HIV\nB20,B20-B20,HIV disease\n");
}
Ontology icd9() {
  return small_of(
      "node_id,parent_id,label\nICD9CM,,all\n001,ICD9CM,Cholera\n0011,001,El tor\n"
      "011,ICD9CM,Tuberculosis\n0110,011,Infiltrative\n042,ICD9CM,HIV\n110,ICD9CM,Tinea\n"
      "250,ICD9CM,Diabetes\n2500,250,Plain\n25000,2500,Type 2\n7931,ICD9CM,X-ray\n79310,7931,a\n"
      "3051,ICD9CM,Tobacco\n30500,ICD9CM,Alcohol\nE800,ICD9CM,Railway\nE8000,E800,Employee\n"
      "V01,ICD9CM,Contact\nV011,V01,TB\n");
}

TEST(Codes, OfIcd10AsPeopleWriteThem) {
  const Ontology ontology = icd10();
  const Mapper mapper = mapper_of(ontology);
  const std::vector<std::pair<const char*, const char*>> table{
      {"E11.9", "id: E11.9"},
      {"E119", "code: E11.9"},
      {"e11.9", "code: E11.9"},
      {"e119", "code: E11.9"},
      {" E11.9 ", "code: E11.9"},
      {"E11.9†", "code: E11.9"},
      {"E11.9+", "code: E11.9"},
      {"E119*", "code: E11.9"},
      {"E11.9!", "code: E11.9"},
      {"E11.-", "code: E11"},
      {"E11.", "code: E11"},
      {"e11", "code: E11"},
      {"E11–", "code: E11"},
      {"S0001XA", "code: S00.01XA"},
      {"s00.01xa", "code: S00.01XA"},
      {"b20", "code: B20"},
      {"B20", "id: B20"},
      {"b20-b20", "normalised: B20-B20"},
      {"Type 2", "label: E11"},
      {"type-2", "normalised: E11"},
      {"E116.9", "unmapped:"},
      {"E1.19", "unmapped:"},
      {"E11.7", "unmapped:"},
      {"11.9", "unmapped:"},
      {"E11.9.", "code: E11.9"},
      {"e10-e14", "normalised: E10-E14"},
  };
  for (const auto& [value, expected] : table) EXPECT_EQ(shown(mapper, value), expected) << value;
}

TEST(Codes, OfIcd9MayHaveLostZerosInFront) {
  const Ontology ontology = icd9();
  const Mapper mapper = mapper_of(ontology);
  const std::vector<std::pair<const char*, const char*>> table{
      {"042", "id: 042"},       {"42", "code: 042"},        {"42.", "code: 042"},
      {"001.1", "code: 0011"},  {"1.1", "code: 0011"},      {"01.1", "code: 0011"},
      {"11.0", "code: 0110"},   {"1", "code: 001"},         {"1.", "code: 001"},
      {"250.0", "code: 2500"},  {"250.00", "code: 25000"},  {"250", "id: 250"},
      {"2500.0", "unmapped:"},  {"25.00", "unmapped:"},     {"E800.0", "code: E8000"},
      {"e8000", "code: E8000"}, {"E80.00", "unmapped:"},    {"V01.1", "code: V011"},
      {"V1.1", "unmapped:"},    {"110", "id: 110"},         {"1.1.1", "unmapped:"},
      {"0.42", "unmapped:"},    {"icd9cm", "code: ICD9CM"},
  };
  for (const auto& [value, expected] : table) EXPECT_EQ(shown(mapper, value), expected) << value;
}

TEST(Codes, ThatMayBeSeveralAreAllOfThem) {
  const Ontology ontology = icd9();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, "11"), "code: 0011 011");
  const auto only = mapper.only("11");
  ASSERT_FALSE(only);
  EXPECT_THAT(only.error().message, HasSubstr("means 2 concepts"));
  // Ids that differ in nothing but their dots.
  const Ontology twins = small_of("node_id,parent_id,label\nA000,,a\nA00.0,,b\n");
  EXPECT_EQ(shown(mapper_of(twins), "A00.0"), "id: A00.0");
  EXPECT_EQ(shown(mapper_of(twins), "a000"), "code: A00.0 A000");
}

std::vector<std::string> suggested(const Mapper& mapper, std::string_view value) {
  std::vector<std::string> ids;
  for (const Suggestion& s : mapper.suggest(value, 3)) {
    ids.emplace_back(mapper.names().id(s.concept_id));
  }
  return ids;
}

TEST(Codes, ThatMayHaveLostZerosAtTheirEndAreSuggested) {
  const Ontology ontology = icd9();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, "305"), "unmapped:");
  EXPECT_THAT(suggested(mapper, "305"), ElementsAre("30500"));
  EXPECT_THAT(suggested(mapper, "305.0"), ElementsAre("30500"));
  EXPECT_THAT(suggested(mapper, "42.0"), ElementsAre("042"));
  EXPECT_THAT(suggested(mapper, "250.19"), ElementsAre("250"));
  EXPECT_THAT(suggested(mapper, "2.5e2"), IsEmpty());
  const Mapper ten = mapper_of(icd10());
  EXPECT_THAT(suggested(ten, "e11.95"), ElementsAre("E11.9"));
}

TEST(Codes, APartOfAnOntologyKeepsItsDots) {
  const Ontology part = small_of("node_id,parent_id,label\nE11.6,,Other\nE11.69,E11.6,More\n");
  EXPECT_EQ(shown(mapper_of(part), "e11.69"), "code: E11.69");
  const Ontology flat = small_of("node_id,parent_id,label\nE116,,Other\nE1169,E116,More\n");
  EXPECT_EQ(shown(mapper_of(flat), "E11.69"), "code: E1169");
}

TEST(Codes, AnswerForASingleConceptToo) {
  const Ontology ontology = icd10();
  const Mapper mapper = mapper_of(ontology);
  const auto found = mapper.only("e119");
  ASSERT_TRUE(found);
  EXPECT_EQ(mapper.names().id(*found), "E11.9");
}

TEST(Codes, OfOtherOntologiesAreTextsLikeAnyOther) {
  for (const char* format : {"obo", "wordnet"}) {
    SmallOntology small(format);
    small.label("E11.9", {}, "diabetes").label("042", {"E11.9"}, "other");
    const Ontology ontology = small.finish();
    const Mapper mapper = mapper_of(ontology);
    EXPECT_EQ(shown(mapper, "E119"), "unmapped:") << format;
    EXPECT_EQ(shown(mapper, "E11.9†"), "unmapped:") << format;
    EXPECT_EQ(shown(mapper, "42"), "unmapped:") << format;
    EXPECT_THAT(suggested(mapper, "E11.95"), IsEmpty()) << format;
  }
}

}  // namespace
}  // namespace semveil
