// Classes of records with equal quasi-identifiers.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "audit/audit_parts.h"
#include "figures/class_risk.h"
#include "figures/utility.h"
#include "mechanisms/classes/closeness.h"
#include "release/privacy.h"
#include "semveil/method.h"

namespace semveil {
namespace {

// `persons`: by class.
PersonTuples tuples_of(const AuditTask& task, const Classes& classes, const PersonRows& persons) {
  PersonTuples out{TupleCounter(classes.width), persons.pairs()};
  std::vector<Code> tuple(classes.width);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const ConceptId value = classes.tuple(c)[i];
      tuple[i] = value == task.attributes[i]->missing_value() ? kMissing : value;
    }
    out.tuples.add(tuple, classes.counts[c]);
  }
  return out;
}

// Of the original, or of released records that were not suppressed.
PersonRows persons_of_released(const AuditTask& task, const Classes& released) {
  const Paired& pairs = task.pair.pairs;
  std::map<std::vector<ConceptId>, std::uint32_t> place;
  for (std::uint32_t c = 0; c < released.size(); ++c) {
    place.emplace(std::vector(released.tuple(c).begin(), released.tuple(c).end()), c);
  }
  const auto known = [&](std::size_t i, Side side) {
    return std::ranges::any_of(task.pair.quasi_identifiers, [&](std::size_t j) {
      return pairs.tuple(i, side)[j] != task.attributes[j]->missing_value();
    });
  };
  // Then a record of empty cells is among the released ones, as in AuditTask::released().
  const bool matches_all = task.empties_cells();
  std::vector<std::uint32_t> to;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto tuple = pairs.tuple(i, Side::kAfter);
    const auto found = place.find(std::vector(tuple.begin(), tuple.end()));
    const bool is_suppressed = !matches_all && !known(i, Side::kAfter) && known(i, Side::kBefore);
    to.push_back(found == place.end() || is_suppressed ? PersonRows::kGone : found->second);
  }
  return task.pair.pair_persons.moved(to, released.size());
}

// k and the risks that follow from it, in persons (class_risk.h has those of records).
void count_persons(const AuditTask& task, const PersonTuples& table, ClassRisk& risk) {
  const std::vector<std::size_t>& known_by = task.pair.quasi_identifiers;
  risk.records = {risk.smallest, risk.uniques};
  risk.smallest = risk.uniques = 0;
  risk.prosecutor.reset();
  risk.marketer.reset();
  if (table.tuples.size() == 0) return;
  const TupleCounter classes = project(table.tuples, known_by);
  const ClassSizes found = class_sizes(table.counted(), known_by, task.pair.missing);
  risk.smallest = std::ranges::min(found.sizes);
  risk.uniques = found.uniques;
  risk.prosecutor = 1 / static_cast<double>(risk.smallest);
  std::map<std::uint32_t, double> greatest;  // by person
  for (const std::uint64_t pair : table.persons.all()) {
    std::vector<Code> tuple;
    for (const std::size_t j : known_by) {
      tuple.push_back(table.tuples.tuple(PersonPairs::tuple_of(pair))[j]);
    }
    double& of_person = greatest[PersonPairs::person_of(pair)];
    of_person = std::max(of_person, 1 / static_cast<double>(found.sizes[*classes.find(tuple)]));
  }
  double sum = 0;
  for (const auto& [person, chance] : greatest) sum += chance;
  risk.marketer = sum / static_cast<double>(greatest.size());
}

void audit_class_risk(const AuditTask& task, const FormedClasses& released, Audit& out) {
  if (task.pair.quasi_identifiers.empty()) return;
  const auto known_by = task.known_by();
  const Classes original = task.classes_by(task.pair.original);
  const FormedClasses before{original, 0};
  const FormedClasses after{task.classes_by(released.classes), released.suppressed};
  out.classes_original = class_risk(known_by, before, task.pair.missing);
  out.classes = class_risk(known_by, after, task.pair.missing);
  out.discernibility_original = static_cast<double>(discernibility(before));
  out.discernibility = static_cast<double>(discernibility(after));
  if (task.pair.masks && task.pair.k() > 0 && after.classes.size() > 0) {
    out.c_avg = c_avg(after.classes, task.pair.k());
  }
  if (task.asks_persons()) {
    out.classes_original->records.reset();
    if (task.pair.original_persons.are_told()) {
      count_persons(task, tuples_of(task, task.pair.original, task.pair.original_persons),
                    *out.classes_original);
    } else {
      out.classes_original.reset();
    }
    if (task.knows_persons()) {
      const PersonRows persons = persons_of_released(task, released.classes);
      count_persons(task, tuples_of(task, released.classes, persons), *out.classes);
    } else {
      out.classes.reset();  // whose records they are is not known
    }
  }
  // Their classes hide nobody: finding oneself takes the place of 1 / |class| (audit_linkage).
  if (out.classes && task.pair.masks && changes_records_alone(out.method)) {
    out.classes->prosecutor.reset();
    out.classes->marketer.reset();
  }
}

SensitiveDescription sensitive(const AuditTask& task, const CountedTuples& counted, std::size_t j) {
  const ClassValues values(counted, task.pair.quasi_identifiers, j);
  std::vector<ConceptId> meant(values.codes().begin(), values.codes().end());
  for (ConceptId& value : meant) {
    if (value >= task.attributes[j]->missing_value()) value = kMissing;
  }
  const bool has_distances = task.attributes[j]->kind != Attribute::Kind::kText;
  const Closeness closeness(has_distances ? task.attributes[j] : nullptr, std::move(meant),
                            values.whole());
  const SensitiveFigures figures = sensitive_figures(values, closeness);
  SensitiveDescription out{task.pair.columns[j].name, figures.l, figures.entropy_l,
                           figures.recursive_c, figures.t};
  if (counted.persons != nullptr) {
    out.most_common = most_common_share(counted, task.pair.quasi_identifiers, j);
  }
  return out;
}

void audit_privacy(const AuditTask& task, const Classes& released, Audit& out) {
  const bool asks = task.asks_persons();
  const auto of = [&](const Classes& classes, const std::optional<ClassRisk>& risk,
                      const PersonRows& persons) {
    PrivacyFigures found;
    found.is_known = !asks || persons.are_told();
    if (!found.is_known) return found;
    const PersonTuples table = tuples_of(task, classes, persons);
    const CountedTuples counted(table.tuples, asks ? &table.persons : nullptr);
    if (risk) {
      found.k = risk->smallest;
      found.uniques = risk->uniques;
    }
    for (const std::size_t j : task.pair.sensitive) {
      if (task.pair.columns[j].is_set || task.pair.quasi_identifiers.empty()) continue;
      found.sensitive.push_back(sensitive(task, counted, j));
    }
    return found;
  };
  out.privacy_original = of(task.pair.original, out.classes_original, task.pair.original_persons);
  out.privacy =
      of(released, out.classes,
         asks && task.knows_persons() ? persons_of_released(task, released) : PersonRows());
}

}  // namespace

// Masking counts them so, too (release/guard.cc).
bool AuditTask::empties_cells() const {
  if (pair.missing != MissingRule::kWildcard) return false;
  return std::ranges::any_of(pair.steps, [](const MaskStep& step) {
    return step.method->parameters(step).contains("suppress");
  });
}

PersonTuples released_persons(const AuditTask& task) {
  const FormedClasses released = task.released();
  return tuples_of(task, released.classes, persons_of_released(task, released.classes));
}

void audit_classes(const AuditTask& task, Audit& out) {
  const FormedClasses released = task.released();
  audit_class_risk(task, released, out);
  const bool promises = task.pair.masks && task.pair.about().forms_classes;
  if (promises && out.classes && out.classes->classes > 0 &&
      out.classes->smallest < task.pair.k()) {
    out.notes.push_back(fmt::format("THE PLAN PROMISES k = {}, THE RELEASE HAS k = {}",
                                    task.pair.k(), out.classes->smallest));
  }
  audit_privacy(task, released.classes, out);
}

}  // namespace semveil
