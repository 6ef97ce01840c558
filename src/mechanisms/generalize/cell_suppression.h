// Local suppression: which cells to empty so that every record has k alike, and as little as can be
// is lost.
//
//   least Σ_j w_j · (cells emptied in column j), so that every combination has k records:
//   an empty cell is a value of its own, or (wildcards) matches everything
//
// Where persons are told, k counts the different persons of a class, or of what matches. A class
// that misses a demand is treated like one that is too small; with wildcards nothing is demanded,
// because matching combinations are no classes. Cells are of records all the same.
//
// Combinations that are alike are treated alike. A cell that is missing is empty already and costs
// nothing.
//
// Example: k = 2, (a, x) (a, x) (a, y) (b, y). With a value of its own: (a, x) (a, x) (-, y) (-,
// y), 2 cells. With wildcards (-, y) alone would do: it matches (b, y), and (b, y) matches it. But
// somebody who knows that y was b still finds one record: see `alone`.
//
// Finding the least is hard (Meyerson and Williams, On the complexity of optimal k-anonymity), so
// both rules start from a table that holds and go on while a change gains (cell_classes.cc,
// cell_matches.cc). Emptying whole records is among what they start from: the cost is never above.
//
// Cost:  a value of its own: 2^columns · n log n for a sweep of n combinations; wildcards: those
//        with too few alike times all, times columns. Above kMostPatterns only the smallest sets of
//        columns are tried, and all columns. Persons and demands: times those of a combination, and
//        what a demand costs of a class.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanisms/classes/demands.h"
#include "semveil/code.h"
#include "semveil/frequency_table.h"

namespace semveil {

// A sensitive value of a combination: its records or, where persons are told, one of its persons.
struct CellValue {
  Code place;
  std::uint32_t person = 0;
  std::uint64_t count = 1;
};

struct CellTable {
  std::size_t width = 0;
  std::vector<Code> cells;            // by combination, then column; kMissing: empty already
  std::vector<std::uint64_t> counts;  // records by combination; none is there twice
  std::vector<double> weights;        // by column, none negative
  std::uint64_t k = 1;                // at most the records, or persons
  PersonLists persons = {};           // by combination; not told: k counts records
  // By combination, then column with a demand: each value, or value and person, once. Empty:
  // nothing is demanded.
  std::vector<std::vector<std::vector<CellValue>>> values = {};
  const Demands* demands = nullptr;

  // What k counts.
  std::uint64_t size_of(std::size_t u) const {
    return persons.are_told() ? persons.of(u).size() : counts[u];
  }
  std::size_t size() const { return counts.size(); }
  Code cell(std::size_t u, std::size_t j) const { return cells[u * width + j]; }
};

using ColumnSet = std::uint64_t;  // bit j: column j
inline constexpr std::size_t kMostSuppressedColumns = 60;
inline constexpr std::size_t kMostPatterns = 4096;

// Whether all combinations together are a class: what the searches fall back on.
bool holds_together(const CellTable& table);
// By combination: the columns that are empty, those that were missing among them. The table holds
// together.
std::vector<ColumnSet> suppress_as_value(const CellTable& table);
std::vector<ColumnSet> suppress_as_wildcard(const CellTable& table);  // k alone, no demands

// Cells of one combination that are missing.
ColumnSet missing_cells(const CellTable& table, std::size_t u);
// What emptying these columns costs a record that misses some of them.
double cost_of(const CellTable& table, ColumnSet emptied, ColumnSet missing);
double cost_of(const CellTable& table, const std::vector<ColumnSet>& emptied);

// Sets of columns by ascending cost; all where there are few columns.
std::vector<ColumnSet> patterns_of(const CellTable& table);

}  // namespace semveil
