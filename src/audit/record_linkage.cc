#include "audit/record_linkage.h"

#include <algorithm>

namespace semveil {

double linked_by_equality(const Paired& pairs) {
  const Classes before = classes_of(pairs, Side::kBefore);
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!std::ranges::equal(pairs.tuple(i, Side::kBefore), pairs.tuple(i, Side::kAfter))) continue;
    sum += static_cast<double>(pairs.counts[i]) / static_cast<double>(before.counts[before.of[i]]);
  }
  return sum / static_cast<double>(pairs.records());
}

double own_among_alike(const Paired& pairs) {
  const Classes before = classes_of(pairs, Side::kBefore);
  const Classes after = classes_of(pairs, Side::kAfter);
  std::vector<std::uint64_t> unchanged(before.size(), 0);
  std::vector<std::uint64_t> alike(before.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!std::ranges::equal(pairs.tuple(i, Side::kBefore), pairs.tuple(i, Side::kAfter))) continue;
    unchanged[before.of[i]] += pairs.counts[i];
    alike[before.of[i]] = after.counts[after.of[i]];
  }
  double greatest = 0;
  for (std::size_t c = 0; c < before.size(); ++c) {
    if (unchanged[c] == 0) continue;
    greatest = std::max(
        greatest, static_cast<double>(unchanged[c]) /
                      (static_cast<double>(before.counts[c]) * static_cast<double>(alike[c])));
  }
  return greatest;
}

}  // namespace semveil
