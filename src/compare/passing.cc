#include "compare/passing.h"

#include <array>

#include "release/first_records.h"
#include "release/told_columns.h"
#include "semveil/finding_guide.h"

namespace semveil {

PassingColumns undeclared_columns(const Table& table, const PlanFile& plan) {
  PassingColumns out;
  if (plan.undeclared != UndeclaredRule::kKeep) return out;
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < table.columns().size(); ++at) {
    if (plan.find(table.columns()[at]) == nullptr) places.push_back(at);
  }
  const FirstRecords first = FirstRecords::read(table, places, {});
  for (const std::size_t at : places) {
    const auto sample = first.in(std::array{at});
    out.push_back({table.columns()[at],
                   sample ? sample->records : 0,
                   sample ? sample->columns[0].distinct : 0,
                   {}});
  }
  return out;
}

void find_passing(const PassingColumns& columns, std::vector<Finding>& out) {
  find_nearly_unique(columns, out);
  std::vector<std::string> all;
  for (const Survey::PassedThrough& column : columns) all.push_back(column.name);
  if (all.empty()) return;
  out.push_back(make_finding("column-released-unmasked", Severity::kNote, std::move(all)));
}

}  // namespace semveil
