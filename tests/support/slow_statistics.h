// The slow twins of the statistics: page 2 of the specification word for word, over every concept
// and over n × n matrices of records, with distances from SlowMeasure.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "support/slow_measures.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {

// One cell a record; nothing: missing as a category of its own, at distance 1 from all others.
using SlowColumn = std::vector<std::optional<SlowTaxonomy::Node>>;

// All ordered pairs of a taxonomy, found once for many measures.
std::vector<std::vector<SlowTaxonomy::Pair>> slow_pairs(const SlowTaxonomy& taxonomy);

class SlowStatistics {
 public:
  SlowStatistics(const SlowTaxonomy& taxonomy, const SlowMeasure& measure,
                 const std::vector<std::vector<SlowTaxonomy::Pair>>& pairs);

  double distance(std::optional<SlowTaxonomy::Node> a, std::optional<SlowTaxonomy::Node> b) const;
  double marginality(SlowTaxonomy::Node c, const SlowColumn& column) const;
  // The concept of least marginality of ALL of them, and whoever is tied with it.
  std::optional<SlowTaxonomy::Node> mean(const SlowColumn& column) const;
  double variance(const SlowColumn& column, SlowTaxonomy::Node mean) const;

 private:
  const SlowTaxonomy& taxonomy_;
  std::vector<std::vector<double>> distance_;  // by node and node
};

using SlowMatrix = std::vector<std::vector<double>>;  // records × records
SlowMatrix slow_distances(std::size_t records,
                          const std::function<double(std::size_t, std::size_t)>& distance);
SlowMatrix slow_centred(const SlowMatrix& distances);
// Σ_ij δA_ij δB_ij / n², which is sdCov² unless it is negative.
double slow_covariance_squared(const SlowMatrix& centred_a, const SlowMatrix& centred_b);

}  // namespace semveil::test
