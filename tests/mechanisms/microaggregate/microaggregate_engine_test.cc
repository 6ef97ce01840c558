// Microaggregation as a whole: groups of the twin, centroids from their definitions, demands.
#include "mechanisms/microaggregate/microaggregate_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/slow_microaggregate.h"

namespace semveil::test {
namespace {

std::vector<std::set<std::uint32_t>> groups_of(const MicroaggregateOutcome& outcome) {
  std::vector<std::set<std::uint32_t>> groups(outcome.groups);
  for (std::uint32_t t = 0; t < outcome.group.size(); ++t) groups[outcome.group[t]].insert(t);
  return groups;
}

void expect_centroids(const ClassTable& table, const MicroaggregateOutcome& outcome) {
  const auto groups = groups_of(outcome);
  ASSERT_EQ(outcome.centroids.size(), groups.size() * table.width());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    ASSERT_FALSE(groups[g].empty());
    for (std::size_t j = 0; j < table.width(); ++j) {
      const ConceptId cell = outcome.centroids[g * table.width() + j];
      ASSERT_LE(cell, outcome.released[j]->missing_value());
      EXPECT_EQ(outcome.released[j]->id(cell), slow_centroid(table, groups[g], j))
          << "group " << g << " column " << j;
    }
  }
}

TEST(Microaggregate, GivesTheTwinsGroupsTheirCentroids) {
  std::uint64_t seed = 0;
  for (const Shape shape : kShapes) {
    for (const std::size_t records : {12, 40, 80}) {
      ++seed;
      const ClassTable table = make_microaggregate_case({.shape = shape,
                                                         .nominal = 1 + seed % 2,
                                                         .numeric = seed % 3,
                                                         .text = seed % 2,
                                                         .records = records,
                                                         .distinct = 8,
                                                         .missing_one_in = seed % 3 * 3,
                                                         .leaves_only = seed % 4 == 0},
                                                        seed + 1000);
      const std::uint64_t k = 2 + seed % 6;
      SCOPED_TRACE(testing::Message() << to_string(shape) << " seed " << seed << " k " << k);
      const auto outcome = microaggregate_tuples(table, {.k = k});
      ASSERT_TRUE(outcome);
      const auto groups = groups_of(*outcome);
      EXPECT_EQ(SlowGroups(groups.begin(), groups.end()), slow_mdav(table, k));
      expect_centroids(table, *outcome);
      if (HasFailure()) return;
    }
  }
}

TEST(Microaggregate, ReleasesOtherColumnsAsTheyAreAndNumbersInOrder) {
  const ClassTable table = make_microaggregate_case(
      {.nominal = 1, .numeric = 1, .text = 1, .records = 90, .distinct = 20}, 5);
  const auto outcome = microaggregate_tuples(table, {.k = 4});
  EXPECT_EQ(outcome->released[0], table.attributes[0]);
  EXPECT_EQ(outcome->released[2], table.attributes[2]);
  const Attribute& numbers = *outcome->released[1];
  EXPECT_EQ(numbers.unit, table.attributes[1]->unit);
  EXPECT_EQ(numbers.decimals, table.attributes[1]->decimals);
  EXPECT_EQ(std::ranges::adjacent_find(numbers.numbers, std::greater_equal<>()),
            numbers.numbers.end());
  for (std::size_t i = 0; i < numbers.numbers.size(); ++i) {
    EXPECT_EQ(std::stod(numbers.digits[i]), numbers.numbers[i]);
  }
}

// Groups stand in the order of their first tuples, which tells nothing of how they were formed.
TEST(Microaggregate, NumbersGroupsByTheirFirstTuples) {
  const ClassTable table = make_microaggregate_case({.records = 70, .distinct = 15}, 6);
  const auto outcome = microaggregate_tuples(table, {.k = 3});
  std::uint32_t seen = 0;
  for (const std::uint32_t group : outcome->group) {
    ASSERT_LE(group, seen);
    if (group == seen) ++seen;
  }
  EXPECT_EQ(seen, outcome->groups);
}

TEST(Microaggregate, RefusesFewerThanKRecords) {
  const ClassTable table = make_microaggregate_case({.records = 9}, 1);
  EXPECT_TRUE(microaggregate_tuples(table, {.k = 9}));
  const auto refused = microaggregate_tuples(table, {.k = 10});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kGuarantee);
  EXPECT_NE(refused.error().message.find("k = 10"), std::string::npos);
  EXPECT_NE(refused.error().message.find(" 9"), std::string::npos);
}

// The sensitive values of the records of each group.
std::vector<std::map<Code, std::uint64_t>> sensitive_of(const ClassTable& table,
                                                        const MicroaggregateOutcome& outcome) {
  std::vector<std::map<Code, std::uint64_t>> counts(outcome.groups);
  for (std::size_t t = 0; t < table.size(); ++t) {
    for (const PlaceCount& value : table.sensitive[0].of(t)) {
      counts[outcome.group[t]][value.place] += value.count;
    }
  }
  return counts;
}

// Half the sum of absolute differences: the distance where all values are equally far apart.
double total_variation(const std::map<Code, std::uint64_t>& counts,
                       const std::vector<std::uint64_t>& whole) {
  double n = 0;
  double all = 0;
  for (const auto& [place, count] : counts) n += static_cast<double>(count);
  for (const std::uint64_t count : whole) all += static_cast<double>(count);
  double sum = 0;
  for (std::size_t v = 0; v < whole.size(); ++v) {
    const auto found = counts.find(static_cast<Code>(v));
    const double share = found == counts.end() ? 0 : static_cast<double>(found->second) / n;
    sum += std::abs(share - static_cast<double>(whole[v]) / all);
  }
  return sum / 2;
}

TEST(Microaggregate, MergesGroupsUntilTheyMeetWhatIsDemanded) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ClassTable table =
        make_microaggregate_case({.shape = seed % 2 == 0 ? Shape::kDag : Shape::kTree,
                                  .nominal = 1,
                                  .numeric = 1,
                                  .text = seed % 2,
                                  .records = 80,
                                  .distinct = 12,
                                  .missing_one_in = 10},
                                 seed);
    const auto free = microaggregate_tuples(table, {.k = 3});
    const bool distinct = seed % 2 == 0;
    Demand demand;
    if (distinct) {
      demand.l = 3;
    } else {
      demand.t = 0.3;
    }
    table.sensitive.push_back(make_sensitive(table, 5, demand, seed));
    const auto met = microaggregate_tuples(table, {.k = 3});
    ASSERT_TRUE(met);
    EXPECT_GT(met->groups, 1U);
    EXPECT_LT(met->groups, free->groups);
    for (const auto& counts : sensitive_of(table, *met)) {
      if (distinct) {
        EXPECT_GE(counts.size(), 3U);
      } else {
        EXPECT_LE(total_variation(counts, table.sensitive[0].whole), 0.3 + 1e-9);
      }
    }
    expect_centroids(table, *met);
    // Groups only ever grow, and those that had what is demanded need not.
    std::map<std::uint32_t, std::set<std::uint32_t>> into;
    for (std::size_t t = 0; t < table.size(); ++t) into[free->group[t]].insert(met->group[t]);
    for (const auto& [group, merged] : into) EXPECT_EQ(merged.size(), 1U);
  }
}

// Four groups on a line, the first and the last of one sensitive value: each goes to its neighbour,
// and the smaller goes first.
TEST(Microaggregate, MergesThePoorestGroupWithTheCheapest) {
  ClassTable table;
  table.attributes.push_back(
      std::make_shared<const Attribute>(numeric_attribute("x", {0, 10, 11, 30, 100}, 1)));
  table.values.push_back({0, 1, 2, 3, 4});
  table.tuples = {0, 1, 2, 3, 4};
  table.counts = {5, 4, 40, 4, 4};
  SensitiveColumn sensitive;
  sensitive.name = "s";
  sensitive.demand.l = 2;
  sensitive.values = {0, 1};
  sensitive.whole = {9, 48};
  sensitive.begin = {0, 2, 3, 5, 7, 9};
  sensitive.counts = {{0, 1}, {1, 4}, {1, 4}, {0, 4}, {1, 36}, {0, 2}, {1, 2}, {0, 2}, {1, 2}};
  table.sensitive.push_back(sensitive);
  // 10 to 11 costs 4·40/44·1 = 3.6, to 0 it costs 4·5/9·100 = 222.
  const auto outcome = microaggregate_tuples(table, {.k = 4});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->group, (std::vector<std::uint32_t>{0, 1, 1, 2, 3}));
  // Records count: 13 away with few records costs less than 10 away with many.
  table.attributes[0] =
      std::make_shared<const Attribute>(numeric_attribute("x", {0, 10, 20, 30, 100}, 1));
  table.counts = {4, 100, 4000, 4, 4};
  table.sensitive[0].whole = {9, 4101};
  table.sensitive[0].counts = {{0, 1}, {1, 3}, {1, 100}, {0, 4}, {1, 3996},
                               {0, 2}, {1, 2}, {0, 2},   {1, 2}};
  // To 0: 100·4/104·100 = 385; to 20: 100·4000/4100·100 = 9756; to 30: 100·4/104·400 = 1538.
  EXPECT_EQ(microaggregate_tuples(table, {.k = 4})->group,
            (std::vector<std::uint32_t>{0, 0, 1, 2, 3}));
}

// The middle one of three is poor. A small group 12 away costs 4·4/8·144 = 288, a large one 10 away
// 4·40/44·100 = 364; but 15 away it costs 450, and the large one never more than 400.
TEST(Microaggregate, WeighsTheCostOfAMergeByRecords) {
  const auto groups = [](std::vector<double> x, std::uint64_t large) {
    ClassTable table;
    table.attributes.push_back(
        std::make_shared<const Attribute>(numeric_attribute("x", std::move(x), 1)));
    table.values.push_back({0, 1, 2});
    table.tuples = {0, 1, 2};
    table.counts = {4, 4, large};
    SensitiveColumn sensitive;
    sensitive.name = "s";
    sensitive.demand.l = 2;
    sensitive.values = {0, 1};
    sensitive.whole = {4, large + 4};
    sensitive.begin = {0, 2, 3, 5};
    sensitive.counts = {{0, 2}, {1, 2}, {1, 4}, {0, 2}, {1, large - 2}};
    table.sensitive.push_back(std::move(sensitive));
    return microaggregate_tuples(table, {.k = 4})->group;
  };
  EXPECT_EQ(groups({0, 12, 22}, 40), (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(groups({0, 15, 25}, 400), (std::vector<std::uint32_t>{0, 1, 1}));
}

TEST(Microaggregate, RefusesWhatAllRecordsTogetherMiss) {
  ClassTable table = make_microaggregate_case({.records = 40}, 2);
  Demand demand;
  demand.l = 6;
  table.sensitive.push_back(make_sensitive(table, 5, demand, 1));
  const auto refused = microaggregate_tuples(table, {.k = 2});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kGuarantee);
  EXPECT_NE(refused.error().message.find("sensitive"), std::string::npos);
}

TEST(Microaggregate, IsTheSameForAnyNumberOfThreads) {
  ClassTable table = make_microaggregate_case({.shape = Shape::kDag,
                                               .nominal = 2,
                                               .numeric = 1,
                                               .text = 1,
                                               .records = 900,
                                               .distinct = 40,
                                               .missing_one_in = 30},
                                              5);
  Demand demand;
  demand.l = 2;
  table.sensitive.push_back(make_sensitive(table, 3, demand, 1));
  const auto one = microaggregate_tuples(table, {.k = 3, .threads = 1});
  for (const unsigned threads : {2U, 7U}) {
    const auto more = microaggregate_tuples(table, {.k = 3, .threads = threads});
    EXPECT_EQ(more->group, one->group);
    EXPECT_EQ(more->centroids, one->centroids);
    for (std::size_t j = 0; j < table.width(); ++j) {
      EXPECT_EQ(more->released[j]->digits, one->released[j]->digits);
    }
  }
}

}  // namespace
}  // namespace semveil::test
