#include "statistics/nearest_correlation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/generate.h"
#include "support/slow_correlation.h"

namespace semveil::test {
namespace {

std::vector<double> random_signs(std::size_t size, Random& random) {
  std::vector<double> out(size * size, 1);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      out[i * size + j] = out[j * size + i] = static_cast<double>(random.below(2001)) / 1000.0 - 1;
    }
  }
  return out;
}

TEST(NearestCorrelation, KeepsACorrelationMatrixToTheLastBit) {
  const std::vector<double> given{1, 0.3, -0.2, 0.3, 1, 0.1, -0.2, 0.1, 1};
  const PsdMatrix out = nearest_correlation(3, given);
  EXPECT_EQ(out.values, given);
  EXPECT_EQ(out.shift, 0);
}

// Higham 2002, section 4: the matrix and the digits printed there.
TEST(NearestCorrelation, OfHighamsExampleIsAsPrinted) {
  const std::vector<double> given{1, 1, 0, 1, 1, 1, 0, 1, 1};
  const PsdMatrix out = nearest_correlation(3, given);
  const std::vector<double> printed{1, 0.7607, 0.1573, 0.7607, 1, 0.7607, 0.1573, 0.7607, 1};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(out.values[i], printed[i], 5e-5);
  EXPECT_NEAR(out.shift, 0.5278, 5e-5);
}

TEST(NearestCorrelation, IsThatOfTheDual) {
  Random random(11);
  std::size_t moved = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t size = 2 + random.below(5);
    const std::vector<double> given = random_signs(size, random);
    const PsdMatrix out = nearest_correlation(size, given);
    const std::vector<double> slow = slow_nearest_correlation(size, given);
    moved += out.shift > 0 ? 1 : 0;
    for (std::size_t i = 0; i < given.size(); ++i) ASSERT_NEAR(out.values[i], slow[i], 1e-6);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_EQ(out.values[i * size + i], 1);
      double length = 0;  // of a row of the root: the variance that errors get
      for (std::size_t k = 0; k <= i; ++k)
        length += out.root[i * size + k] * out.root[i * size + k];
      EXPECT_NEAR(length, 1, 1e-7);
    }
  }
  EXPECT_GT(moved, 20U);
}

}  // namespace
}  // namespace semveil::test
