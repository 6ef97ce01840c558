// Means of numbers, rounded as by hand.
#include "mechanisms/microaggregate/number_means.h"

#include <gtest/gtest.h>

namespace semveil::test {
namespace {

std::string mean_of(std::vector<double> numbers, std::vector<std::uint64_t> counts,
                    unsigned decimals) {
  Attribute attribute = numeric_attribute("x", numbers, 1);
  attribute.decimals = decimals;
  ValueCounts group;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (counts[i] == 0) continue;
    group.values.push_back(static_cast<ConceptId>(i));
    group.counts.push_back(counts[i]);
  }
  const auto mean = NumberMeans(std::make_shared<const Attribute>(attribute)).of(group);
  return mean ? mean->digits : "none";
}

TEST(NumberMeans, RoundHalfToEven) {
  EXPECT_EQ(mean_of({1, 2}, {1, 1}, 0), "2");     // 1.5
  EXPECT_EQ(mean_of({2, 3}, {1, 1}, 0), "2");     // 2.5
  EXPECT_EQ(mean_of({-3, -2}, {1, 1}, 0), "-2");  // −2.5
  EXPECT_EQ(mean_of({-2, -1}, {1, 1}, 0), "-2");  // −1.5
  EXPECT_EQ(mean_of({0, 1}, {1, 1}, 0), "0");
  EXPECT_EQ(mean_of({-1, 0}, {1, 1}, 0), "0");  // there is no −0
  EXPECT_EQ(mean_of({1, 2}, {1, 2}, 0), "2");   // 1.67
  EXPECT_EQ(mean_of({1, 2}, {2, 1}, 0), "1");   // 1.33
}

// As doubles these halves lie a little beside.
TEST(NumberMeans, KnowAHalfThatIsNoBinaryFraction) {
  EXPECT_EQ(mean_of({0.1, 0.2}, {1, 1}, 1), "0.2");       // 0.15
  EXPECT_EQ(mean_of({0.2, 0.3}, {1, 1}, 1), "0.2");       // 0.25
  EXPECT_EQ(mean_of({0.6, 0.7}, {1, 1}, 1), "0.6");       // 0.65
  EXPECT_EQ(mean_of({1.01, 1.02}, {1, 1}, 2), "1.02");    // 1.015
  EXPECT_EQ(mean_of({1.004, 1.006}, {1, 1}, 2), "1.00");  // 1.005
  EXPECT_EQ(mean_of({2.675}, {1}, 2), "2.68");
  EXPECT_EQ(mean_of({2.665}, {1}, 2), "2.66");
}

TEST(NumberMeans, AreWrittenWithTheColumnsDecimals) {
  EXPECT_EQ(mean_of({3}, {1}, 3), "3.000");
  EXPECT_EQ(mean_of({0.05}, {1}, 2), "0.05");
  EXPECT_EQ(mean_of({-0.05}, {1}, 2), "-0.05");
  EXPECT_EQ(mean_of({-0.004}, {1}, 2), "0.00");
  EXPECT_EQ(mean_of({1e15, 3e15}, {1, 1}, 0), "2000000000000000");
  EXPECT_EQ(mean_of({1e-7, 3e-7}, {1, 1}, 7), "0.0000002");
}

TEST(NumberMeans, OfMissingCellsIsNone) {
  EXPECT_EQ(mean_of({}, {}, 0), "none");
  Attribute attribute = numeric_attribute("x", {4, 8}, 1);
  const NumberMeans means(std::make_shared<const Attribute>(attribute));
  EXPECT_FALSE(means.of({{2}, {7}}));
  EXPECT_EQ(means.of({{0, 2}, {1, 7}})->digits, "4");  // missing ones take no part
}

// Beyond 18 digits: doubles, and finite.
TEST(NumberMeans, OfGreatAndTinyNumbersAreStillMeans) {
  EXPECT_EQ(mean_of({1e20, 3e20}, {1, 1}, 0), "200000000000000000000");
  Attribute attribute = numeric_attribute("x", {1e308, 1.5e308}, 1);
  const NumberMeans means(std::make_shared<const Attribute>(attribute));
  EXPECT_DOUBLE_EQ(means.of({{0, 1}, {1, 1}})->value, 1.25e308);
  EXPECT_EQ(mean_of({1e-30, 1}, {1, 1}, 1), "0.5");
  EXPECT_EQ(mean_of({-1e-30}, {1}, 1), "0.0");
}

TEST(NumberMeans, ManyRecordsDoNotOverflow) {
  EXPECT_EQ(mean_of({999999999999999, 999999999999998}, {1'000'000'000'000, 1}, 0),
            "999999999999999");
}

std::string mean_date(const std::vector<std::string>& texts,
                      const std::vector<std::uint64_t>& counts, std::string_view format = "") {
  const DateForm form = DateForm::of(format).value().of_texts({texts.begin(), texts.end()});
  std::vector<double> days;
  ValueCounts group;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    days.push_back(form.number(texts[i]).value());
    group.values.push_back(static_cast<ConceptId>(i));
    group.counts.push_back(counts[i]);
  }
  Attribute attribute = numeric_attribute("x", days, 1);
  attribute.digits = texts;
  attribute.dates = std::make_shared<const DateForm>(form);
  return NumberMeans(std::make_shared<const Attribute>(attribute)).of(group)->digits;
}

TEST(NumberMeans, OfDatesAreDaysHalfToEven) {
  EXPECT_EQ(mean_date({"1970-01-02", "1970-01-03"}, {1, 1}), "1970-01-03");  // day 1.5
  EXPECT_EQ(mean_date({"1970-01-03", "1970-01-04"}, {1, 1}), "1970-01-03");  // day 2.5
  EXPECT_EQ(mean_date({"1969-12-29", "1969-12-30"}, {1, 1}), "1969-12-30");  // day −2.5
  EXPECT_EQ(mean_date({"1969-12-29", "1969-12-30"}, {2, 1}), "1969-12-29");
  EXPECT_EQ(mean_date({"01.03.2024", "03.03.2024"}, {5, 5}, "%d.%m.%Y"), "02.03.2024");
}

TEST(NumberMeans, OfTimesAreDaysToo) {
  EXPECT_EQ(mean_date({"2024-02-28T11:59", "2024-02-28T12:00"}, {1, 1}), "2024-02-28T00:00");
  EXPECT_EQ(mean_date({"2024-02-28T12:00", "2024-02-28T12:01"}, {1, 1}), "2024-02-29T00:00");
  EXPECT_EQ(mean_date({"2024-02-28T23:00+01:00", "2024-02-28T23:30+01:00"}, {1, 1}),
            "2024-02-29T00:00+01:00");
}

}  // namespace
}  // namespace semveil::test
