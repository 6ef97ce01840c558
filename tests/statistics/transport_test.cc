#include "statistics/transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/generate.h"
#include "support/linear_programme.h"

namespace semveil::test {
namespace {

struct Problem {
  std::vector<std::uint64_t> from, to;
  std::vector<double> costs;
};

std::vector<std::uint64_t> any_counts(Random& random, std::size_t size, std::uint64_t most) {
  std::vector<std::uint64_t> counts(size);
  for (std::uint64_t& count : counts) count = random.below(most + 1);
  counts[random.below(size)] += 1;
  return counts;
}

// Costs of a few steps are full of ties; squares of them break the triangle inequality.
Problem any_problem(Random& random) {
  Problem problem;
  const std::size_t m = 1 + random.below(7);
  const std::size_t n = 1 + random.below(9);
  problem.from = any_counts(random, m, random.one_in(2) ? 3 : 1000);
  problem.to = any_counts(random, n, random.one_in(2) ? 3 : 100000);
  const std::size_t steps = random.one_in(2) ? 4 : 1000003;
  for (std::size_t i = 0; i < m * n; ++i) {
    const double cost = static_cast<double>(random.below(steps + 1)) / static_cast<double>(steps);
    problem.costs.push_back(random.one_in(3) ? cost * cost : cost);
  }
  return problem;
}

std::vector<double> shares(const std::vector<std::uint64_t>& counts) {
  const auto total =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  std::vector<double> out;
  for (const std::uint64_t count : counts) out.push_back(static_cast<double>(count) / total);
  return out;
}

TEST(Transport, CostsWhatTheLinearProgrammeSays) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Problem p = any_problem(random);
    ASSERT_NEAR(transport_cost(p.from, p.to, p.costs),
                transport_by_programme(shares(p.from), shares(p.to), p.costs), 1e-10)
        << i;
  }
}

TEST(Transport, OfEqualUnitsIsTheBestPermutation) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const std::size_t n = 2 + random.below(6);
    std::vector<double> costs;
    for (std::size_t k = 0; k < n * n; ++k) {
      costs.push_back(static_cast<double>(random.below(1001)) / 1000);
    }
    std::vector<std::size_t> to(n);
    std::iota(to.begin(), to.end(), std::size_t{0});
    double best = 1e9;
    do {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += costs[k * n + to[k]];
      best = std::min(best, sum);
    } while (std::next_permutation(to.begin(), to.end()));
    const std::vector<std::uint64_t> ones(n, 1);
    ASSERT_NEAR(transport_cost(ones, ones, costs), best / static_cast<double>(n), 1e-12) << i;
  }
}

// From (1/2, 1/2, 0) to (0, 1/2, 1/2). Cancelling the middle leaves the dear way from first to
// last; two cheap steps are the better way where the triangle inequality does not hold.
TEST(Transport, CancelsNothing) {
  const std::vector<std::uint64_t> from{1, 1, 0};
  const std::vector<std::uint64_t> to{0, 1, 1};
  const std::vector<double> costs{0, 0.125, 1, 0.125, 0, 0.125, 1, 0.125, 0};
  EXPECT_EQ(transport_cost(from, to, costs), 0.125);
}

TEST(Transport, OfNothingCostsNothing) {
  const std::vector<double> costs{1, 1};
  EXPECT_EQ(transport_cost(std::vector<std::uint64_t>{0, 0}, std::vector<std::uint64_t>{1}, costs),
            0);
  EXPECT_EQ(transport_cost(std::vector<std::uint64_t>{1, 1}, std::vector<std::uint64_t>{0}, costs),
            0);
}

// Amounts are products of records of both sides: here above 64 bits.
TEST(Transport, CountsBillionsOfRecords) {
  const std::uint64_t many = 100'000'000'001;
  const std::vector<std::uint64_t> from{many, 2 * many};
  const std::vector<std::uint64_t> to{many, many, 1};
  const std::vector<double> costs{0, 0.5, 1, 1, 0.25, 0.5};
  const double all = 2 * static_cast<double>(many) + 1;
  // The first sends its third to the first, the second the rest.
  const double first = static_cast<double>(many) / all;
  EXPECT_NEAR(transport_cost(from, to, costs), (first - 1.0 / 3) * 1 + first * 0.25 + 0.5 / all,
              1e-12);
}

// The optimum is one number, to the last bit, in whatever order values come.
TEST(Transport, IsTheSameInAnyOrder) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    Problem p = any_problem(random);
    const double cost = transport_cost(p.from, p.to, p.costs);
    const std::size_t n = p.to.size();
    std::reverse(p.from.begin(), p.from.end());
    std::reverse(p.to.begin(), p.to.end());
    std::reverse(p.costs.begin(), p.costs.end());
    ASSERT_EQ(transport_cost(p.from, p.to, p.costs), cost) << i;
    std::vector<double> turned;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < p.from.size(); ++k) turned.push_back(p.costs[k * n + j]);
    }
    ASSERT_EQ(transport_cost(p.to, p.from, turned), cost) << i;
  }
}

}  // namespace
}  // namespace semveil::test
