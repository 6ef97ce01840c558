// Rectangles of the bivariate normal distribution against closed forms and plain quadrature.
#include "mechanisms/channel/bivariate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace semveil::test {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kCorrelations[] = {-1,  -0.9999999, -0.9999, -0.95, -0.5,   -1e-6,     0,
                                    0.1, 0.7,        0.925,   0.99,  0.9999, 0.9999999, 1};

double phi(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

TEST(BivariateRectangle, OfAQuadrantIsAsSheppardHasIt) {
  for (const double rho : kCorrelations) {
    const double expected = 0.25 + std::asin(rho) / (2 * std::numbers::pi);
    EXPECT_NEAR(bivariate_rectangle(-kUnbounded, 0, -kUnbounded, 0, rho), expected, 1e-14) << rho;
    EXPECT_NEAR(bivariate_rectangle(0, kUnbounded, -kUnbounded, 0, rho), 0.5 - expected, 1e-14);
  }
}

// Simpson's rule over the correlation (Plackett 1954): ∂Φ2/∂ρ is the density, so that
// Φ2(h, k; ρ) = Φ(h) Φ(k) + ∫_0^asin ρ exp(−(h² + k² − 2hk sin θ) / (2 cos² θ)) dθ / 2π.
double slow_below(double h, double k, double rho) {
  const auto density = [&](double theta) {
    const double cos2 = std::cos(theta) * std::cos(theta);
    const double exponent = (h * h + k * k - 2 * h * k * std::sin(theta)) / (2 * cos2);
    return std::isfinite(exponent) ? std::exp(-exponent) : 0;
  };
  constexpr int kPanels = 20'000;
  const double step = std::asin(rho) / kPanels;
  double sum = 0;
  for (int i = 0; i < kPanels; ++i) {
    sum += density(i * step) + 4 * density((i + 0.5) * step) + density((i + 1) * step);
  }
  return phi(h) * phi(k) + sum * step / 6 / (2 * std::numbers::pi);
}

TEST(BivariateRectangle, AgreesWithQuadratureOverTheCorrelation) {
  const double edges[] = {-2.5, -0.3, 0.0001, 0.9, 3.1};
  for (const double rho : {-0.9999, -0.8, -0.2, 0.35, 0.93, 0.9999}) {
    for (const double h : edges) {
      for (const double k : {-1.2, 0.0, 0.9, 2.0}) {
        ASSERT_NEAR(bivariate_rectangle(-kUnbounded, h, -kUnbounded, k, rho), slow_below(h, k, rho),
                    1e-10)
            << h << ' ' << k << ' ' << rho;
      }
    }
  }
}

TEST(BivariateRectangle, OfEqualVariablesIsWhereBothIntervalsAre) {
  EXPECT_NEAR(bivariate_rectangle(-1, 0.5, 0, 2, 1), phi(0.5) - phi(0), 1e-15);
  EXPECT_NEAR(bivariate_rectangle(-1, 0.5, 0, 2, -1), phi(1) - phi(0), 1e-15);
  EXPECT_EQ(bivariate_rectangle(-1, 0, 1, 2, 1), 0);
}

TEST(BivariateGrid, AddsUpToItsMargins) {
  const std::vector<double> x = {-kUnbounded, -2, -1.999, -0.4, 0, 0.4, 2, kUnbounded};
  const std::vector<double> y = {-kUnbounded, -3, -0.1, 0, 1e-9, 0.1, 3, kUnbounded};
  for (const double rho : kCorrelations) {
    const std::vector<double> grid = bivariate_grid(x, y, rho);
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      double row = 0, column = 0;
      for (std::size_t j = 0; j + 1 < y.size(); ++j) {
        row += grid[i * (y.size() - 1) + j];
        column += grid[j * (y.size() - 1) + i];
        EXPECT_GE(grid[i * (y.size() - 1) + j], 0);
      }
      EXPECT_NEAR(row, phi(x[i + 1]) - phi(x[i]), 1e-14) << rho;
      EXPECT_NEAR(column, phi(y[i + 1]) - phi(y[i]), 1e-14) << rho;
    }
  }
}

// Far out a difference of distribution functions would be all rounding.
TEST(BivariateRectangle, IsAccurateFarOutRelativeToItself) {
  EXPECT_NEAR(
      bivariate_rectangle(5, 6, 5, 6, 1e-12) /
          std::pow((std::erfc(5 / std::numbers::sqrt2) - std::erfc(6 / std::numbers::sqrt2)) / 2,
                   2),
      1, 1e-9);
}

}  // namespace
}  // namespace semveil::test
