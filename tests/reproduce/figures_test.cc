// Claims decided by curves: hand-made figures on both sides of each rule.
#include "reproduce/figures.h"

#include <gtest/gtest.h>

#include <array>

namespace semveil::test {
namespace {

using reproduction::add_ours;
using reproduction::add_theirs;
using reproduction::Reading;
using reproduction::Verdict;

constexpr std::array<double, 3> kX{2, 5, 10};

ReproducedFigure sample_figure() {
  ReproducedFigure figure;
  add_theirs(figure, "rising", kX, std::array<double, 3>{9, 8, 7});  // not ours: decides nothing
  add_ours(figure, "rising", kX, std::array<double, 3>{0.1, 0.2, 0.3});
  add_ours(figure, "dipping", kX, std::array<double, 3>{0.1, 0.09, 0.3});
  add_ours(figure, "level", kX, std::array<double, 3>{0.4, 0.4, 0.4});
  add_ours(figure, "falling", kX, std::array<double, 3>{0.3, 0.2, 0.1});
  return figure;
}

TEST(Figures, KeepWhoseACurveIs) {
  const ReproducedFigure figure = sample_figure();
  ASSERT_EQ(figure.curves.size(), 5);
  EXPECT_TRUE(figure.curves[0].theirs);
  EXPECT_FALSE(figure.curves[1].theirs);
  EXPECT_EQ(figure.curves[1].x, (std::vector<double>{2, 5, 10}));
  EXPECT_EQ(figure.curves[1].y, (std::vector<double>{0.1, 0.2, 0.3}));
}

TEST(Figures, GrowAndFallWithinTheTolerance) {
  const ReproducedFigure figure = sample_figure();
  const Reading strict(figure, "k", 0.001);
  const Reading loose(figure, "k", 0.01 + 1e-9);
  EXPECT_TRUE(strict.grow({"rising"}).holds);
  EXPECT_FALSE(strict.fall({"rising"}).holds);
  EXPECT_TRUE(strict.fall({"falling"}).holds);
  EXPECT_FALSE(strict.grow({"dipping"}).holds);
  EXPECT_TRUE(loose.grow({"dipping"}).holds);
  EXPECT_FALSE(loose.grow({"level"}).holds);  // neither grows nor falls in all
  EXPECT_FALSE(loose.fall({"level"}).holds);
  EXPECT_FALSE(strict.grow({"rising", "falling"}).holds);  // all of them, or it does not hold
  EXPECT_EQ(strict.grow({"rising"}).figures, "rising: k 2: 0.100; k 5: 0.200; k 10: 0.300");
}

TEST(Figures, BelowAtEveryPlaceAndByAShare) {
  const ReproducedFigure figure = sample_figure();
  const Reading read(figure, "k", 0.001);
  EXPECT_TRUE(read.below({"rising", "falling"}, {"level"}).holds);
  EXPECT_FALSE(read.below({"level"}, {"rising"}).holds);
  // Equal means, but above it at one end.
  EXPECT_FALSE(read.below({"rising"}, {"falling"}).holds);
  // Means 0.2 and 0.4.
  EXPECT_DOUBLE_EQ(read.mean("rising"), 0.2);
  EXPECT_TRUE(read.below({"rising"}, {"level"}, 0.51).holds);
  EXPECT_FALSE(read.below({"rising"}, {"level"}, 0.49).holds);
  EXPECT_FALSE(read.below({"rising"}, {"level", "falling"}, 0.51).holds);
}

TEST(Figures, HoldTogetherOnlyWhereEachHolds) {
  const std::array both{Verdict{true, "one"}, Verdict{false, "two"}};
  EXPECT_FALSE(reproduction::all_hold(both).holds);
  EXPECT_EQ(reproduction::all_hold(both).figures, "one. two");
  EXPECT_TRUE(reproduction::all_hold(std::span(both).first(1)).holds);
}

}  // namespace
}  // namespace semveil::test
