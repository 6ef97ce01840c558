// The least that local suppression can cost, by trying every set of cells of every combination.
#pragma once

#include <functional>
#include <map>

#include "mechanisms/generalize/cell_suppression.h"

namespace semveil::test {

// What is demanded of a class: r_v (records or persons) by value, counted from scratch.
using SlowDemand = std::function<bool(const std::map<Code, std::uint64_t>&)>;

// Whether every combination has k records or persons, and what is demanded of the first sensitive
// column, the columns `emptied` being empty.
bool has_k(const CellTable& table, const std::vector<ColumnSet>& emptied, bool wildcards,
           const SlowDemand& demand = nullptr);
// `known`: a cost that can be had; nothing dearer is tried.
double least_cost(const CellTable& table, bool wildcards, double known,
                  const SlowDemand& demand = nullptr);
// What emptying whole records costs: those with fewer than k alike and, if these are fewer than k
// and empty cells are a value, the cheapest others that make them k.
double cost_of_whole_records(const CellTable& table, bool wildcards,
                             const SlowDemand& demand = nullptr);

}  // namespace semveil::test
