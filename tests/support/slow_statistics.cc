#include "support/slow_statistics.h"

#include <algorithm>
#include <tuple>

namespace semveil::test {

using Node = SlowTaxonomy::Node;

std::vector<std::vector<SlowTaxonomy::Pair>> slow_pairs(const SlowTaxonomy& taxonomy) {
  std::vector<std::vector<SlowTaxonomy::Pair>> pairs(taxonomy.size());
  for (Node a = 0; a < taxonomy.size(); ++a) {
    for (Node b = 0; b < taxonomy.size(); ++b) pairs[a].push_back(taxonomy.pair(a, b));
  }
  return pairs;
}

SlowStatistics::SlowStatistics(const SlowTaxonomy& taxonomy, const SlowMeasure& measure,
                               const std::vector<std::vector<SlowTaxonomy::Pair>>& pairs)
    : taxonomy_(taxonomy), distance_(taxonomy.size()) {
  for (Node a = 0; a < taxonomy.size(); ++a) {
    for (const SlowTaxonomy::Pair& pair : pairs[a]) {
      distance_[a].push_back(measure.distance(pair));
    }
  }
}

double SlowStatistics::distance(std::optional<Node> a, std::optional<Node> b) const {
  if (!a || !b) return !a && !b ? 0 : 1;
  return distance_[*a][*b];
}

double SlowStatistics::marginality(Node c, const SlowColumn& column) const {
  double sum = 0;
  for (const auto& cell : column) sum += distance(cell, c);
  return sum;
}

std::optional<Node> SlowStatistics::mean(const SlowColumn& column) const {
  if (std::all_of(column.begin(), column.end(), [](const auto& cell) { return !cell; })) {
    return std::nullopt;
  }
  std::vector<Node> concepts;
  for (Node c = 0; c < taxonomy_.size(); ++c) {
    if (!(taxonomy_.has_virtual_root() && c == taxonomy_.root())) concepts.push_back(c);
  }
  double least = marginality(concepts[0], column);
  for (const Node c : concepts) least = std::min(least, marginality(c, column));
  std::vector<Node> tied;
  for (const Node c : concepts) {
    if (marginality(c, column) - least <= 1e-9 * static_cast<double>(column.size())) {
      tied.push_back(c);
    }
  }
  const auto rank = [&](Node c) {
    const auto frequency = std::count(column.begin(), column.end(), std::optional(c));
    return std::tuple(-frequency, taxonomy_.depth(c), taxonomy_.id(c));
  };
  return *std::min_element(tied.begin(), tied.end(),
                           [&](Node a, Node b) { return rank(a) < rank(b); });
}

double SlowStatistics::variance(const SlowColumn& column, Node mean) const {
  double sum = 0;
  for (const auto& cell : column) sum += distance(cell, mean) * distance(cell, mean);
  return sum / static_cast<double>(column.size());
}

SlowMatrix slow_distances(std::size_t records,
                          const std::function<double(std::size_t, std::size_t)>& distance) {
  SlowMatrix matrix(records, std::vector<double>(records));
  for (std::size_t i = 0; i < records; ++i) {
    for (std::size_t j = 0; j < records; ++j) matrix[i][j] = distance(i, j);
  }
  return matrix;
}

SlowMatrix slow_centred(const SlowMatrix& distances) {
  const std::size_t records = distances.size();
  const auto n = static_cast<double>(records);
  std::vector<double> row_mean(records, 0), column_mean(records, 0);
  double mean = 0;
  for (std::size_t i = 0; i < records; ++i) {
    for (std::size_t j = 0; j < records; ++j) {
      row_mean[i] += distances[i][j] / n;
      column_mean[j] += distances[i][j] / n;
      mean += distances[i][j] / n / n;
    }
  }
  SlowMatrix centred = distances;
  for (std::size_t i = 0; i < records; ++i) {
    for (std::size_t j = 0; j < records; ++j) centred[i][j] += mean - row_mean[i] - column_mean[j];
  }
  return centred;
}

double slow_covariance_squared(const SlowMatrix& centred_a, const SlowMatrix& centred_b) {
  double sum = 0;
  for (std::size_t i = 0; i < centred_a.size(); ++i) {
    for (std::size_t j = 0; j < centred_a.size(); ++j) sum += centred_a[i][j] * centred_b[i][j];
  }
  const auto n = static_cast<double>(centred_a.size());
  return sum / (n * n);
}

}  // namespace semveil::test
