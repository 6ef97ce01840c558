// Methods and parameters beside each other: their risk, their loss, and which nothing dominates.
//
// Cost:  one survey for every kind of method; a fit, a masking and an audit for every
//        configuration. Memory: 4 bytes a cell of the columns that are looked at, and as much for
//        each configuration that is under way.
#include "semveil/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/told_error.h"
#include "compare/compare_figures.h"
#include "compare/compare_plans.h"
#include "compare/compare_run.h"
#include "compare/passing.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

bool dominates(const ComparedRelease& a, const ComparedRelease& b) {
  if (!a.risk || !a.loss) return false;
  const std::int64_t risk_a = in_billionths(*a.risk), risk_b = in_billionths(*b.risk);
  const std::int64_t loss_a = in_billionths(*a.loss), loss_b = in_billionths(*b.loss);
  return risk_a <= risk_b && loss_a <= loss_b && (risk_a < risk_b || loss_a < loss_b);
}

// What is no safer than doing nothing is dominated by it, even where it loses nothing.
bool is_safer(const ComparedRelease& release, const ComparedRelease& unchanged) {
  return !unchanged.risk || in_billionths(*release.risk) < in_billionths(*unchanged.risk);
}

void mark_not_dominated(Comparison& comparison) {
  for (ComparedRelease& release : comparison.releases) {
    release.not_dominated =
        release.risk && release.loss && is_safer(release, comparison.unchanged) &&
        std::ranges::none_of(comparison.releases,
                             [&](const auto& other) { return dominates(other, release); });
  }
}

std::optional<std::size_t> least_loss(const std::vector<ComparedRelease>& releases, double most) {
  const auto figures = [&](std::size_t i) {
    return std::pair(in_billionths(*releases[i].loss), in_billionths(*releases[i].risk));
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    if (!keeps_to(releases[i], most)) continue;
    if (!best || figures(i) < figures(*best)) best = i;
  }
  return best;
}

AuditOptions audit_options(const CompareOptions& options) {
  AuditOptions audited;
  audited.work = options.work;
  audited.work.threads = 1;
  audited.work.progress = {};
  audited.clusters = options.clusters;
  audited.contributions = false;
  audited.origins = false;
  audited.guesses = options.holdout > 0;  // shown beside what the control gives
  return audited;
}

// "row 3 (fuse k 5), risk 0.2 by smallest class, loss 0.31". Three digits, as public pages have.
std::string described(const Comparison& comparison, std::size_t row) {
  const ComparedRelease& release = comparison.releases[row];
  return fmt::format("row {} ({}), with a risk of {:.3g} ({}) and a loss of {:.3g}", row + 1,
                     release.label, *release.risk, release.risk_name, *release.loss);
}

std::vector<std::size_t> rows_not_dominated(const Comparison& comparison) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < comparison.releases.size(); ++i) {
    if (comparison.releases[i].not_dominated) rows.push_back(i + 1);
  }
  return rows;
}

std::string verdict_within(const Comparison& comparison, double most) {
  if (comparison.best) {
    const auto within = std::ranges::count_if(
        comparison.releases, [&](const ComparedRelease& r) { return keeps_to(r, most); });
    return fmt::format("Best with a risk of at most {}: {}, the least of the {} that keep to it",
                       most, described(comparison, *comparison.best), within);
  }
  const std::optional<std::size_t> least = row_of_least_risk(comparison.releases);
  std::string none = fmt::format("No row has a risk of at most {}", most);
  if (!least) return none;
  if (in_billionths(*comparison.releases[*least].risk) <= in_billionths(most)) {
    return fmt::format(
        "No row keeps to a risk of at most {}: by those that have it somebody is found for certain",
        most);
  }
  return none + "; the least has " + described(comparison, *least);
}

}  // namespace

std::string verdict(const Comparison& comparison) {
  if (comparison.most) return verdict_within(comparison, *comparison.most);
  const std::vector<std::size_t> rows = rows_not_dominated(comparison);
  const std::string limit = "No limit of risk was given, so that none is called the one to take";
  if (rows.empty()) return limit + "; doing nothing dominates every row: none is safer";
  return fmt::format("{}. Not dominated: row{} {}", limit, rows.size() == 1 ? "" : "s",
                     fmt::join(rows, ", "));
}

std::optional<Choice> choose_best(const Comparison& comparison) {
  if (comparison.most) {
    if (!comparison.best) return std::nullopt;
    return Choice{*comparison.best, verdict_within(comparison, *comparison.most)};
  }
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < comparison.releases.size(); ++i) {
    const ComparedRelease& release = comparison.releases[i];
    if (!release.not_dominated) continue;
    if (!nearest || is_nearer_to_nothing(release, comparison.releases[*nearest])) nearest = i;
  }
  if (!nearest) return std::nullopt;
  return Choice{
      *nearest,
      fmt::format("The nearest to no risk and no loss, among the {} that are not dominated, is {}. "
                  "No limit of risk was given: nothing says that this is little enough",
                  rows_not_dominated(comparison).size(), described(comparison, *nearest))};
}

namespace {

// The configurations that make a plan, and those that do not, as rows that say why.
struct Tries {
  std::vector<Configuration> configurations;
  std::vector<PlanFile> plans;
  std::vector<ComparedRelease> failed;
  std::vector<bool> makes_a_plan;  // by row

  Tries(const PlanFile& plan, const std::vector<Configuration>& all) {
    for (const Configuration& configuration : all) {
      Result<PlanFile> one = configured(plan, configuration);
      makes_a_plan.push_back(one.has_value());
      if (one) {
        configurations.push_back(configuration);
        plans.push_back(*std::move(one));
        continue;
      }
      ComparedRelease& row = failed.emplace_back();
      row.configuration = configuration;
      row.label = label_of(configuration);
      row.failure = told_error(one.error());
    }
  }
  std::vector<ComparedRelease> in_order(std::vector<ComparedRelease> tried) const {
    std::vector<ComparedRelease> out;
    std::size_t next_tried = 0, next_failed = 0;
    for (const bool was_tried : makes_a_plan) {
      if (was_tried) {
        out.push_back(std::move(tried[next_tried++]));
      } else {
        out.push_back(failed[next_failed++]);
      }
    }
    return out;
  }
};

Error none_possible(const std::vector<ComparedRelease>& rows) {
  const ComparedRelease& first = rows.front();
  return data_error(rows.size() == 1
                        ? fmt::format("{}: {}", first.label, first.failure)
                        : fmt::format("none of the {} configurations can be had; the first, {}: {}",
                                      rows.size(), first.label, first.failure));
}

Result<Comparison> compare_releases(const Table& table, const PlanFile& plan, const Key& key,
                                    const CompareOptions& options) {
  if (!(options.holdout >= 0 && options.holdout < 1)) {
    return fail(usage_error("the share that is set aside lies from 0 to below 1"));
  }
  if (options.most && !(*options.most >= 0 && *options.most <= 1)) {
    return fail(usage_error("a risk lies from 0 to 1"));
  }
  Comparison out;
  std::vector<Configuration> configurations = options.configurations;
  if (configurations.empty()) configurations = usual_configurations(plan, out.left_out);
  if (configurations.empty()) {
    return fail(data_error("no method can mask what this plan names: give a quasi-identifier an "
                           "ontology, or a sensitive column categories")
                    .at(plan.path));
  }
  const Tries tries(plan, configurations);
  if (tries.plans.empty()) return fail(none_possible(tries.failed));
  const auto comparer =
      Comparer::open(table, plan, key, options.holdout, tries.plans, options.work);
  if (!comparer) return fail(comparer.error());
  const AuditOptions audited = audit_options(options);
  out.risk = options.risk;
  out.keep = options.keep;
  out.most = options.most;
  out.records = comparer->records();
  out.held_out = comparer->held_out();
  auto releases = run_all(*comparer, tries.configurations, tries.plans, audited, options.work);
  if (!releases) return fail(releases.error());
  out.releases = tries.in_order(*std::move(releases));
  const bool all_failed = std::ranges::none_of(
      out.releases, [](const ComparedRelease& r) { return r.audit.has_value(); });
  if (all_failed) return fail(none_possible(out.releases));
  out.passing = undeclared_columns(table, plan);
  auto unchanged = comparer->unchanged(audited);
  if (!unchanged) return fail(unchanged.error());
  out.unchanged = *std::move(unchanged);
  choose_figures(options.risk, options.keep, out.unchanged);
  for (ComparedRelease& release : out.releases) {
    choose_figures(options.risk, options.keep, release);
  }
  mark_not_dominated(out);
  if (out.most) out.best = least_loss(out.releases, *out.most);
  return out;
}

}  // namespace

Result<Comparison> compare(const Table& table, const PlanFile& plan, const Key& key,
                           const CompareOptions& options) {
  return stoppable(options.work.stop, [&] { return compare_releases(table, plan, key, options); });
}

}  // namespace semveil
