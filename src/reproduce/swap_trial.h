// Rank swapping of a table that is in memory, and what came out of it.
#pragma once

#include <array>

#include "mechanisms/swap/swap_engine.h"
#include "reproduce/trial.h"

namespace semveil::reproduction {

// The figures of a run, or their averages over the keys.
struct SwapFigures {
  std::vector<double> rmse;         // by column
  std::vector<double> correlation;  // sdCor by pair of columns: AB, AC, BC
  std::vector<double> loss;         // |sdCor after − before|, by pair
  double kept = 0;                  // cells that found no partner
  double unchanged_uniques = 0;     // records with a tuple of their own that came out as they were
  bool same_values = true;          // every column has the values it had, mean and variance too

  double mean_rmse() const;
  double mean_loss() const;
};

class SwapBench {
 public:
  explicit SwapBench(const Records& records);
  // The engine's input points at the spaces: they may move with it, but not be copied.
  SwapBench(const SwapBench&) = delete;
  SwapBench& operator=(const SwapBench&) = delete;
  SwapBench(SwapBench&&) = default;
  SwapBench& operator=(SwapBench&&) = default;
  ~SwapBench() = default;

  std::size_t columns() const { return input_.columns.size(); }
  std::uint64_t records() const { return input_.records(); }
  std::size_t tuples() const { return input_.counts.size(); }
  std::size_t uniques() const { return uniques_; }
  std::size_t categories(std::size_t column) const { return spaces_[column].size(); }
  const std::string& name(std::size_t column) const { return input_.columns[column].name; }
  const std::vector<double>& correlation() const { return correlation_; }  // before, by pair
  // The share of the records, or of the cells, whose own copies fill an interval of k: they are
  // swapped, but nothing changes.
  double frequent_records(std::uint64_t k) const;
  double frequent_cells(std::uint64_t k) const;
  // The share of neighbours of different value among those tied in the ranking of kFixed or
  // kDistributional, mean of the columns: these swap whatever k is.
  double mixed(SwapAlgorithm ranking) const;

  // The trials 0, 1, … of one algorithm; their order does not change with threads.
  Result<SwapFigures> run_trials(SwapAlgorithm algorithm, std::uint64_t k, unsigned trials,
                                 unsigned threads) const;

 private:
  Result<SwapFigures> run(SwapAlgorithm algorithm, std::uint64_t k, unsigned number) const;
  // Of the cells by slot, then column.
  std::vector<double> correlations(std::span<const Code> cells) const;
  bool keeps_values(std::span<const Code> cells, bool with_statistics) const;

  FrequencyTable table_;
  std::vector<SwapSpace> spaces_;
  std::vector<Space> statistics_;             // the same, for sdCor
  std::vector<std::vector<double>> squares_;  // of the distances, by column: d × d
  SwapInput input_;
  std::vector<Code> before_;  // by slot, then column
  std::vector<double> correlation_;
  std::size_t uniques_ = 0;
};

}  // namespace semveil::reproduction
