// The nearest positive semi-definite matrix, and its root.
//
// The symmetric matrix V diag(λ) Vᵀ loses its negative eigenvalues: of all positive semi-definite
// matrices that is the nearest in the Frobenius norm (Higham 1988). A matrix whose negative
// eigenvalues are no more than rounding is kept to the last bit.
//
// Eigen is compiled without vector instructions (EIGEN_DONT_VECTORIZE), so that its sums have one
// order everywhere; products and the root are our own loops.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "semveil/statistics.h"

namespace semveil {
namespace {

constexpr double kRoundingOfPivots = 1e-14;

// Cholesky's lower triangle. A pivot that is 0 but for rounding gives a column of zeros: in a
// positive semi-definite matrix nothing is left below it.
std::vector<double> lower_root(std::size_t size, std::span<const double> matrix) {
  std::vector<double> root(size * size, 0.0);
  for (std::size_t j = 0; j < size; ++j) {
    double pivot = matrix[j * size + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= root[j * size + k] * root[j * size + k];
    if (pivot <= kRoundingOfPivots * static_cast<double>(size) * matrix[j * size + j]) continue;
    const double diagonal = std::sqrt(pivot);
    root[j * size + j] = diagonal;
    for (std::size_t i = j + 1; i < size; ++i) {
      double rest = matrix[i * size + j];
      for (std::size_t k = 0; k < j; ++k) rest -= root[i * size + k] * root[j * size + k];
      root[i * size + j] = rest / diagonal;
    }
  }
  return root;
}

}  // namespace

PsdMatrix nearest_psd(std::size_t size, std::span<const double> symmetric) {
  PsdMatrix out;
  out.size = size;
  out.values.assign(symmetric.begin(), symmetric.end());
  if (size == 0) return out;
  const auto rows = static_cast<Eigen::Index>(size);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor given = Eigen::Map<const RowMajor>(symmetric.data(), rows, rows);
  const Eigen::SelfAdjointEigenSolver<RowMajor> solver(given);
  const auto& lambda = solver.eigenvalues();  // ascending
  const double scale = std::max(std::abs(lambda(0)), std::abs(lambda(rows - 1)));
  if (lambda(0) < -kRoundingOfPivots * static_cast<double>(size) * scale) {
    const auto& vectors = solver.eigenvectors();
    double squares = 0;
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j <= i; ++j) {
        double value = 0;
        for (Eigen::Index k = 0; k < rows; ++k) {
          value += std::max(0.0, lambda(k)) * (vectors(i, k) * vectors(j, k));
        }
        const double moved = value - given(i, j);
        squares += (i == j ? 1 : 2) * (moved * moved);
        const auto row = static_cast<std::size_t>(i);
        const auto column = static_cast<std::size_t>(j);
        out.values[row * size + column] = out.values[column * size + row] = value;
      }
    }
    out.shift = std::sqrt(squares);
  }
  out.root = lower_root(size, out.values);
  return out;
}

}  // namespace semveil
