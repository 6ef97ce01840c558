// Semantic statistics: means, variances and correlations of columns whose values are concepts.
//
//   marginality m(c, A)   Σ_v f(v) · sd(c, v)
//   mean                  the concept of τ with the least marginality, in the data or not; ties:
//   the
//                         most frequent in A, the shallowest, the smallest id
//   variance              (1/n) Σ_v f(v) · sd(v, mean)²
//   distance covariance   sdCov(A,B) = (1/n) √ Σ_ij δA_ij δB_ij, δ the doubly centred distances;
//                         sdVar(A) = sdCov(A,A); sdCor = sdCov / √(sdVar(A) · sdVar(B))
//
// Everything works on distinct values with counts. Sums are added in an order that depends neither
// on threads nor on the width of vectors: they decide bytes of a release.
//
// Paper:  semantic noise eq 10-12, framework eq 13-18 and 22.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "semveil/measure.h"

namespace [[gnu::visibility("default")]] semveil {

// Where a plan says missing = "category", missing is one more value: it has the number after the
// taxonomy's last, lies at distance 1 from all others, and is never a mean.
inline ConceptId missing_value(const Measure& measure) {
  return static_cast<ConceptId>(measure.taxonomy().size());
}

struct ValueCounts {
  std::vector<ConceptId> values;      // ascending, each once; may end with missing_value()
  std::vector<std::uint64_t> counts;  // of each, none 0
  std::uint64_t total() const;
};

struct SemanticMean {
  ConceptId concept_id;
  double marginality;
};

// Nothing where there is no value but missing ones. Exact over all concepts of τ (the virtual root
// left out). Sums within 1e-9 of the least, per record, are tied.
std::optional<SemanticMean> semantic_mean(const Measure& measure, const ValueCounts& column,
                                          unsigned threads = 1);
double marginality(const Measure& measure, ConceptId c, const ValueCounts& column);
double semantic_variance(const Measure& measure, const ValueCounts& column, ConceptId mean);

// The distinct values of one column and how far apart they are.
class Space {
 public:
  // Ascending, each once; may end with missing_value().
  static Space nominal(std::shared_ptr<const Measure> measure, std::vector<ConceptId> values);
  // Ascending, finite; |x − y| / range, the range that of all values, counted or not.
  static Space numeric(std::vector<double> values);
  std::size_t size() const;
  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  explicit Space(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

struct JointCount {  // places in the two spaces, and how many records have both
  std::uint32_t a, b;
  std::uint64_t count;
  bool operator==(const JointCount&) const = default;
};

struct StatisticsOptions {
  unsigned threads = 1;
  // Work is counted in looked-up distances. Beyond this the figure is estimated from a fixed
  // sample of the records, and says so.
  std::uint64_t most_work = 20'000'000'000;
};

struct DistanceStatistics {
  double covariance = 0;
  double variance_a = 0, variance_b = 0;  // sdVar over the same records
  double correlation = 0;                 // 0 where a variance is 0
  bool clamped = false;                   // the sum under the root came out negative
  std::uint64_t sampled = 0;              // records the figures were estimated from; 0: all
};

// Over the records complete in both columns: `joint` ascending by (a, b), each pair once. A value
// of a space that no pair names takes no part.
DistanceStatistics distance_statistics(const Space& a, const Space& b,
                                       std::span<const JointCount> joint,
                                       const StatisticsOptions& options = {});
struct DistanceVariance {
  double value = 0;
  std::uint64_t sampled = 0;
};
DistanceVariance distance_variance(const Space& space, std::span<const std::uint64_t> counts,
                                   const StatisticsOptions& options = {});

// A symmetric matrix, row by row, made positive semi-definite.
struct PsdMatrix {
  std::size_t size = 0;
  std::vector<double> values;
  std::vector<double> root;  // lower triangle L with L Lᵀ = values
  double shift = 0;          // Frobenius distance from what was given; 0: nothing had to move
};
// The nearest positive semi-definite matrix (negative eigenvalues become 0).
PsdMatrix nearest_psd(std::size_t size, std::span<const double> symmetric);

}  // namespace semveil
