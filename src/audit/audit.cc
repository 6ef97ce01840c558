// Every figure of an audit (semveil/audit.h), put together from the measures in audit/.
//
// Cost: distinct tuples; linkage by meaning and the attacks their square, clustering that of
// kMostTuples of them.
#include <algorithm>
#include <array>

#include "audit/audit_findings.h"
#include "audit/audit_parts.h"
#include "semveil/method.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

Status find_target(AuditTask& task) {
  if (task.options.target.empty()) {
    for (const std::size_t j : task.pair.sensitive) {
      if (!task.pair.columns[j].is_set && !task.target) task.target = j;
    }
    return {};
  }
  const auto found =
      std::ranges::find(task.pair.columns, task.options.target, &TablePair::Impl::Column::name);
  if (found == task.pair.columns.end()) {
    return fail(usage_error("the column to learn: the plan declares no column '" +
                            task.options.target + "' that an audit looks at"));
  }
  if (found->is_set) {
    return fail(
        usage_error("the column to learn: '" + task.options.target + "' comes out as sets"));
  }
  task.target = static_cast<std::size_t>(found - task.pair.columns.begin());
  return {};
}

void tell_facts(const AuditTask& task, Audit& out) {
  out.original_records = task.pair.original_records;
  out.masked_records = task.pair.masked_records;
  out.paired = task.pair.pairs.records();
  if (task.pair.original_persons.are_told()) out.persons = task.pair.original_persons.persons();
  out.pairing = task.pair.pairing;
  out.unpaired_why = task.pair.unpaired_why;
  out.notes = task.pair.notes;
  out.has_control = task.pair.control.has_value();
  out.missing_rule = task.pair.missing;
  out.identifiers = task.pair.identifiers;
  for (const std::string& name : out.identifiers) {
    out.notes.push_back("column " + name + " IDENTIFIES PEOPLE BY THE PLAN, AND IS IN THE RELEASE");
  }
  if (task.pair.missing == MissingRule::kWildcard) {
    out.notes.emplace_back(
        "missing = \"wildcard\" holds for classes and for who fits a released record; linkage by "
        "equality, by meaning and by window, linkability and inference take a missing cell as a "
        "value of its own");
  }
  if (!task.pair.masks) return;
  out.method = task.pair.method;
  if (task.pair.steps.size() != 1 || out.method.find(kStepsJoint) != std::string::npos) return;
  const MaskStep& step = task.pair.steps.front();
  if (step.method->check_settings(step)) out.parameters = step.method->parameters(step);
}

}  // namespace

bool changes_records_alone(std::string_view method) {
  const MethodDescription& about = method_named(method);
  return about.deals() || (about.draws_per_cell() && !about.releases_sets);
}

namespace {

Result<Audit> audit_pair(const TablePair& pair, const AuditOptions& options) {
  AuditTask task{pair.impl(), options, {}, {}};
  for (const TablePair::Impl::Column& column : task.pair.columns) {
    task.attributes.push_back(column.attribute);
  }
  if (const Status status = find_target(task); !status) return fail(status.error());
  Audit out;
  tell_facts(task, out);
  struct Step {
    std::string_view what;
    void (*part)(const AuditTask&, Audit&);
    bool of_pairs;
  };
  constexpr std::array kSteps{Step{"columns", audit_columns, false},
                              Step{"correlations", audit_correlations, false},
                              Step{"classes", audit_classes, false},
                              Step{"generality", audit_generality, false},
                              Step{"sets", audit_sets, false},
                              Step{"singling out", audit_singling_out, false},
                              Step{"quality", audit_quality, true},
                              Step{"clusters", audit_clusters, true},
                              Step{"linkage", audit_linkage, true},
                              Step{"attacks", audit_attacks, true},
                              Step{"disclosure", audit_disclosure, false}};
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    if (options.work.progress) options.work.progress(kSteps[i].what, i, kSteps.size() + 1);
    if (task.is_paired() || !kSteps[i].of_pairs) kSteps[i].part(task, out);
  }
  if (options.work.progress) options.work.progress("channel", kSteps.size(), kSteps.size() + 1);
  if (const Status status = audit_channels(task, out); !status) return fail(status.error());
  out.findings.insert(out.findings.end(), task.pair.findings.begin(), task.pair.findings.end());
  if (task.pair.person_links) {
    const auto links = find_person_links(*task.pair.person_links, task.pair.draw_by);
    if (links) out.findings.push_back(*links);
  }
  find_in_classes(task, out);
  find_in_figures(out, noise_shares_of_numbers(task));
  rank(out.findings);
  return out;
}

}  // namespace

Result<Audit> audit(const TablePair& pair, const AuditOptions& options) {
  return stoppable(options.work.stop, [&] { return audit_pair(pair, options); });
}

}  // namespace semveil
