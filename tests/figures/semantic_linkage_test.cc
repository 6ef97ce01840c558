// Linkage by meaning and by windows against the definitions, record by record.
#include "figures/semantic_linkage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "figures/tuple_distances.h"
#include "figures/window_linkage.h"
#include "support/attacked_pairs.h"
#include "support/slow_attacks.h"

namespace semveil::test {
namespace {

template <class Check>
void for_attacked_pairs(const Check& check) {
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      check(attacked_pairs(domain, 40, seed));
    }
  }
}

std::vector<double> by_record(const Paired& pairs, const std::vector<double>& by_pair) {
  std::vector<double> out;
  for (std::size_t i = 0; i < pairs.size(); ++i) out.insert(out.end(), pairs.counts[i], by_pair[i]);
  return out;
}

void expect_linked(const Paired& pairs, const LinkedRecords& found,
                   const std::vector<double>& expected) {
  EXPECT_EQ(by_record(pairs, found.by_pair), expected);
  EXPECT_NEAR(found.mean, mean_of(expected), 1e-12);
  EXPECT_LE(found.worst, *std::ranges::max_element(expected) + 1e-12);
}

TEST(LinkedByMeaning, SharesTheOriginalsNearest) {
  for_attacked_pairs([](const Paired& pairs) {
    expect_linked(pairs, linked_by_meaning(pairs, 1), slow_meaning(pairs));
    EXPECT_EQ(linked_by_meaning(pairs, 3).by_pair, linked_by_meaning(pairs, 1).by_pair);
  });
}

TEST(LinkedByMeaning, ItsSurestLinkIsThatOfACombination) {
  for_attacked_pairs([](const Paired& pairs) {
    EXPECT_NEAR(linked_by_meaning(pairs, 1).worst, slow_surest(pairs, Side::kAfter), 1e-12);
    EXPECT_NEAR(surest_from_originals(pairs, 1), slow_surest(pairs, Side::kBefore), 1e-12);
    EXPECT_EQ(surest_from_originals(pairs, 3), surest_from_originals(pairs, 1));
  });
}

// What would be measured if the first of the tied were taken is something else.
TEST(LinkedByMeaning, IsNotWhatTheFirstOfTheTiedGives) {
  const TwinDomain domain(generate(Shape::kTree, 25, 1));
  const Paired pairs = attacked_pairs(domain, 40, 1);
  EXPECT_NE(by_record(pairs, linked_by_meaning(pairs, 1).by_pair),
            slow_meaning(pairs, Ties::kFirst));
}

Paired pairs_of_illnesses(std::vector<ConceptId> before, std::vector<ConceptId> after,
                          std::vector<std::uint64_t> counts) {
  Paired out;
  out.attributes = {std::make_shared<const Attribute>(text_attribute("t", {"cold", "flu"}))};
  out.before = std::move(before);
  out.after = std::move(after);
  out.counts = std::move(counts);
  return out;
}

// The example of the header: cold → cold, cold → flu, flu → flu.
TEST(LinkedByMeaning, OfThreeRecordsByHand) {
  const LinkedRecords found =
      linked_by_meaning(pairs_of_illnesses({0, 0, 1}, {0, 1, 1}, {1, 1, 1}), 1);
  EXPECT_EQ(found.by_pair, (std::vector<double>{0.5, 0, 1}));
  EXPECT_EQ(found.mean, 0.5);
  EXPECT_EQ(found.worst, 0.5);
}

TEST(LinkedByMeaning, OfNobodyIsNothing) {
  EXPECT_EQ(linked_by_meaning(pairs_of_illnesses({}, {}, {}), 1).mean, 0);
}

// 1/3 + 1/6 and 1/2 + 0 are equally far, though no double is a third.
TEST(LinkedByMeaning, TiesSumsThatAreEqualOnPaper) {
  Paired pairs;
  const auto number = std::make_shared<const Attribute>(numeric_attribute("n", {0, 1, 2, 3, 6}, 6));
  pairs.attributes = {number, number};
  pairs.before = {2, 1, 3, 0, 1, 2};  // (2,1) (3,0) (1,2), each 3 away from (0,0)
  pairs.after = {0, 0, 0, 0, 0, 0};
  pairs.counts = {1, 1, 1};
  EXPECT_EQ(linked_by_meaning(pairs, 1).by_pair, std::vector<double>(3, 1.0 / 3));
}

TEST(TupleDistances, AreTheSameComputedAgainForEveryBlock) {
  for_attacked_pairs([](const Paired& pairs) {
    const Classes from = classes_of(pairs, Side::kAfter), to = classes_of(pairs, Side::kBefore);
    const auto nearest = [&](const TupleDistances::Options& options) {
      std::vector<std::vector<std::uint32_t>> out(from.size());
      TupleDistances(pairs.attributes, from.tuples, from.size(), to.tuples, to.size(), options)
          .nearest([&](std::size_t i, std::span<const std::uint32_t> found) {
            out[i].assign(found.begin(), found.end());
          });
      return out;
    };
    const auto kept = nearest({});
    EXPECT_EQ(nearest({.most_kept = 0, .most_parts_kept = 0}), kept);
    EXPECT_EQ(nearest({.threads = 2, .most_kept = 0}), kept);
  });
}

TEST(WithoutEachColumn, IsLinkageByTheOthers) {
  for_attacked_pairs([](const Paired& pairs) {
    const auto found = without_each_column(pairs, 2);
    ASSERT_EQ(found.size(), 4U);
    const Paired rest = pairs.over(std::array<std::size_t, 3>{0, 1, 3});
    EXPECT_NEAR(found[2].linkage, mean_of(slow_meaning(rest)), 1e-12);
    double uniques = 0;
    const auto records = slow_pairs(rest);
    for (const SlowPair& record : records) {
      uniques += std::ranges::count(records, record.after, &SlowPair::after) == 1 ? 1 : 0;
    }
    EXPECT_NEAR(found[2].uniques, uniques / static_cast<double>(records.size()), 1e-12);
  });
  // Without the only column everybody is alike.
  const auto alone = without_each_column(pairs_of_illnesses({0, 1}, {0, 1}, {2, 3}), 1);
  EXPECT_DOUBLE_EQ(alone.at(0).linkage, 1.0 / 5);
  EXPECT_EQ(alone.at(0).uniques, 0);
}

TEST(RiskyValues, AreThoseWhoseRecordsAreLinkedMostSurely) {
  const Paired pairs = pairs_of_illnesses({0, 0, 1}, {0, 1, 1}, {3, 1, 2});
  const std::vector<double> linked = {0.25, 0, 0.5};
  const std::vector<ValueRisk> all = {{0, 1, 2, 0.5}, {0, 0, 4, 0.1875}};
  EXPECT_EQ(risky_values(pairs, linked, 10), all);
  EXPECT_EQ(risky_values(pairs, linked, 1), std::vector<ValueRisk>(all.begin(), all.begin() + 1));
}

// ---- Windows of rank swapping -------------------------------------------------------------------

constexpr SwapAlgorithm kRanked[] = {SwapAlgorithm::kFixed, SwapAlgorithm::kDynamic,
                                     SwapAlgorithm::kMultivariate};

constexpr SwapAlgorithm kSwaps[] = {SwapAlgorithm::kFixed, SwapAlgorithm::kDynamic,
                                    SwapAlgorithm::kMultivariate, SwapAlgorithm::kDistributional,
                                    SwapAlgorithm::kRandom};

TEST(LinkedByWindow, SharesTheOriginalsInReach) {
  for_attacked_pairs([](const Paired& all) {
    // Three columns, of which two are swapped.
    const Paired pairs = all.over(std::array<std::size_t, 3>{0, 2, 3});
    for (const SwapAlgorithm algorithm : kSwaps) {
      for (const std::uint64_t k : {1U, 9U, 1000U}) {
        SCOPED_TRACE(testing::Message() << to_string(algorithm) << ", k = " << k);
        const std::vector<std::size_t> swapped = {0, 1};
        expect_linked(pairs, linked_by_window(pairs, {algorithm, k, swapped, 2}),
                      slow_window(pairs, algorithm, k, swapped));
      }
    }
  });
}

// Ranked 0 1 2 3, k = 1: what comes out as 1 was 0, 1 or 2.
TEST(LinkedByWindow, OfFourRecordsByHand) {
  Paired pairs;
  pairs.attributes = {std::make_shared<const Attribute>(numeric_attribute("n", {0, 1, 2, 3}, 3))};
  pairs.before = {0, 1, 2, 3};
  pairs.after = {1, 0, 3, 2};
  pairs.counts = {1, 1, 1, 1};
  const LinkedRecords found = linked_by_window(pairs, {SwapAlgorithm::kFixed, 1, {0}, 1});
  EXPECT_EQ(found.by_pair, (std::vector<double>{1.0 / 3, 0.5, 0.5, 1.0 / 3}));
}

// A swap by the engine itself never leaves its window.
TEST(LinkedByWindow, HasTheOwnOriginalOfEverySwappedRecord) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const TwinDomain domain(generate(Shape::kDag, 40, seed));
    Random random(seed);
    GeneratedTable table;
    for (const char* name : {"a", "b"}) {
      table.columns.push_back({make_attribute(name, domain, {"wu-palmer"}),
                               draw_cells(*domain.twins.fast, 200, 15, 20, random)});
    }
    for (const SwapAlgorithm algorithm : kRanked) {
      for (const std::uint64_t k : {2U, 12U}) {
        SCOPED_TRACE(testing::Message() << to_string(algorithm) << ", k = " << k);
        const auto plan = make_swap({.algorithm = algorithm, .k = k})
                              ->fit(table.frequencies(),
                                    Key::from_bytes(std::array<unsigned char, Key::kSize>{7}));
        ASSERT_TRUE(plan.has_value());
        MaskedBatch out;
        (*plan)->apply(table.whole(), out);
        Paired pairs;
        for (const TableColumn& column : table.columns)
          pairs.attributes.push_back(column.attribute);
        for (std::size_t i = 0; i < table.rows(); ++i) {
          for (std::size_t j = 0; j < 2; ++j) {
            const ConceptId missing = pairs.attributes[j]->missing_value();
            const ConceptId x = table.columns[j].cells[i], z = out.columns[j][i];
            pairs.before.push_back(x == kMissing ? missing : x);
            pairs.after.push_back(z == kMissing ? missing : z);
          }
          pairs.counts.push_back(1);
        }
        EXPECT_NE(pairs.before, pairs.after);
        const LinkedRecords found = linked_by_window(pairs, {algorithm, k, {0, 1}, 1});
        EXPECT_EQ(std::ranges::count(found.by_pair, 0.0), 0);
        // A window is no place to hide if it is too wide: it is not everybody.
        EXPECT_GT(found.mean, 1.5 / static_cast<double>(table.rows()));
      }
    }
  }
}

}  // namespace
}  // namespace semveil::test
