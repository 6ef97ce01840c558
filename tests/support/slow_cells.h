// The least that local suppression can cost, by trying every set of cells of every combination.
#pragma once

#include "mechanisms/generalize/cell_suppression.h"

namespace semveil::test {

// Whether every combination has k records, the columns `emptied` being empty.
bool has_k(const CellTable& table, const std::vector<ColumnSet>& emptied, bool wildcards);
// `known`: a cost that can be had; nothing dearer is tried.
double least_cost(const CellTable& table, bool wildcards, double known);
// What emptying whole records costs: those with fewer than k alike and, if these are fewer than k
// and empty cells are a value, the cheapest others that make them k.
double cost_of_whole_records(const CellTable& table, bool wildcards);

}  // namespace semveil::test
