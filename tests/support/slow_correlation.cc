#include "support/slow_correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace semveil::test {
namespace {

using Wide = long double;
using Matrix = std::vector<Wide>;

// Without its negative eigenvalues.
Matrix positive_part(std::size_t n, Matrix a) {
  Matrix v(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) v[i * n + i] = 1;
  for (int sweep = 0; sweep < 60; ++sweep) {
    Wide off = 0;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        off += a[p * n + q] * a[p * n + q];
        if (std::abs(a[p * n + q]) < 1e-18L) continue;
        const Wide theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        const Wide t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const Wide c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const Wide x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y;
          a[k * n + q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const Wide x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y;
          a[q * n + k] = s * x + c * y;
          const Wide vx = v[k * n + p], vy = v[k * n + q];
          v[k * n + p] = c * vx - s * vy;
          v[k * n + q] = s * vx + c * vy;
        }
      }
    }
    if (off < 1e-34L) break;
  }
  Matrix out(n * n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const Wide lambda = a[k * n + k];
    if (lambda <= 0) continue;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += lambda * v[i * n + k] * v[j * n + k];
    }
  }
  return out;
}

}  // namespace

std::vector<double> slow_nearest_correlation(std::size_t size, const std::vector<double>& given) {
  Matrix moved(given.begin(), given.end());
  Matrix nearest;
  for (int step = 0; step < 20'000; ++step) {
    nearest = positive_part(size, moved);
    Wide off = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const Wide slope = nearest[i * size + i] - 1;
      moved[i * size + i] -= slope;
      off = std::max(off, std::abs(slope));
    }
    if (off < 1e-13L) break;
  }
  return {nearest.begin(), nearest.end()};
}

}  // namespace semveil::test
