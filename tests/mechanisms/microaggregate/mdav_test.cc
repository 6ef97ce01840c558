// The groups of MDAV against a twin that follows it line by line.
#include "mechanisms/microaggregate/mdav.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/cpu.h"
#include "mechanisms/microaggregate/tuple_sums.h"
#include "support/slow_microaggregate.h"

namespace semveil::test {
namespace {

SlowGroups as_sets(const TupleGroups& groups) {
  SlowGroups out;
  for (const auto& group : groups) out.emplace(group.begin(), group.end());
  return out;
}

std::uint64_t records_of(const ClassTable& table, const std::set<std::uint32_t>& group) {
  std::uint64_t records = 0;
  for (const std::uint32_t t : group) records += table.counts[t];
  return records;
}

void expect_like_the_twin(const ClassTable& table, std::uint64_t k) {
  if (table.records() < k) return;
  EXPECT_EQ(as_sets(mdav_groups(table, k, 1)), slow_mdav(table, k));
}

TEST(Mdav, FormsTheGroupsOfTheTwinOnGeneratedTables) {
  std::uint64_t seed = 0;
  std::size_t frequent = 0;  // tables with tuples of k records: all of MDAV's choices must be met
  for (const Shape shape : kShapes) {
    for (const std::size_t records : {7, 20, 45, 90}) {
      for (const std::size_t distinct : {2, 5, 14}) {
        ++seed;
        const ClassTable table =
            make_microaggregate_case({.shape = shape,
                                      .nominal = seed % 3,
                                      .numeric = 1 + seed % 2,
                                      .text = seed % 4 == 0 ? 1U : 0U,
                                      .records = records,
                                      .distinct = distinct,
                                      .missing_one_in = seed % 2 == 0 ? 5U : 0U},
                                     seed);
        const std::uint64_t k = 2 + seed % 6;
        SCOPED_TRACE(testing::Message() << to_string(shape) << " seed " << seed << " k " << k);
        frequent += std::ranges::any_of(table.counts, [&](auto n) { return n >= k; }) ? 1 : 0;
        expect_like_the_twin(table, k);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(frequent, 30U);
  EXPECT_LT(frequent, 100U);
}

// More than a block of slots, so that they are dropped and numbered anew on the way.
TEST(Mdav, FormsTheGroupsOfTheTwinOnTablesOfManyTuples) {
  for (const std::uint64_t k : {2, 3, 7}) {
    const ClassTable table = make_microaggregate_case({.shape = Shape::kDag,
                                                       .nominal = 2,
                                                       .numeric = 2,
                                                       .text = 1,
                                                       .records = 230,
                                                       .distinct = 12,
                                                       .missing_one_in = 20},
                                                      k);
    ASSERT_GT(table.size(), 3 * TupleSums::kBlock);
    expect_like_the_twin(table, k);
  }
}

TEST(Mdav, FormsTheGroupsOfTheTwinInSingleColumnsOfEachKind) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (std::size_t kind = 0; kind < 3; ++kind) {
      const ClassTable table = make_microaggregate_case({.nominal = kind == 0 ? 1U : 0U,
                                                         .numeric = kind == 1 ? 1U : 0U,
                                                         .text = kind == 2 ? 1U : 0U,
                                                         .records = 40,
                                                         .distinct = 25,
                                                         .missing_one_in = seed % 2 * 6},
                                                        seed);
      SCOPED_TRACE(testing::Message() << "seed " << seed << " kind " << kind);
      expect_like_the_twin(table, 2 + seed % 4);
    }
  }
}

// Positions are cut, and squared distances get coarser, before sums overflow.
TEST(Mdav, FormsTheGroupsOfTheTwinWhereNumbersAreFarApart) {
  for (const double far : {1e3, 1e5, 1e300}) {
    ClassTable table = make_microaggregate_case(
        {.nominal = 2, .numeric = 1, .records = 60, .distinct = 9, .missing_one_in = 9}, 3);
    Attribute spread = *table.attributes[2];
    spread.unit = 1;
    spread.numbers.back() = far;
    table.attributes[2] = std::make_shared<const Attribute>(spread);
    expect_like_the_twin(table, 3);
  }
}

TEST(Mdav, KeepsToItsSizes) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const ClassTable table = make_microaggregate_case(
        {.nominal = 1, .numeric = 1, .records = 150, .distinct = 9 + seed % 9}, seed);
    const std::uint64_t k = 2 + seed % 6;
    std::size_t tuples = 0;
    std::size_t large = 0;
    for (const auto& group : as_sets(mdav_groups(table, k, 1))) {
      tuples += group.size();
      const std::uint64_t records = records_of(table, group);
      EXPECT_GE(records, k);
      if (std::ranges::any_of(group, [&](auto t) { return table.counts[t] >= k; })) continue;
      EXPECT_LE(records, 3 * k - 3);
      large += records > 2 * k - 1 ? 1 : 0;
    }
    EXPECT_LE(large, 1U);
    EXPECT_EQ(tuples, table.size());  // as_sets: no tuple twice in a group
  }
}

TEST(Mdav, GroupsOfSingleRecordsHaveKToTwiceKLessOne) {
  ClassTable table =
      make_microaggregate_case({.nominal = 2, .numeric = 2, .records = 200, .distinct = 40}, 8);
  std::ranges::fill(table.counts, 1);
  for (const std::uint64_t k : {2, 3, 5, 11}) {
    std::size_t more = 0;
    for (const auto& group : mdav_groups(table, k, 1)) {
      EXPECT_GE(group.size(), k);
      EXPECT_LE(group.size(), 2 * k - 1);
      more += group.size() > k ? 1 : 0;
    }
    EXPECT_LE(more, 1U);  // all but what is left have k
  }
}

TEST(Mdav, LeavesEveryTupleAloneForKOfOne) {
  const ClassTable table = make_microaggregate_case({.records = 50, .distinct = 12}, 9);
  EXPECT_EQ(mdav_groups(table, 1, 1).size(), table.size());
}

TEST(Mdav, FewRecordsBesideFrequentTuplesJoinTheNearest) {
  ClassTable table;
  table.attributes.push_back(
      std::make_shared<const Attribute>(numeric_attribute("x", {0, 1, 9, 10}, 1)));
  table.values.push_back({0, 1, 2, 3});
  table.tuples = {0, 1, 2, 3};
  table.counts = {5, 1, 1, 5};
  EXPECT_EQ(as_sets(mdav_groups(table, 4, 1)), (SlowGroups{{0, 1}, {2, 3}}));
}

TEST(Mdav, IsTheSameForAnyThreadsAndWidthOfVectors) {
  const ClassTable table = make_microaggregate_case({.shape = Shape::kDag,
                                                     .nominal = 3,
                                                     .numeric = 2,
                                                     .text = 1,
                                                     .records = 900,
                                                     .distinct = 30,
                                                     .missing_one_in = 30},
                                                    5);
  const TupleGroups one = mdav_groups(table, 3, 1);
  for (const unsigned threads : {2U, 7U}) EXPECT_EQ(mdav_groups(table, 3, threads), one);
  allow_avx2() = false;
  EXPECT_EQ(mdav_groups(table, 3, 1), one);
  allow_avx2() = true;
}

TEST(TupleSums, AreTheSumsOfTheColumns) {
  for (const std::size_t width : {1, 2, 3, 7}) {
    const ClassTable table = make_microaggregate_case(
        {.nominal = width / 2, .numeric = width - width / 2, .records = 300, .distinct = 20},
        width);
    std::vector<std::uint32_t> tuples;
    for (std::uint32_t t = 0; t < table.size(); t += 2) tuples.push_back(t);
    TupleSums sums(table, tuples);
    Random random(width);
    while (!sums.rest().empty()) {
      std::vector<std::vector<std::uint32_t>> numbers;
      std::vector<std::span<const std::uint32_t>> rows;
      for (const auto& values : table.values) {
        auto& row = numbers.emplace_back();
        for (std::size_t v = 0; v < values.size(); ++v) {
          row.push_back(static_cast<std::uint32_t>(random.below(5)));
        }
      }
      for (const auto& row : numbers) rows.emplace_back(row);
      sums.sum(rows);
      std::uint32_t least = 0, greatest = 0;
      std::uint32_t least_sum = 1000, greatest_sum = 0;
      for (const std::uint32_t t : sums.rest()) {
        std::uint32_t sum = 0;
        for (std::size_t j = 0; j < table.width(); ++j) sum += numbers[j][table.tuple(t)[j]];
        EXPECT_EQ(sums.sum_of(sums.slot(t)), sum);
        if (sum < least_sum) {
          least_sum = sum;
          least = t;
        }
        if (sum > greatest_sum || greatest_sum == 0) {
          greatest = sum > greatest_sum || t == sums.rest().front() ? t : greatest;
          greatest_sum = std::max(sum, greatest_sum);
        }
      }
      ASSERT_EQ(sums.tuple(sums.least()), least);
      ASSERT_EQ(sums.tuple(sums.greatest()), greatest);
      const std::size_t hidden = sums.least();
      sums.hide(hidden);
      if (sums.rest().size() > 1) {
        EXPECT_NE(sums.least(), hidden);
      }
      sums.show(hidden, least_sum);
      EXPECT_EQ(sums.least(), hidden);
      sums.remove(hidden);
      if (!sums.rest().empty()) sums.remove(sums.greatest());
    }
  }
}

}  // namespace
}  // namespace semveil::test
