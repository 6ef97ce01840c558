#include "base/decimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace semveil {
namespace {

TEST(RoundedTo, IsHalfToEvenAsByHand) {
  EXPECT_EQ(rounded_to(12.5, 5), "10");
  EXPECT_EQ(rounded_to(17.5, 5), "20");
  EXPECT_EQ(rounded_to(0.35, 0.1), "0.4");  // no binary fraction
  EXPECT_EQ(rounded_to(0.25, 0.1), "0.2");
  EXPECT_EQ(rounded_to(-2.5, 5), "0");  // there is one zero
  EXPECT_EQ(rounded_to(1e3, 100), "1000");
  EXPECT_EQ(rounded_to(7, 0.25), "7.00");
}

// The quotient, or the nearest multiple, may be beyond all doubles.
TEST(RoundedTo, IsANumberWhateverTheBase) {
  EXPECT_EQ(std::stod(rounded_to(1e300, 1e-300)), 1e300);
  EXPECT_EQ(std::stod(rounded_to(-1e300, 1e-10)), -1e300);
  EXPECT_EQ(std::stod(rounded_to(1.7e308, 1e308)), 1e308);
  EXPECT_EQ(std::stod(rounded_to(-1.7e308, 1e308)), -1e308);
  EXPECT_EQ(rounded_to(1e-300, 1e10), "0");
}

// Whole numbers, whose quotients are exact.
TEST(RoundedTo, IsTheNearestMultiple) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto x = static_cast<long>(random() % 20001) - 10000;
    const auto base = static_cast<long>(random() % 60) + 1;
    const long made = std::stol(rounded_to(static_cast<double>(x), static_cast<double>(base)));
    EXPECT_EQ(made % base, 0);
    EXPECT_LE(2 * std::abs(made - x), base);
    if (2 * std::abs(made - x) == base) {
      EXPECT_EQ(made / base % 2, 0) << x << " by " << base;
    }
  }
}

}  // namespace
}  // namespace semveil
