// Classes of records with equal quasi-identifiers.
#include <fmt/format.h>

#include <algorithm>

#include "audit/audit_parts.h"
#include "figures/class_risk.h"
#include "figures/utility.h"
#include "mechanisms/classes/closeness.h"
#include "release/privacy.h"
#include "semveil/method.h"

namespace semveil {
namespace {

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
  // Their classes hide nobody: finding oneself takes the place of 1 / |class| (audit_linkage).
  if (task.pair.masks && changes_records_alone(out.method)) {
    out.classes->prosecutor.reset();
    out.classes->marketer.reset();
  }
}

SensitiveDescription sensitive(const AuditTask& task, const Classes& classes, std::size_t j) {
  TupleCounter tuples(classes.width);
  std::vector<Code> tuple(classes.width);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const ConceptId value = classes.tuple(c)[i];
      tuple[i] = value == task.attributes[i]->missing_value() ? kMissing : value;
    }
    tuples.add(tuple, classes.counts[c]);
  }
  const ClassValues values(tuples, task.pair.quasi_identifiers, j);
  std::vector<ConceptId> meant(values.codes().begin(), values.codes().end());
  for (ConceptId& value : meant) {
    if (value >= task.attributes[j]->missing_value()) value = kMissing;
  }
  const bool has_distances = task.attributes[j]->kind != Attribute::Kind::kText;
  const Closeness closeness(has_distances ? task.attributes[j] : nullptr, std::move(meant),
                            values.whole());
  const SensitiveFigures figures = sensitive_figures(values, closeness);
  return {task.pair.columns[j].name, figures.l, figures.entropy_l, figures.recursive_c, figures.t};
}

void audit_privacy(const AuditTask& task, const Classes& released, Audit& out) {
  const auto of = [&](const Classes& classes, const std::optional<ClassRisk>& risk) {
    PrivacyFigures found;
    if (risk) {
      found.k = risk->smallest;
      found.uniques = risk->uniques;
    }
    for (const std::size_t j : task.pair.sensitive) {
      if (task.pair.columns[j].is_set || task.pair.quasi_identifiers.empty()) continue;
      found.sensitive.push_back(sensitive(task, classes, j));
    }
    return found;
  };
  out.privacy_original = of(task.pair.original, out.classes_original);
  out.privacy = of(released, out.classes);
}

}  // namespace

void audit_classes(const AuditTask& task, Audit& out) {
  const FormedClasses released = without_suppressed(task.attributes, task.pair.masked,
                                                    task.pair.quasi_identifiers, task.pair.pairs);
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
