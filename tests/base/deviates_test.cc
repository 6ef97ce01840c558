#include "base/deviates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace semveil {
namespace {

std::uint64_t next(std::uint64_t& state) {  // splitmix64
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

// Draws at random, near both ends on every scale, and near the middle on every scale.
std::vector<std::uint64_t> sample(int count) {
  std::uint64_t state = 1;
  std::vector<std::uint64_t> bits{0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63U,
                                  (std::uint64_t{1} << 63U) - 1};
  for (int i = 0; i < count; ++i) {
    bits.push_back(next(state));
    bits.push_back(next(state) >> (next(state) % 53));
    bits.push_back(~(next(state) >> (next(state) % 53)));
    bits.push_back((std::uint64_t{1} << 63U) ^ (next(state) >> (next(state) % 53)));
  }
  return bits;
}

// The slow twin: bisection of the tail's probability, or near the middle of the probability
// between 0 and z, in long double. z > 0 such that P(Z > z) = tail.
long double slow_quantile(std::uint64_t bits) {
  const std::uint64_t k = ((bits >> 63U) != 0 ? bits : ~bits) >> 11U;  // in the upper half
  const long double from_middle = (static_cast<long double>(k) + 0.5L) * 0x1p-53L - 0.5L;
  const long double tail = 0.5L - from_middle;
  const long double sqrt2 = std::sqrt(2.0L);
  long double low = 0;
  long double high = 10;
  for (int i = 0; i < 200; ++i) {
    const long double middle = (low + high) / 2;
    const bool too_low = from_middle < 0.4L ? std::erf(middle / sqrt2) / 2 < from_middle
                                            : std::erfc(middle / sqrt2) / 2 > tail;
    (too_low ? low : high) = middle;
  }
  return (bits >> 63U) != 0 ? low : -low;
}

TEST(NormalDeviate, IsTheQuantileByBisection) {
  long double worst = 0;
  for (const std::uint64_t bits : sample(2000)) {
    const long double slow = slow_quantile(bits);
    const long double error = std::abs((normal_deviate(bits) - slow) / slow);
    worst = std::max(worst, error);
    ASSERT_LT(error, 2e-15L) << std::hex << bits;
  }
  EXPECT_GT(worst, 0);
}

TEST(LaplaceDeviate, IsTheQuantileByTheLibrarysLogarithm) {
  for (const std::uint64_t bits : sample(20000)) {
    const std::uint64_t k = ((bits >> 63U) != 0 ? bits : ~bits) >> 11U;
    const long double twice_tail = 2 - (2 * static_cast<long double>(k) + 1) * 0x1p-53L;
    const long double positive = -std::log(twice_tail) / std::sqrt(2.0L);
    const long double slow = (bits >> 63U) != 0 ? positive : -positive;
    ASSERT_LT(std::abs((laplace_deviate(bits) - slow) / slow), 1e-15L) << std::hex << bits;
  }
}

TEST(Deviates, OfMirroredBitsAreExactlyOpposite) {
  for (const std::uint64_t bits : sample(20000)) {
    ASSERT_EQ(normal_deviate(~bits), -normal_deviate(bits)) << std::hex << bits;
    ASSERT_EQ(laplace_deviate(~bits), -laplace_deviate(bits)) << std::hex << bits;
  }
}

TEST(Deviates, HaveTheSignOfTheTopBitAndAreNeverZero) {
  for (const std::uint64_t bits : sample(20000)) {
    const bool upper = (bits >> 63U) != 0;
    ASSERT_TRUE(upper ? normal_deviate(bits) > 0 : normal_deviate(bits) < 0) << std::hex << bits;
    ASSERT_TRUE(upper ? laplace_deviate(bits) > 0 : laplace_deviate(bits) < 0) << std::hex << bits;
  }
}

// Neighbours may meet or cross by a rounding, so a step is at least 2^-40 of the tail.
TEST(Deviates, GrowWithTheBits) {
  std::vector<std::uint64_t> bits = sample(20000);
  std::sort(bits.begin(), bits.end());
  std::uint64_t last = bits.front();
  for (const std::uint64_t b : bits) {
    const std::uint64_t tail = std::min(last, ~b);
    if (b - last <= std::max<std::uint64_t>(tail >> 40U, 1U << 11U)) continue;
    ASSERT_LT(normal_deviate(last), normal_deviate(b)) << std::hex << b;
    ASSERT_LT(laplace_deviate(last), laplace_deviate(b)) << std::hex << b;
    last = b;
  }
  EXPECT_EQ(last >> 52U, 0xfffU);
}

TEST(Deviates, UseTheUpperBitsOnly) {
  for (const std::uint64_t bits : sample(100)) {
    EXPECT_EQ(normal_deviate(bits), normal_deviate(bits ^ 0x7ffU));
    EXPECT_EQ(laplace_deviate(bits), laplace_deviate(bits ^ 0x7ffU));
  }
}

// The first three from tables; the others bit by bit, because another machine must give the same.
TEST(Deviates, OfKnownBits) {
  EXPECT_NEAR(normal_deviate(0xf999999999999999U), 1.9599639845400545, 1e-14);  // 97.5 %
  EXPECT_NEAR(normal_deviate(0), -8.2928, 1e-3);
  EXPECT_NEAR(laplace_deviate(0xc000000000000000U), 0.4901290717342736, 1e-15);  // ln 2 / √2
  EXPECT_EQ(normal_deviate(0x9e3779b97f4a7c15U), 0x1.3387730228672p-2);
  EXPECT_EQ(normal_deviate(0xfe3779b97f4a7c15U), 0x1.3ac0e206dcee8p+1);
  EXPECT_EQ(normal_deviate(0x00000000263fc800U), -0x1.a1616a2c7fccbp+2);
  EXPECT_EQ(laplace_deviate(0x9e3779b97f4a7c15U), 0x1.85f4382577529p-3);
  EXPECT_EQ(laplace_deviate(0xfe3779b97f4a7c15U), 0x1.82cc89c9d199bp+1);
  EXPECT_EQ(laplace_deviate(0x00000000263fc800U), -0x1.089cabde05deap+4);
}

TEST(Deviates, HaveVarianceOne) {
  // The quantiles of an even grid: no chance is involved.
  constexpr std::uint64_t kSteps = 1U << 20U;
  double normal = 0;
  double laplace = 0;
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    const std::uint64_t bits = (2 * i + 1) << 43U;
    normal += normal_deviate(bits) * normal_deviate(bits);
    laplace += laplace_deviate(bits) * laplace_deviate(bits);
  }
  EXPECT_NEAR(normal / kSteps, 1, 1e-4);
  EXPECT_NEAR(laplace / kSteps, 1, 1e-4);
}

TEST(Below, SpreadsTheDrawsEvenly) {
  std::vector<int> counts(7);
  for (std::uint64_t i = 0; i < 7000; ++i) {
    const std::uint64_t drawn = below(7, i * (~std::uint64_t{0} / 7000));
    ASSERT_LT(drawn, 7U);
    ++counts[drawn];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 1);
  EXPECT_EQ(below(7, 0), 0U);
  EXPECT_EQ(below(7, ~std::uint64_t{0}), 6U);
  EXPECT_EQ(below(1, ~std::uint64_t{0}), 0U);
}

}  // namespace
}  // namespace semveil
