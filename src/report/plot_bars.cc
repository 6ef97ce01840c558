// Bars: distributions before and after, histograms of distances, gauges of risk.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot.h"

namespace semveil::report {
namespace {

constexpr double kRowNames = 128;  // room for the names of rows
constexpr double kFigures = 52;    // and for their figures

double share(double value) { return std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 0; }

void legend(Canvas& canvas) {
  canvas.rect(kRowNames, 3, 10, 8, "before");
  canvas.text(kRowNames + 14, 11, "before", "t");
  canvas.rect(kRowNames + 74, 3, 10, 8, "after");
  canvas.text(kRowNames + 88, 11, "after", "t");
}

}  // namespace

Html bars_plot(std::string_view title, std::span<const PairedBar> bars) {
  constexpr double kRow = 28;
  constexpr double kTop = 20;
  Canvas canvas(kTop + kRow * static_cast<double>(bars.size()) + 2, title);
  legend(canvas);
  double most = 1e-9;
  for (const PairedBar& bar : bars) {
    if (!bar.is_pool) most = std::max({most, share(bar.before), share(bar.after)});
  }
  const double room = kWidth - kRowNames - kFigures;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const PairedBar& bar = bars[i];
    const double y = kTop + kRow * static_cast<double>(i);
    canvas.text(kRowNames - 6, y + 16, bar.label, "t", Anchor::kEnd);
    if (bar.is_pool) {
      canvas.text(kRowNames + 4, y + 16,
                  fmt::format("together {} → {}", percent(bar.before), percent(bar.after)),
                  "t small");
      continue;
    }
    const double before = share(bar.before) / most * room;
    const double after = share(bar.after) / most * room;
    canvas.rect(kRowNames, y + 2, before, 10, "before");
    canvas.rect(kRowNames, y + 13, after, 10, "after");
    canvas.text(kRowNames + before + 4, y + 11, percent(bar.before), "t small");
    canvas.text(kRowNames + after + 4, y + 22, percent(bar.after), "t small");
  }
  canvas.line(kRowNames, kTop, kRowNames, canvas.height() - 2, "axis");
  return canvas.html();
}

Html histogram_plot(std::string_view title, std::string_view x,
                    std::span<const std::uint64_t> counts) {
  constexpr double kHeight = 190;
  constexpr double kLeft = 48;
  constexpr double kTop = 10;
  constexpr double kFloor = kHeight - 36;
  Canvas canvas(kHeight, title);
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  for (const std::uint64_t count : counts) {
    all += count;
    most = std::max(most, count);
  }
  const double greatest =
      all == 0 ? 1 : static_cast<double>(most) / static_cast<double>(all) * 1.05;
  const double room = kWidth - kLeft - 12;
  for (const double tick : ticks(0, greatest, 4)) {
    const double y = kFloor - tick / greatest * (kFloor - kTop);
    canvas.line(kLeft, y, kLeft + room, y, "grid");
    canvas.text(kLeft - 5, y + 4, fmt::format("{:.3g} %", tick * 100), "t small", Anchor::kEnd);
  }
  const double step = counts.empty() ? room : room / static_cast<double>(counts.size());
  for (std::size_t i = 0; i < counts.size() && all != 0; ++i) {
    const double part = static_cast<double>(counts[i]) / static_cast<double>(all);
    const double height = part / greatest * (kFloor - kTop);
    const auto bins = static_cast<double>(counts.size());
    canvas.rect(kLeft + step * static_cast<double>(i) + 0.5, kFloor - height, step - 1, height,
                "after", 1,
                fmt::format("{:.2f} to {:.2f}: {}", static_cast<double>(i) / bins,
                            static_cast<double>(i + 1) / bins, percent(part)));
  }
  canvas.line(kLeft, kFloor, kLeft + room, kFloor, "axis");
  for (const double tick : ticks(0, 1, 5)) {
    canvas.text(kLeft + tick * room, kFloor + 14, tick_text(tick), "t small", Anchor::kMiddle);
  }
  canvas.text(kLeft + room / 2, kHeight - 5, x, "t", Anchor::kMiddle);
  return canvas.html();
}

Html gauges_plot(std::string_view title, std::span<const Gauge> gauges) {
  constexpr double kRow = 38;
  constexpr double kLeft = 6;
  Canvas canvas(kRow * static_cast<double>(gauges.size()) + 20, title);
  const double room = kWidth - kLeft - 12;
  for (std::size_t i = 0; i < gauges.size(); ++i) {
    const Gauge& gauge = gauges[i];
    const double y = kRow * static_cast<double>(i);
    canvas.text(kLeft, y + 13, gauge.label, "t", Anchor::kStart, room - 70);
    canvas.text(kLeft + room, y + 13, percent(gauge.value), "t strong", Anchor::kEnd);
    canvas.rect(kLeft, y + 19, room, 10, "track");
    canvas.rect(kLeft, y + 19, share(gauge.value) * room, 10, "risk");
    if (gauge.interval) {
      const double low = kLeft + share(gauge.interval->low) * room;
      const double high = kLeft + share(gauge.interval->high) * room;
      canvas.line(low, y + 24, high, y + 24, "whisker");
      canvas.line(low, y + 20, low, y + 28, "whisker");
      canvas.line(high, y + 20, high, y + 28, "whisker");
    }
    if (gauge.reference) {
      const double at = kLeft + share(*gauge.reference) * room;
      canvas.line(at, y + 16, at, y + 32, "reference");
    }
  }
  const double floor = kRow * static_cast<double>(gauges.size());
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const Anchor anchor = tick == 0 ? Anchor::kStart : tick == 1 ? Anchor::kEnd : Anchor::kMiddle;
    canvas.text(kLeft + tick * room, floor + 12, fmt::format("{:.0f} %", tick * 100), "t small",
                anchor);
  }
  return canvas.html();
}

}  // namespace semveil::report
