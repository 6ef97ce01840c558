// The rank swapping paper's claims on one table.
//
// RMSE and lost correlation are averaged over the columns and pairs of columns. One method is
// better than another if at no k it is worse by more than the tolerance, and better on the average
// over k.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reproduce/swap_measured.h"

namespace semveil::reproduction {
namespace {

class SwapChecker {
 public:
  SwapChecker(const MeasuredSwaps& measured, ReproducedPart& part)
      : measured_(measured), claims_(measured.title, part) {}

  void check() const {
    for (const SwapPlace method : {kFixedPlace, kDynamicPlace, kMultivariatePlace}) {
      claims_.add(fmt::format("the RMSE of {} grows with k", name(method)), grows(method),
                  why_frequent());
    }
    claims_.add("RMSE: dynamic is no larger than multivariate",
                better(kRmse, kDynamicPlace, kMultivariatePlace, false), why_frequent());
    claims_.add("RMSE: multivariate is smaller than fixed",
                better(kRmse, kMultivariatePlace, kFixedPlace, true), why_frequent());
    claims_.add("multivariate loses less correlation than dynamic",
                better(kLoss, kMultivariatePlace, kDynamicPlace, true), why_dynamic_loses_less());
    claims_.add("dynamic loses less correlation than fixed",
                better(kLoss, kDynamicPlace, kFixedPlace, true), why_mixed());
    claims_.add("fixed loses less correlation than random-swap",
                better(kLoss, kFixedPlace, kRandomPlace, true), why_mixed());
    claims_.add("fixed loses less correlation than distributional-swap",
                better(kLoss, kFixedPlace, kDistributionalPlace, true), why_mixed());
    claims_.add("every column keeps its values, mean and variance exactly", keeps_values(),
                "values got lost: an error of the program");
  }

 private:
  using Figure = double (SwapFigures::*)() const;
  static constexpr Figure kRmse = &SwapFigures::mean_rmse;
  static constexpr Figure kLoss = &SwapFigures::mean_loss;

  static const char* name(std::size_t method) { return kSwapMethods[method].name; }
  double figure(Figure of, std::size_t method, std::size_t k) const {
    return (measured_.figures[method][k].*of)();
  }

  Verdict grows(SwapPlace method) const {
    bool holds = true;
    for (std::size_t i = 1; i < kIntervals.size(); ++i) {
      holds = holds && figure(kRmse, method, i) >= figure(kRmse, method, i - 1) - kSwapTolerance;
    }
    holds = holds && figure(kRmse, method, kIntervals.size() - 1) > figure(kRmse, method, 0);
    return {holds, listed("k", kIntervals, [&](std::size_t i) {
              return fmt::format("{:.3f}", figure(kRmse, method, i));
            })};
  }

  Verdict better(Figure of, std::size_t a, std::size_t b, bool clearly) const {
    bool never_worse = true;
    double ahead = 0;
    for (std::size_t i = 0; i < kIntervals.size(); ++i) {
      never_worse = never_worse && figure(of, a, i) <= figure(of, b, i) + kSwapTolerance;
      ahead += figure(of, b, i) - figure(of, a, i);
    }
    return {never_worse && (!clearly || ahead > 0), listed("k", kIntervals, [&](std::size_t i) {
              return fmt::format("{:.3f} and {:.3f}", figure(of, a, i), figure(of, b, i));
            })};
  }

  Verdict keeps_values() const {
    Verdict out{true, ""};
    for (const auto& by_k : measured_.figures) {
      for (const SwapFigures& figures : by_k) out.holds = out.holds && figures.same_values;
    }
    out.figures = fmt::format("{} keys of {} methods, {} columns", kSwapKeys, kSwapMethods.size(),
                              measured_.bench.columns());
    return out;
  }

  static double percent(double share) { return 100 * share; }
  std::string why_frequent() const {
    const SwapBench& bench = measured_.bench;
    return fmt::format(
        "at k 10 {:.0f} % of the cells and {:.0f} % of the records have copies enough to swap with "
        "these alone",
        percent(bench.frequent_cells(10)), percent(bench.frequent_records(10)));
  }
  // What multivariate loses where its RMSE is this one: on the line between two k, or that of the
  // smallest or greatest k.
  double multivariate_loss_at(double rmse) const {
    std::size_t i = 0;
    while (i + 1 < kIntervals.size() && figure(kRmse, kMultivariatePlace, i) < rmse) ++i;
    const double right = figure(kRmse, kMultivariatePlace, i);
    const double loss = figure(kLoss, kMultivariatePlace, i);
    if (i == 0 || right <= rmse) return loss;
    const double left = figure(kRmse, kMultivariatePlace, i - 1);
    const double share = (right - rmse) / (right - left);
    return share * figure(kLoss, kMultivariatePlace, i - 1) + (1 - share) * loss;
  }
  std::string why_dynamic_loses_less() const {
    double alone = 0;
    double together = 0;
    for (std::size_t i = 0; i < kIntervals.size(); ++i) {
      alone += figure(kLoss, kDynamicPlace, i) / kIntervals.size();
      together += multivariate_loss_at(figure(kRmse, kDynamicPlace, i)) / kIntervals.size();
    }
    constexpr std::size_t kUsual = 2;  // k 10
    const std::size_t last = kIntervals.size() - 1;
    return fmt::format(
        "the {} closest values are closer than the {} closest records (RMSE {:.3f} and {:.3f}), "
        "and "
        "what goes together are broad classes: swaps within one, even of each column alone, lose "
        "next to nothing until k outgrows it (dynamic: {:.3f} at k {}, {:.3f} at k {}). With the "
        "RMSE of dynamic multivariate loses {:.3f}, dynamic itself {:.3f} (mean over k)",
        kIntervals[kUsual], kIntervals[kUsual], figure(kRmse, kDynamicPlace, kUsual),
        figure(kRmse, kMultivariatePlace, kUsual), figure(kLoss, kDynamicPlace, kUsual),
        kIntervals[kUsual], figure(kLoss, kDynamicPlace, last), kIntervals[last], together, alone);
  }
  std::string why_mixed() const {
    const SwapBench& bench = measured_.bench;
    return fmt::format(
        "categories are frequent (at k 10 {:.0f} % of the cells have copies enough to swap with "
        "these alone), so a frequency names one or a few of them, while many lie equally far from "
        "the most distant one and their records stand mixed: of tied neighbours {:.0f} % are of "
        "different value in the ranking of fixed, {:.0f} % by frequency. RMSE at k 2: fixed "
        "{:.3f}, distributional-swap {:.3f}",
        percent(bench.frequent_cells(10)), percent(bench.mixed(SwapAlgorithm::kFixed)),
        percent(bench.mixed(SwapAlgorithm::kDistributional)), figure(kRmse, kFixedPlace, 0),
        figure(kRmse, kDistributionalPlace, 0));
  }

  const MeasuredSwaps& measured_;
  Claims claims_;
};

}  // namespace

void check_swap_claims(const MeasuredSwaps& measured, ReproducedPart& part) {
  SwapChecker(measured, part).check();
}

}  // namespace semveil::reproduction
