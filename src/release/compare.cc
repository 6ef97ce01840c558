// Methods and parameters beside each other: their risk, their loss, and which no other beats.
//
// Cost:  one survey for every kind of method; a fit, a masking and an audit for every
//        configuration. Memory: 4 bytes a cell of the columns that are looked at, and as much for
//        each configuration that is under way.
#include "semveil/compare.h"

#include <algorithm>
#include <cmath>

#include "release/compare_plans.h"
#include "release/compare_run.h"
#include "release/plan_choices.h"

namespace semveil {
namespace {

constexpr Choices<RiskKind, 3> kRisks{{
    {"prosecutor", RiskKind::kProsecutor},
    {"linkage", RiskKind::kLinkage},
    {"vulnerability", RiskKind::kVulnerability},
}};
constexpr Choices<KeepKind, 4> kKeeps{{
    {"mean", KeepKind::kMean},
    {"variance", KeepKind::kVariance},
    {"correlation", KeepKind::kCorrelation},
    {"distribution", KeepKind::kDistribution},
}};

void raise(std::optional<double>& most, double value) {
  if (!most || value > *most) most = value;
}

// A column that got a variance from nothing has lost all that was said of it.
double relative_change(double before, double after) {
  if (before > 0) return std::abs(after - before) / before;
  return after > 0 ? 1 : 0;
}

bool is_better(const ComparedRelease& a, const ComparedRelease& b) {
  return *a.risk <= *b.risk && *a.loss <= *b.loss && (*a.risk < *b.risk || *a.loss < *b.loss);
}

void mark_best(std::vector<ComparedRelease>& releases) {
  for (ComparedRelease& release : releases) {
    release.is_best = release.risk && release.loss &&
                      std::ranges::none_of(releases, [&](const ComparedRelease& other) {
                        return other.risk && other.loss && is_better(other, release);
                      });
  }
}

std::optional<double> find(const std::map<std::string, double>& figures, std::string_view name) {
  const auto at = figures.find(std::string(name));
  return at == figures.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

std::string_view to_string(RiskKind kind) { return name_of(kRisks, kind); }
std::string_view to_string(KeepKind kind) { return name_of(kKeeps, kind); }

RiskKind usual_risk(std::string_view method) {
  return draws_per_cell(method) ? RiskKind::kVulnerability : RiskKind::kProsecutor;
}

std::optional<double> risk_of(const Audit& audit, RiskKind kind) {
  if (kind == RiskKind::kLinkage) return audit.linkage.semantic;
  std::optional<double> most;
  if (kind == RiskKind::kProsecutor) {
    if (audit.classes) most = audit.classes->prosecutor;
    return most;
  }
  for (const ChannelFigures& channel : audit.channels) {
    if (channel.risk.columns.size() == 1) raise(most, channel.risk.vulnerability);
  }
  return most;
}

std::optional<double> loss_of(const Audit& audit, KeepKind kind) {
  std::optional<double> most;
  if (kind == KeepKind::kCorrelation) {
    for (const AuditedPair& pair : audit.pairs) {
      const BeforeAfter& r = pair.correlation;
      if (r.original && r.masked) raise(most, std::abs(*r.masked - *r.original));
    }
    return most;
  }
  for (const AuditedColumn& column : audit.columns) {
    if (kind == KeepKind::kMean && column.mean_shift) raise(most, *column.mean_shift);
    if (kind == KeepKind::kDistribution && column.total_variation) {
      raise(most, *column.total_variation);
    }
    if (kind == KeepKind::kVariance && column.variance.original && column.variance.masked) {
      raise(most, relative_change(*column.variance.original, *column.variance.masked));
    }
  }
  return most;
}

Result<Comparison> compare(const Table& table, const PlanFile& plan, const Key& key,
                           const CompareOptions& options) {
  if (!(options.holdout >= 0 && options.holdout < 1)) {
    return fail(usage_error("the share that is set aside lies from 0 to below 1"));
  }
  std::vector<Configuration> configurations = options.configurations;
  if (configurations.empty()) configurations = usual_configurations(plan);
  if (configurations.empty()) {
    return fail(data_error("no method can mask what this plan names: give a quasi-identifier an "
                           "ontology, or a sensitive column categories")
                    .at(plan.path));
  }
  std::vector<PlanFile> plans;
  for (const Configuration& configuration : configurations) {
    Result<PlanFile> one = configured(plan, configuration);
    if (!one) return fail(one.error());
    plans.push_back(*std::move(one));
  }
  const auto comparer = Comparer::open(table, plan, key, options.holdout, plans, options.work);
  if (!comparer) return fail(comparer.error());
  AuditOptions audited;
  audited.work = options.work;
  audited.work.threads = 1;
  audited.work.progress = {};
  audited.clusters = options.clusters;
  audited.contributions = false;
  audited.origins = false;
  Comparison out;
  out.risk = options.risk;
  out.keep = options.keep;
  out.records = comparer->records();
  out.held_out = comparer->held_out();
  const auto wrong =
      options.configurations.empty() ? Comparer::Wrong::kTold : Comparer::Wrong::kError;
  auto releases = run_all(*comparer, configurations, plans, audited, options.work, wrong);
  if (!releases) return fail(releases.error());
  out.releases = *std::move(releases);
  const bool all_failed = std::ranges::none_of(
      out.releases, [](const ComparedRelease& r) { return r.audit.has_value(); });
  if (all_failed && options.configurations.empty()) {
    return fail(comparer->mask(plans.front()).error());
  }
  for (ComparedRelease& release : out.releases) {
    release.risk = find(release.risks, to_string(options.risk));
    release.loss = find(release.losses, to_string(options.keep));
  }
  mark_best(out.releases);
  return out;
}

}  // namespace semveil
