#include "support/slow_cells.h"

#include <algorithm>
#include <limits>
#include <set>

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

std::uint64_t persons_of(const CellTable& table, const std::vector<std::size_t>& units) {
  std::set<std::uint32_t> persons;
  for (const std::size_t u : units) {
    persons.insert(table.persons.of(u).begin(), table.persons.of(u).end());
  }
  return persons.size();
}

// r_v of the first sensitive column.
std::map<Code, std::uint64_t> values_of(const CellTable& table,
                                        const std::vector<std::size_t>& units) {
  std::map<Code, std::set<std::uint32_t>> whose;
  std::map<Code, std::uint64_t> r;
  for (const std::size_t u : units) {
    for (const CellValue& value : table.values[u][0]) {
      whose[value.place].insert(value.person);
      r[value.place] += value.count;
    }
  }
  for (auto& [place, count] : r) {
    if (table.persons.are_told()) count = whose[place].size();
  }
  return r;
}

struct Search {
  const CellTable& table;
  bool wildcards;
  const SlowDemand& demand;
  double least;
  std::vector<ColumnSet> emptied;

  void go(std::size_t u, double cost) {
    if (cost >= least) return;
    if (u == table.size()) {
      if (has_k(table, emptied, wildcards, demand)) least = cost;
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

bool has_k(const CellTable& table, const std::vector<ColumnSet>& emptied, bool wildcards,
           const SlowDemand& demand) {
  for (std::size_t u = 0; u < table.size(); ++u) {
    std::uint64_t records = 0;
    for (std::size_t v = 0; v < table.size(); ++v) {
      if (are_alike(table, u, emptied[u], v, emptied[v], wildcards)) records += table.counts[v];
    }
    if (records < table.k) return false;  // nobody has less than one record
  }
  if (!table.persons.are_told() && !demand) return true;
  for (std::size_t u = 0; u < table.size(); ++u) {
    std::vector<std::size_t> alike;
    for (std::size_t v = 0; v < table.size(); ++v) {
      if (are_alike(table, u, emptied[u], v, emptied[v], wildcards)) alike.push_back(v);
    }
    if (table.persons.are_told() && persons_of(table, alike) < table.k) return false;
    if (demand && !demand(values_of(table, alike))) return false;
  }
  return true;
}

double least_cost(const CellTable& table, bool wildcards, double known, const SlowDemand& demand) {
  Search search{table, wildcards, demand, known + 1e-6, std::vector<ColumnSet>(table.size())};
  search.go(0, 0);
  return std::min(known, search.least);
}

double cost_of_whole_records(const CellTable& table, bool wildcards, const SlowDemand& demand) {
  const ColumnSet all = (ColumnSet{1} << table.width) - 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << table.size(); ++chosen) {
    std::vector<ColumnSet> emptied;
    for (std::size_t u = 0; u < table.size(); ++u) {
      emptied.push_back((chosen >> u & 1U) != 0 ? all : missing_cells(table, u));
    }
    if (has_k(table, emptied, wildcards, demand)) least = std::min(least, cost_of(table, emptied));
  }
  return least;
}

}  // namespace semveil::test
