#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "semveil/statistics.h"
#include "support/generate.h"

namespace semveil::test {
namespace {

std::vector<double> times_transposed(std::size_t size, const std::vector<double>& l) {
  std::vector<double> out(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k < size; ++k) out[i * size + j] += l[i * size + k] * l[j * size + k];
    }
  }
  return out;
}

void expect_root(const PsdMatrix& matrix) {
  const std::vector<double> product = times_transposed(matrix.size, matrix.root);
  ASSERT_EQ(product.size(), matrix.values.size());
  for (std::size_t i = 0; i < matrix.size; ++i) {
    EXPECT_GE(matrix.root[i * matrix.size + i], 0);
    for (std::size_t j = 0; j < matrix.size; ++j) {
      EXPECT_NEAR(product[i * matrix.size + j], matrix.values[i * matrix.size + j], 1e-7);
      if (j > i) {
        EXPECT_EQ(matrix.root[i * matrix.size + j], 0);
      }
    }
  }
}

double uniform(Random& random) { return static_cast<double>(random.below(2001)) / 1000.0 - 1; }

TEST(NearestPsd, KeepsWhatIsPositiveSemiDefinite) {
  for (const std::vector<double>& given :
       {std::vector<double>{4, 2, 2, 3}, {1, 0, 0, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 2}}) {
    const PsdMatrix out = nearest_psd(2, given);
    EXPECT_EQ(out.values, given);
    EXPECT_EQ(out.shift, 0);
    expect_root(out);
  }
  EXPECT_EQ(nearest_psd(2, std::vector<double>{4, 2, 2, 3}).root,
            (std::vector<double>{2, 0, 1, std::sqrt(2.0)}));
  EXPECT_EQ(nearest_psd(0, {}).size, 0U);
}

TEST(NearestPsd, CutsOffNegativeEigenvalues) {  // here 3 and −1
  const PsdMatrix out = nearest_psd(2, std::vector<double>{1, 2, 2, 1});
  for (const double value : out.values) EXPECT_NEAR(value, 1.5, 1e-14);
  EXPECT_NEAR(out.shift, 1, 1e-14);
  expect_root(out);
}

// P is the nearest point of a convex cone to G if and only if P is in it, G − P is at right angles
// to P, and G − P makes no acute angle with anything in the cone.
TEST(NearestPsd, IsTheNearest) {
  Random random(1);
  for (std::size_t size = 1; size <= 12; ++size) {
    std::vector<double> given(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        given[i * size + j] = given[j * size + i] = uniform(random);
      }
    }
    const PsdMatrix out = nearest_psd(size, given);
    expect_root(out);
    double product = 0;
    double squares = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      product += out.values[i] * (given[i] - out.values[i]);
      squares += (given[i] - out.values[i]) * (given[i] - out.values[i]);
    }
    EXPECT_NEAR(product, 0, 1e-12);
    EXPECT_NEAR(out.shift, std::sqrt(squares), 1e-12);
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> z(size);
      for (double& x : z) x = uniform(random);
      double of_out = 0;
      double of_rest = 0;
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
          of_out += z[i] * out.values[i * size + j] * z[j];
          of_rest += z[i] * (given[i * size + j] - out.values[i * size + j]) * z[j];
        }
      }
      ASSERT_GE(of_out, -1e-12);
      ASSERT_LE(of_rest, 1e-12);
    }
  }
}

TEST(NearestPsd, OfItsOwnResultMovesNothing) {
  const PsdMatrix out =
      nearest_psd(3, std::vector<double>{1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1});
  EXPECT_GT(out.shift, 0.1);
  const PsdMatrix again = nearest_psd(3, out.values);
  EXPECT_EQ(again.shift, 0);
  EXPECT_EQ(again.values, out.values);
}

}  // namespace
}  // namespace semveil::test
