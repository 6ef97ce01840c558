#include "reproduce/swap_measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace semveil::reproduction {
namespace {

constexpr int kPrintedDigits = 4;
constexpr std::array kLetters{"A", "B", "C"};
constexpr std::array kLetterPairs{"A,B", "A,C", "B,C"};

std::vector<ReproducedCell> cells(const ByInterval& figures) {
  return {figures.begin(), figures.end()};
}

ByInterval mean_loss(const PrintedSwaps& printed, const PrintedSwap& method) {
  ByInterval out{};
  for (std::size_t p = 0; p < method.correlation.size(); ++p) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] += std::abs(method.correlation[p][i] - printed.correlation[p]) /
                static_cast<double>(method.correlation.size());
    }
  }
  return out;
}

}  // namespace

Result<MeasuredSwaps> measure_swaps(const std::string& title, const Records& records, Runs& runs,
                                    unsigned threads) {
  MeasuredSwaps out{title, SwapBench(records), {}};
  for (std::size_t m = 0; m < kSwapMethods.size(); ++m) {
    for (const double k : kIntervals) {
      // Random swaps know no interval.
      if (m == kRandomPlace && !out.figures[m].empty()) {
        out.figures[m].push_back(out.figures[m].front());
      } else {
        auto figures = out.bench.run_trials(kSwapMethods[m].algorithm,
                                            static_cast<std::uint64_t>(k), kSwapKeys, threads);
        if (!figures) return fail(figures.error());
        out.figures[m].push_back(*std::move(figures));
      }
      runs.done();
    }
  }
  return out;
}

ReproducedTable swap_table(const MeasuredSwaps& measured, const PrintedSwaps& printed) {
  const SwapBench& bench = measured.bench;
  const auto theirs_of = [&](std::size_t method) -> const PrintedSwap* {
    for (const PrintedSwap& of : printed.methods) {
      if (of.method == method) return &of;
    }
    return nullptr;
  };
  ReproducedTable out;
  std::vector<std::string> categories;
  categories.reserve(bench.columns());
  for (std::size_t j = 0; j < bench.columns(); ++j) {
    categories.push_back(
        fmt::format("{} {} ({})", kLetters[j], bench.name(j), bench.categories(j)));
  }
  out.title = fmt::format(
      "{}, {} records, categories: {}; {} distinct records, {} of them unique. Ours: average over "
      "{} keys. Paper: {}. sdCor before swapping: paper {:.4f}, ours {:.3f}",
      measured.title, bench.records(), fmt::join(categories, ", "), bench.tuples(), bench.uniques(),
      kSwapKeys, printed.title, fmt::join(printed.correlation, " "),
      fmt::join(bench.correlation(), " "));
  out.printed_digits = kPrintedDigits;
  for (const double k : kIntervals) out.columns.push_back(fmt::format("k {}", k));

  using Figure = std::function<double(const SwapFigures&)>;
  const auto add = [&](std::string name, std::size_t method, const ByInterval* theirs,
                       const Figure& figure) {
    ReproducedRow row;
    row.name = fmt::format("{}, {}", name, kSwapMethods[method].name);
    if (theirs != nullptr) row.theirs = cells(*theirs);
    for (const SwapFigures& figures : measured.figures[method]) {
      row.ours.emplace_back(figure(figures));
    }
    out.rows.push_back(std::move(row));
  };
  for (std::size_t j = 0; j < bench.columns(); ++j) {
    for (std::size_t m = 0; m < kSwapMethods.size(); ++m) {
      const PrintedSwap* theirs = theirs_of(m);
      add(fmt::format("RMSE {}", kLetters[j]), m, theirs == nullptr ? nullptr : &theirs->rmse[j],
          [j](const SwapFigures& figures) { return figures.rmse[j]; });
    }
  }
  for (std::size_t p = 0; p < bench.correlation().size(); ++p) {
    for (std::size_t m = 0; m < kSwapMethods.size(); ++m) {
      const PrintedSwap* theirs = theirs_of(m);
      add(fmt::format("sdCor {}", kLetterPairs[p]), m,
          theirs == nullptr ? nullptr : &theirs->correlation[p],
          [p](const SwapFigures& figures) { return figures.correlation[p]; });
    }
  }
  for (std::size_t m = 0; m < kSwapMethods.size(); ++m) {
    const PrintedSwap* theirs = theirs_of(m);
    ByInterval loss{};
    if (theirs != nullptr) loss = mean_loss(printed, *theirs);
    add("sdCor lost", m, theirs == nullptr ? nullptr : &loss, &SwapFigures::mean_loss);
  }
  const auto cells_of_all = static_cast<double>(bench.records() * bench.columns());
  const auto uniques = static_cast<double>(std::max<std::size_t>(bench.uniques(), 1));
  add("kept cells, share", kMultivariatePlace, nullptr,
      [&](const SwapFigures& figures) { return figures.kept / cells_of_all; });
  add("unchanged uniques, share", kMultivariatePlace, nullptr,
      [&](const SwapFigures& figures) { return figures.unchanged_uniques / uniques; });
  return out;
}

}  // namespace semveil::reproduction
