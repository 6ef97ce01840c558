// Semantic noise: every value is replaced by a concept of its own domain at the distance that a
// random error asks for, farther from a reference where the error is positive, closer where it is
// negative.
//
//   uncorrelated   ε ~ N(0, α · sVar(A)), independent per column
//   correlated     ε ~ N(0, α · Σ), Σ the matrix of distance covariances
//   reference      mean: the column's semantic mean (keeps the mean)
//                  pair: the partner column's original value in the same record (keeps correlation)
//                  root: the domain's root (any number of columns and domains)
//
// Replacing x, given ε and a reference r:
//   1. ε = 0: x stays.
//   2. Candidates are the concepts c ≠ x with sd(c,x) ≥ |ε|; of these, for ε > 0, those with
//      sd(c,r) > sd(x,r), for ε < 0 those with sd(c,r) < sd(x,r). Where x is the mean itself, or
//      the partner is missing, there is no such condition.
//   3. The one of least sd(c,x) is taken, of several any with equal probability.
//   4. No candidate left: the farthest that satisfies the sign (truncated); if none does: the least
//      sd ≥ |ε| without it (nosign), failing that the farthest of all (farthest).
//
// A number x becomes x + ε, rounded to the column's decimals:
//   uncorrelated   ε ~ N(0, α · var(A)), or Laplace
//   correlated     ε = √(α · var) u for numbers, √(α · sdVar) u for words, u ~ N(0, R), R the
//   nearest
//                  correlation matrix of: words sdCor; numbers Pearson's with its sign; a word and
//                  a number sdCor with the sign of the correlation of sd(word, reference) and the
//                  number. One matrix of distance covariances would give numbers another variance
//                  and lose the signs. Of words alone Σ is as above.
//   range          reflect: what lies beyond the column's ends is folded back; free: it stays
// Not with kPair. At most a million different numbers are released: in a wider range they are
// rounded to fewer decimals, to tens, hundreds, …, which is little beside the errors.
//
// Paper:  semantic noise Algorithm 1; framework Algorithms 1-3, Table 9 (advice).
// Cost:   fit O(distinct values · concepts of the domain) once; a record costs two binary searches.
#pragma once

#include "semveil/mechanism.h"
#include "semveil/work_limits.h"

namespace [[gnu::visibility("default")]] semveil {

enum class NoiseReference : std::uint8_t { kMean, kPair, kRoot };
enum class NoiseDistribution : std::uint8_t { kNormal, kLaplace };
enum class TieRule : std::uint8_t { kRandom, kFirst };
enum class NoiseRange : std::uint8_t { kReflect, kFree };  // of numbers

// What a fit would have learned, where there is no table.
struct NoiseStatistics {
  std::vector<ConceptId> means;    // by column, of its domain
  std::vector<double> variances;   // sVar
  std::vector<double> covariance;  // Σ row by row; for correlated errors
};

struct NoiseOptions {
  double alpha = 0.3;
  bool correlated = false;
  NoiseReference reference = NoiseReference::kMean;
  NoiseDistribution distribution = NoiseDistribution::kNormal;
  TieRule ties = TieRule::kRandom;
  NoiseRange range = NoiseRange::kReflect;
  // For kPair: places of the columns; empty: 0-1, 2-3, …
  std::vector<std::pair<std::size_t, std::size_t>> pairs = {};
  bool allow_unmasked = false;
  bool by_person = false;  // draws are addressed by person and value instead of by row
  unsigned threads = 1;
  double most_hours = kUsualHours;
  std::optional<NoiseStatistics> declared = {};  // nothing: learned from the table
};
std::string_view to_string(NoiseReference reference);
std::string_view to_string(NoiseDistribution distribution);

std::unique_ptr<const Mechanism> make_noise(NoiseOptions options);

// What a fit of noise found, for summaries.
struct NoiseColumn {
  ConceptId mean;                 // of numbers the nearest one that the column has
  double variance;                // sVar; of numbers the ordinary one
  double deviation;               // of the errors
  double per_unit = 1;            // the distance that an error of 1 asks for: numbers have units
  std::optional<double> average;  // of numbers

  double distance() const { return deviation * per_unit; }  // that a typical error asks for
};
struct NoiseFit {
  double alpha = 0;
  std::vector<NoiseColumn> columns;
  std::vector<double> covariance;  // Σ row by row, if correlated
  double psd_shift = 0;

  bool is_correlated() const { return !covariance.empty(); }
  // What the variance of a column should become: (1 + α) sVar, of both kinds of noise (framework
  // §5, metric 2).
  double expected_variance(std::size_t j) const { return (1 + alpha) * columns[j].variance; }
  // What it would become if the errors drawn simply added up: of correlated noise sVar + α sdVar,
  // for its errors have the spread of distances and not that of the column.
  double drawn_variance(std::size_t j) const {
    return columns[j].variance + columns[j].deviation * columns[j].deviation;
  }
};
const NoiseFit* noise_fit(const FittedMethod& plan);  // null: not a plan of noise

// Every cell by one of the column's distinct values: with equal probability (`naive`) or by
// frequency (`probabilistic`). What noise is compared with.
enum class Baseline : std::uint8_t { kNaive, kProbabilistic };
std::unique_ptr<const Mechanism> make_baseline(Baseline baseline, bool by_person = false);

}  // namespace semveil
