// Advice that has been tried: what advise() names is masked in memory and measured, and what does
// not do what it is named for is passed over.
//
//   left out      methods that form classes where no record is unique, unless there is no other
//   passed over   what cannot be had at all;
//                 noise whose errors cannot be had for more than half of the cells, as in flat
//                 hierarchies, where little is farther than a step;
//                 noise and swaps that move what is to be kept, a mean or a correlation, by more
//                 than kMostMoved, and correlated errors that move a correlation so
//   order         nearest to no risk and no loss first; of equally near ones the least loss, then
//                 the order of advise()
//   sets          after all others: they are for sensitive columns, and leave quasi-identifiers
//
// Choice:  of a large table kSampled records are tried, drawn by the key. Fewer records are found
//          more easily and fuse at a greater distance: what is told is rather too much than too
//          little.
// Cost:    one survey of the table, then a masking and an audit for each of about seven.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/told_error.h"
#include "compare/compare_figures.h"
#include "compare/compare_plans.h"
#include "compare/compare_run.h"
#include "compare/passing.h"
#include "release/privacy.h"
#include "release/survey.h"
#include "semveil/compare.h"
#include "semveil/method.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

constexpr std::uint64_t kSampled = 20'000;
constexpr double kMostMoved = 0.1;
constexpr double kMostTruncated = 0.5;

std::uint64_t count_uniques(const Survey::Impl& survey) {
  const Analysis analysis(counted_columns(survey), survey.joined, survey.tuples, survey.records, {},
                          survey.told_persons());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < analysis.joined().size(); ++i) {
    const Role role = analysis.columns()[analysis.joined()[i]].role;
    if (role == Role::kQuasiIdentifier) places.push_back(i);
  }
  if (places.empty()) return 0;
  const PersonPairs persons = analysis.tells_persons() ? analysis.persons() : PersonPairs();
  const CountedTuples counted(analysis.tuples(), analysis.tells_persons() ? &persons : nullptr);
  return class_sizes(counted, places, survey.missing).uniques;
}

// The pair whose correlation moved most: "job and place from 0.26 to 0.52".
std::string moved_pair(const Audit& audit) {
  const AuditedPair* most = nullptr;
  const auto move = [](const AuditedPair& pair) {
    const BeforeAfter& r = pair.correlation;
    return r.original && r.masked ? std::abs(*r.masked - *r.original) : -1;
  };
  for (const AuditedPair& pair : audit.pairs) {
    if (most == nullptr || move(pair) > move(*most)) most = &pair;
  }
  return fmt::format("{} and {} from {:.2f} to {:.2f}", most->a, most->b,
                     *most->correlation.original, *most->correlation.masked);
}

// Why a trial speaks against what was advised; empty: nothing does.
std::string fault_of(const ComparedRelease& trial, KeepKind keep) {
  if (!trial.failure.empty()) return fmt::format("it cannot be had: {}", trial.failure);
  const std::string method = method_of(trial.configuration);
  if (trial.truncated > kMostTruncated) {
    return fmt::format(
        "the error could not be had for {:.0f} % of the cells: too little of the "
        "ontology is that far away",
        100 * trial.truncated);
  }
  if (!method_named(method).keeps_correlations) return "";
  const auto correlated = trial.configuration.find("correlated");
  const bool for_correlation =
      keep == KeepKind::kCorrelation ||
      (correlated != trial.configuration.end() && correlated->second == "true");
  const auto moved = [&](KeepKind kind) {
    return loss_of(*trial.audit, kind).value_or(0) > kMostMoved;
  };
  if (for_correlation && moved(KeepKind::kCorrelation)) {
    return fmt::format("it moves the correlation of {}", moved_pair(*trial.audit));
  }
  if (keep == KeepKind::kMean && moved(KeepKind::kMean)) {
    return fmt::format("it moves a mean by {:.2f}", *loss_of(*trial.audit, KeepKind::kMean));
  }
  return "";
}

bool needs_classes(const Advice& advice) { return method_named(advice.method).forms_classes; }

// Where nobody is alone, classes are there already.
void leave_out_needless_classes(std::uint64_t uniques, std::vector<Advice>& advices) {
  if (uniques > 0 || std::ranges::all_of(advices, needs_classes)) return;
  std::erase_if(advices, needs_classes);
}

bool goes_before(const Proposal& a, const Proposal& b) {
  const bool sets_a = method_named(a.advice.method).releases_sets;
  const bool sets_b = method_named(b.advice.method).releases_sets;
  if (sets_a != sets_b) return sets_b;
  if (!a.trial || !b.trial) return a.trial.has_value() && !b.trial;
  return is_nearer_to_nothing(*a.trial, *b.trial);
}

AuditOptions audit_options(const WorkOptions& work) {
  AuditOptions audited;
  audited.work = work;
  audited.work.threads = 1;
  audited.work.progress = {};
  audited.clusters = 0;
  audited.contributions = false;
  audited.origins = false;
  audited.guesses = false;
  return audited;
}

// Those that can be tried, with their plans; what makes no plan is passed over at once.
struct Trials {
  std::vector<Proposal> proposals;
  std::vector<Configuration> configurations;
  std::vector<PlanFile> plans;
  std::vector<std::size_t> of;  // places in `proposals`
};

Trials planned(const std::vector<Advice>& advices, const PlanFile& plan) {
  Trials out;
  for (const Advice& advice : advices) {
    Proposal& proposal = out.proposals.emplace_back();
    proposal.advice = advice;
    if (awaits_file(advice)) continue;
    Result<PlanFile> made = configured(plan, advice.parameters);
    if (!made) {
      proposal.why_not = fmt::format("it cannot be had: {}", told_error(made.error()));
      continue;
    }
    for (const ColumnSettings& column : made->columns) {
      const bool left = column.role == Role::kQuasiIdentifier && made->step_of(column) == nullptr;
      if (left) proposal.unmasked.push_back(column.name);
    }
    out.configurations.push_back(advice.parameters);
    out.plans.push_back(*std::move(made));
    out.of.push_back(out.proposals.size() - 1);
  }
  return out;
}

Result<Proposals> propose_and_try(const Table& table, const PlanFile& plan, const Key& key,
                                  KeepKind keep, const WorkOptions& work) {
  WorkOptions surveying = work;
  surveying.every_column = true;
  const Result<Survey> surveyed = survey(table, plan, surveying);
  if (!surveyed) return fail(surveyed.error());
  auto advices = advise(*surveyed, plan, advised_by(keep));
  if (!advices) return fail(advices.error());
  Proposals out;
  out.keep = keep;
  out.records = surveyed->records();
  out.uniques = count_uniques(surveyed->impl());
  if (const PersonPairs* const persons = surveyed->impl().told_persons()) {
    out.persons = count_persons(*persons);
  }
  for (const ColumnSettings& column : plan.columns) {
    if (column.role == Role::kQuasiIdentifier) out.quasi_identifiers.push_back(column.name);
  }
  out.passing = undeclared_columns(table, plan);
  leave_out_needless_classes(out.uniques, *advices);
  out.left_out = left_out_of(*advices, plan, out.uniques);
  Trials trials = planned(*advices, plan);
  if (!trials.plans.empty()) {
    const double share = out.records > kSampled
                             ? static_cast<double>(kSampled) / static_cast<double>(out.records)
                             : 1;
    const auto comparer = Comparer::open_sample(table, plan, key, share, trials.plans, work);
    if (!comparer) return fail(comparer.error());
    out.tried_on = comparer->records();
    auto tried = run_all(*comparer, trials.configurations, trials.plans, audit_options(work), work);
    if (!tried) return fail(tried.error());
    // What stands in the way of all of them is no reason against one.
    if (std::ranges::none_of(*tried, [](const auto& one) { return one.audit.has_value(); })) {
      return fail(comparer->mask(trials.plans.front()).error());
    }
    for (std::size_t i = 0; i < tried->size(); ++i) {
      Proposal& proposal = trials.proposals[trials.of[i]];
      choose_figures(RiskKind::kGreatest, keep, (*tried)[i]);
      proposal.why_not = fault_of((*tried)[i], keep);
      proposal.trial = std::move((*tried)[i]);
    }
  }
  std::ranges::stable_sort(trials.proposals, goes_before);
  for (Proposal& proposal : trials.proposals) {
    (proposal.why_not.empty() ? out.proposed : out.passed_over).push_back(std::move(proposal));
  }
  return out;
}

}  // namespace

Result<Proposals> propose(const Table& table, const PlanFile& plan, const Key& key, KeepKind keep,
                          const WorkOptions& work) {
  return stoppable(work.stop, [&] { return propose_and_try(table, plan, key, keep, work); });
}

}  // namespace semveil
