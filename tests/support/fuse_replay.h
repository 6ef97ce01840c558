// Looks at every step of a fusion: whether the tuple was one of S3 and its partner one of those the
// definitions allow, by looking at all pairs. It needs no random choices, so it can go over tables
// that are too large for the twin: O(tuples²) a step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/slow_fuse.h"

namespace semveil::test {

class FuseReplay {
 public:
  FuseReplay(const ClassTable& table, const FuseOptions& options)
      : table_(table), options_(options), sizes_(table.counts), now_(table.size()) {
    const std::size_t n = table.size();
    distances_.resize(n * n);
    for (std::size_t a = 0; a < n; ++a) {
      now_[a] = static_cast<std::uint32_t>(a);
      for (std::size_t b = 0; b < n; ++b) {
        double sum = 0;
        for (std::size_t j = 0; j < table.width(); ++j) {
          sum += table.attributes[j]->distance(table.value(a, j), table.value(b, j));
        }
        distances_[a * n + b] = sum;
      }
    }
  }

  // Semantic, with H1 and H2, without demands.
  void check(const FuseOutcome& outcome) {
    for (const FuseOutcome::Step& step : outcome.steps) {
      ASSERT_NE(step.from, step.to);
      ASSERT_EQ(step.size, sizes_[step.from]);
      ASSERT_EQ(step.partner_size, sizes_[step.to]);
      ASSERT_GT(step.size, 0U);
      ASSERT_GT(step.partner_size, 0U);
      ASSERT_NEAR(step.similarity,
                  1 - distance(step.from, step.to) / static_cast<double>(table_.width()), 1e-12);
      check_choice(step);
      if (testing::Test::HasFatalFailure()) return;
      sizes_[step.to] += sizes_[step.from];
      sizes_[step.from] = 0;
      for (std::uint32_t& at : now_) at = at == step.from ? step.to : at;
    }
    for (const std::uint64_t size : sizes_) ASSERT_TRUE(size == 0 || size >= options_.k) << size;
    ASSERT_EQ(outcome.target, now_);
  }

 private:
  double distance(std::size_t a, std::size_t b) const { return distances_[a * table_.size() + b]; }
  double least(std::size_t a) const {
    double best = INFINITY;
    for (std::size_t b = 0; b < sizes_.size(); ++b) {
      if (b != a && sizes_[b] > 0) best = std::min(best, distance(a, b));
    }
    return best;
  }
  std::uint64_t smallest(std::size_t a, double limit) const {
    std::uint64_t size = ~std::uint64_t{0};
    for (std::size_t b = 0; b < sizes_.size(); ++b) {
      if (b != a && sizes_[b] > 0 && distance(a, b) <= limit) size = std::min(size, sizes_[b]);
    }
    return size;
  }

  void check_choice(const FuseOutcome::Step& step) const {
    ASSERT_LT(step.size, options_.k);
    const double own = least(step.from);
    ASSERT_LE(distance(step.from, step.to), own + 1e-9);
    ASSERT_EQ(step.partner_size, smallest(step.from, own + 1e-9));
    double best = INFINITY;
    std::vector<std::pair<std::size_t, double>> s1;
    for (std::size_t t = 0; t < sizes_.size(); ++t) {
      if (sizes_[t] == 0) continue;
      ASSERT_GE(sizes_[t], step.size);
      if (sizes_[t] != step.size) continue;
      s1.emplace_back(t, least(t));
      best = std::min(best, s1.back().second);
    }
    ASSERT_LE(own, best + 1e-9);
    if (options_.heuristics < 3) return;
    for (const auto& [t, quality] : s1) {
      if (quality > best + 1e-9) continue;
      ASSERT_GE(smallest(t, quality + 1e-9), step.partner_size);
    }
  }

  const ClassTable& table_;
  const FuseOptions& options_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint32_t> now_;  // by tuple
  std::vector<double> distances_;
};

}  // namespace semveil::test
