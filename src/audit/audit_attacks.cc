// Who can be found again, and what can be learned of him.
#include <fmt/format.h>

#include <algorithm>

#include "audit/audit_parts.h"
#include "figures/attacks.h"
#include "figures/clusters.h"
#include "figures/looked_up.h"
#include "figures/record_linkage.h"
#include "figures/semantic_linkage.h"
#include "figures/singling_out.h"
#include "figures/window_linkage.h"
#include "mechanisms/swap/swap_method.h"
#include "semveil/finding_guide.h"

namespace semveil {
namespace {

constexpr std::size_t kMostRiskyValues = 50;

Paired attacked(const AuditTask& task, Paired tuples) {
  const std::size_t most = task.options.most_attacked;
  return tuples.size() > most ? sampled_combinations(tuples, most) : tuples;
}

// By somebody who knows the k of the swap.
double window(const AuditTask& task, const SwapOptions& swap, const Paired& tuples) {
  WindowOptions how;
  how.threads = task.options.work.threads;
  how.k = swap.k;
  how.algorithm = swap.algorithm;
  for (std::size_t i = 0; i < task.pair.quasi_identifiers.size(); ++i) {
    if (task.pair.columns[task.pair.quasi_identifiers[i]].is_masked) how.swapped.push_back(i);
  }
  return linked_by_window(tuples, how).mean;
}

// Classes of the quasi-identifiers, as attackers hold them.
struct Held {
  Attributes attributes;
  Classes original, released;  // suppressed records left out
  std::optional<Classes> control;
};
Held held(const AuditTask& task) {
  Held out{task.known_by(), task.classes_by(task.pair.original), task.released_classes(), {}};
  if (task.pair.control) out.control = task.classes_by(*task.pair.control);
  return out;
}

void look_up(const AuditTask& task, const Paired& pairs, Audit& out) {
  const Held tables = held(task);
  const LookedUp looked_up{tables.attributes,
                           tables.original,
                           tables.released,
                           pairs,
                           tables.control ? &*tables.control : nullptr,
                           task.fit_rule()};
  out.journalist = journalist_risk(looked_up);
  const OwnAmongAlike own = own_among_alike(looked_up);
  out.linkage.own_among_alike = own.worst;
  out.linkage.own_among_alike_mean = own.mean;
  if (out.classes && task.pair.masks && changes_records_alone(out.method)) {
    out.classes->prosecutor = own.worst;
    out.classes->marketer = own.mean;
  }
}

// "No guess" must not read as safe.
void tell_one_origin(const AuditTask& task, const OneOrigin& one, Audit& out) {
  if (!task.pair.masks || one.share == 0) return;
  const MethodDescription& method = task.pair.about();
  if (!method.looks_up() || method.releases_ancestors) return;
  std::vector<std::string> names;
  for (const std::size_t j : task.pair.quasi_identifiers) {
    names.push_back(task.pair.columns[j].name);
  }
  std::map<std::string, double> figures{{"share", one.share}};
  if (out.classes) figures["k"] = static_cast<double>(out.classes->smallest);
  if (one.shuffled) figures["shuffled"] = *one.shuffled;
  out.findings.push_back(
      make_finding("one-origin", Severity::kWarning, std::move(names), std::move(figures)));
}

}  // namespace

void audit_singling_out(const AuditTask& task, Audit& out) {
  if (!task.options.attacks || !task.options.guesses) return;
  if (task.pair.quasi_identifiers.empty()) return;
  const Held tables = held(task);
  SinglingOut found = singling_out(tables.attributes, tables.original, tables.released,
                                   tables.control ? &*tables.control : nullptr, task.fit_rule(),
                                   task.options.work.threads);
  out.attacks.push_back(std::move(found.attack));
  out.one_origin = found.one_origin;
  if (out.one_origin) tell_one_origin(task, *out.one_origin, out);
}

void audit_linkage(const AuditTask& task, Audit& out) {
  if (task.pair.quasi_identifiers.empty()) return;
  const Paired all = task.pair.pairs.over(task.pair.quasi_identifiers);
  out.linkage.equality = linked_by_equality(all);
  look_up(task, all, out);
  out.linkage.baseline = 1 / static_cast<double>(task.pair.original_records);
  if (!task.options.attacks) return;
  const Paired tuples = attacked(task, all);
  if (tuples.records() < all.records()) {
    out.notes.push_back(fmt::format(
        "linkage by meaning, linkability and inference were tried on {} records, whole released "
        "combinations drawn with a fixed key: among all of them fewer are found",
        tuples.records()));
    out.findings.push_back(make_finding("tried-on-a-sample", Severity::kNote, {},
                                        {{"records", static_cast<double>(tuples.records())}}));
  }
  const LinkedRecords linked = linked_by_meaning(tuples, task.options.work.threads);
  out.linkage.semantic = linked.mean;
  out.linkage.worst =
      std::max(linked.worst, surest_from_originals(tuples, task.options.work.threads));
  // Of a plan whose only step swaps: what others did to the rest says nothing of windows.
  const auto swap =
      task.pair.steps.size() == 1 ? swap_options(task.pair.steps.front()) : std::nullopt;
  if (swap) out.linkage.window = window(task, *swap, tuples);
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
