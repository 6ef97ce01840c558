// Heat maps of figures by pairs of columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot.h"

namespace semveil::report {
namespace {

constexpr double kMatrixNames = 118;
constexpr std::size_t kMostFigures = 6;  // columns up to which a cell has room for its figure

}  // namespace

Html heat_plot(std::string_view title, const Matrix& matrix, HeatScale scale) {
  const std::size_t n = matrix.names.size();
  if (n == 0 || matrix.cells.size() != n * n) return {};
  constexpr double kTop = 18;
  const double side = std::min((kWidth - kMatrixNames - 2) / static_cast<double>(n), 40.0);
  Canvas canvas(kTop + side * static_cast<double>(n) + 2, title);
  // Differences are small: the greatest has the full colour, but for what nobody should look at.
  double full = 1;
  if (scale == HeatScale::kDifference) {
    full = 0.1;
    for (const std::optional<double>& cell : matrix.cells) {
      if (cell && std::isfinite(*cell)) full = std::max(full, std::abs(*cell));
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double y = kTop + side * static_cast<double>(i);
    // Columns are named by the numbers of their rows: no letters stand on their heads.
    const std::string number = std::to_string(i + 1);
    canvas.text(14, y + side / 2 + 4, number, "t small", Anchor::kEnd);
    canvas.text(20, y + side / 2 + 4, matrix.names[i], "t", Anchor::kStart, kMatrixNames - 24);
    canvas.text(kMatrixNames + side * (static_cast<double>(i) + 0.5), 12, number, "t small",
                Anchor::kMiddle);
    for (std::size_t j = 0; j < n; ++j) {
      const double x = kMatrixNames + side * static_cast<double>(j);
      const std::optional<double>& cell = matrix.cells[i * n + j];
      const std::string tip =
          fmt::format("{} and {}: {}", matrix.names[i], matrix.names[j], digits(cell));
      canvas.rect(x + 0.5, y + 0.5, side - 1, side - 1, "track");
      if (!cell || !std::isfinite(*cell)) continue;
      const double strength = std::min(std::abs(*cell) / full, 1.0);
      if (scale == HeatScale::kDifference && *cell < 0) {
        canvas.rect(x + 0.5, y + 0.5, side - 1, side - 1, "less", strength, tip);
      } else if (scale == HeatScale::kDifference) {
        canvas.rect(x + 0.5, y + 0.5, side - 1, side - 1, "more", strength, tip);
      } else {
        canvas.rect(x + 0.5, y + 0.5, side - 1, side - 1, "heat", strength, tip);
      }
      if (n > kMostFigures) continue;
      const std::string figure = fmt::format("{:.2f}", std::abs(*cell));
      const std::string sign = scale == HeatScale::kShare || figure == "0.00" ? ""
                               : *cell < 0                                    ? "−"
                                                                              : "+";
      // "0.25" in a narrow cell is ".25".
      const std::string shown =
          sign + (figure.front() == '0' && figure != "0.00" ? figure.substr(1) : figure);
      const double middle = x + side / 2;
      const double base = y + side / 2 + 4;
      if (strength > 0.55) {
        canvas.text(middle, base, shown, "t small on", Anchor::kMiddle);
      } else {
        canvas.text(middle, base, shown, "t small", Anchor::kMiddle);
      }
    }
  }
  return canvas.html();
}

}  // namespace semveil::report
