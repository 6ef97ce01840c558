// The drawings of a report. Each shows figures that also stand in a table beside it.
//
// Nothing is told by colour alone: before and after differ in texture of position and legend,
// curves in their marks, gains and losses in their signs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/svg.h"
#include "semveil/audit.h"
#include "semveil/reproduce.h"

namespace semveil::report {

// Two bars a value, one below the other.
struct PairedBar {
  std::string label;
  double before = 0, after = 0;
  bool is_pool = false;  // several values: only figures, for a bar would make all others small
};
Html bars_plot(std::string_view title, std::span<const PairedBar> bars);

// Records by bins of [0, 1].
Html histogram_plot(std::string_view title, std::string_view x,
                    std::span<const std::uint64_t> counts);

// By row, then column; nothing where undefined.
struct Matrix {
  std::vector<std::string> names;
  std::vector<std::optional<double>> cells;
};
enum class HeatScale : std::uint8_t { kShare, kDifference };  // 0 … 1, or around 0
Html heat_plot(std::string_view title, const Matrix& matrix, HeatScale scale);

// The paper's curves dashed, ours solid; curves of one name have one colour.
Html lines_plot(const ReproducedFigure& figure);

// Loss to the right, risk upwards, as in the text of `compare`. Those that are not dominated are
// joined by a line and named where there is room.
struct MapPoint {
  std::string label;
  double risk = 0, loss = 0;
  bool not_dominated = false;
};
Html map_plot(std::string_view title, std::string_view risk, std::string_view loss,
              std::span<const MapPoint> points);

// The root to the left, heights to the right down to 0; empty where the nodes are no tree.
Html tree_plot(std::string_view title, std::span<const ClusterNode> nodes);

// Shares between 0 and 1: a bar, its interval, and a mark to compare it with.
struct Gauge {
  std::string label;
  double value = 0;
  std::optional<Interval> interval;
  std::optional<double> reference;
};
Html gauges_plot(std::string_view title, std::span<const Gauge> gauges);

}  // namespace semveil::report
