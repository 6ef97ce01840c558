#include "statistics/numeric_summary.h"

#include <gtest/gtest.h>

#include <random>

#include "support/slow_numbers.h"

namespace semveil {
namespace {

// 1, 2, 2, 3, 7: a fifth of the records each.
TEST(NumericSummary, OfFiveRecords) {
  const auto found = numeric_summary({{7, 1}, {2, 2}, {1, 1}, {3, 1}});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->mean, 3);
  EXPECT_DOUBLE_EQ(*found->deviation, std::sqrt(22.0 / 4));
  EXPECT_EQ(found->min, 1);
  EXPECT_EQ(found->max, 7);
  EXPECT_EQ(found->quantiles, (std::vector<double>{1, 2, 2, 3, 7}));
}

// Exactly a quarter has 1: 0.25 · 4 must not become 1.0000000000000002.
TEST(NumericSummary, AShareThatIsReachedExactlyIsReached) {
  const auto found = numeric_summary({{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  EXPECT_EQ(found->quantiles, (std::vector<double>{1, 1, 2, 3, 4}));
  const auto twenty = numeric_summary({{1, 1}, {2, 19}});
  EXPECT_EQ(twenty->quantiles.front(), 1);
}

TEST(NumericSummary, OneRecordHasNoDeviationAndNoneHasNothing) {
  const auto found = numeric_summary({{5, 1}});
  EXPECT_EQ(found->mean, 5);
  EXPECT_FALSE(found->deviation);
  EXPECT_FALSE(numeric_summary({}));
  EXPECT_FALSE(numeric_summary({{5, 0}}));
}

TEST(NumericSummary, IsThatOfTheRecordsOneByOne) {
  std::mt19937 draw(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<double, std::uint64_t>> counts;
    std::vector<double> records;
    const std::size_t values = 1 + draw() % 8;
    for (std::size_t i = 0; i < values; ++i) {
      const double number = (static_cast<double>(draw() % 2001) - 1000) / 8;
      const std::uint64_t count = draw() % 12;
      counts.emplace_back(number, count);
      records.insert(records.end(), count, number);
    }
    const auto found = numeric_summary(counts);
    ASSERT_EQ(found.has_value(), !records.empty());
    if (records.empty()) continue;
    EXPECT_NEAR(found->mean, slow::mean_of_numbers(records), 1e-9);
    ASSERT_EQ(found->deviation.has_value(), records.size() > 1);
    if (found->deviation) {
      EXPECT_NEAR(*found->deviation, slow::deviation_of_numbers(records), 1e-9);
    }
    for (std::size_t i = 0; i < kQuantilePercents.size(); ++i) {
      EXPECT_EQ(found->quantiles[i], slow::quantile_of_numbers(records, kQuantilePercents[i]));
    }
    EXPECT_EQ(found->min, *std::min_element(records.begin(), records.end()));
    EXPECT_EQ(found->max, *std::max_element(records.begin(), records.end()));
  }
}

}  // namespace
}  // namespace semveil
