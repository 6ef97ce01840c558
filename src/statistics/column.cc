#include "statistics/column.h"

#include <algorithm>

#include "statistics/rows_in_blocks.h"

namespace semveil {

Space Space::nominal(std::shared_ptr<const Measure> measure, std::vector<ConceptId> values) {
  auto impl = std::make_shared<Impl>();
  impl->measure = std::move(measure);
  impl->concepts = std::move(values);
  return Space(std::move(impl));
}

Space Space::numeric(std::vector<double> values) {
  auto impl = std::make_shared<Impl>();
  impl->numbers = std::move(values);
  if (impl->numbers.empty()) return Space(std::move(impl));
  // Halves, so that the range of the largest numbers is still finite.
  const double least = impl->numbers.front() / 2;
  const double range = impl->numbers.back() / 2 - least;
  for (double& x : impl->numbers) x = range == 0 ? 0 : (x / 2 - least) / range;
  return Space(std::move(impl));
}

std::size_t Space::size() const {
  return impl_->measure ? impl_->concepts.size() : impl_->numbers.size();
}

Column::Column(const Space& space, std::span<const std::uint64_t> counts, unsigned threads)
    : measure_(space.impl().measure) {
  std::vector<std::uint64_t> present;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    present.push_back(counts[i]);
    counts_.push_back(static_cast<double>(counts[i]));
    records_ += counts_.back();
    if (numeric()) {
      numbers_.push_back(space.impl().numbers[i]);
    } else if (space.impl().concepts[i] == missing_value(*measure_)) {
      missing_ = true;
    } else {
      concepts_.push_back(space.impl().concepts[i]);
    }
  }
  if (counts_.empty()) return;
  if (numeric()) {
    find_means_of_numbers();
  } else {
    find_means_of_words(present, threads);
  }
  for (std::size_t i = 0; i < size(); ++i) mean_ += counts_[i] * row_mean_[i];
  mean_ /= records_;
}

void Column::find_means_of_words(std::span<const std::uint64_t> counts, unsigned threads) {
  row_mean_ = weighted_distances(*measure_, concepts_, counts, concepts_, threads);
  if (missing_) {
    for (double& sum : row_mean_) sum += counts_.back();
    row_mean_.push_back(records_ - counts_.back());
  }
  for (double& sum : row_mean_) sum /= records_;
}

void Column::find_means_of_numbers() {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += counts_[i] * numbers_[i];
  double count_below = 0;
  double sum_below = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const double x = numbers_[i];
    const double below = x * count_below - sum_below;
    count_below += counts_[i];
    sum_below += counts_[i] * x;
    const double above = (sum - sum_below) - x * (records_ - count_below);
    row_mean_.push_back((below + above) / records_);
  }
}

std::vector<double> Column::numbers_about_mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += counts_[i] * numbers_[i];
  std::vector<double> out;
  out.reserve(size());
  for (const double x : numbers_) out.push_back(x - sum / records_);
  return out;
}

void Column::centred_rows(std::span<const std::uint32_t> sources,
                          const Measure::VisitRow& visit) const {
  std::vector<ConceptId> concepts;
  for (const std::uint32_t i : sources) {
    if (i < concepts_.size()) concepts.push_back(concepts_[i]);
  }
  std::vector<double> row(size());
  const auto centre = [&](std::size_t k, std::span<const double> distances) {
    const double of_row = row_mean_[sources[k]];
    for (std::size_t j = 0; j < distances.size(); ++j) {
      row[j] = distances[j] - (of_row + row_mean_[j] - mean_);
    }
    if (missing_ && distances.size() < size()) row.back() = 1 - (of_row + row_mean_.back() - mean_);
    visit(k, row);
  };
  measure_->rows(concepts, concepts_, centre);
  if (concepts.size() == sources.size()) return;
  std::vector<double> of_missing(size(), 1.0);
  of_missing.back() = 0;
  centre(concepts.size(), of_missing);
}

double Column::sum_of_squares(unsigned threads) const {
  if (size() < 2) return 0;
  const double n = records_;
  if (numeric()) {
    // Σ_ij f f (x_i − x_j)² − 2n Σ f r² + n² g², the first sum about the mean.
    const std::vector<double> x = numbers_about_mean();
    double squares = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      squares += counts_[i] * (x[i] * x[i] - row_mean_[i] * row_mean_[i]);
    }
    return std::max(0.0, 2 * n * squares + n * n * (mean_ * mean_));
  }
  constexpr std::size_t kRows = 128;
  std::vector<double> row_sum(size());
  in_parallel(threads, (size() + kRows - 1) / kRows, [&](std::size_t piece) {
    std::vector<std::uint32_t> sources;
    const std::size_t first = piece * kRows;
    for (std::size_t i = first; i < std::min(first + kRows, size()); ++i) {
      sources.push_back(static_cast<std::uint32_t>(i));
    }
    centred_rows(sources, [&](std::size_t k, std::span<const double> row) {
      double sum = 0;
      for (std::size_t j = 0; j < row.size(); ++j) sum += counts_[j] * (row[j] * row[j]);
      row_sum[first + k] = sum;
    });
  });
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += counts_[i] * row_sum[i];
  return sum;
}

}  // namespace semveil
