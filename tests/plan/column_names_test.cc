#include "plan/column_names.h"

#include <gtest/gtest.h>

namespace semveil {
namespace {

TEST(ColumnNames, AreCutIntoWords) {
  EXPECT_EQ(name_words("nativeCountry_2"), (std::vector<std::string>{"native", "country"}));
  EXPECT_EQ(name_words("hours-per-week"), (std::vector<std::string>{"hours", "per", "week"}));
  EXPECT_EQ(name_words("BIRTHDATE"), std::vector<std::string>{"birthdate"});
  EXPECT_TRUE(name_words("  ").empty());
}

TEST(ColumnNames, SayWhatTheyMean) {
  const std::vector<std::pair<std::string_view, NameMeaning>> names{
      {"BIRTHDATE", NameMeaning::kDate},
      {"patient_id", NameMeaning::kPerson},
      {"Id", NameMeaning::kKey},
      {"first_name", NameMeaning::kPersonName},
      {"BASE_ENCOUNTER_COST", NameMeaning::kMoney},
      {"education-num", NameMeaning::kEducation},
      {"hours-per-week", NameMeaning::kWork},
      {"native-country", NameMeaning::kCountry},
      {"SEVERITY1", NameMeaning::kHealth},
      {"city_name", NameMeaning::kPlace},
      {"xyz", NameMeaning::kNone},
      {"PatientName", NameMeaning::kPersonName},
  };
  for (const auto& [name, meaning] : names) EXPECT_EQ(hint_of(name).meaning, meaning) << name;
}

TEST(ColumnNames, SayWhetherNumbersAreAmounts) {
  EXPECT_EQ(hint_of("age").amount, Amount::kYes);
  EXPECT_EQ(hint_of("education-num").amount, Amount::kYes);
  EXPECT_EQ(hint_of("sex").amount, Amount::kNo);
  EXPECT_EQ(hint_of("xyz").amount, Amount::kUnknown);
}

TEST(ColumnNames, SayWhatSomebodyBelieves) {
  for (const char* name : {"wahlabsicht", "voting_intention", "party", "religion", "Partei_2021"}) {
    EXPECT_EQ(hint_of(name).meaning, NameMeaning::kBelief) << name;
  }
  EXPECT_EQ(hint_of("voter_id").meaning, NameMeaning::kPerson);
}

TEST(ColumnNames, SayCodesOfIllnessesOrAMeasureOfHealth) {
  for (const char* name : {"diag_1", "diagnosis", "REASONCODE", "icd9", "cause_of_death"}) {
    EXPECT_TRUE(hint_of(name).says_illness) << name;
  }
  for (const char* name : {"height_cm", "lab_result", "age_at_diagnosis", "weight",
                           "reasonable_rent", "diagonal_mm", "causeway", "conditioner"}) {
    EXPECT_FALSE(hint_of(name).says_illness) << name;
  }
}

TEST(ColumnNames, SayAnIdOrNot) {
  for (const char* name : {"patient_id", "pid", "Id", "nr", "email", "ssn"}) {
    EXPECT_TRUE(says_id(hint_of(name))) << name;
  }
  for (const char* name : {"LAST", "patient_name", "fnlwgt", "income", "xyz", "zip_code"}) {
    EXPECT_FALSE(says_id(hint_of(name))) << name;
  }
}

TEST(ColumnNames, OfASeriesDifferInTheirNumberAlone) {
  EXPECT_EQ(series_of("vf_an_01"), "vf_an_");
  EXPECT_EQ(series_of("age"), "");
  EXPECT_EQ(series_of("39"), "");
}

}  // namespace
}  // namespace semveil
