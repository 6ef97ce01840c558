// Whatever is drawn lies inside its picture.
#include "report/plot.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <regex>

#include "support/sample_audit.h"

namespace semveil::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// Every coordinate of a drawing, and the view box.
void expect_inside(const Html& drawing) {
  const std::string& svg = drawing.str();
  std::smatch box;
  ASSERT_TRUE(std::regex_search(svg, box, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")));
  const double width = std::stod(box[1]);
  const double height = std::stod(box[2]);
  const auto expect_all = [&](const char* pattern, double most) {
    const std::regex finder(pattern);
    for (std::sregex_iterator at(svg.begin(), svg.end(), finder), end; at != end; ++at) {
      const std::string number = (*at)[1];
      ASSERT_TRUE(std::regex_match(number, std::regex("[0-9]+\\.[0-9]"))) << at->str();
      EXPECT_LE(std::stod(number), most + 0.05) << at->str();
    }
  };
  expect_all(" (?:x|x1|x2|cx|width)=\"([^\"]*)\"", width);
  expect_all(" (?:y|y1|y2|cy|height)=\"([^\"]*)\"", height);
  const std::regex points("points=\"([^\"]*)\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), points), end; at != end; ++at) {
    const std::string all = (*at)[1];
    const std::regex pair("(\\S+),(\\S+) ");
    for (std::sregex_iterator p(all.begin(), all.end(), pair); p != end; ++p) {
      EXPECT_LE(std::stod((*p)[1]), width + 0.05);
      EXPECT_LE(std::stod((*p)[2]), height + 0.05);
      EXPECT_GE(std::stod((*p)[1]), 0);
      EXPECT_GE(std::stod((*p)[2]), 0);
    }
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf\""), std::string::npos);
  EXPECT_NE(svg.find("<title>"), std::string::npos);
  EXPECT_NE(svg.find("aria-label=\""), std::string::npos);
}

TEST(Plots, OfOddFiguresLieInsideTheirPictures) {
  expect_inside(bars_plot("bars", std::vector<PairedBar>{{"a", 0.5, kNan}, {kEndless, 7, -1}}));
  expect_inside(bars_plot("none", {}));
  expect_inside(histogram_plot("histogram", "x", std::vector<std::uint64_t>{0, 0}));
  expect_inside(histogram_plot("histogram", "x", std::vector<std::uint64_t>{5, 0, 1}));
  expect_inside(gauges_plot(
      "gauges", std::vector<Gauge>{{"a", 2, Interval{-1, kInf}, kNan}, {kScript, 0.3, {}, {}}}));
  Matrix matrix{{"a", kEndless}, {1.0, kNan, std::nullopt, -kInf}};
  expect_inside(heat_plot("heat", matrix, HeatScale::kShare));
  expect_inside(heat_plot("heat", matrix, HeatScale::kDifference));
  expect_inside(map_plot("map", "risk", "loss",
                         std::vector<MapPoint>{{"a", 0, 0, true}, {"b", kNan, 1, true}}));
  expect_inside(map_plot("map", "risk", "loss",
                         std::vector<MapPoint>{{kScript, 1, 1, true}, {"b", 1e300, -1e9, false}}));
  ReproducedFigure figure{
      "lines", "k", "y", true, {{"a", false, {0, 1, 2, kNan}, {1, 2, kInf, 4}}}};
  expect_inside(lines_plot(figure));
  figure.curves[0] = {"flat", true, {3}, {0.5}};
  expect_inside(lines_plot(figure));
}

TEST(Plots, OfNothingAreLeftOut) {
  EXPECT_TRUE(heat_plot("heat", {}, HeatScale::kShare).empty());
  EXPECT_TRUE(map_plot("map", "r", "l", {}).empty());
  EXPECT_TRUE(lines_plot({}).empty());
  EXPECT_TRUE(tree_plot("tree", {}).empty());
}

TEST(Plots, OfTreesNeedATree) {
  expect_inside(tree_plot("tree", sample_tree(14)));
  expect_inside(tree_plot("tree", sample_tree(1)));
  std::vector<ClusterNode> twice = sample_tree(3);
  twice.back().left = 0;  // has a parent already
  EXPECT_TRUE(tree_plot("tree", twice).empty());
  std::vector<ClusterNode> outside = sample_tree(3);
  outside.back().right = 99;
  EXPECT_TRUE(tree_plot("tree", outside).empty());
}

TEST(Plots, NameTheBestOnTheMap) {
  const std::string map =
      map_plot("map", "risk", "loss",
               std::vector<MapPoint>{{"good", 0.1, 0.1, true}, {"bad", 0.5, 0.5, false}})
          .str();
  EXPECT_NE(map.find(">good</text>"), std::string::npos);
  EXPECT_EQ(map.find(">bad</text>"), std::string::npos);
  EXPECT_NE(map.find("<title>bad</title>"), std::string::npos);
}

TEST(Plots, DrawThePapersCurvesDashed) {
  const std::string lines =
      lines_plot({"f", "k", "y", true, {{"a", true, {1, 2}, {1, 2}}, {"a", false, {1, 2}, {2, 3}}}})
          .str();
  EXPECT_NE(lines.find("curve theirs s0"), std::string::npos);
  EXPECT_NE(lines.find("\"curve s0"), std::string::npos);
}

TEST(Ticks, AreRoundNumbersInsideTheRange) {
  EXPECT_THAT(ticks(0, 1, 5),
              testing::Pointwise(testing::DoubleNear(1e-12), {0., .2, .4, .6, .8, 1.}));
  EXPECT_THAT(ticks(0, 0.037, 4),
              testing::Pointwise(testing::DoubleNear(1e-12), {0., .01, .02, .03}));
  EXPECT_EQ(ticks(3, 3, 4).size(), 1U);
}

}  // namespace
}  // namespace semveil::report
