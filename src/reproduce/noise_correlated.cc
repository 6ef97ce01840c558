// The framework's Tables 2-8: who keeps what better, on columns that go together.
//
// Its data are not public, so its figures cannot be ours; its claims can be. What a method loses of
// the correlation, |sdCor(A*,B*) − sdCor(A,B)| of the average over the keys, is compared at every
// α: it is better if it loses less at one of them and more at none, where a difference of less
// than two standard errors is none.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "reproduce/experiment.h"
#include "reproduce/noise_adult.h"
#include "reproduce/noise_data.h"

namespace semveil::reproduction {
namespace {

constexpr std::array kAlphas{0.1, 0.3, 0.5, 1.0};
constexpr std::size_t kUsual = 3;  // of them, up to 0.5
constexpr unsigned kTrials = 20;
constexpr double kVarianceShare = 0.25;  // the paper: below 25 % of α

using Figures = std::array<double, kAlphas.size()>;
struct Printed {  // of one method, for the first column A and the second B
  Figures correlation, actual_a, target_a, actual_b, target_b, variance_a, variance_b, shift_a,
      shift_b;
};
struct Method {
  const char* name = "";
  bool correlated = false;
  NoiseReference reference = NoiseReference::kMean;
  std::optional<Printed> printed;
};

// Tables 2, 3 and 4.
const std::array kOneDomain{Method{"uncorrelated-mean", false, NoiseReference::kMean,
                                   Printed{{0.78, 0.65, 0.57, 0.38},
                                           {0.23, 0.31, 0.38, 0.49},
                                           {0.15, 0.25, 0.34, 0.48},
                                           {0.19, 0.30, 0.37, 0.50},
                                           {0.15, 0.27, 0.35, 0.51},
                                           {0, 0.05, 0.08, 0.17},
                                           {0.03, 0.07, 0.10, 0.18},
                                           {0.20, 0.20, 0.20, 0.20},
                                           {0, 0, 0, 0.18}}},
                            Method{"correlated-mean", true, NoiseReference::kMean,
                                   Printed{{0.82, 0.73, 0.69, 0.59},
                                           {0.24, 0.33, 0.40, 0.51},
                                           {0.17, 0.28, 0.37, 0.52},
                                           {0.20, 0.30, 0.38, 0.49},
                                           {0.17, 0.28, 0.37, 0.52},
                                           {0, 0.05, 0.07, 0.15},
                                           {0.04, 0.08, 0.12, 0.20},
                                           {0.20, 0.20, 0.20, 0.20},
                                           {0, 0.18, 0.45, 0.45}}},
                            Method{"correlated-pair", true, NoiseReference::kPair,
                                   Printed{{0.84, 0.76, 0.71, 0.59},
                                           {0.25, 0.35, 0.41, 0.52},
                                           {0.17, 0.28, 0.37, 0.52},
                                           {0.22, 0.32, 0.40, 0.51},
                                           {0.17, 0.28, 0.37, 0.52},
                                           {0, 0.03, 0.05, 0.12},
                                           {0.03, 0.06, 0.09, 0.17},
                                           {0.20, 0.20, 0.20, 0.20},
                                           {0.18, 0.18, 0.18, 0.45}}}};
// Tables 7 and 8; the paper does not show uncorrelated noise here.
const std::array kTwoDomains{Method{"uncorrelated-mean", false, NoiseReference::kMean, {}},
                             Method{"correlated-mean", true, NoiseReference::kMean,
                                    Printed{{0.68, 0.56, 0.48, 0.42},
                                            {0.23, 0.32, 0.40, 0.50},
                                            {0.16, 0.28, 0.37, 0.52},
                                            {0.15, 0.24, 0.30, 0.41},
                                            {0.13, 0.23, 0.29, 0.40},
                                            {0.02, 0.01, 0.03, 0.07},
                                            {0, 0, 0.01, 0},
                                            {0.33, 0, 0, 0},
                                            {0, 0, 0, 0}}},
                             Method{"correlated-root", true, NoiseReference::kRoot,
                                    Printed{{0.70, 0.60, 0.54, 0.47},
                                            {0.27, 0.34, 0.41, 0.51},
                                            {0.16, 0.28, 0.37, 0.52},
                                            {0.16, 0.25, 0.30, 0.41},
                                            {0.13, 0.23, 0.29, 0.40},
                                            {0.04, 0.03, 0.01, 0.04},
                                            {0, 0.02, 0.03, 0.06},
                                            {0.23, 0.23, 0.23, 0.23},
                                            {0, 0, 0, 0}}}};
constexpr double kTheirsOneDomain = 0.94;
constexpr double kTheirsTwoDomains = 0.88;
enum Place : std::size_t { kUncorrelated, kMean, kThird };  // among the methods

struct Measured {
  Original original;
  std::array<std::vector<Averages>, 3> noise;  // by method and α
  Averages naive, probabilistic;
};

Result<Measured> measure(Records records, std::span<const Method> methods, Runs& runs,
                         unsigned threads) {
  auto original = analyse(std::move(records));
  if (!original) return fail(original.error());
  Measured out{*std::move(original), {}, {}, {}};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (const double alpha : kAlphas) {
      NoiseOptions noise;
      noise.alpha = alpha;
      noise.correlated = methods[m].correlated;
      noise.reference = methods[m].reference;
      auto averages = run_trials(*make_noise(noise), out.original, kTrials, {}, threads);
      if (!averages) return fail(averages.error());
      out.noise[m].push_back(*std::move(averages));
      runs.done();
    }
  }
  for (const auto& [baseline, into] : {std::pair(Baseline::kNaive, &out.naive),
                                       std::pair(Baseline::kProbabilistic, &out.probabilistic)}) {
    auto averages = run_trials(*make_baseline(baseline), out.original, kTrials, {}, threads);
    if (!averages) return fail(averages.error());
    *into = *std::move(averages);
    runs.done();
  }
  return out;
}

std::vector<ReproducedCell> cells(const Figures& figures) {
  return {figures.begin(), figures.end()};
}

// The figure of a run, by α.
using Figure = std::function<double(const Outcome&, double alpha)>;
Figure column_figure(std::size_t column, double ColumnOutcome::* figure) {
  return [=](const Outcome& outcome, double) { return outcome.columns[column].*figure; };
}
Figure variance_error(const Measured& measured, std::size_t column) {
  return [&measured, column](const Outcome& outcome, double alpha) {
    return std::abs(outcome.columns[column].variance -
                    (1 + alpha) * measured.original.columns[column].variance);
  };
}

std::vector<ReproducedTable> tables(const Pairs& pairs, const Measured& measured,
                                    std::span<const Method> methods) {
  const double theirs = methods.data() == kOneDomain.data() ? kTheirsOneDomain : kTheirsTwoDomains;
  struct Group {
    const char* name;
    Figures Printed::* printed;
    Figure figure;
  };
  const std::array groups{
      Group{"sdCor", &Printed::correlation, [](const Outcome& o, double) { return o.correlation; }},
      Group{"RMSE actual A", &Printed::actual_a, column_figure(0, &ColumnOutcome::rmse)},
      Group{"RMSE target A", &Printed::target_a, column_figure(0, &ColumnOutcome::target_rmse)},
      Group{"RMSE actual B", &Printed::actual_b, column_figure(1, &ColumnOutcome::rmse)},
      Group{"RMSE target B", &Printed::target_b, column_figure(1, &ColumnOutcome::target_rmse)},
      Group{"variance error A", &Printed::variance_a, variance_error(measured, 0)},
      Group{"variance error B", &Printed::variance_b, variance_error(measured, 1)},
      Group{"sd of means A", &Printed::shift_a, column_figure(0, &ColumnOutcome::mean_shift)},
      Group{"sd of means B", &Printed::shift_b, column_figure(1, &ColumnOutcome::mean_shift)},
      Group{"no candidate A", nullptr, column_figure(0, &ColumnOutcome::no_candidate)},
      Group{"no candidate B", nullptr, column_figure(1, &ColumnOutcome::no_candidate)}};
  ReproducedTable noise;
  noise.title = fmt::format(
      "{}, {} records (ours: average over {} keys); sdCor before masking: paper {}, ours {:.3f}",
      pairs.title, measured.original.table.records, kTrials, theirs, measured.original.correlation);
  for (const double alpha : kAlphas) noise.columns.push_back(fmt::format("α {}", alpha));
  for (const Group& group : groups) {
    for (std::size_t m = 0; m < methods.size(); ++m) {
      ReproducedRow row;
      row.name = fmt::format("{}, {}", group.name, methods[m].name);
      if (const auto& printed = methods[m].printed; printed && group.printed != nullptr) {
        row.theirs = cells((*printed).*group.printed);
      }
      for (std::size_t i = 0; i < kAlphas.size(); ++i) {
        row.ours.emplace_back(group.figure(measured.noise[m][i].average, kAlphas[i]));
      }
      noise.rows.push_back(std::move(row));
    }
  }
  ReproducedTable baselines;
  baselines.title = fmt::format("{}: the baselines", pairs.title);
  baselines.columns = {"naive", "probabilistic"};
  for (const Group& group : groups) {
    if (std::string_view(group.name).find("target") != std::string_view::npos) continue;
    if (std::string_view(group.name).starts_with("variance")) continue;
    if (group.printed == nullptr) continue;
    baselines.rows.push_back(
        {group.name,
         {},
         {group.figure(measured.naive.average, 0), group.figure(measured.probabilistic.average, 0)},
         {}});
  }
  return {std::move(noise), std::move(baselines)};
}

struct Verdict {
  bool holds = false;
  std::string figures;  // "alpha 0.1: 0.197 and 0.125; …"
};

std::string listed(std::size_t alphas, const std::function<std::string(std::size_t)>& figures) {
  std::string out;
  for (std::size_t i = 0; i < alphas; ++i) {
    out += fmt::format("{}alpha {}: {}", i == 0 ? "" : "; ", kAlphas[i], figures(i));
  }
  return out;
}

// Checks the claims on one pair of columns.
class Checker {
 public:
  Checker(const Pairs& pairs, const Measured& measured, std::span<const Method> methods,
          ReproducedPart& part)
      : pairs_(pairs), measured_(measured), methods_(methods), part_(part) {}

  void check() const {
    const char* third = methods_[kThird].name;
    claim("correlated-mean keeps the correlation better than uncorrelated-mean",
          keeps_more(kMean, kUncorrelated), why_not_above_uncorrelated());
    claim(fmt::format("{} keeps the correlation better than uncorrelated-mean", third),
          keeps_more(kThird, kUncorrelated), why_not_kept());
    claim(fmt::format("{} keeps the correlation better than correlated-mean", third),
          keeps_more(kThird, kMean), why_not_kept());
    claim("every noise keeps the correlation better than both baselines", all_beat_baselines(),
          why_not_kept());
    claim("every noise has a smaller RMSE than both baselines", all_are_closer(),
          why_no_candidate());
    claim(fmt::format("correlated-mean keeps the means at least as well as {}", third),
          keeps_means(), why_means_move());
    claim("actual RMSE is at least target RMSE, alpha up to 0.5", reaches_target(),
          why_no_candidate());
    claim("the variances are off by no more than 25 % of alpha", keeps_variance(), why_variance());
  }

 private:
  static constexpr double kSame = 0.005;  // half a printed digit
  static constexpr double kMuchLarger = 1.2;
  static constexpr double kTogether = 0.5;  // an sdCor below this is a weak one

  void claim(std::string text, Verdict verdict, std::string why) const {
    part_.claims.push_back({pairs_.title, std::move(text), verdict.holds,
                            std::move(verdict.figures), verdict.holds ? "" : std::move(why)});
  }
  const Averages& noise(std::size_t method, std::size_t alpha) const {
    return measured_.noise[method][alpha];
  }
  double lost(const Averages& a) const {
    return std::abs(a.average.correlation - measured_.original.correlation);
  }
  // Beyond two standard errors of the difference.
  bool loses_less(const Averages& a, const Averages& b) const {
    const double error = std::sqrt(a.correlation_error * a.correlation_error +
                                   b.correlation_error * b.correlation_error);
    return lost(b) - lost(a) > 2 * error;
  }

  Verdict keeps_more(std::size_t a, std::size_t b) const {
    bool once = false;
    bool never_worse = true;
    for (std::size_t i = 0; i < kAlphas.size(); ++i) {
      once = once || loses_less(noise(a, i), noise(b, i));
      never_worse = never_worse && !loses_less(noise(b, i), noise(a, i));
    }
    return {once && never_worse, "lost: " + listed(kAlphas.size(), [&](std::size_t i) {
                                   return fmt::format("{:.3f} and {:.3f}", lost(noise(a, i)),
                                                      lost(noise(b, i)));
                                 })};
  }

  Verdict all_beat_baselines() const {
    const Averages& best = lost(measured_.naive) < lost(measured_.probabilistic)
                               ? measured_.naive
                               : measured_.probabilistic;
    Verdict out{true, ""};
    std::array<double, kAlphas.size()> worst{};
    for (std::size_t i = 0; i < kAlphas.size(); ++i) {
      for (std::size_t m = 0; m < methods_.size(); ++m) {
        out.holds = out.holds && loses_less(noise(m, i), best);
        worst[i] = std::max(worst[i], lost(noise(m, i)));
      }
    }
    out.figures =
        "most lost by noise: " +
        listed(kAlphas.size(), [&](std::size_t i) { return fmt::format("{:.3f}", worst[i]); }) +
        fmt::format("; naive {:.3f}, probabilistic {:.3f}", lost(measured_.naive),
                    lost(measured_.probabilistic));
    return out;
  }

  Verdict all_are_closer() const {
    Verdict out{true, ""};
    for (std::size_t j = 0; j < 2; ++j) {
      double worst = 0;
      for (std::size_t m = 0; m < methods_.size(); ++m) {
        for (std::size_t i = 0; i < kAlphas.size(); ++i) {
          worst = std::max(worst, noise(m, i).average.columns[j].rmse);
        }
      }
      const double naive = measured_.naive.average.columns[j].rmse;
      const double probabilistic = measured_.probabilistic.average.columns[j].rmse;
      out.holds = out.holds && worst < std::min(naive, probabilistic);
      out.figures += fmt::format("{}: at most {:.3f}, naive {:.3f}, probabilistic {:.3f}{}",
                                 name(j), worst, naive, probabilistic, j == 0 ? "; " : "");
    }
    return out;
  }

  double shift(const Averages& a) const {
    return a.average.columns[0].mean_shift + a.average.columns[1].mean_shift;
  }
  Verdict keeps_means() const {
    bool holds = true;
    for (std::size_t i = 0; i < kAlphas.size(); ++i) {
      holds = holds && shift(noise(kMean, i)) <= shift(noise(kThird, i)) + kSame;
    }
    return {holds, "sd of the means, both columns: " + listed(kAlphas.size(), [&](std::size_t i) {
                     return fmt::format("{:.3f} and {:.3f}", shift(noise(kMean, i)),
                                        shift(noise(kThird, i)));
                   })};
  }

  Verdict reaches_target() const {
    std::array<double, kUsual> least{};
    for (std::size_t i = 0; i < kUsual; ++i) {
      least[i] = 1;
      for (std::size_t m = 0; m < methods_.size(); ++m) {
        for (const ColumnOutcome& column : noise(m, i).average.columns) {
          least[i] = std::min(least[i], column.rmse - column.target_rmse);
        }
      }
    }
    return {std::all_of(least.begin(), least.end(), [](double d) { return d >= 0; }),
            "least difference: " +
                listed(kUsual, [&](std::size_t i) { return fmt::format("{:+.3f}", least[i]); })};
  }

  Verdict keeps_variance() const {
    std::array<double, kAlphas.size()> worst{};
    bool holds = true;
    for (std::size_t i = 0; i < kAlphas.size(); ++i) {
      for (std::size_t m = 0; m < methods_.size(); ++m) {
        for (std::size_t j = 0; j < 2; ++j) {
          worst[i] =
              std::max(worst[i], variance_error(measured_, j)(noise(m, i).average, kAlphas[i]));
        }
      }
      holds = holds && worst[i] <= kVarianceShare * kAlphas[i];
    }
    return {holds, "farthest off: " + listed(kAlphas.size(), [&](std::size_t i) {
                     return fmt::format("{:.3f}", worst[i]);
                   })};
  }

  const std::string& name(std::size_t column) const {
    return pairs_.records.attributes[column]->name;
  }
  // Of the strongest usual noise, worst method.
  double without_candidate(std::size_t column) const {
    double share = 0;
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      share = std::max(share, noise(m, kUsual - 1).average.columns[column].no_candidate);
    }
    return share;
  }
  std::string why_no_candidate() const {
    const std::size_t j = without_candidate(0) > without_candidate(1) ? 0 : 1;
    return fmt::format(
        "{} has {} concepts on {} levels: at alpha 0.5 up to {:.0f} % of its cells have no "
        "candidate, and the size or the sign of their error is lost",
        name(j), pairs_.records.attributes[j]->domain->concepts(),
        pairs_.records.attributes[j]->taxonomy().max_depth(), 100 * without_candidate(j));
  }
  // Correlated errors have the distance variance where others have the variance.
  std::string why_larger() const {
    for (std::size_t j = 0; j < 2; ++j) {
      const Outcome& apart = noise(kUncorrelated, kUsual - 1).average;
      const Outcome& together = noise(kMean, kUsual - 1).average;
      const double a = apart.columns[j].target_rmse;
      const double b = together.columns[j].target_rmse;
      if (b < kMuchLarger * a) continue;
      return fmt::format(
          "correlated errors are larger, their variance being sdVar: target RMSE of {} at alpha "
          "0.5 "
          "{:.3f}, uncorrelated {:.3f}",
          name(j), b, a);
    }
    return "";
  }
  std::string why_not_kept() const {
    if (measured_.original.correlation >= kTogether) return why_no_candidate();
    return fmt::format("the columns hardly go together (sdCor {:.3f}); {}",
                       measured_.original.correlation, why_no_candidate());
  }
  std::string why_not_above_uncorrelated() const {
    const std::string larger = why_larger();
    return larger.empty() ? why_not_kept() : larger;
  }
  std::string why_means_move() const {
    std::array<double, 2> at_mean{};
    for (std::size_t j = 0; j < 2; ++j) {
      const auto& cells = pairs_.records.columns[j];
      at_mean[j] = static_cast<double>(
                       std::count(cells.begin(), cells.end(), measured_.original.columns[j].mean)) /
                   static_cast<double>(cells.size());
    }
    return fmt::format(
        "{:.0f} % of {} and {:.0f} % of {} are the mean itself: with the mean as reference their "
        "errors have no sign, so all of them move away from it",
        100 * at_mean[0], name(0), 100 * at_mean[1], name(1));
  }
  std::string why_variance() const {
    const std::size_t last = kAlphas.size() - 1;
    const Outcome& outcome = noise(kMean, last).average;
    const auto off = [&](std::size_t j) { return variance_error(measured_, j)(outcome, 1); };
    const std::size_t j = off(0) > off(1) ? 0 : 1;
    const double before = measured_.original.columns[j].variance;
    return fmt::format(
        "masked values do not spread as asked: the variance of {} is {:.3f}, at alpha 1 {:.3f} "
        "(asked: {:.3f}); the paper's own Table 3 is off by 0.04 at alpha 0.1",
        name(j), before, outcome.columns[j].variance, 2 * before);
  }

  const Pairs& pairs_;
  const Measured& measured_;
  std::span<const Method> methods_;
  ReproducedPart& part_;
};

}  // namespace

Status noise_data_is_there(const std::string& folder) {
  for (const DataFile& file : pairs_files()) {
    const std::string path = folder + "/" + std::string(file.path);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) continue;
    return fail(data_error(fmt::format("part 2 needs this file: {}. Name the folder with --data "
                                       "or SEMVEIL_DATA; --part 1 needs no data",
                                       file.from))
                    .at(path));
  }
  return {};
}

Result<ReproducedPart> noise_correlated(const ReproduceOptions& options) {
  auto one = pairs_of_one_domain(options);
  if (!one) return fail(one.error());
  auto two = pairs_of_two_domains(options);
  if (!two) return fail(two.error());
  ReproducedPart part;
  part.title = "Framework, Tables 2-8: columns that go together, on public data";
  part.notes = {
      "The paper's patients are not public. Its figures stand beside ours to compare how the "
      "curves move; what is checked is its claims. Here RMSE is a true root mean square, in the "
      "paper too.",
      "Keeping the correlation better: losing less of it at one alpha at least and more at none; "
      "differences below two standard errors do not count. Why a claim does not hold is read off "
      "the "
      "figures, not tried apart."};
  Runs runs(options.work, "correlated columns",
            (one->size() + two->size()) * (kOneDomain.size() * kAlphas.size() + 2));
  const auto add = [&](std::vector<Pairs>& list, std::span<const Method> methods) -> Status {
    for (Pairs& pairs : list) {
      auto measured = measure(pairs.records, methods, runs, options.work.threads);
      if (!measured) return fail(measured.error());
      for (ReproducedTable& table : tables(pairs, *measured, methods)) {
        part.tables.push_back(std::move(table));
      }
      for (const std::string& note : pairs.notes) part.notes.push_back(pairs.title + ". " + note);
      Checker(pairs, *measured, methods, part).check();
    }
    return {};
  };
  if (Status added = add(*one, kOneDomain); !added) return fail(added.error());
  if (Status added = add(*two, kTwoDomains); !added) return fail(added.error());
  return part;
}

}  // namespace semveil::reproduction
