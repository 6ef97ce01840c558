// Ward's clustering against its definition over single records, and the distance of partitions.
#include "figures/clusters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "figures/ward.h"
#include "support/generated_pairs.h"
#include "support/slow_audit.h"

namespace semveil::test {
namespace {

using testing::ElementsAre;

// Clusters numbered by their first items.
std::vector<std::size_t> renumbered(const std::vector<std::size_t>& clusters) {
  std::map<std::size_t, std::size_t> number;
  std::vector<std::size_t> out;
  for (const std::size_t c : clusters) {
    out.push_back(number.try_emplace(c, number.size()).first->second);
  }
  return out;
}

struct Items {
  std::vector<std::uint64_t> weights;
  std::vector<double> distances;
  double operator()(std::size_t i, std::size_t j) const {
    return distances[i * weights.size() + j];
  }
};
// Distances that are those of no space: no two are equal.
Items generated_items(std::size_t items, std::uint64_t seed) {
  Random random(seed);
  Items out;
  out.distances.resize(items * items);
  for (std::size_t i = 0; i < items; ++i) {
    out.weights.push_back(1 + random.below(3));
    for (std::size_t j = 0; j < i; ++j) {
      const double d = 0.1 + static_cast<double>(random.below(1U << 30U)) / (1U << 30U);
      out.distances[i * items + j] = out.distances[j * items + i] = d;
    }
  }
  return out;
}

TEST(Ward, OfWeightedItemsIsWardOfTheirRecords) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Items items = generated_items(9, seed);
    std::vector<std::size_t> item_of;  // a record
    for (std::size_t i = 0; i < items.weights.size(); ++i) {
      item_of.insert(item_of.end(), items.weights[i], i);
    }
    const auto tree = ward_tree(items.weights, items);
    ASSERT_EQ(tree.size(), items.weights.size() - 1);
    for (std::size_t m = 1; m < tree.size(); ++m) EXPECT_GE(tree[m].cost, tree[m - 1].cost);
    for (std::size_t clusters = 1; clusters <= items.weights.size(); ++clusters) {
      const auto fast = cut_tree(items.weights.size(), tree, clusters);
      const auto slow = slow_ward(
          item_of.size(),
          [&](std::size_t x, std::size_t y) { return items(item_of[x], item_of[y]); }, clusters);
      std::vector<std::size_t> of_records;
      for (const std::size_t item : item_of) of_records.push_back(fast[item]);
      EXPECT_EQ(of_records, renumbered(slow)) << "seed " << seed << ", " << clusters;
    }
  }
}

// The recurrence over a full table, searched anew for each merge.
std::vector<WardMerge> searched_tree(const Items& items) {
  const std::size_t n = items.weights.size();
  std::vector<double> size(items.weights.begin(), items.weights.end());
  std::vector<std::vector<double>> cost(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      cost[i][j] = 2 * size[i] * size[j] / (size[i] + size[j]) * (items(i, j) * items(i, j));
    }
  }
  std::vector<bool> gone(n, false);
  std::vector<WardMerge> out;
  while (out.size() + 1 < n) {
    std::optional<WardMerge> best;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = i + 1; j < n; ++j) {
        if (!gone[i] && !gone[j] && (!best || cost[i][j] < best->cost)) {
          best = WardMerge{i, j, cost[i][j]};
        }
      }
    }
    const auto [a, b, least] = *best;
    for (std::size_t c = 0; c < n; ++c) {
      if (gone[c] || c == a || c == b) continue;
      cost[a][c] = cost[c][a] =
          ((size[a] + size[c]) * cost[a][c] + (size[b] + size[c]) * cost[b][c] - size[c] * least) /
          (size[a] + size[b] + size[c]);
    }
    size[a] += size[b];
    gone[b] = true;
    out.push_back(*best);
  }
  return out;
}

TEST(Ward, RepairsNearestNeighboursAsASearchFindsThem) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Items items = generated_items(25, seed);
    if (seed % 2 == 0) {  // full of ties
      for (double& d : items.distances) d = static_cast<int>(4 * d) / 4.0;
      items.weights.assign(items.weights.size(), 1);
    }
    const auto expected = searched_tree(items);
    const auto found = ward_tree(items.weights, items);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t m = 0; m < found.size(); ++m) {
      EXPECT_EQ(found[m].kept, expected[m].kept) << "seed " << seed << ", merge " << m;
      EXPECT_EQ(found[m].joined, expected[m].joined) << "seed " << seed << ", merge " << m;
      EXPECT_EQ(found[m].cost, expected[m].cost) << "seed " << seed << ", merge " << m;
    }
  }
}

// Of four items at equal distances all pairs stay equally far, however many are joined.
TEST(Ward, TiesGoToTheSmallestIndices) {
  const std::vector<std::uint64_t> weights(4, 1);
  const auto all_alike = ward_tree(weights, [](std::size_t, std::size_t) { return 1.0; });
  ASSERT_EQ(all_alike.size(), 3U);
  for (std::uint32_t m = 0; m < 3; ++m) {
    EXPECT_EQ(all_alike[m].kept, 0U);
    EXPECT_EQ(all_alike[m].joined, m + 1);
    EXPECT_EQ(all_alike[m].cost, 1);
  }
  const auto crossed = ward_tree(weights, [](std::size_t i, std::size_t j) {
    return (i + j) % 2 == 0 ? 0.5 : 1.0;  // 0 with 2, 1 with 3
  });
  EXPECT_EQ(crossed[0].joined, 2U);
  EXPECT_EQ(crossed[1].kept, 1U);
  EXPECT_THAT(cut_tree(4, crossed, 2), ElementsAre(0, 1, 0, 1));
}

TEST(Ward, CostsOfTwoItemsAreTheirDistanceSquared) {
  const auto d = [](std::size_t, std::size_t) { return 0.3; };
  EXPECT_DOUBLE_EQ(ward_tree(std::vector<std::uint64_t>{1, 1}, d)[0].cost, 0.09);
  EXPECT_DOUBLE_EQ(ward_tree(std::vector<std::uint64_t>{3, 6}, d)[0].cost, 4 * 0.09);
}

TEST(Ward, FewItems) {
  const auto none = [](std::size_t, std::size_t) -> double { throw std::logic_error("asked"); };
  EXPECT_TRUE(ward_tree({}, none).empty());
  EXPECT_TRUE(cut_tree(0, {}, 14).empty());
  EXPECT_TRUE(ward_tree(std::vector<std::uint64_t>{5}, none).empty());
  EXPECT_THAT(cut_tree(1, {}, 14), ElementsAre(0));
  const auto tree =
      ward_tree(std::vector<std::uint64_t>{1, 1, 1}, [](std::size_t, std::size_t) { return 1.0; });
  EXPECT_THAT(cut_tree(3, tree, 14), ElementsAre(0, 1, 2));
  EXPECT_THAT(cut_tree(3, tree, 1), ElementsAre(0, 0, 0));
}

TEST(PartitionDistance, OfEqualAndOfIndependentPartitions) {
  const std::vector<std::uint64_t> counts{2, 3, 4, 7};
  const std::vector<std::uint32_t> a{0, 0, 1, 2};
  const std::vector<std::uint32_t> renamed{7, 7, 1, 0};
  EXPECT_EQ(partition_distance(a, a, counts), 0);
  EXPECT_EQ(partition_distance(a, renamed, counts), 0);
  const std::vector<std::uint64_t> even(4, 5);
  const std::vector<std::uint32_t> rows{0, 0, 1, 1};
  const std::vector<std::uint32_t> columns{0, 1, 0, 1};
  EXPECT_DOUBLE_EQ(partition_distance(rows, columns, even), 1);
  const std::vector<std::uint32_t> one(4, 0);
  EXPECT_EQ(partition_distance(one, one, even), 0);
  EXPECT_DOUBLE_EQ(partition_distance(one, rows, even), 1);
}

// To the last bit, however the parts are called.
TEST(PartitionDistance, IsZeroForNewNames) {
  Random random(1);
  for (int run = 0; run < 50; ++run) {
    std::vector<std::uint64_t> counts;
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> renamed;
    for (std::uint32_t i = 0; i < 40; ++i) {
      counts.push_back(1 + random.below(1000));
      a.push_back(static_cast<std::uint32_t>(random.below(11)));
      renamed.push_back(a.back() * 7 % 11);
    }
    EXPECT_EQ(partition_distance(a, renamed, counts), 0);
  }
}

// One part is split in two: I(A) = 1, I(B) = 1.5 = I(A ∩ B) bits.
TEST(PartitionDistance, OfASplitPart) {
  const std::vector<std::uint64_t> counts{2, 1, 1};
  EXPECT_NEAR(partition_distance(std::vector<std::uint32_t>{0, 1, 1},
                                 std::vector<std::uint32_t>{0, 1, 2}, counts),
              (3 - 1 - 1.5) / 1.5, 1e-14);
}

TEST(ClusterDistance, IsThatOfBothTablesClusters) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const TwinDomain domain(generate(Shape::kDag, 40, seed));
    const Paired pairs = generated_pairs(domain, 12, seed);
    const auto clusters_of = [&](Side side) {
      const Classes classes = classes_of(pairs, side);
      const auto clusters = semantic_clusters(pairs.attributes, classes, 3);
      std::vector<std::size_t> out;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        out.insert(out.end(), pairs.counts[i], clusters[classes.of[i]]);
      }
      return out;
    };
    const auto before = clusters_of(Side::kBefore);
    EXPECT_EQ(*std::ranges::max_element(before), 2U);
    EXPECT_NEAR(cluster_distance(pairs, 3),
                slow_partition_distance(before, clusters_of(Side::kAfter)), 1e-12);
    Paired same = pairs;
    same.after = same.before;
    EXPECT_EQ(cluster_distance(same, 3), 0);
  }
}

}  // namespace
}  // namespace semveil::test
