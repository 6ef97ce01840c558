#include "figures/record_linkage.h"

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

}  // namespace semveil
