#include "figures/set_changes.h"

#include <cmath>

namespace semveil {

void audit_set_changes(const ReleasedSets& sets, const Attribute& attribute, AuditedColumn& out) {
  std::uint64_t cells = 0;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const bool was_missing = sets.truth[i] == kMissing;
    const bool is_missing = sets.set(i).front() == kMissing;
    if (was_missing && is_missing) continue;
    ++cells;
    if (was_missing || is_missing) {
      sum += 1;
      squares += 1;
      continue;
    }
    double apart = 0, square = 0;
    for (const ConceptId v : sets.set(i)) {
      const double distance = attribute.distance(sets.truth[i], v);
      apart += distance;
      square += distance * distance;
    }
    sum += apart / static_cast<double>(sets.l);
    squares += square / static_cast<double>(sets.l);
  }
  if (cells == 0) return;
  const auto all = static_cast<double>(cells);
  out.mean_distance = sum / all;
  out.rmse = std::sqrt(squares / all);
  out.semantic_quality = 1 - *out.mean_distance;
}

}  // namespace semveil
