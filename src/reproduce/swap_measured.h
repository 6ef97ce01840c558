// What `swap` measures of a table, shows and checks.
#pragma once

#include "reproduce/claims.h"
#include "reproduce/experiment.h"
#include "reproduce/swap_trial.h"

namespace semveil::reproduction {

inline constexpr std::array kIntervals{2.0, 5.0, 10.0, 20.0, 50.0, 100.0};  // the paper's k
inline constexpr unsigned kSwapKeys = 10;
inline constexpr double kSwapTolerance = 0.01;  // of claims

struct SwapMethod {
  const char* name;
  SwapAlgorithm algorithm;
};
inline constexpr std::array kSwapMethods{
    SwapMethod{"fixed", SwapAlgorithm::kFixed}, SwapMethod{"dynamic", SwapAlgorithm::kDynamic},
    SwapMethod{"multivariate", SwapAlgorithm::kMultivariate},
    SwapMethod{"random-swap", SwapAlgorithm::kRandom},
    SwapMethod{"distributional-swap", SwapAlgorithm::kDistributional}};
// Their places among the methods.
enum SwapPlace : std::size_t {
  kFixedPlace,
  kDynamicPlace,
  kMultivariatePlace,
  kRandomPlace,
  kDistributionalPlace
};

using ByInterval = std::array<double, kIntervals.size()>;

// Figures of one of the paper's data sets, which are not public.
struct PrintedSwap {
  SwapPlace method;
  std::vector<ByInterval> rmse;         // by column
  std::vector<ByInterval> correlation;  // by pair
};
struct PrintedSwaps {
  const char* title;                 // of the paper's tables
  std::vector<double> correlation;   // before, by pair
  std::vector<PrintedSwap> methods;  // those that it shows
};
const PrintedSwaps& dataset_1();  // two columns, many categories: all three algorithms
const PrintedSwaps& dataset_2();  // two columns, few categories: multivariate
const PrintedSwaps& dataset_3();  // the same with a third column

struct MeasuredSwaps {
  std::string title;
  SwapBench bench;
  std::array<std::vector<SwapFigures>, kSwapMethods.size()> figures;  // by method and k
};
Result<MeasuredSwaps> measure_swaps(const std::string& title, const Records& records, Runs& runs,
                                    unsigned threads);
ReproducedTable swap_table(const MeasuredSwaps& measured, const PrintedSwaps& printed);
void check_swap_claims(const MeasuredSwaps& measured, ReproducedPart& part);
// Figures 5-7 of the first two columns, and what is said of them. Curves of the paper stand beside
// ours where it shows all of its algorithms.
void add_swap_figures(const MeasuredSwaps& measured, const PrintedSwaps& printed,
                      ReproducedPart& part);

}  // namespace semveil::reproduction
