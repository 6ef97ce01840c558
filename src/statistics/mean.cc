// Mean, marginality and variance of one column.
//
// Cost:   the mean takes (distinct values × candidates) look-ups, mean_candidates.h says how few
//         those are; marginality and variance take one distance a value.
// Paper:  semantic noise eq 10-12, framework eq 13-14. The papers say "the" concept of least sum;
// of
//         tied ones we take the most frequent in the column, the shallowest, the smallest id.
#include <algorithm>
#include <numeric>

#include "semveil/statistics.h"
#include "statistics/mean_candidates.h"
#include "statistics/rows_in_blocks.h"
#include "statistics/shown_mean.h"

namespace semveil {
namespace {

std::uint64_t count_of(const ValueCounts& column, ConceptId c) {
  const auto found = std::lower_bound(column.values.begin(), column.values.end(), c);
  if (found == column.values.end() || *found != c) return 0;
  return column.counts[static_cast<std::size_t>(found - column.values.begin())];
}

double distance_or_missing(const Measure& measure, ConceptId a, ConceptId b) {
  const ConceptId missing = missing_value(measure);
  if (a == missing || b == missing) return a == b ? 0 : 1;
  return measure.distance(a, b);
}

// The candidate with the least sum of distances.
std::optional<SemanticMean> best_of(const std::vector<ConceptId>& candidates,
                                    const Measure& measure, const ValueCounts& column,
                                    unsigned threads) {
  const Taxonomy& taxonomy = measure.taxonomy();
  const std::uint64_t missing = count_of(column, missing_value(measure));
  const std::size_t present = column.values.size() - (missing > 0 ? 1 : 0);
  if (candidates.empty()) return std::nullopt;
  std::vector<double> sums =
      weighted_distances(measure, std::span(column.values).first(present),
                         std::span(column.counts).first(present), candidates, threads);
  for (double& sum : sums) sum += static_cast<double>(missing);

  const double tied = *std::min_element(sums.begin(), sums.end()) +
                      kTiePerRecord * static_cast<double>(column.total());
  const auto wins = [&](ConceptId a, ConceptId b) {
    const std::uint64_t count_a = count_of(column, a);
    const std::uint64_t count_b = count_of(column, b);
    if (count_a != count_b) return count_a > count_b;
    if (taxonomy.depth(a) != taxonomy.depth(b)) return taxonomy.depth(a) < taxonomy.depth(b);
    return taxonomy.id_rank(a) < taxonomy.id_rank(b);
  };
  std::optional<SemanticMean> best;
  for (std::size_t j = 0; j < candidates.size(); ++j) {
    if (sums[j] > tied || (best && !wins(candidates[j], best->concept_id))) continue;
    best = SemanticMean{candidates[j], sums[j]};
  }
  return best;
}

}  // namespace

std::uint64_t ValueCounts::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::optional<SemanticMean> semantic_mean(const Measure& measure, const ValueCounts& column,
                                          unsigned threads) {
  const std::uint64_t missing = count_of(column, missing_value(measure));
  if (column.values.size() == (missing > 0 ? 1 : 0)) return std::nullopt;
  return best_of(mean_candidates(measure, column), measure, column, threads);
}

ConceptId shown_mean(const Measure& measure, const ValueCounts& column, ConceptId mean,
                     const Candidates* allowed, unsigned threads) {
  if (allowed == nullptr || allowed->contains(mean)) return mean;
  std::vector<ConceptId> candidates;
  for (ConceptId c = 0; c < measure.taxonomy().size(); ++c) {
    if (allowed->contains(c)) candidates.push_back(c);
  }
  const std::optional<SemanticMean> best = best_of(candidates, measure, column, threads);
  return best ? best->concept_id : mean;
}

double marginality(const Measure& measure, ConceptId c, const ValueCounts& column) {
  double sum = 0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    sum +=
        static_cast<double>(column.counts[i]) * distance_or_missing(measure, column.values[i], c);
  }
  return sum;
}

double semantic_variance(const Measure& measure, const ValueCounts& column, ConceptId mean) {
  if (column.values.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const double distance = distance_or_missing(measure, column.values[i], mean);
    sum += static_cast<double>(column.counts[i]) * (distance * distance);
  }
  return sum / static_cast<double>(column.total());
}

}  // namespace semveil
