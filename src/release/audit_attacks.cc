// Who can be found again, and what can be learned of him.
#include <fmt/format.h>

#include <algorithm>

#include "audit/attacks.h"
#include "audit/clusters.h"
#include "audit/record_linkage.h"
#include "audit/semantic_linkage.h"
#include "audit/window_linkage.h"
#include "release/audit_parts.h"
#include "release/method_choice.h"

namespace semveil {
namespace {

constexpr std::size_t kMostRiskyValues = 50;

Paired attacked(const AuditTask& task, Paired tuples) {
  const std::size_t most = task.options.most_attacked;
  return tuples.size() > most ? sampled_records(tuples, most) : tuples;
}

// By somebody who knows the k of the swap.
double window(const AuditTask& task, const Paired& tuples) {
  WindowOptions how;
  how.threads = task.options.work.threads;
  how.k = std::max(1U, task.pair.mask->k);
  how.algorithm = swap_algorithm(*task.pair.mask);
  for (std::size_t i = 0; i < task.pair.quasi_identifiers.size(); ++i) {
    if (task.pair.columns[task.pair.quasi_identifiers[i]].is_masked) how.swapped.push_back(i);
  }
  return linked_by_window(tuples, how).mean;
}

}  // namespace

void audit_linkage(const AuditTask& task, Audit& out) {
  if (task.pair.quasi_identifiers.empty()) return;
  const Paired all = task.pair.pairs.over(task.pair.quasi_identifiers);
  out.linkage.equality = linked_by_equality(all);
  out.linkage.own_among_alike = own_among_alike(all);
  out.linkage.baseline = 1 / static_cast<double>(task.pair.original_records);
  if (!task.options.attacks) return;
  const Paired tuples = attacked(task, all);
  if (tuples.records() < all.records()) {
    out.notes.push_back(fmt::format(
        "linkage by meaning, linkability and inference were tried on {} records, drawn with a "
        "fixed key: among all of them fewer are found",
        tuples.records()));
  }
  const LinkedRecords linked = linked_by_meaning(tuples, task.options.work.threads);
  out.linkage.semantic = linked.mean;
  out.linkage.worst = linked.worst;
  if (task.pair.mask && is_swap(task.pair.mask->method)) out.linkage.window = window(task, tuples);
  if (!task.options.contributions) return;
  const std::vector<WithoutColumn> without = without_each_column(tuples, task.options.work.threads);
  for (std::size_t i = 0; i < without.size(); ++i) {
    out.contributions.push_back({task.pair.columns[task.pair.quasi_identifiers[i]].name,
                                 without[i].linkage, without[i].uniques});
  }
  for (const ValueRisk& risk : risky_values(tuples, linked.by_pair, kMostRiskyValues)) {
    const std::size_t j = task.pair.quasi_identifiers[risk.column];
    out.risky_values.push_back(
        {task.pair.columns[j].name, task.pair.label(j, risk.value), risk.records, risk.linked});
  }
}

void audit_attacks(const AuditTask& task, Audit& out) {
  if (!task.options.attacks || !task.options.guesses) return;
  if (task.pair.quasi_identifiers.empty()) return;
  const auto control = [&](std::span<const std::size_t> columns) -> std::optional<Classes> {
    if (!task.pair.control) return std::nullopt;
    return classes_over(*task.pair.control, task.attributes, columns);
  };
  const Paired all = task.pair.pairs.over(task.pair.quasi_identifiers);
  const std::optional<Classes> others = control(task.pair.quasi_identifiers);
  const Classes* const given = others ? &*others : nullptr;
  out.attacks.push_back(singling_out(all, given));
  if (auto attack = linkability(attacked(task, all), given, task.options.work.threads)) {
    out.attacks.push_back(*std::move(attack));
  }
  for (const std::size_t j : task.pair.sensitive) {
    if (task.pair.columns[j].is_set) continue;
    std::vector<std::size_t> columns = task.pair.quasi_identifiers;
    columns.push_back(j);
    const std::optional<Classes> knowing = control(columns);
    Attack attack = inference(attacked(task, task.pair.pairs.over(columns)),
                              knowing ? &*knowing : nullptr, task.options.work.threads);
    attack.about = task.pair.columns[j].name;
    out.attacks.push_back(std::move(attack));
  }
}

}  // namespace semveil
