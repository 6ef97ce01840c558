#include "base/pseudonym.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

namespace semveil {
namespace {

constexpr auto kForms = {PseudonymForm::kHex, PseudonymForm::kDigits, PseudonymForm::kWords};

Key key_of(unsigned char first) {
  std::array<unsigned char, Key::kSize> bytes{};
  bytes[0] = first;
  return Key::from_bytes(bytes);
}

Pseudonyms usual(PseudonymForm form, unsigned char key = 1, std::string_view release = "2026") {
  return {key_of(key), release, form, usual_length(form)};
}

TEST(Pseudonyms, HaveTheFormThatWasAskedFor) {
  EXPECT_THAT(usual(PseudonymForm::kHex).of("p1"), testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_THAT(usual(PseudonymForm::kDigits).of("p1"), testing::MatchesRegex("[0-9]{12}"));
  EXPECT_TRUE(std::regex_match(usual(PseudonymForm::kWords).of("p1"),
                               std::regex("(([a-z][aiou]){2}-){3}([a-z][aiou]){2}")));
  EXPECT_EQ(Pseudonyms(key_of(1), "r", PseudonymForm::kHex, 64).of("p").size(), 64U);
  EXPECT_EQ(Pseudonyms(key_of(1), "r", PseudonymForm::kDigits, 64).of("p").size(), 64U);
  EXPECT_EQ(Pseudonyms(key_of(1), "r", PseudonymForm::kWords, 64).of("p").size(), 64U * 5 - 1);
}

TEST(Pseudonyms, AreThePersonsInOneReleaseAndAnothersInTheNext) {
  for (const PseudonymForm form : kForms) {
    const std::string here = usual(form).of("p1");
    EXPECT_EQ(usual(form).of("p1"), here);
    EXPECT_NE(usual(form).of("p2"), here);
    EXPECT_NE(usual(form, 1, "2027").of("p1"), here);
    EXPECT_NE(usual(form, 2).of("p1"), here);
  }
}

TEST(Pseudonyms, OfAllReleasesAreThoseOfNoRelease) {
  const Pseudonyms across(key_of(1), std::nullopt, PseudonymForm::kHex, 16);
  const Pseudonyms nameless(key_of(1), "", PseudonymForm::kHex, 16);
  EXPECT_EQ(across.of("p1"), Pseudonyms(across).of("p1"));
  EXPECT_NE(across.of("p1"), nameless.of("p1"));
}

TEST(Pseudonyms, OfAShorterLengthAreTheBeginningOfTheLonger) {
  for (const PseudonymForm form : kForms) {
    const std::string longer = Pseudonyms(key_of(1), "r", form, 40).of("p1");
    EXPECT_TRUE(longer.starts_with(Pseudonyms(key_of(1), "r", form, 7).of("p1")));
  }
}

TEST(Pseudonyms, TellTheLengthAtWhichAllDiffer) {
  std::vector<std::string> names;
  for (int i = 0; i < 500; ++i) names.push_back(fmt::format("person {}", i));
  const std::vector<std::string_view> persons(names.begin(), names.end());
  const auto different = [&](PseudonymForm form, std::size_t length) {
    std::set<std::string> all;
    for (const std::string& name : names)
      all.insert(Pseudonyms(key_of(1), "r", form, length).of(name));
    return all.size() == names.size();
  };
  for (const PseudonymForm form : kForms) {
    const auto length = Pseudonyms(key_of(1), "r", form, 1).length_for(persons);
    ASSERT_TRUE(length && *length > 1);
    EXPECT_TRUE(different(form, *length));
    EXPECT_FALSE(different(form, *length - 1));
  }
  const std::vector<std::string_view> twice{"p", "p"};
  EXPECT_EQ(usual(PseudonymForm::kHex).length_for(twice), std::nullopt);
}

// Fair signs: chi-square of the first `length` signs of all pseudonyms, below its 0.999 quantile.
// The key is fixed, so this cannot fail by chance. 256,000 digits see one that is 4 % likelier.
void expect_fair(PseudonymForm form, int persons, std::size_t length, std::size_t signs,
                 double quantile) {
  std::map<char, double> count;
  const Pseudonyms pseudonyms(key_of(3), "r", form, length);
  for (int i = 0; i < persons; ++i) {
    for (const char sign : pseudonyms.of(std::to_string(i)).substr(0, length)) ++count[sign];
  }
  ASSERT_EQ(count.size(), signs);
  double chi_square = 0;
  const double expected =
      static_cast<double>(persons) * static_cast<double>(length) / static_cast<double>(signs);
  for (const auto& [sign, n] : count) chi_square += (n - expected) * (n - expected) / expected;
  EXPECT_LT(chi_square, quantile);
}

TEST(Pseudonyms, UseAllSignsAlike) {
  expect_fair(PseudonymForm::kHex, 4'000, kLongestPseudonym, 16, 37.7);
  expect_fair(PseudonymForm::kDigits, 4'000, kLongestPseudonym, 10, 27.9);
  expect_fair(PseudonymForm::kWords, 20'000, 1, 16, 37.7);
}

}  // namespace
}  // namespace semveil
