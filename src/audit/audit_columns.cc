// What became of each column.
#include <algorithm>
#include <map>

#include "audit/audit_findings.h"
#include "audit/audit_parts.h"
#include "figures/column_figures.h"
#include "release/missed_aims.h"
#include "release/passing_columns.h"
#include "semveil/finding_guide.h"

namespace semveil {
namespace {

constexpr std::size_t kMostShares = 25;  // values of a distribution that are listed

// What the errors of noise should bring about, and whether they did.
void expect_noise(const FittedMethod& plan, const NoiseFit* fit, Audit& out) {
  for (std::size_t i = 0; i < fit->columns.size(); ++i) {
    const std::string& name = plan.attributes()[i]->name;
    const auto column = std::ranges::find(out.columns, name, &AuditedColumn::name);
    if (column == out.columns.end()) continue;
    column->target_rmse = fit->columns[i].distance();
    column->expected_variance = fit->expected_variance(i);
    if (fit->is_correlated()) column->drawn_variance = fit->drawn_variance(i);
    find_missed_aims({.name = name,
                      .alpha = fit->alpha,
                      .rmse = column->rmse,
                      .deviation = fit->columns[i].distance(),
                      .variance = fit->columns[i].variance,
                      .variance_after = column->variance.masked,
                      .mean_shift = column->mean_shift},
                     out.findings);
  }
}

std::vector<ValueShare> distribution(const AuditTask& task, std::size_t j,
                                     const ValueCounts& original, const ValueCounts& masked) {
  std::map<ConceptId, std::pair<std::uint64_t, std::uint64_t>> both;
  const ConceptId missing = task.attributes[j]->missing_value();
  double before = 0, after = 0;
  for (std::size_t i = 0; i < original.values.size(); ++i) {
    if (original.values[i] == missing) continue;
    both[original.values[i]].first += original.counts[i];
    before += static_cast<double>(original.counts[i]);
  }
  for (std::size_t i = 0; i < masked.values.size(); ++i) {
    if (masked.values[i] == missing) continue;
    both[masked.values[i]].second += masked.counts[i];
    after += static_cast<double>(masked.counts[i]);
  }
  std::vector<ValueShare> out;
  for (const auto& [value, counts] : both) {
    ValueShare share;
    share.label = task.pair.label(j, value);
    share.original_records = counts.first;
    share.original = before > 0 ? static_cast<double>(counts.first) / before : 0;
    share.masked = after > 0 ? static_cast<double>(counts.second) / after : 0;
    share.in_release = counts.second > 0;
    out.push_back(std::move(share));
  }
  std::ranges::sort(out, [](const ValueShare& a, const ValueShare& b) {
    const double x = std::max(a.original, a.masked), y = std::max(b.original, b.masked);
    return x != y ? x > y : a.label < b.label;
  });
  if (out.size() <= kMostShares) return out;
  ValueShare rest;
  rest.pooled = true;
  rest.in_release = false;
  rest.values = out.size() - (kMostShares - 1);
  for (std::size_t i = kMostShares - 1; i < out.size(); ++i) {
    rest.original += out[i].original;
    rest.masked += out[i].masked;
    rest.original_records += out[i].original_records;
    rest.in_release = rest.in_release || out[i].in_release;
  }
  rest.label = "others";
  out.resize(kMostShares - 1);
  out.push_back(std::move(rest));
  return out;
}

// Of sets: values that stand in them, and cells without a set.
void count_sets(const AuditTask& task, std::size_t j, const ValueCounts& original,
                AuditedColumn& out) {
  const ConceptId missing = task.attributes[j]->missing_value();
  for (std::size_t i = 0; i < original.values.size(); ++i) {
    (original.values[i] == missing ? out.original_missing : out.original_distinct) +=
        original.values[i] == missing ? original.counts[i] : 1;
  }
  const auto set = std::ranges::find(task.pair.sets, j, &SetPair::column);
  std::vector<ConceptId> released = set->released;
  const auto empty = static_cast<std::uint64_t>(std::ranges::count(released, kMissing));
  out.masked_missing = empty / set->l;
  std::ranges::sort(released);
  const auto end = std::unique(released.begin(), released.end());
  out.masked_distinct = static_cast<std::uint64_t>(end - released.begin()) - (empty > 0 ? 1 : 0);
}

// Whatever the plan says; nothing: nobody knows.
void tell_changes(AuditedColumn& column) {
  if (column.unchanged && *column.unchanged < 1) column.is_masked = true;
}

// A column that no class counts, and that tells most records from each other: whoever knows a
// person's value has found the record. Where the plan names a person, a value that a person has in
// several records counts once. Fewer cells than kFewestSampled say nothing.
constexpr std::uint64_t kFewestSampled = 20;
bool tells_people(const AuditTask& task, const ComparedColumn& column) {
  const bool is_known = std::ranges::any_of(task.pair.columns, [&](const auto& known) {
    return known.name == column.name && known.role == Role::kQuasiIdentifier;
  });
  return !is_known && column.sampled >= kFewestSampled &&
         is_more_than_half(column.distinct, column.sampled);
}

// What came through as it was, in every byte, and what should have.
void tell_passed(const AuditTask& task, Audit& all) {
  if (!task.pair.cells_are_compared) return;
  for (const ComparedColumn& column : task.pair.compared) {
    if (column.is_same() && tells_people(task, column)) {
      std::map<std::string, double> figures{{"different", static_cast<double>(column.distinct) /
                                                              static_cast<double>(column.sampled)}};
      if (task.pair.original_persons.are_told()) figures["of_persons"] = 1;
      all.findings.push_back(make_finding("column-tells-people", Severity::kWarning, {column.name},
                                          std::move(figures)));
    }
    // Cells of suppressed records are not compared: they went with their record.
    const bool is_whole = column.rows == task.pair.pairs.records();
    if (column.is_same() && is_whole) {
      all.unmasked.push_back(column.name);
    } else if (!column.is_same() && column.should_pass) {
      all.changed.push_back({column.name, column.differing()});
    }
  }
  if (all.changed.empty()) return;
  std::vector<std::string> names;
  std::map<std::string, double> shares;
  for (const Audit::Changed& column : all.changed) {
    names.push_back(column.column);
    shares["share." + column.column] = column.share;
  }
  all.findings.push_back(
      make_finding("column-changed", Severity::kDanger, std::move(names), std::move(shares)));
}

}  // namespace

const NoiseFit* noise_aims(const AuditTask& task) {
  if (!task.pair.judged_as_drawn) return nullptr;
  for (const TablePair::Impl::Drawn& drawn : task.pair.drawn) {
    if (const NoiseFit* fit = noise_fit(*drawn.plan)) return fit;
  }
  return nullptr;
}

NoiseShares noise_shares_of_numbers(const AuditTask& task) {
  NoiseShares out;
  for (const TablePair::Impl::Drawn& drawn : task.pair.drawn) {
    const NoiseFit* const fit = task.pair.judged_as_drawn ? noise_fit(*drawn.plan) : nullptr;
    if (fit == nullptr) continue;
    for (std::size_t i = 0; i < fit->columns.size(); ++i) {
      const Attribute& attribute = *drawn.plan->attributes()[i];
      const NoiseColumn& column = fit->columns[i];
      if (!attribute.is_numeric() || column.variance <= 0) continue;
      out.emplace(attribute.name, column.deviation * column.deviation / column.variance);
    }
  }
  return out;
}

void audit_columns(const AuditTask& task, Audit& all) {
  tell_passed(task, all);
  for (std::size_t j = 0; j < task.pair.columns.size(); ++j) {
    const TablePair::Impl::Column& column = task.pair.columns[j];
    AuditedColumn& out = all.columns.emplace_back();
    out.name = column.name;
    out.role = column.role;
    out.is_masked = column.is_masked;
    out.is_recoded = column.is_recoded;
    out.original_unmapped = column.original_unmapped;
    out.masked_unmapped = column.masked_unmapped;
    out.left_unmapped = column.left_unmapped;
    const ValueCounts original = column_counts(task.pair.original, j);
    const ValueCounts masked = column_counts(task.pair.masked, j);
    if (column.is_set) {
      count_sets(task, j, original, out);
      continue;
    }
    audit_distribution(*column.attribute, original, masked, task.options.work.threads, out);
    out.distribution = distribution(task, j, original, masked);
    if (task.is_paired()) audit_changes(task.pair.pairs, j, out);
    tell_changes(out);
  }
  for (const TablePair::Impl::Drawn& drawn : task.pair.drawn) {
    const NoiseFit* const fit = task.pair.judged_as_drawn ? noise_fit(*drawn.plan) : nullptr;
    if (fit != nullptr) expect_noise(*drawn.plan, fit, all);
  }
}

}  // namespace semveil
