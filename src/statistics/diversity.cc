#include "statistics/diversity.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/math.h"

namespace semveil {
namespace {

std::vector<std::uint64_t> most_frequent_first(std::span<const std::uint64_t> counts) {
  std::vector<std::uint64_t> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  return sorted;
}

}  // namespace

double entropy(std::span<const std::uint64_t> counts) {
  // In order: the sum then depends on the counts alone, not on which value has which.
  const std::vector<std::uint64_t> sorted = most_frequent_first(counts);
  double total = 0;
  for (const std::uint64_t count : sorted) total += static_cast<double>(count);
  double sum = 0;
  for (const std::uint64_t count : sorted) {
    const double share = static_cast<double>(count) / total;
    sum -= share * ln(share);
  }
  return sum;
}

double entropy_l(std::span<const std::uint64_t> counts) { return std::exp(entropy(counts)); }

double recursive_ratio(std::span<const std::uint64_t> counts, std::uint64_t l) {
  if (counts.size() < l) return HUGE_VAL;
  const std::vector<std::uint64_t> sorted = most_frequent_first(counts);
  double tail = 0;
  for (std::size_t i = l - 1; i < sorted.size(); ++i) tail += static_cast<double>(sorted[i]);
  return static_cast<double>(sorted.front()) / tail;
}

}  // namespace semveil
