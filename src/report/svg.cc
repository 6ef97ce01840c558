#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace semveil::report {
namespace {

Html coordinate(double value, double most) {
  if (!std::isfinite(value)) value = 0;
  return text(fmt::format("{:.1f}", std::clamp(value, 0.0, most) + 0.0));
}

Html series_class(std::size_t series) { return text(fmt::format("s{}", series % kSeries)); }

}  // namespace

Canvas::Canvas(double height, std::string_view title)
    : height_(std::isfinite(height) ? std::max(height, 1.0) : 1.0),
      title_(report::text(title, 2 * kLongest)) {}

Html Canvas::x(double value) const { return coordinate(value, kWidth); }
Html Canvas::y(double value) const { return coordinate(value, height_); }

void Canvas::rect(double x, double y, double width, double height, Markup style, double opacity,
                  std::string_view tip) {
  const double left = std::clamp(std::isfinite(x) ? x : 0.0, 0.0, kWidth);
  const double top = std::clamp(std::isfinite(y) ? y : 0.0, 0.0, height_);
  body_ << "<rect x=\"" << this->x(left) << "\" y=\"" << this->y(top) << "\" width=\""
        << coordinate(width, kWidth - left) << "\" height=\"" << coordinate(height, height_ - top)
        << "\" class=\"" << style << "\"";
  if (opacity < 1) {
    body_ << " fill-opacity=\"" << report::text(fmt::format("{:.2f}", std::max(opacity, 0.0)))
          << "\"";
  }
  if (tip.empty()) {
    body_ << "/>";
  } else {
    body_ << "><title>" << report::text(tip, kLongest) << "</title></rect>";
  }
}

void Canvas::line(double x1, double y1, double x2, double y2, Markup style) {
  body_ << "<line x1=\"" << x(x1) << "\" y1=\"" << y(y1) << "\" x2=\"" << x(x2) << "\" y2=\""
        << y(y2) << "\" class=\"" << style << "\"/>";
}

void Canvas::polyline(const std::vector<Point>& points, Markup style, std::size_t series) {
  if (points.size() < 2) return;
  body_ << "<polyline class=\"" << style << " " << series_class(series) << "\" points=\"";
  for (const Point& point : points) body_ << x(point.first) << "," << y(point.second) << " ";
  body_ << "\"/>";
}

void Canvas::mark(double cx, double cy, double radius, Markup style, std::size_t series,
                  std::string_view tip) {
  const double px = std::clamp(std::isfinite(cx) ? cx : 0.0, radius, kWidth - radius);
  const double py = std::clamp(std::isfinite(cy) ? cy : 0.0, radius, height_ - radius);
  const double r = radius;
  std::vector<Point> corners;
  switch (series % 4) {
    case 1:
      corners = {{-r, -r}, {r, -r}, {r, r}, {-r, r}};
      break;
    case 2:
      corners = {{0, -r}, {r, r}, {-r, r}};
      break;
    case 3:
      corners = {{0, -r}, {r, 0}, {0, r}, {-r, 0}};
      break;
    default:
      break;
  }
  if (corners.empty()) {
    body_ << "<circle cx=\"" << x(px) << "\" cy=\"" << y(py) << "\" r=\"" << coordinate(r, kWidth)
          << "\"";
  } else {
    body_ << "<polygon points=\"";
    for (const Point& corner : corners) {
      body_ << x(px + corner.first) << "," << y(py + corner.second) << " ";
    }
    body_ << "\"";
  }
  body_ << " class=\"" << style << " " << series_class(series) << "\"><title>"
        << report::text(tip, kLongest) << "</title>";
  body_ << (corners.empty() ? Html("</circle>") : Html("</polygon>"));
}

void Canvas::text(double tx, double ty, std::string_view words, Markup style, Anchor anchor,
                  double room) {
  tx = std::clamp(std::isfinite(tx) ? tx : 0.0, 0.0, kWidth);
  double most = kWidth - tx;
  if (anchor == Anchor::kEnd) most = tx;
  if (anchor == Anchor::kMiddle) most = 2 * std::min(tx, kWidth - tx);
  most = std::min(most, room);
  const double ends = std::max(std::floor(most / kLetter), 1.0);
  body_ << "<text x=\"" << x(tx) << "\" y=\"" << y(ty) << "\" class=\"" << style << "\"";
  if (anchor == Anchor::kMiddle) body_ << " text-anchor=\"middle\"";
  if (anchor == Anchor::kEnd) body_ << " text-anchor=\"end\"";
  body_ << ">" << report::text(words, static_cast<std::size_t>(ends)) << "</text>";
}

Html Canvas::html() const {
  Html out;
  out << "<svg viewBox=\"0 0 " << coordinate(kWidth, kWidth) << " " << coordinate(height_, height_)
      << "\" role=\"img\" aria-label=\"" << title_ << "\"><title>" << title_ << "</title>" << body_
      << "</svg>";
  return out;
}

std::vector<double> ticks(double low, double high, std::size_t about) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double raw = (high - low) / static_cast<double>(std::max<std::size_t>(about, 1));
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = power * 10;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.999) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> out;
  const double first = std::ceil(low / step - 1e-9);
  for (double i = first; i * step <= high + step * 1e-9 && out.size() < 50; ++i) {
    out.push_back(i * step + 0.0);
  }
  return out;
}

std::string tick_text(double value) {
  if (std::abs(value) >= 1000) return digits(value);
  const std::string text = fmt::format("{:.3g}", value);
  return text.front() == '-' ? "−" + text.substr(1) : text;
}

}  // namespace semveil::report
