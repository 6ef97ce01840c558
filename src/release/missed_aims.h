// Where a method did not do what it is for: findings of masking and of audits.
//
//   noise-misses-rmse       |RMSE − σ| > ½ σ, σ the deviation of the errors that was fitted
//   noise-misses-variance   |variance after − (1 + α) sVar| > ½ α sVar
//   noise-moves-mean        the semantic mean moved by more than 0.1
//   correlation-moved       a distance correlation moved by more than 0.1: noise and swaps, pairs
//                           of columns of which one at least is masked
//
// Example: sVar 0.2 and α 0.5 aim at 0.3; 0.34 is within 0.05 of it, 0.36 is not.
//
// Figures of the original alone have three digits, as in a public edition, so that a finding can be
// shown to anybody; the limits are held by the exact ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/finding.h"

namespace semveil {

// Of fewer cells nothing is said: figures of spread come as chance has it.
inline constexpr std::uint64_t kFewestCells = 100;

struct NoisyColumn {
  std::string name;
  std::uint64_t cells = kFewestCells;  // that were masked
  double alpha = 0;
  std::optional<double> rmse;
  std::optional<double> deviation, variance;  // of the errors, fitted; of the column before
  std::optional<double> variance_after, mean_shift;
};
void find_missed_aims(const NoisyColumn& column, std::vector<Finding>& out);

struct MovedPair {
  std::string a, b;
  double before = 0, after = 0;  // distance correlation
};
void find_moved_correlation(const MovedPair& pair, std::vector<Finding>& out);

}  // namespace semveil
