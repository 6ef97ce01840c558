// The least loss under a demanded risk: each method's parameter is searched for the smallest value
// whose measured risk is small enough, as loss grows with it; then the losses of all that was tried
// are compared.
//
// Choice:  risk falls with alpha, k and l, but what is measured on one draw is not exactly
//          monotone. The row of usual values is bisected; then the two below the one that
//          was found are tried as long as one of them passes, so that a single bump does not hide
//          a smaller value; then the gap to the one that failed is halved kRefinements times.
//          What is returned was itself measured: its risk is at most the demanded one whatever
//          the bumps, but a smaller parameter may exist.
// Cost:    about log2(usual values) + 1 + kRefinements audits for each way of masking.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/parallel.h"
#include "base/text.h"
#include "base/told_error.h"
#include "compare/compare_figures.h"
#include "compare/compare_plans.h"
#include "compare/compare_run.h"
#include "compare/passing.h"
#include "semveil/compare.h"
#include "semveil/method.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

constexpr unsigned kRefinements = 3;

// A way of masking with one number left open.
struct Way {
  Configuration rest;
  std::string parameter;      // empty: none
  std::vector<double> usual;  // ascending; one place without a parameter
  bool whole = true;          // numbers between two rungs
};

std::vector<double> usual_values(const MethodDescription& method, std::uint64_t records) {
  if (method.searched.empty()) return {0};
  std::vector<double> usual(method.usual.begin(), method.usual.end());
  if (method.counts_records) {
    std::erase_if(usual, [&](double value) { return value > static_cast<double>(records); });
  }
  return usual;
}

// A class of k promises 1/k: by far smaller k cannot do, by far greater ones lose for nothing.
// Where none is left, all are tried.
void near_one_in(const SearchOptions& options, std::vector<double>& usual) {
  const bool by_classes =
      options.risk == RiskKind::kGreatest || options.risk == RiskKind::kProsecutor;
  if (!by_classes || options.most <= 0) return;
  const double wanted = std::ceil(1 / options.most);
  std::vector<double> near;
  for (const double k : usual) {
    if (2 * k >= wanted && k <= 4 * wanted) near.push_back(k);
  }
  if (!near.empty()) usual = std::move(near);
}

// Less loss; of equal ones of one method the milder parameter, else the one tried first.
bool is_milder(const ComparedRelease& a, const ComparedRelease& b) {
  const std::int64_t loss_a = in_billionths(*a.loss), loss_b = in_billionths(*b.loss);
  if (loss_a != loss_b) return loss_a < loss_b;
  const std::string method = method_of(a.configuration);
  const std::string parameter(method_named(method).searched);
  if (parameter.empty() || method != method_of(b.configuration)) return false;
  const auto value = [&](const ComparedRelease& release) {
    const auto at = release.configuration.find(parameter);
    return at == release.configuration.end() ? std::nullopt : number_of(at->second);
  };
  const auto x = value(a), y = value(b);
  return x && y && *x < *y;
}

Way way_of(Configuration rest, std::uint64_t records) {
  Way way;
  const MethodDescription& method = method_named(method_of(rest));
  const MethodKey* const key = method.key(method.searched);
  way.parameter = method.searched;
  way.usual = usual_values(method, records);
  way.whole = key == nullptr || key->type == KeyType::kWhole;
  rest.erase(way.parameter);
  way.rest = std::move(rest);
  return way;
}

class Searching {
 public:
  Searching(const Comparer& comparer, const PlanFile& plan, const SearchOptions& options, Way way)
      : comparer_(comparer), plan_(plan), options_(options), way_(std::move(way)) {
    audited_.work = options.work;
    audited_.work.threads = 1;
    audited_.work.progress = {};
    audited_.clusters = 0;
    audited_.contributions = false;
    audited_.origins = false;
    audited_.guesses = false;
  }

  Status run() {
    // Where the greatest fails, nothing can be reached; what cannot be had at all is no rung.
    for (;;) {
      if (way_.usual.empty()) return {};
      const Result<bool> passes = try_value(way_.usual.back());
      if (!passes) return fail(passes.error());
      if (*passes) break;
      if (tried_.back().failure.empty()) return {};
      way_.usual.pop_back();
    }
    std::size_t low = 0, high = way_.usual.size() - 1;  // all below `low` fail; `high` passes
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const Result<bool> passes = try_value(way_.usual[middle]);
      if (!passes) return fail(passes.error());
      (*passes ? high : low) = *passes ? middle : middle + 1;
    }
    for (std::size_t below = 1; below <= std::min<std::size_t>(high, 2);) {
      const Result<bool> passes = try_value(way_.usual[high - below]);
      if (!passes) return fail(passes.error());
      high -= *passes ? below : 0;
      below = *passes ? 1 : below + 1;
    }
    if (high == 0 || way_.parameter.empty()) return {};
    double fails = way_.usual[high - 1], holds = way_.usual[high];
    for (unsigned i = 0; i < kRefinements; ++i) {
      const double middle = between(fails, holds);
      if (middle <= fails || middle >= holds) break;
      const Result<bool> passes = try_value(middle);
      if (!passes) return fail(passes.error());
      (*passes ? holds : fails) = middle;
    }
    return {};
  }

  std::vector<ComparedRelease>& tried() { return tried_; }

 private:
  double between(double a, double b) const {
    constexpr double kStep = 100;  // of alpha: hundredths
    return way_.whole ? std::floor((a + b) / 2) : std::round((a + b) / 2 * kStep) / kStep;
  }

  // Whether the risk is small enough. What cannot be promised is not.
  Result<bool> try_value(double value) {
    Configuration configuration = way_.rest;
    if (!way_.parameter.empty()) configuration[way_.parameter] = fmt::format("{}", value);
    for (const ComparedRelease& known : tried_) {
      if (known.configuration == configuration) return keeps_to(known, options_.most);
    }
    const Result<PlanFile> plan = configured(plan_, configuration);
    if (!plan) return fail(plan.error());
    Result<ComparedRelease> release = comparer_.run(configuration, *plan, audited_);
    if (!release) return fail(release.error());
    choose_figures(options_.risk, options_.keep, *release);
    tried_.push_back(*std::move(release));
    return keeps_to(tried_.back(), options_.most);
  }

  const Comparer& comparer_;
  const PlanFile& plan_;
  const SearchOptions& options_;
  Way way_;
  AuditOptions audited_;
  std::vector<ComparedRelease> tried_;
};

// Those that advise() names, where the plan lets them be.
Result<std::vector<Configuration>> usual_ways(const Table& table, const PlanFile& plan,
                                              const SearchOptions& options,
                                              std::vector<LeftOut>& left_out) {
  WorkOptions work = options.work;
  work.every_column = true;
  const Result<Survey> surveyed = survey(table, plan, work);
  if (!surveyed) return fail(surveyed.error());
  const Result<std::vector<Advice>> advice = advise(*surveyed, plan, advised_by(options.keep));
  if (!advice) return fail(advice.error());
  constexpr std::uint64_t kSome = 1;  // classes are tried whether anybody is alone or not
  left_out = left_out_of(*advice, plan, kSome);
  std::vector<Configuration> ways;
  for (const Advice& one : *advice) {
    ways.push_back(one.parameters);
    if (awaits_file(one)) ways.back().erase("categories");
  }
  return ways;
}

// The first parameters of each way that make a plan.
Result<std::vector<Way>> choose_ways(const Table& table, const PlanFile& plan,
                                     const SearchOptions& options, std::uint64_t records,
                                     std::vector<PlanFile>& plans, std::vector<LeftOut>& left_out) {
  std::vector<Configuration> all;
  for (const std::string& method : options.methods) {
    all.push_back({{"method", toml_text(method)}});
  }
  if (all.empty()) {
    auto usual = usual_ways(table, plan, options, left_out);
    if (!usual) return fail(usual.error());
    all = *std::move(usual);
  }
  std::vector<Way> ways;
  std::optional<Error> first;
  for (Configuration& one : all) {
    Way way = way_of(std::move(one), records);
    Configuration example = way.rest;
    if (!way.parameter.empty()) example[way.parameter] = fmt::format("{}", way.usual.front());
    Result<PlanFile> made = configured(plan, example);
    if (!made) {
      if (!options.methods.empty()) return fail(made.error());
      if (!first) first = made.error();
      left_out.push_back({method_of(example), told_error(made.error())});
      continue;
    }
    plans.push_back(*std::move(made));
    ways.push_back(std::move(way));
  }
  if (ways.empty()) return fail(*first);
  return ways;
}

Result<Search> search_milder(const Table& table, const PlanFile& plan, const Key& key,
                             const SearchOptions& options) {
  if (!(options.most >= 0 && options.most <= 1)) {
    return fail(usage_error("a risk lies from 0 to 1"));
  }
  std::vector<PlanFile> plans;
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  Search out;
  auto ways = choose_ways(table, plan, options, kAny, plans, out.left_out);
  if (!ways) return fail(ways.error());
  const auto comparer = Comparer::open(table, plan, key, 0, plans, options.work);
  if (!comparer) return fail(comparer.error());
  std::vector<std::unique_ptr<Searching>> searches;
  for (Way& way : *ways) {
    const MethodDescription& method = method_named(method_of(way.rest));
    way.usual = usual_values(method, comparer->records());
    if (method.forms_classes) near_one_in(options, way.usual);
    if (way.usual.empty()) continue;
    searches.push_back(std::make_unique<Searching>(*comparer, plan, options, std::move(way)));
  }
  std::vector<Status> done(searches.size());
  std::mutex mutex;
  std::uint64_t count = 0;
  if (options.work.progress) options.work.progress("searching", 0, searches.size());
  in_parallel(options.work.threads, searches.size(), [&](std::size_t i) {
    done[i] = searches[i]->run();
    const std::lock_guard lock(mutex);
    if (options.work.progress) options.work.progress("searching", ++count, searches.size());
  });
  out.passing = undeclared_columns(table, plan);
  out.most = options.most;
  out.risk = options.risk;
  out.keep = options.keep;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    if (!done[i]) return fail(done[i].error());
    for (ComparedRelease& release : searches[i]->tried()) out.tried.push_back(std::move(release));
  }
  if (std::ranges::none_of(out.tried,
                           [](const ComparedRelease& r) { return r.audit.has_value(); })) {
    return fail(comparer->mask(plans.front()).error());
  }
  for (std::size_t i = 0; i < out.tried.size(); ++i) {
    if (!keeps_to(out.tried[i], out.most)) continue;
    if (!out.found || is_milder(out.tried[i], out.tried[*out.found])) out.found = i;
  }
  return out;
}

}  // namespace

Result<Search> search_parameters(const Table& table, const PlanFile& plan, const Key& key,
                                 const SearchOptions& options) {
  return stoppable(options.work.stop, [&] { return search_milder(table, plan, key, options); });
}

}  // namespace semveil
