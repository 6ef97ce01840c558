#include "mechanisms/noise/number_grid.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace semveil::test {
namespace {

TEST(NumberGrid, HasTheMultiplesBetweenTheEnds) {
  const auto ages = number_grid(17, 90, 0);
  ASSERT_TRUE(ages);
  EXPECT_EQ(*ages, (NumberGrid{0, 17, 74}));
  EXPECT_EQ(ages->digits(0), "17");
  EXPECT_EQ(ages->digits(73), "90");
  const auto shares = number_grid(-0.57, 0.57, 2);
  ASSERT_TRUE(shares);
  EXPECT_EQ(*shares, (NumberGrid{2, -57, 115}));
  EXPECT_EQ(shares->digits(0), "-0.57");
  EXPECT_EQ(shares->digits(57), "0.00");
  EXPECT_EQ(shares->digits(58), "0.01");
  EXPECT_EQ(number_grid(0.2, 2.7, 0), (NumberGrid{0, 1, 2}));
  EXPECT_FALSE(number_grid(0.2, 0.7, 0)) << "no whole number lies between";
}

TEST(NumberGrid, GrowsItsStepsWhereThereWouldBeTooMany) {
  const auto wide = number_grid(0, 99'999'999, 2);
  ASSERT_TRUE(wide);
  EXPECT_EQ(*wide, (NumberGrid{-2, 0, 1'000'000}));
  EXPECT_EQ(wide->digits(3), "300");
  EXPECT_EQ(wide->digits(0), "0");
  EXPECT_EQ(wide->step(), 100);
  const auto huge = number_grid(-1e300, 1e300, 0);
  ASSERT_TRUE(huge);
  EXPECT_LE(huge->count, NumberGrid::kMost);
  EXPECT_DOUBLE_EQ(*number_of(huge->digits(huge->count - 1)), 1e300);
}

TEST(NumberGrid, RoundsToTheNearestHalfToEven) {
  const NumberGrid tenths{1, -5, 11};
  EXPECT_EQ(tenths.digits(tenths.nearest(0.26)), "0.3");
  EXPECT_EQ(tenths.digits(tenths.nearest(0.25)), "0.2");
  EXPECT_EQ(tenths.digits(tenths.nearest(-0.04)), "0.0");
  EXPECT_EQ(tenths.digits(tenths.nearest(7)), "0.5");
  EXPECT_EQ(tenths.digits(tenths.nearest(-7)), "-0.5");
}

TEST(NumberGrid, IsAnAttributeWhoseTextsAreItsNumbers) {
  const Attribute of = numeric_attribute("x", {0, 9}, 9);
  const NumberGrid grid{2, -150, 400};
  const Attribute released = grid_attribute(of, grid);
  ASSERT_EQ(released.size(), 400U);
  EXPECT_EQ(released.unit, 9);
  for (std::uint32_t i = 0; i < 400; ++i) {
    EXPECT_EQ(number_of(released.digits[i]), released.numbers[i]);
    EXPECT_EQ(grid.nearest(released.numbers[i]), i);
    if (i > 0) {
      EXPECT_LT(released.numbers[i - 1], released.numbers[i]);
    }
  }
}

}  // namespace
}  // namespace semveil::test
