// The rank swapping paper's figures 5-7: its algorithms beside swaps that know no meaning.
//
// The curves of the algorithms are printed in its Tables 2-4; those of the two others are drawings
// alone. What its text says of the figures is decided by our curves.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/figures.h"
#include "reproduce/swap_measured.h"

namespace semveil::reproduction {
namespace {

constexpr std::string_view kFixed = kSwapMethods[kFixedPlace].name;
constexpr std::string_view kDynamic = kSwapMethods[kDynamicPlace].name;
constexpr std::string_view kMultivariate = kSwapMethods[kMultivariatePlace].name;
constexpr std::string_view kRandom = kSwapMethods[kRandomPlace].name;
constexpr std::string_view kDistributional = kSwapMethods[kDistributionalPlace].name;

// "Drastically": of the RMSE, and of the correlation lost, mean over k. The paper's own: 0.61 and
// 0.47 at most, beside fixed.
constexpr double kClearlyBelow = 0.95;
constexpr double kFarBelow = 0.75;
constexpr double kFarLessLost = 0.5;
constexpr double kBroken = 0.5;    // of the correlation before
constexpr double kCompetes = 0.5;  // of what fixed is above multivariate
constexpr std::array kFigureOfColumn{5, 6};
constexpr std::array kColumnLetters{"A", "B"};

template <class OfOurs, class OfTheirs>
ReproducedFigure figure_of(std::string title, std::string y, const MeasuredSwaps& measured,
                           const PrintedSwaps& printed, const OfOurs& ours,
                           const OfTheirs& theirs) {
  ReproducedFigure out;
  out.title = std::move(title);
  out.x = "k";
  out.y = std::move(y);
  out.log_x = true;
  const bool all_algorithms = printed.methods.size() > 1;
  for (const PrintedSwap& method : printed.methods) {
    if (!all_algorithms) break;
    add_theirs(out, kSwapMethods[method.method].name, kIntervals, theirs(method));
  }
  for (std::size_t m = 0; m < kSwapMethods.size(); ++m) {
    ByInterval figures{};
    for (std::size_t i = 0; i < figures.size(); ++i) figures[i] = ours(measured.figures[m][i]);
    add_ours(out, kSwapMethods[m].name, kIntervals, figures);
  }
  return out;
}

std::string why_frequent(const SwapBench& bench, std::size_t column) {
  return fmt::format(
      "{} has {} categories for {} records; a record with copies enough swaps with these "
      "alone, which changes nothing (at k 10 {:.0f} % of all cells)",
      bench.name(column), bench.categories(column), bench.records(),
      100 * bench.frequent_cells(10));
}
// Of the rankings: what stands mixed in one swaps at every k.
std::string why_mixed(const SwapBench& bench) {
  return fmt::format(
      "{:.0f} % of tied neighbours have another value in the ranking of fixed, {:.0f} % by "
      "frequency: where categories are frequent a frequency names one or a few of them, and a "
      "record that is ranked by it swaps with its own copies",
      100 * bench.mixed(SwapAlgorithm::kFixed), 100 * bench.mixed(SwapAlgorithm::kDistributional));
}

void check_rmse(const ReproducedFigure& figure, const SwapBench& bench, std::size_t column,
                ReproducedPart& part) {
  const Reading read(figure, "k", kSwapTolerance);
  const Claims claims(figure.title, part);
  claims.add("the RMSE of fixed, dynamic and multivariate grows with k",
             read.grow({kFixed, kDynamic, kMultivariate}), why_frequent(bench, column));
  Verdict largest = read.below({kFixed, kDynamic, kMultivariate, kDistributional}, {kRandom});
  const auto [least, most] = std::ranges::minmax(read.y(kRandom));
  largest.holds = largest.holds && least == most;
  claims.add(
      "random-swap has the largest RMSE, and k does not change it", std::move(largest),
      "a ranking that mixes distant values moves them as far as chance does, if not farther: "
      "it sends none to the values around it. " +
          why_mixed(bench));
  claims.add("distributional-swap has a clearly smaller RMSE than random-swap",
             read.below({kDistributional}, {kRandom}, kClearlyBelow),
             fmt::format("frequencies tell values apart only where they differ: of neighbours tied "
                         "by frequency {:.0f} % are of different value",
                         100 * bench.mixed(SwapAlgorithm::kDistributional)));
  const double behind = read.mean(kDistributional) - read.mean(kFixed);
  const double room = kCompetes * (read.mean(kFixed) - read.mean(kMultivariate));
  claims.add(
      "distributional-swap competes with fixed: its RMSE is above by no more than half of what "
      "fixed is above multivariate (mean over k)",
      {behind <= room, fmt::format("{:+.3f}, and at most {:.3f}. {}. {}", behind, room,
                                   read.shown(kDistributional), read.shown(kFixed))},
      "frequencies say nothing of meaning here: values as frequent as each other lie far apart. " +
          why_mixed(bench));
  claims.add(
      fmt::format("dynamic and multivariate have far smaller RMSE than all others (at most {} of "
                  "theirs, mean over k)",
                  kFarBelow),
      read.below({kDynamic, kMultivariate}, {kFixed, kRandom, kDistributional}, kFarBelow),
      why_frequent(bench, column));
}

void check_correlation(const ReproducedFigure& figure, const SwapBench& bench,
                       ReproducedPart& part) {
  const double before = bench.correlation().front();
  const Reading read(figure, "k", kSwapTolerance);
  const Claims claims(figure.title, part);
  const auto lost = [&](std::string_view method) { return before - read.mean(method); };
  claims.add("the correlation that fixed, dynamic and multivariate leave falls with k",
             read.fall({kFixed, kDynamic, kMultivariate}), why_frequent(bench, 0));
  claims.add(fmt::format("random-swap breaks the correlation: at most {} of it is left", kBroken),
             {std::ranges::max(read.y(kRandom)) <= kBroken * before,
              fmt::format("before: {:.3f}. {}", before, read.shown(kRandom))},
             "sdCor of so few records is above 0 even where columns are independent");
  Verdict better = read.below({kFixed, kRandom, kDistributional}, {kDynamic, kMultivariate});
  better.figures += ". Lost, mean over k:";
  for (const SwapMethod& method : kSwapMethods) {
    better.figures += fmt::format(" {} {:.3f}", method.name, lost(method.name));
  }
  for (const std::string_view good : {kDynamic, kMultivariate}) {
    for (const std::string_view other : {kFixed, kRandom, kDistributional}) {
      better.holds = better.holds && lost(good) <= kFarLessLost * lost(other);
    }
  }
  claims.add(
      fmt::format("dynamic and multivariate keep the correlation far better than all others (they "
                  "lose at most {} of what these lose, mean over k)",
                  kFarLessLost),
      std::move(better), why_mixed(bench));
  const auto ahead = [&](std::size_t k) { return read.y(kDynamic)[k] - read.y(kFixed)[k]; };
  claims.add(
      "fixed is poor for small k above all: dynamic is ahead of it by more at k 2 than at k 100",
      {ahead(0) > ahead(kIntervals.size() - 1),
       "ahead by: " +
           listed("k", kIntervals, [&](std::size_t i) { return fmt::format("{:.3f}", ahead(i)); })},
      "dynamic loses nothing until k outgrows what goes together, and fixed goes on losing");
}

}  // namespace

void add_swap_figures(const MeasuredSwaps& measured, const PrintedSwaps& printed,
                      ReproducedPart& part) {
  for (std::size_t j = 0; j < kFigureOfColumn.size(); ++j) {
    ReproducedFigure figure = figure_of(
        fmt::format("Figure {}: RMSE of {} by k. {}", kFigureOfColumn[j], kColumnLetters[j],
                    measured.title),
        fmt::format("RMSE of {} ({})", kColumnLetters[j], measured.bench.name(j)), measured,
        printed, [&](const SwapFigures& figures) { return figures.rmse[j]; },
        [&](const PrintedSwap& theirs) { return theirs.rmse[j]; });
    check_rmse(figure, measured.bench, j, part);
    part.figures.push_back(std::move(figure));
  }
  ReproducedFigure figure = figure_of(
      fmt::format("Figure 7: sdCor by k. {}", measured.title),
      fmt::format("sdCor(A*, B*); {:.3f} before", measured.bench.correlation().front()), measured,
      printed, [](const SwapFigures& figures) { return figures.correlation.front(); },
      [](const PrintedSwap& theirs) { return theirs.correlation.front(); });
  check_correlation(figure, measured.bench, part);
  part.figures.push_back(std::move(figure));
}

}  // namespace semveil::reproduction
