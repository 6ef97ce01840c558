#include "mechanisms/classes/lookup_method.h"

#include <fmt/format.h>

namespace semveil {

bool forms_classes(const PlanFile& plan) {
  return plan.has_step([](const MethodDescription& method) { return method.forms_classes; });
}

void LookupMethod::check(PlanCheck& check) const {
  if (!check.names_are_sound) return;
  // Classes of another step are judged by the values that this one releases.
  const bool judged_elsewhere = !about().forms_classes && forms_classes(check.plan);
  for (ColumnSettings& column : check.plan.columns) {
    if (!check.is_masked(column)) continue;
    if (column.role == Role::kSensitive && column.demand && !judged_elsewhere) {
      check.wrong(kColumnsKey, fmt::format("columns: something is demanded of column {}, which is "
                                           "masked itself; leave it out, or leave the demand out",
                                           column.name));
    }
    // What lies above the values must be known: where nobody says it, the values decide.
    if (about().releases_ancestors && column.ontology.empty() && !column.hierarchy) {
      column.hierarchy.emplace().by_weeks = column.by_weeks;
      column.by_hierarchy = true;
    }
    if (column.unmapped == UnmappedRule::kKeep) {
      check.wrong(
          kMethodKey,
          fmt::format("unmapped = \"keep\" would leave values of column {} with "
                      "fewer than k records; write \"suppress\", \"generalize\" or \"error\"",
                      column.name));
    }
  }
}

// Classes over some of the quasi-identifiers protect nobody who is known by the others.
Status LookupMethod::check_table(const TableCheck& check) const {
  if (!about().forms_classes || setting_of<bool>(check.mask, kPartialKey)) return {};
  for (const ColumnSettings& column : check.plan.columns) {
    if (column.role != Role::kQuasiIdentifier || check.is_masked(column)) continue;
    return fail(Error{ErrorCode::kGuarantee,
                      fmt::format("k = {} cannot be promised: the quasi-identifier is not among "
                                  "the masked columns; add it to columns, or write partial = "
                                  "true if a smaller k over all of them will do",
                                  check.mask.k()),
                      {check.plan.path, column.line, column.name},
                      {},
                      {}});
  }
  return {};
}

Result<std::unique_ptr<const FittedMethod>> LookupMethod::load(
    std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
    const Key& /*key*/) const {
  return load_lookup(saved, std::move(attributes));
}

}  // namespace semveil
