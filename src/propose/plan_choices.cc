#include "propose/plan_choices.h"

#include <fmt/format.h>

#include "ontology/hierarchies/number_intervals.h"

namespace semveil {

std::string hierarchy_for(ColumnKind kind, std::span<const std::string_view> texts) {
  const KindKeys& keys = keys_of(kind);
  if (!keys.hierarchy.empty()) return std::string(keys.hierarchy);
  const std::optional<double> width = usual_width(texts);
  return width ? fmt::format("{{intervals = {}}}", *width) : R"("flat")";
}

}  // namespace semveil
