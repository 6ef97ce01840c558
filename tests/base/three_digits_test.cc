#include "base/three_digits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace semveil::test {
namespace {

// The doubles of the decimal texts, to the last bit.
TEST(ThreeDigits, AreTheNumberThatIsRead) {
  EXPECT_EQ(three_digits(0.12345), 0.123);
  EXPECT_EQ(three_digits(0.00098765), 0.000988);
  EXPECT_EQ(three_digits(-12'345), -12'300);
  EXPECT_EQ(three_digits(0.9999), 1);
  EXPECT_EQ(three_digits(7), 7);
  EXPECT_FALSE(std::signbit(three_digits(-0.0)));
  EXPECT_TRUE(std::isinf(three_digits(std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(std::isnan(three_digits(std::nan(""))));
}

TEST(ThreeDigits, HaveAUnit) {
  EXPECT_EQ(unit_of_three_digits(0.123), 0.001);
  EXPECT_EQ(unit_of_three_digits(-0.123), 0.001);
  EXPECT_EQ(unit_of_three_digits(1000), 10);  // where logarithms may give 2.9999 or 3
  EXPECT_EQ(unit_of_three_digits(999), 1);
  EXPECT_EQ(unit_of_three_digits(0.001), 0.00001);
  EXPECT_EQ(unit_of_three_digits(0), 0);
}

TEST(ThreeDigits, AreRoundedOnce) {
  for (int i = 1; i < 3'000; ++i) {
    const double figure = three_digits(i * 0.000'377);
    EXPECT_EQ(three_digits(figure), figure);
  }
}

}  // namespace
}  // namespace semveil::test
