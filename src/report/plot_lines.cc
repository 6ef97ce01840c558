// Curves of a repeated experiment, and the map of risk and loss.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot.h"

namespace semveil::report {
namespace {

constexpr double kAreaLeft = 50;
constexpr double kRight = kWidth - 14;
constexpr double kAreaTop = 12;

struct Axis {
  double low = 0, high = 1, from = 0, to = 1;
  bool log = false;
  double at(double value) const {
    if (log) {
      return from +
             (std::log2(value) - std::log2(low)) / (std::log2(high) - std::log2(low)) * (to - from);
    }
    return from + (value - low) / (high - low) * (to - from);
  }
};

Axis axis_of(double low, double high, double from, double to, bool log) {
  if (!std::isfinite(low) || !std::isfinite(high) || low > high) low = 0, high = 1;
  if (log && low <= 0) log = false;
  if (low == high) {
    high = log ? low * 2 : low + (low == 0 ? 1 : std::abs(low));
  }
  return {low, high, from, to, log};
}

// From 0 where that costs little room, with a little air at the other end.
Axis value_axis(double low, double high, double from, double to) {
  if (low > 0 && low < high * 0.7) low = 0;
  const double air = (high - low) * 0.06;
  return axis_of(low == 0 ? 0 : low - air, high + air, from, to, false);
}

void draw_y(Canvas& canvas, const Axis& y) {
  for (const double tick : ticks(y.low, y.high, 5)) {
    canvas.line(kAreaLeft, y.at(tick), kRight, y.at(tick), "grid");
    canvas.text(kAreaLeft - 5, y.at(tick) + 4, tick_text(tick), "t small", Anchor::kEnd);
  }
  canvas.text(4, 10, "", "t");
}

bool drawable(double x, double y, bool log) {
  return std::isfinite(x) && std::isfinite(y) && (!log || x > 0);
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

}  // namespace

Html lines_plot(const ReproducedFigure& figure) {
  Range across;
  Range up;
  std::vector<std::string> names;
  std::vector<double> places;
  bool theirs = false;
  for (const ReproducedFigure::Curve& curve : figure.curves) {
    if (std::find(names.begin(), names.end(), curve.name) == names.end()) {
      names.push_back(curve.name);
    }
    theirs = theirs || curve.theirs;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!drawable(curve.x[i], curve.y[i], figure.log_x)) continue;
      across.add(curve.x[i]);
      up.add(curve.y[i]);
      places.push_back(curve.x[i]);
    }
  }
  if (places.empty()) return {};
  constexpr double kFloor = 220;
  constexpr double kLegend = 16;
  Canvas canvas(kFloor + 40 + kLegend * static_cast<double>(names.size() + (theirs ? 1 : 0)) + 4,
                figure.title);
  const Axis x = axis_of(across.low, across.high, kAreaLeft + 6, kRight - 6, figure.log_x);
  const Axis y = value_axis(up.low, up.high, kFloor, kAreaTop);
  draw_y(canvas, y);
  canvas.line(kAreaLeft, kFloor, kRight, kFloor, "axis");
  // Where there are points, as far as their names do not touch.
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  double free_from = 0;
  for (const double place : places) {
    const std::string words = tick_text(place);
    const double half = static_cast<double>(columns_of(words)) * kLetter / 2;
    if (x.at(place) - half < free_from) continue;
    canvas.line(x.at(place), kFloor, x.at(place), kFloor + 3, "axis");
    canvas.text(x.at(place), kFloor + 15, words, "t small", Anchor::kMiddle);
    free_from = x.at(place) + half + 4;
  }
  canvas.text((kAreaLeft + kRight) / 2, kFloor + 32,
              figure.x + (figure.log_x ? " (log scale)" : ""), "t", Anchor::kMiddle);
  for (const ReproducedFigure::Curve& curve : figure.curves) {
    const auto series =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), curve.name) - names.begin());
    std::vector<Point> points;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!drawable(curve.x[i], curve.y[i], figure.log_x)) continue;
      points.emplace_back(x.at(curve.x[i]), y.at(curve.y[i]));
    }
    if (curve.theirs) {
      canvas.polyline(points, "curve theirs", series);
    } else {
      canvas.polyline(points, "curve", series);
    }
    for (const Point& point : points) {
      if (curve.theirs) {
        canvas.mark(point.first, point.second, 3, "mark hollow", series, curve.name);
      } else {
        canvas.mark(point.first, point.second, 3, "mark", series, curve.name);
      }
    }
  }
  double row = kFloor + 50;
  for (std::size_t i = 0; i < names.size(); ++i, row += kLegend) {
    canvas.polyline({{kAreaLeft, row - 4}, {kAreaLeft + 26, row - 4}}, "curve", i);
    canvas.mark(kAreaLeft + 13, row - 4, 3, "mark", i, names[i]);
    canvas.text(kAreaLeft + 34, row, names[i], "t");
  }
  if (theirs) {
    canvas.line(kAreaLeft, row - 4, kAreaLeft + 26, row - 4, "dashed");
    canvas.text(kAreaLeft + 34, row, "dashed: as the paper prints it", "t");
  }
  return canvas.html();
}

Html map_plot(std::string_view title, std::string_view risk, std::string_view loss,
              std::span<const MapPoint> points) {
  Range across;
  Range up;
  for (const MapPoint& point : points) {
    if (!drawable(point.risk, point.loss, false)) continue;
    across.add(point.loss);
    up.add(point.risk);
  }
  if (across.low > across.high) return {};
  constexpr double kFloor = 262;
  Canvas canvas(kFloor + 38, title);
  const Axis x = value_axis(std::min(across.low, 0.0), across.high, kAreaLeft + 6, kRight - 6);
  const Axis y = value_axis(std::min(up.low, 0.0), up.high, kFloor, kAreaTop + 18);
  draw_y(canvas, y);
  for (const double tick : ticks(x.low, x.high, 5)) {
    canvas.line(x.at(tick), kAreaTop + 18, x.at(tick), kFloor, "grid");
    canvas.text(x.at(tick), kFloor + 15, tick_text(tick), "t small", Anchor::kMiddle);
  }
  canvas.line(kAreaLeft, kFloor, kRight, kFloor, "axis");
  canvas.line(kAreaLeft, kAreaTop + 18, kAreaLeft, kFloor, "axis");
  canvas.text(4, 14, fmt::format("↑ {}", risk), "t");
  canvas.text(kRight, kFloor + 33, fmt::format("{} →", loss), "t", Anchor::kEnd);

  struct Box {
    double left, top, right, bottom;
    bool meets(const Box& other) const {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
  };
  std::vector<Box> taken;
  std::vector<const MapPoint*> best;
  for (const MapPoint& point : points) {
    if (!drawable(point.risk, point.loss, false)) continue;
    const double px = x.at(point.loss);
    const double py = y.at(point.risk);
    taken.push_back({px - 4, py - 4, px + 4, py + 4});
    if (point.not_dominated) {
      best.push_back(&point);
    } else {
      canvas.mark(px, py, 3.5, "mark other", 0, point.label);
    }
  }
  std::stable_sort(best.begin(), best.end(), [](const MapPoint* a, const MapPoint* b) {
    return a->loss != b->loss ? a->loss < b->loss : a->risk > b->risk;
  });
  std::vector<Point> front;
  for (const MapPoint* point : best) front.emplace_back(x.at(point->loss), y.at(point->risk));
  canvas.polyline(front, "curve front", 1);
  for (std::size_t i = 0; i < best.size(); ++i) {
    const auto [px, py] = front[i];
    canvas.mark(px, py, 4.5, "mark", 1, best[i]->label);
  }
  constexpr std::size_t kLongestName = 24;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const auto [px, py] = front[i];
    const double width =
        static_cast<double>(std::min(columns_of(best[i]->label), kLongestName)) * kLetter + 2;
    // Right of the point, left, above, below: the first place that is free.
    for (const auto& [left, base] :
         {Point{px + 8, py + 4}, Point{px + 4, py - 8}, Point{px - 8 - width, py + 4},
          Point{px + 4, py + 16}, Point{px - 4 - width, py - 8}, Point{px - 4 - width, py + 16}}) {
      const Box box{left, base - 10, left + width, base + 3};
      const bool outside =
          box.left < kAreaLeft + 2 || box.right > kWidth || box.top < 18 || box.bottom > kFloor;
      if (outside || std::any_of(taken.begin(), taken.end(),
                                 [&](const Box& other) { return box.meets(other); })) {
        continue;
      }
      taken.push_back(box);
      canvas.text(left, base, best[i]->label, "t small", Anchor::kStart, width);
      break;
    }
  }
  return canvas.html();
}

}  // namespace semveil::report
