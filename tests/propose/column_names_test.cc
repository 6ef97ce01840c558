#include "propose/column_names.h"

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
  const std::vector<std::pair<std::string_view, Meaning>> names{
      {"BIRTHDATE", Meaning::kDate},
      {"patient_id", Meaning::kPerson},
      {"Id", Meaning::kKey},
      {"first_name", Meaning::kPersonName},
      {"BASE_ENCOUNTER_COST", Meaning::kMoney},
      {"education-num", Meaning::kEducation},
      {"hours-per-week", Meaning::kWork},
      {"native-country", Meaning::kCountry},
      {"SEVERITY1", Meaning::kHealth},
      {"city_name", Meaning::kPlace},
      {"xyz", Meaning::kNone},
      {"PatientName", Meaning::kPersonName},
  };
  for (const auto& [name, meaning] : names) EXPECT_EQ(hint_of(name).meaning, meaning) << name;
}

TEST(ColumnNames, SayWhetherNumbersAreAmounts) {
  EXPECT_EQ(hint_of("age").amount, Amount::kYes);
  EXPECT_EQ(hint_of("education-num").amount, Amount::kYes);
  EXPECT_EQ(hint_of("sex").amount, Amount::kNo);
  EXPECT_EQ(hint_of("xyz").amount, Amount::kUnknown);
}

TEST(ColumnNames, OfASeriesDifferInTheirNumberAlone) {
  EXPECT_EQ(series_of("vf_an_01"), "vf_an_");
  EXPECT_EQ(series_of("age"), "");
  EXPECT_EQ(series_of("39"), "");
}

}  // namespace
}  // namespace semveil
