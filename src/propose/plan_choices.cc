#include "propose/plan_choices.h"

#include <fmt/format.h>

namespace semveil {

std::string hierarchy_for(ColumnKind kind, double least, double greatest) {
  const KindKeys& keys = keys_of(kind);
  if (!keys.hierarchy.empty()) return std::string(keys.hierarchy);
  const double wanted = (greatest - least) / 20;
  double power = 1;
  while (power * 10 <= wanted) power *= 10;
  while (power > wanted && power > 1e-9) power /= 10;
  for (const double times : {1.0, 2.0, 5.0}) {
    if (power * times >= wanted) return fmt::format("{{intervals = {}}}", power * times);
  }
  return fmt::format("{{intervals = {}}}", power * 10);
}

}  // namespace semveil
