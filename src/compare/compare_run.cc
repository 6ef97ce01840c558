// Masking goes through survey(), Model::fit() and apply() as `mask` does, over a table in memory:
// what is measured is what would be written, verified alike.
#include "compare/compare_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/parallel.h"
#include "base/told_error.h"
#include "compare/compare_figures.h"
#include "compare/compare_plans.h"
#include "release/survey.h"
#include "semveil/method.h"
#include "semveil/plan_text.h"

namespace semveil {
namespace {

// Each record on its own: a share of 0.2 sets about every fifth aside.
std::function<bool(std::uint64_t)> chosen_aside(const Key& key, std::string_view purpose,
                                                double share) {
  if (share <= 0) return {};
  const Draws draws(key.derive(purpose, {}), "");
  const auto limit = static_cast<std::uint64_t>(std::ldexp(share, 64));
  return [draws, limit](std::uint64_t row) {
    std::uint64_t drawn = 0;
    draws.of_rows(row, 0, {&drawn, 1});
    return drawn < limit;
  };
}

// What the survey of a plan depends on.
std::string need_of(const PlanFile& plan, const MaskStep& mask) {
  const MethodDescription& method = mask.about();
  const std::string_view kind = method.looks_up()      ? method.name
                                : method.releases_sets ? "sets"
                                : method.deals()       ? "values"
                                                       : "cells";
  const CategoriesSettings* const categories = mask.categories();
  std::string masked;
  for (const ColumnSettings& column : plan.columns) {
    masked += is_masked(column, mask) ? 'x' : '.';
    masked += column.ontology + '\n' + column.measure + '\n';
    if (has_made_ontology(column)) masked += hierarchy_text(*column.hierarchy) + "made\n";
  }
  return fmt::format("{}\n{}\n{}", kind,
                     categories == nullptr ? "" : categories->file + cut_text(*categories), masked);
}

std::string need_of(const PlanFile& plan) {
  std::string all;
  for (const MaskStep& step : plan.steps) all += need_of(plan, step);
  for (const MaskStep& step : plan.recodings) {
    for (const auto& [key, value] : mask_values(step, plan.folder)) {
      all += fmt::format("{} = {}\n", key, value);
    }
  }
  return all;
}

// The columns that some plan may look at.
Result<std::vector<std::size_t>> columns_of(const Table& table, const PlanFile& plan,
                                            const std::vector<PlanFile>& plans) {
  std::set<std::string> names;
  for (const ColumnSettings& column : plan.columns) {
    const bool looked_at = is_nominal(column) || is_on_a_line(column) ||
                           column.role == Role::kQuasiIdentifier || column.role == Role::kSensitive;
    if (looked_at && column.role != Role::kIdentifier) names.insert(column.name);
  }
  for (const PlanFile& other : plans) {
    for (const ColumnSettings& column : other.columns) {
      if (other.changes(column)) names.insert(column.name);
    }
    if (const std::string person = other.draw_by(); !person.empty()) names.insert(person);
  }
  if (!plan.person.empty()) names.insert(plan.person);
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const Result<std::size_t> at = table.column(name);
    if (!at) return fail(at.error());
    places.push_back(*at);
  }
  std::ranges::sort(places);
  return places;
}

}  // namespace

Comparer::Comparer(const PlanFile& plan, const Key& key, const WorkOptions& work)
    : plan_(plan), key_(key), work_(work) {
  work_.threads = 1;
  work_.figures = true;
  work_.every_column = false;
  work_.progress = {};
}

Result<Comparer> Comparer::read(const Table& table, const PlanFile& plan, const Key& key,
                                const std::function<bool(std::uint64_t)>& aside,
                                const std::vector<PlanFile>& plans, const WorkOptions& work) {
  Comparer out(plan, key, work);
  const auto columns = columns_of(table, plan, plans);
  if (!columns) return fail(columns.error());
  std::optional<std::size_t> person;
  if (!plan.person.empty()) {
    const Result<std::size_t> at = table.column(plan.person);
    if (!at) return fail(at.error());
    person = *at;
  }
  auto parts = CodedTable::read(table, *columns, aside, work.progress, person);
  if (!parts) return fail(parts.error());
  out.parts_ = std::make_unique<CodedTable::Parts>(*std::move(parts));
  return out;
}

Result<Comparer> Comparer::open(const Table& table, const PlanFile& plan, const Key& key,
                                double holdout, const std::vector<PlanFile>& plans,
                                const WorkOptions& work) {
  Result<Comparer> out = read(table, plan, key, chosen_aside(key, "holdout", holdout), plans, work);
  if (out && holdout > 0 && (out->records() == 0 || out->held_out() == 0)) {
    return fail(
        usage_error(fmt::format("the table has too few records to set {} of them aside", holdout))
            .at(table.name()));
  }
  return out;
}

Result<Comparer> Comparer::open_sample(const Table& table, const PlanFile& plan, const Key& key,
                                       double share, const std::vector<PlanFile>& plans,
                                       const WorkOptions& work) {
  Result<Comparer> out =
      read(table, plan, key, chosen_aside(key, "advice-sample", 1 - share), plans, work);
  if (out) out->has_control_ = false;
  return out;
}

Result<std::shared_ptr<const Survey>> Comparer::surveyed(const PlanFile& plan) const {
  const std::string need = need_of(plan);
  const std::lock_guard lock(surveys_->mutex);
  std::shared_ptr<const Survey>& known = surveys_->known[need];
  if (known) return known;
  Result<Survey> made = survey(parts_->kept.table(), plan, work_);
  if (!made) return fail(made.error());
  known = std::make_shared<const Survey>(*std::move(made));
  return known;
}

Result<TablePair> Comparer::mask(const PlanFile& plan, MaskResult* result) const {
  PlanFile apart = plan;  // sets are read in columns of their own, whatever they are written as
  for (MaskStep& step : apart.steps) step.method->write_sets_apart(step);
  const auto survey = surveyed(apart);
  if (!survey) return fail(survey.error());
  const Result<Model> model = Model::fit(**survey, apart, key_, work_);
  if (!model) return fail(model.error());
  const auto cells = std::make_shared<ReleasedCells>();
  const Table table = parts_->kept.table(cells);
  ApplyOptions options;
  options.work = work_;
  options.describe = false;
  options.survey = survey->get();
  const Result<PendingRelease> pending = apply(*model, table, options);
  if (!pending) return fail(pending.error());
  if (result != nullptr) *result = pending->result();
  const CodedTable released = parts_->kept.released(*cells);
  const Table aside = parts_->aside.table();
  PairOptions pairing;
  pairing.work = work_;
  pairing.rows = &cells->rows;
  pairing.survey = survey->get();
  pairing.model = &*model;
  pairing.compares_cells = false;  // it was masked here
  if (has_control_ && held_out() > 0) pairing.control = &aside;
  for (std::size_t j = 0; j < apart.columns.size(); ++j) {
    apart.columns[j].measure = plan_.columns[j].measure;
  }
  return pair_tables(table, released.table(), apart, pairing);
}

Result<ComparedRelease> Comparer::unchanged(const AuditOptions& options) const {
  PlanFile plan = plan_;
  plan.steps.clear();
  plan.recodings.clear();
  const Table table = parts_->kept.table();
  const Table aside = parts_->aside.table();
  std::vector<std::uint64_t> rows(records());
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  PairOptions pairing;
  pairing.work = work_;
  pairing.rows = &rows;
  pairing.compares_cells = false;  // they are the same
  if (has_control_ && held_out() > 0) pairing.control = &aside;
  const Result<TablePair> pair = pair_tables(table, table, plan, pairing);
  if (!pair) return fail(pair.error());
  Result<Audit> audited = audit(*pair, options);
  if (!audited) return fail(audited.error());
  ComparedRelease out;
  out.label = "do nothing";
  measure(*pair, *audited, out);
  out.audit = *std::move(audited);
  return out;
}

namespace {

double truncated_share(const MaskResult& result) {
  std::uint64_t cells = 0;
  for (const MaskedColumn& column : result.masked) cells += column.cells;
  return cells == 0 ? 0 : static_cast<double>(result.truncated) / static_cast<double>(cells);
}

}  // namespace

Result<ComparedRelease> Comparer::run(const Configuration& configuration, const PlanFile& plan,
                                      const AuditOptions& options) const {
  ComparedRelease out;
  out.configuration = configuration;
  if (method_of(configuration).empty()) out.configuration["method"] = toml_text(plan.method());
  out.label = label_of(out.configuration);
  out.plan = to_toml(plan, plan.folder);
  MaskResult result;
  const Result<TablePair> pair = mask(plan, &result);
  if (!pair) {
    const ErrorCode code = pair.error().code;
    const bool told =
        code == ErrorCode::kGuarantee || code == ErrorCode::kData || code == ErrorCode::kUsage;
    if (!told) return fail(pair.error());
    out.failure = told_error(pair.error());
    return out;
  }
  Result<Audit> audited = audit(*pair, options);
  if (!audited) return fail(audited.error());
  measure(*pair, *audited, out);
  out.truncated = truncated_share(result);
  out.audit = *std::move(audited);
  return out;
}

Result<std::vector<ComparedRelease>> run_all(const Comparer& comparer,
                                             const std::vector<Configuration>& configurations,
                                             const std::vector<PlanFile>& plans,
                                             const AuditOptions& options, const WorkOptions& work) {
  std::vector<std::optional<Result<ComparedRelease>>> done(configurations.size());
  std::mutex mutex;
  std::uint64_t count = 0;
  if (work.progress) work.progress("comparing", 0, configurations.size());
  in_parallel(work.threads, configurations.size(), [&](std::size_t i) {
    done[i] = comparer.run(configurations[i], plans[i], options);
    const std::lock_guard lock(mutex);
    if (work.progress) work.progress("comparing", ++count, configurations.size());
  });
  std::vector<ComparedRelease> out;
  for (std::optional<Result<ComparedRelease>>& one : done) {
    if (!*one) return fail(one->error());
    out.push_back(**std::move(one));
  }
  return out;
}

}  // namespace semveil
