#include "mechanisms/generalize/cell_suppression.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "mechanisms/generalize/cell_tally.h"

namespace semveil {

ColumnSet missing_cells(const CellTable& table, std::size_t u) {
  ColumnSet missing = 0;
  for (std::size_t j = 0; j < table.width; ++j) {
    if (table.cell(u, j) == kMissing) missing |= ColumnSet{1} << j;
  }
  return missing;
}

double cost_of(const CellTable& table, ColumnSet emptied, ColumnSet missing) {
  double cost = 0;
  for (std::size_t j = 0; j < table.width; ++j) {
    if (((emptied & ~missing) >> j & 1U) != 0) cost += table.weights[j];
  }
  return cost;
}

double cost_of(const CellTable& table, const std::vector<ColumnSet>& emptied) {
  double cost = 0;
  for (std::size_t u = 0; u < table.size(); ++u) {
    cost +=
        static_cast<double>(table.counts[u]) * cost_of(table, emptied[u], missing_cells(table, u));
  }
  return cost;
}

bool holds_together(const CellTable& table) {
  CellTally all(table);
  for (std::uint32_t u = 0; u < table.size(); ++u) all.add(u);
  return all.holds();
}

std::vector<ColumnSet> patterns_of(const CellTable& table) {
  const std::size_t width = table.width;
  const ColumnSet all = (ColumnSet{1} << width) - 1;
  std::vector<ColumnSet> patterns{0};
  // All sets of one size more, as long as they are few enough.
  std::vector<ColumnSet> last = patterns;
  for (std::size_t size = 1; size < width; ++size) {
    std::vector<ColumnSet> next;
    for (const ColumnSet set : last) {
      for (std::size_t j = static_cast<std::size_t>(std::bit_width(set)); j < width; ++j) {
        next.push_back(set | ColumnSet{1} << j);
      }
    }
    if (patterns.size() + next.size() > kMostPatterns) break;
    patterns.insert(patterns.end(), next.begin(), next.end());
    last = std::move(next);
  }
  patterns.push_back(all);
  std::ranges::sort(patterns, {},
                    [&](ColumnSet set) { return std::pair(cost_of(table, set, 0), set); });
  return patterns;
}

}  // namespace semveil
