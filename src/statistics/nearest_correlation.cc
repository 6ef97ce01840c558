#include "statistics/nearest_correlation.h"

#include <algorithm>
#include <cmath>

namespace semveil {
namespace {

constexpr unsigned kMostTurns = 2000;
constexpr double kCloseEnough = 1e-12;

// Divides the diagonal out.
void scale_to_ones(std::size_t size, std::vector<double>& matrix) {
  std::vector<double> deviations(size);
  for (std::size_t i = 0; i < size; ++i) deviations[i] = std::sqrt(matrix[i * size + i]);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      double& value = matrix[i * size + j];
      value = i == j ? 1 : value / (deviations[i] * deviations[j]);
    }
  }
}

double frobenius(std::span<const double> a, std::span<const double> b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

}  // namespace

PsdMatrix nearest_correlation(std::size_t size, std::span<const double> symmetric) {
  PsdMatrix as_it_is = nearest_psd(size, symmetric);
  if (as_it_is.shift == 0) return as_it_is;
  std::vector<double> with_ones(symmetric.begin(), symmetric.end());
  std::vector<double> taken(size * size, 0.0);  // by the last projection
  std::vector<double> projected;
  for (unsigned turn = 0; turn < kMostTurns; ++turn) {
    std::vector<double> corrected(size * size);
    for (std::size_t i = 0; i < corrected.size(); ++i) corrected[i] = with_ones[i] - taken[i];
    projected = nearest_psd(size, corrected).values;
    for (std::size_t i = 0; i < corrected.size(); ++i) taken[i] = projected[i] - corrected[i];
    double off = 0;
    for (std::size_t i = 0; i < size; ++i)
      off = std::max(off, std::abs(projected[i * size + i] - 1));
    with_ones = projected;
    for (std::size_t i = 0; i < size; ++i) with_ones[i * size + i] = 1;
    if (off < kCloseEnough) break;
  }
  scale_to_ones(size, projected);
  PsdMatrix out = nearest_psd(size, projected);  // for its root
  out.shift = frobenius(out.values, symmetric);
  return out;
}

}  // namespace semveil
