#include "base/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace semveil {
namespace {

double units_in_the_last_place(double a, double b) {
  const double unit =
      std::nextafter(std::abs(b), std::numeric_limits<double>::infinity()) - std::abs(b);
  return std::abs(a - b) / unit;
}

TEST(Ln, OfOneIsZero) { EXPECT_EQ(ln(1.0), 0.0); }

TEST(Ln, LiesWithinTwoUnitsOfTheLibrarys) {
  std::uint64_t state = 1;
  for (int i = 0; i < 1000000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double mantissa = 1 + static_cast<double>(state >> 12) * 0x1p-52;
    const double x = std::ldexp(mantissa, static_cast<int>(state % 2000) - 1000);
    ASSERT_LE(units_in_the_last_place(ln(x), std::log(x)), 2) << x;
  }
}

TEST(Ln, NearOneKeepsItsRelativePrecision) {
  for (int i = 1; i < 52; ++i) {
    for (const double x : {1 + std::ldexp(1, -i), 1 - std::ldexp(1, -i)}) {
      ASSERT_LE(units_in_the_last_place(ln(x), std::log(x)), 2) << x;
    }
  }
}

TEST(Ln, OfSmallIntegersGrows) {
  for (int i = 1; i < 400000; ++i) ASSERT_LT(ln(i), ln(i + 1)) << i;
}

}  // namespace
}  // namespace semveil
