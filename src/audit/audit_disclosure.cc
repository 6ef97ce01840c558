// What of a person is disclosed, beside what frequencies tell anybody (figures/disclosures.h).
#include <algorithm>

#include "audit/audit_parts.h"
#include "figures/disclosures.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {
namespace {

// Methods that draw or swap quasi-identifiers put nobody into a class.
ClassOf how_found(const AuditTask& task) {
  if (!task.pair.masks) return ClassOf::kRecord;
  const bool moves = changes_records_alone(task.pair.method);
  const bool moved = std::ranges::any_of(
      task.pair.quasi_identifiers, [&](std::size_t j) { return task.pair.columns[j].is_masked; });
  return moves && moved ? ClassOf::kValues : ClassOf::kRecord;
}

// Groups that share a category or a level, but not the value: that is secret-shared
// (audit_class_findings.cc). `value_known`: people whose group shares their value.
void warn(const FoundDisclosure& found, std::uint64_t value_known, Audit& out) {
  const std::string_view id = found.told.attack == "similarity"    ? "class-shares-category"
                              : found.told.attack == "sensitivity" ? "class-shares-level"
                                                                   : "";
  if (id.empty() || found.sharing <= value_known) return;
  if (*found.told.baseline_worst + kMostDisclosed >= 1) return;  // nearly everybody has it
  out.findings.push_back(
      make_finding(id, Severity::kWarning, {found.told.about},
                   {{"people", static_cast<double>(found.sharing - value_known)}}));
}

void of_classes(const AuditTask& task, std::size_t j, Audit& out) {
  std::vector<std::size_t> columns = task.pair.quasi_identifiers;
  columns.push_back(j);
  const TablePair::Impl::Column& column = task.pair.columns[j];
  std::uint64_t value_known = 0;
  for (FoundDisclosure& found : class_disclosures(task.pair.pairs.over(columns), how_found(task),
                                                  task.fit_rule(), column.groups)) {
    found.told.about = column.name;
    if (found.told.attack == "attribute") value_known = found.sharing;
    warn(found, value_known, out);
    if (found.told.attack == "similarity" && found.told.fewest) {
      const auto least = static_cast<double>(*found.told.fewest);
      out.category_diversity = std::min(out.category_diversity.value_or(least), least);
    }
    out.disclosures.push_back(std::move(found.told));
  }
}

void of_sets(const AuditTask& task, const SetPair& set, Audit& out) {
  const TablePair::Impl::Column& column = task.pair.columns[set.column];
  const ReleasedSets sets{set.truth, set.released, set.l};
  for (Disclosure& told : set_disclosures(sets, set.fitted.weights, column.groups)) {
    told.about = column.name;
    out.disclosures.push_back(std::move(told));
  }
}

void membership(const AuditTask& task, Audit& out) {
  if (!task.pair.control || task.pair.quasi_identifiers.empty()) return;
  const Classes people =
      task.is_paired()
          ? classes_of(task.pair.pairs.over(task.pair.quasi_identifiers), Side::kBefore)
          : task.classes_by(task.pair.original);
  out.disclosures.push_back(membership_disclosure(task.known_by(), people,
                                                  task.classes_by(*task.pair.control),
                                                  task.released_classes(), task.fit_rule()));
}

}  // namespace

void audit_disclosure(const AuditTask& task, Audit& out) {
  const Linkage& linkage = out.linkage;
  if (linkage.own_among_alike && linkage.own_among_alike_mean) {
    out.disclosures.push_back(identity_disclosure(*linkage.own_among_alike_mean,
                                                  *linkage.own_among_alike,
                                                  out.persons.value_or(task.pair.masked_records)));
  }
  membership(task, out);
  if (!task.is_paired()) return;
  for (const std::size_t j : task.pair.sensitive) {
    if (!task.pair.columns[j].is_set && !task.pair.quasi_identifiers.empty()) {
      of_classes(task, j, out);
    }
  }
  for (const SetPair& set : task.pair.sets) of_sets(task, set, out);
}

}  // namespace semveil
