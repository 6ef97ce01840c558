// The records of a tuple are interchangeable, so the engine's slots are taken for records as they
// come.
#include "reproduce/swap_trial.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/parallel.h"

namespace semveil::reproduction {
namespace {

double mean_of(std::span<const double> figures) {
  double sum = 0;
  for (const double figure : figures) sum += figure;
  return figures.empty() ? 0 : sum / static_cast<double>(figures.size());
}

void add(std::vector<double>& sums, std::span<const double> figures, double weight) {
  sums.resize(figures.size());
  for (std::size_t i = 0; i < figures.size(); ++i) sums[i] += weight * figures[i];
}

double share_beyond(std::uint64_t k, std::span<const std::uint64_t> counts) {
  std::uint64_t beyond = 0;
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) {
    beyond += count > k ? count : 0;
    all += count;
  }
  return static_cast<double>(beyond) / static_cast<double>(all);
}

std::vector<std::uint64_t> distances_from_the_most_distant(const SwapSpace& space,
                                                           std::span<const std::uint64_t> counts) {
  std::vector<std::uint32_t> row(space.size());
  std::vector<std::uint64_t> out;
  std::uint64_t greatest = 0;
  for (Code value = 0; value < space.size(); ++value) {
    space.row(value, row);
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < row.size(); ++w) sum += counts[w] * row[w];
    if (!out.empty() && sum <= greatest) continue;
    greatest = sum;
    out.assign(row.begin(), row.end());
  }
  return out;
}

}  // namespace

double SwapFigures::mean_rmse() const { return mean_of(rmse); }
double SwapFigures::mean_loss() const { return mean_of(loss); }

SwapBench::SwapBench(const Records& records) : table_(count(records)) {
  spaces_.reserve(table_.columns.size());  // the input points at them
  for (const FrequencyColumn& column : table_.columns) {
    const auto& measure = column.attribute->measure;
    const SwapSpace& space =
        spaces_.emplace_back(SwapSpace::nominal(measure, column.values.values));
    statistics_.push_back(Space::nominal(measure, column.values.values));
    std::vector<double>& squares = squares_.emplace_back();
    for (Code a = 0; a < space.size(); ++a) {
      for (Code b = 0; b < space.size(); ++b) {
        const double sd = space.distance(a, b);
        squares.push_back(sd * sd);
      }
    }
    input_.columns.push_back({column.attribute->name, &space});
  }
  input_.tuples = table_.tuples;
  input_.counts = table_.tuple_counts;
  for (std::size_t t = 0; t < tuples(); ++t) {
    const auto tuple = std::span(input_.tuples).subspan(t * columns(), columns());
    for (std::uint64_t i = 0; i < input_.counts[t]; ++i) {
      before_.insert(before_.end(), tuple.begin(), tuple.end());
    }
    uniques_ += input_.counts[t] == 1 ? 1 : 0;
  }
  correlation_ = correlations(before_);
}

double SwapBench::frequent_records(std::uint64_t k) const { return share_beyond(k, input_.counts); }

double SwapBench::frequent_cells(std::uint64_t k) const {
  double sum = 0;
  for (const FrequencyColumn& column : table_.columns) sum += share_beyond(k, column.values.counts);
  return sum / static_cast<double>(columns());
}

double SwapBench::mixed(SwapAlgorithm ranking) const {
  double sum = 0;
  for (std::size_t j = 0; j < columns(); ++j) {
    const std::vector<std::uint64_t>& counts = table_.columns[j].values.counts;
    std::vector<std::uint64_t> ranks = counts;
    if (ranking == SwapAlgorithm::kFixed)
      ranks = distances_from_the_most_distant(spaces_[j], counts);
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> tied;  // records, equal pairs
    for (std::size_t v = 0; v < counts.size(); ++v) {
      auto& [records, pairs] = tied[ranks[v]];
      records += counts[v];
      pairs += counts[v] * (counts[v] - 1);
    }
    for (const auto& [rank, of] : tied) {
      const auto [records, pairs] = of;
      if (records < 2) continue;
      const auto n = static_cast<double>(records);
      sum += n * (1 - static_cast<double>(pairs) / (n * (n - 1)));
    }
  }
  return sum / static_cast<double>(columns() * records());
}

std::vector<double> SwapBench::correlations(std::span<const Code> cells) const {
  std::vector<double> out;
  for (std::size_t a = 0; a < columns(); ++a) {
    for (std::size_t b = a + 1; b < columns(); ++b) {
      std::vector<JointCount> joint;
      joint.reserve(records());
      for (std::size_t at = 0; at < cells.size(); at += columns()) {
        joint.push_back({cells[at + a], cells[at + b], 1});
      }
      out.push_back(distance_statistics(statistics_[a], statistics_[b], merged(std::move(joint)))
                        .correlation);
    }
  }
  return out;
}

bool SwapBench::keeps_values(std::span<const Code> cells, bool with_statistics) const {
  for (std::size_t j = 0; j < columns(); ++j) {
    const ValueCounts& before = table_.columns[j].values;
    ValueCounts after{before.values, std::vector<std::uint64_t>(before.values.size())};
    for (std::size_t at = j; at < cells.size(); at += columns()) ++after.counts[cells[at]];
    if (after.counts != before.counts) return false;
    if (!with_statistics) continue;
    const Measure& measure = *table_.columns[j].attribute->measure;
    const auto was = semantic_mean(measure, before);
    const auto is = semantic_mean(measure, after);
    if (!was || !is || was->concept_id != is->concept_id) return false;
    const double variance = semantic_variance(measure, before, was->concept_id);
    if (semantic_variance(measure, after, is->concept_id) != variance) return false;
  }
  return true;
}

Result<SwapFigures> SwapBench::run(SwapAlgorithm algorithm, std::uint64_t k,
                                   unsigned number) const {
  const Key key = stream_key(trial_key(number), table_.digest(), "");
  const auto swapped = swap_records(input_, {.algorithm = algorithm, .k = k}, key);
  if (!swapped) return fail(swapped.error());
  const std::vector<Code>& after = swapped->values;
  SwapFigures out;
  for (std::size_t j = 0; j < columns(); ++j) {
    double sum = 0;
    for (std::size_t at = j; at < after.size(); at += columns()) {
      sum += squares_[j][before_[at] * categories(j) + after[at]];
    }
    out.rmse.push_back(std::sqrt(sum / static_cast<double>(records())));
    out.kept += static_cast<double>(swapped->columns[j].kept);
  }
  out.correlation = correlations(after);
  for (std::size_t i = 0; i < correlation_.size(); ++i) {
    out.loss.push_back(std::abs(out.correlation[i] - correlation_[i]));
  }
  std::size_t slot = 0;
  for (const std::uint64_t count : input_.counts) {
    const auto at = static_cast<std::ptrdiff_t>(slot * columns());
    const auto end = at + static_cast<std::ptrdiff_t>(columns());
    if (count == 1 && std::equal(after.begin() + at, after.begin() + end, before_.begin() + at)) {
      out.unchanged_uniques += 1;
    }
    slot += count;
  }
  out.same_values = keeps_values(after, number == 0);
  return out;
}

Result<SwapFigures> SwapBench::run_trials(SwapAlgorithm algorithm, std::uint64_t k, unsigned trials,
                                          unsigned threads) const {
  std::vector<Result<SwapFigures>> runs(trials, SwapFigures{});
  in_parallel(threads, trials,
              [&](std::size_t i) { runs[i] = run(algorithm, k, static_cast<unsigned>(i)); });
  const double weight = 1.0 / trials;
  SwapFigures out;
  for (const Result<SwapFigures>& figures : runs) {
    if (!figures) return fail(figures.error());
    add(out.rmse, figures->rmse, weight);
    add(out.correlation, figures->correlation, weight);
    add(out.loss, figures->loss, weight);
    out.kept += weight * figures->kept;
    out.unchanged_uniques += weight * figures->unchanged_uniques;
    out.same_values = out.same_values && figures->same_values;
  }
  return out;
}

}  // namespace semveil::reproduction
