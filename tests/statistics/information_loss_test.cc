#include "statistics/information_loss.h"

#include <gtest/gtest.h>

#include <array>

namespace semveil::test {
namespace {

TEST(InformationLoss, OfASetGrowsWithIt) {
  EXPECT_EQ(information_loss(1), 0);
  EXPECT_EQ(information_loss(2), 0.5);
  EXPECT_EQ(information_loss(5), 0.8);
}

TEST(InformationLoss, OfARecordIsTheMeanOverItsColumns) {
  const std::array<double, 1> one{information_loss(5)};
  EXPECT_DOUBLE_EQ(information_loss(one, 7), 0.1);
  EXPECT_DOUBLE_EQ(information_loss(one, 0), 0.8);
  const std::array<double, 2> two{information_loss(2), information_loss(4)};
  EXPECT_DOUBLE_EQ(information_loss(two, 3), 0.25);
  EXPECT_EQ(information_loss(std::span<const double>(), 3), 0);
}

}  // namespace
}  // namespace semveil::test
