// What two releases give away, against all pairs of sets that can come out.
#include "mechanisms/sets/set_repeats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/set_table.h"

namespace semveil::test {
namespace {

double by_brute_force(const SetCase& c) {
  const SlowSets slow = c.slow();
  double revealed = 0;
  double records = 0;
  for (const auto& [value, count] : slow.records) {
    const auto sets = slow.probabilities(value);
    double parted = 0;
    for (const auto& [one, p] : sets) {
      for (const auto& [other, q] : sets) {
        std::vector<ConceptId> both;
        std::ranges::set_intersection(one, other, std::back_inserter(both));
        if (both.size() == 1) parted += p * q;
      }
    }
    revealed += static_cast<double>(count) * parted;
    records += static_cast<double>(count);
  }
  return revealed / records;
}

TEST(RevealedByTwoReleases, IsTheShareOverAllPairsOfSets) {
  const std::vector<std::vector<std::uint64_t>> counts = {{5, 1, 0}, {2, 2}, {7}, {1, 3, 4, 9}};
  for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
    for (const unsigned l : {2U, 3U, 4U}) {
      const SetCase c{.counts = counts, .l = l, .draw = draw};
      const auto plan = fit(c);
      const SetColumn& column = set_fit(*plan)->columns[0];
      const auto found = revealed_by_two_releases(column, true, draw);
      ASSERT_TRUE(found);
      EXPECT_NEAR(*found, by_brute_force(c), 1e-12) << l;
    }
  }
  for (const unsigned l : {2U, 3U, 5U, 6U}) {
    const SetCase c{.counts = {{5, 1}, {2, 2}, {7, 1, 1}}, .l = l, .by_category = false};
    const auto plan = fit(c);
    const SetColumn& column = set_fit(*plan)->columns[0];
    const double found = *revealed_by_two_releases(column, false, SetDraw::kUniform);
    EXPECT_NEAR(found, by_brute_force(c), 1e-12) << l;
    EXPECT_FALSE(std::signbit(found)) << l;  // 7 values: l = 5 has a negative factor behind a 0
  }
}

TEST(RevealedByTwoReleases, IsNoneWhereTheOthersAreAlwaysTheSame) {
  const SetCase c{.counts = {{5}, {2}, {7}}};
  const SetCase all{.counts = {{5}, {2}, {7}}, .l = 3, .by_category = false};
  for (const SetCase& one : {c, all}) {
    const auto plan = fit(one);
    EXPECT_EQ(*revealed_by_two_releases(set_fit(*plan)->columns[0], one.by_category, one.draw), 0);
  }
}

}  // namespace
}  // namespace semveil::test
