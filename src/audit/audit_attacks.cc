// Who can be found again, and what can be learned of him.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "audit/audit_parts.h"
#include "figures/attacks.h"
#include "figures/clusters.h"
#include "figures/linked_persons.h"
#include "figures/looked_up_persons.h"
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
WindowOptions window_options(const AuditTask& task, const SwapOptions& swap) {
  WindowOptions how;
  how.threads = task.options.work.threads;
  how.k = swap.k;
  how.algorithm = swap.algorithm;
  for (std::size_t i = 0; i < task.pair.quasi_identifiers.size(); ++i) {
    if (task.pair.columns[task.pair.quasi_identifiers[i]].is_masked) how.swapped.push_back(i);
  }
  return how;
}

// Classes of the quasi-identifiers, as attackers hold them.
struct Held {
  Attributes attributes;
  Classes original, released;  // suppressed records left out
  std::optional<Classes> control;
};
Held held(const AuditTask& task) {
  const Classes released = task.classes_by(task.released().classes);
  Held out{task.known_by(), task.classes_by(task.pair.original), released, {}};
  if (task.pair.control) out.control = task.classes_by(*task.pair.control);
  return out;
}

// By class over the quasi-identifiers: whose records they are. `all`: classes over all columns.
PersonRows persons_by_known(const AuditTask& task, const Classes& all, const PersonRows& persons,
                            const Classes& known) {
  std::map<std::vector<ConceptId>, std::uint32_t> place;
  for (std::uint32_t c = 0; c < known.size(); ++c) {
    place.emplace(std::vector(known.tuple(c).begin(), known.tuple(c).end()), c);
  }
  std::vector<std::uint32_t> to;
  std::vector<ConceptId> tuple(task.pair.quasi_identifiers.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      tuple[i] = all.tuple(c)[task.pair.quasi_identifiers[i]];
    }
    to.push_back(place.at(tuple));
  }
  return persons.moved(to, known.size());
}
PersonRows persons_of_originals(const AuditTask& task, const Classes& known) {
  return persons_by_known(task, task.pair.original, task.pair.original_persons, known);
}

void look_up(const AuditTask& task, const Paired& pairs, Audit& out) {
  const Held tables = held(task);
  const LookedUp looked_up{tables.attributes,
                           tables.original,
                           tables.released,
                           pairs,
                           tables.control ? &*tables.control : nullptr,
                           task.fit_rule(),
                           task.empties_cells()};
  OwnAmongAlike own;
  if (task.asks_persons()) {
    const PersonRows rows = task.persons_of(pairs, task.pair.quasi_identifiers);
    const PersonRows originals = persons_of_originals(task, tables.original);
    const PersonRows released = persons_of_classes(pairs, rows, Side::kAfter, tables.released);
    PersonRows control;
    if (tables.control) {
      control =
          persons_by_known(task, *task.pair.control, task.pair.control_persons, *tables.control);
    }
    const LookedUpPersons persons{looked_up, originals, released, control};
    out.journalist = journalist_risk(persons);
    own = own_among_alike(persons);
  } else {
    out.journalist = journalist_risk(looked_up);
    own = own_among_alike(looked_up);
  }
  out.linkage.own_among_alike = own.worst;
  out.linkage.own_among_alike_mean = own.mean;
  if (out.classes && task.pair.masks && changes_records_alone(out.method)) {
    out.classes->prosecutor = own.worst;
    out.classes->marketer = own.mean;
  }
}

// Of the records that show a combination which one person has, the greatest share that is that
// person's own: a person may have several of them. Nothing where it is not known whose they are.
std::optional<double> own_share(const AuditTask& task, const SinglingOut& found,
                                const Classes& released) {
  if (!task.knows_persons()) return std::nullopt;
  const Paired pairs = task.pair.pairs.over(task.pair.quasi_identifiers);
  const PersonRows rows = task.persons_of(pairs, task.pair.quasi_identifiers);
  const PersonRows persons = persons_of_classes(pairs, rows, Side::kAfter, released);
  double greatest = 0;
  for (const auto& [combination, person] : found.origins) {
    for (const PersonRows::Entry& entry : persons.of(combination)) {
      if (entry.person != person) continue;
      greatest = std::max(greatest, static_cast<double>(entry.rows) /
                                        static_cast<double>(released.counts[combination]));
    }
  }
  return greatest;
}

// "No guess" must not read as safe.
void tell_one_origin(const AuditTask& task, const SinglingOut& found, const Classes& released,
                     Audit& out) {
  const OneOrigin& one = *found.one_origin;
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
  if (task.asks_persons()) {
    figures["of_persons"] = 1;
    if (const auto share = own_share(task, found, released)) figures["chance"] = *share;
  }
  out.findings.push_back(
      make_finding("one-origin", Severity::kWarning, std::move(names), std::move(figures)));
}

}  // namespace

double greatest_share_of_rows(const AuditTask& task) {
  const Paired pairs = task.pair.pairs.over(task.pair.quasi_identifiers);
  const PersonRows rows = task.persons_of(pairs, task.pair.quasi_identifiers);
  return persons_of_classes(pairs, rows, Side::kAfter, held(task).released).greatest_share();
}

void audit_singling_out(const AuditTask& task, Audit& out) {
  if (!task.options.attacks || !task.options.guesses) return;
  if (task.pair.quasi_identifiers.empty()) return;
  const Held tables = held(task);
  if (task.asks_persons() && !task.pair.original_persons.are_told()) return;
  const PersonRows persons =
      task.asks_persons() ? persons_of_originals(task, tables.original) : PersonRows();
  SinglingOut found =
      singling_out(tables.attributes, tables.original, tables.released,
                   tables.control ? &*tables.control : nullptr, task.fit_rule(),
                   task.options.work.threads, task.asks_persons() ? &persons : nullptr);
  out.attacks.push_back(std::move(found.attack));
  out.one_origin = found.one_origin;
  if (found.one_origin) tell_one_origin(task, found, tables.released, out);
}

void audit_linkage(const AuditTask& task, Audit& out) {
  if (task.pair.quasi_identifiers.empty()) return;
  if (task.asks_persons() && !task.pair.pair_persons.are_told()) return;
  const Paired all = task.pair.pairs.over(task.pair.quasi_identifiers);
  if (task.asks_persons()) {
    const PersonRows rows = task.persons_of(all, task.pair.quasi_identifiers);
    out.linkage.equality = persons_linked_by_equality({all, rows});
  } else {
    out.linkage.equality = linked_by_equality(all);
  }
  look_up(task, all, out);
  out.linkage.baseline = 1 / static_cast<double>(out.persons.value_or(task.pair.original_records));
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
  const unsigned threads = task.options.work.threads;
  // Of a plan whose only step swaps: what others did to the rest says nothing of windows.
  std::optional<SwapOptions> swap;
  if (task.pair.steps.size() == 1) swap = swap_options(task.pair.steps.front());
  LinkedRecords linked;
  std::vector<WithoutColumn> without;
  if (task.asks_persons()) {
    const PersonRows rows = task.persons_of(tuples, task.pair.quasi_identifiers);
    const PairedPersons whose{tuples, rows};
    LinkedPersons persons = persons_linked_by_meaning(whose, threads);
    linked = {persons.mean, std::max(persons.worst, surest_person_from_originals(whose, threads)),
              std::move(persons.by_pair)};
    if (swap) out.linkage.window = persons_linked_by_window(whose, window_options(task, *swap));
    if (task.options.contributions) without = persons_without_each_column(whose, threads);
  } else {
    linked = linked_by_meaning(tuples, threads);
    linked.worst = std::max(linked.worst, surest_from_originals(tuples, threads));
    if (swap) out.linkage.window = linked_by_window(tuples, window_options(task, *swap)).mean;
    if (task.options.contributions) without = without_each_column(tuples, threads);
  }
  out.linkage.semantic = linked.mean;
  out.linkage.worst = linked.worst;
  if (!task.options.contributions) return;
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
  if (task.asks_persons() && !task.pair.pair_persons.are_told()) return;
  const auto control = [&](std::span<const std::size_t> columns) -> std::optional<Classes> {
    if (!task.pair.control) return std::nullopt;
    return classes_over(*task.pair.control, task.attributes, columns);
  };
  const Paired all = task.pair.pairs.over(task.pair.quasi_identifiers);
  const std::optional<Classes> others = control(task.pair.quasi_identifiers);
  const Classes* const given = others ? &*others : nullptr;
  const auto persons_of = [&](const Paired& some,
                              std::span<const std::size_t> columns) -> std::optional<PersonRows> {
    if (!task.asks_persons()) return std::nullopt;
    return task.persons_of(some, columns);
  };
  const Paired tried = attacked(task, all);
  const std::optional<PersonRows> whose = persons_of(tried, task.pair.quasi_identifiers);
  if (auto attack =
          linkability(tried, given, task.options.work.threads, whose ? &*whose : nullptr)) {
    out.attacks.push_back(*std::move(attack));
  }
  for (const std::size_t j : task.pair.sensitive) {
    if (task.pair.columns[j].is_set) continue;
    std::vector<std::size_t> columns = task.pair.quasi_identifiers;
    columns.push_back(j);
    const std::optional<Classes> knowing = control(columns);
    const Paired knowing_of = attacked(task, task.pair.pairs.over(columns));
    const std::optional<PersonRows> theirs = persons_of(knowing_of, columns);
    Attack attack = inference(knowing_of, knowing ? &*knowing : nullptr, task.options.work.threads,
                              theirs ? &*theirs : nullptr);
    attack.about = task.pair.columns[j].name;
    out.attacks.push_back(std::move(attack));
  }
}

}  // namespace semveil
