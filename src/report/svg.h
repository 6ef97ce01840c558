// A drawing: SVG inside a page, without script, in colours of the style sheet.
//
// Whatever is asked for, what is drawn lies inside the view box and has finite coordinates: they
// are moved there, and texts are cut where they would leave it. Units are about one pixel on a
// telephone; a drawing is kWidth of them wide, so that its letters can be read there, and is never
// scaled up by much.
#pragma once

#include <utility>
#include <vector>

#include "report/html.h"

namespace semveil::report {

inline constexpr double kWidth = 360;
inline constexpr double kLetter = 6.7;     // units of an average column of text
inline constexpr std::size_t kSeries = 8;  // colours for curves: classes s0 … s7

enum class Anchor : std::uint8_t { kStart, kMiddle, kEnd };
using Point = std::pair<double, double>;

class Canvas {
 public:
  Canvas(double height, std::string_view title);

  // Classes are those of the style sheet; `opacity` is of the filling.
  void rect(double x, double y, double width, double height, Markup style, double opacity = 1,
            std::string_view tip = {});
  void line(double x1, double y1, double x2, double y2, Markup style);
  void polyline(const std::vector<Point>& points, Markup style, std::size_t series = 0);
  // One of four shapes by series, so that curves differ without colours, too.
  void mark(double x, double y, double radius, Markup style, std::size_t series = 0,
            std::string_view tip = {});
  // Cut at `room` units, and at the edge.
  void text(double x, double y, std::string_view text, Markup style, Anchor anchor = Anchor::kStart,
            double room = kWidth);

  double height() const { return height_; }
  Html html() const;

 private:
  Html x(double value) const;
  Html y(double value) const;
  double height_;
  Html title_, body_;
};

// Marks of an axis from 0 or `low` to `high`: 1, 2 or 5 times a power of ten apart.
std::vector<double> ticks(double low, double high, std::size_t about);
std::string tick_text(double value);

}  // namespace semveil::report
