#include "support/slow_cells.h"

#include <algorithm>
#include <limits>

namespace semveil::test {
namespace {

bool is_empty(ColumnSet emptied, std::size_t j) { return (emptied >> j & 1U) != 0; }

bool are_alike(const CellTable& table, std::size_t u, ColumnSet of_u, std::size_t v, ColumnSet of_v,
               bool wildcards) {
  for (std::size_t j = 0; j < table.width; ++j) {
    const bool one = is_empty(of_u, j), other = is_empty(of_v, j);
    if (wildcards && (one || other)) continue;
    if (one != other) return false;
    if (!one && table.cell(u, j) != table.cell(v, j)) return false;
  }
  return true;
}

struct Search {
  const CellTable& table;
  bool wildcards;
  double least;
  std::vector<ColumnSet> emptied;

  void go(std::size_t u, double cost) {
    if (cost >= least) return;
    if (u == table.size()) {
      if (has_k(table, emptied, wildcards)) least = cost;
      return;
    }
    const ColumnSet missing = missing_cells(table, u);
    for (ColumnSet set = 0; set < ColumnSet{1} << table.width; ++set) {
      if ((missing & ~set) != 0) continue;
      emptied[u] = set;
      go(u + 1, cost + static_cast<double>(table.counts[u]) * cost_of(table, set, missing));
    }
  }
};

}  // namespace

bool has_k(const CellTable& table, const std::vector<ColumnSet>& emptied, bool wildcards) {
  for (std::size_t u = 0; u < table.size(); ++u) {
    std::uint64_t records = 0;
    for (std::size_t v = 0; v < table.size(); ++v) {
      if (are_alike(table, u, emptied[u], v, emptied[v], wildcards)) records += table.counts[v];
    }
    if (records < table.k) return false;
  }
  return true;
}

double least_cost(const CellTable& table, bool wildcards, double known) {
  Search search{table, wildcards, known + 1e-6, std::vector<ColumnSet>(table.size())};
  search.go(0, 0);
  return std::min(known, search.least);
}

double cost_of_whole_records(const CellTable& table, bool wildcards) {
  const ColumnSet all = (ColumnSet{1} << table.width) - 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << table.size(); ++chosen) {
    std::vector<ColumnSet> emptied;
    for (std::size_t u = 0; u < table.size(); ++u) {
      emptied.push_back((chosen >> u & 1U) != 0 ? all : missing_cells(table, u));
    }
    if (has_k(table, emptied, wildcards)) least = std::min(least, cost_of(table, emptied));
  }
  return least;
}

}  // namespace semveil::test
