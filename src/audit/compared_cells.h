// What came through as it was: cells of two tables, compared byte by byte.
//
// Two cells are equal if their texts are: a cell of CSV without its quotes, a null as an empty
// text. What a text means does not count: "flu" and "Flu" differ.
//
// Where records stand in the order of the original, both tables are read side by side and nothing
// is kept. Else the original's cells are kept as hashes of 64 bits, kColumnsAtOnce columns at a
// time: two different cells look alike once in 10^19.
//
// Cost:    one pass over each table, or one for every kColumnsAtOnce columns.
// Memory:  records in order: none; else 8 bytes for each record and column of those looked at
//          together.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/release.h"
#include "semveil/table.h"

namespace semveil {

struct ComparedColumn {
  std::string name;
  std::size_t in_original = 0, in_masked = 0;  // places among the tables' columns
  bool should_pass = false;                    // nothing was to change it
  bool goes_with_suppressed = false;           // a suppressed record has no cell there

  std::uint64_t rows = 0, equal = 0;  // pairs of records that were compared, and those equal
  bool reordered = false;             // the very same cells, in another order
  // Of the first cells compared, kMostSampled at most: cells, a person's equal ones once, and the
  // different ones among them.
  std::uint64_t sampled = 0, distinct = 0;
  bool is_same() const { return equal == rows; }
  // 99 % of the rows: a few cells may have been mended by hand.
  bool agrees() const { return static_cast<double>(equal) >= 0.99 * static_cast<double>(rows); }
  double differing() const {
    return rows == 0 ? 0 : static_cast<double>(rows - equal) / static_cast<double>(rows);
  }
};

inline constexpr std::size_t kMostSampled = 16'384;

// Whose a row of the masked table is; empty: persons are not told apart.
using PersonOfRow = std::function<std::uint64_t(std::uint64_t)>;

// What is counted of a column; counts of two parts of the tables can be merged.
struct CellCounts {
  std::uint64_t rows = 0, equal = 0;
  struct Sampled {
    std::uint64_t row = 0, hash = 0;
  };
  std::vector<Sampled> first;  // of the rows compared, ascending; kMostSampled at most

  void add(std::uint64_t row, std::string_view cell, bool is_equal);  // rows ascend
  void merge(const CellCounts& other);                                // of other rows
  // `person_of`: of a row; null: each is somebody's of their own.
  void tell(ComparedColumn& column, const PersonOfRow& person_of = {}) const;
};

// A pair of records as count_cells asks for it.
template <class Cell, class EqualsBefore, class IsSuppressed>
struct RecordPair {
  Cell cell;                   // of the masked record, by column
  EqualsBefore equals_before;  // whether the original's is this one, by column and cell
  IsSuppressed is_suppressed;
};
template <class Cell, class EqualsBefore, class IsSuppressed>
RecordPair(Cell, EqualsBefore, IsSuppressed) -> RecordPair<Cell, EqualsBefore, IsSuppressed>;

// `row`: of the masked table.
template <class Pair>
void count_cells(std::span<const ComparedColumn> columns, std::span<CellCounts> counts,
                 std::uint64_t row, const Pair& pair) {
  std::optional<bool> suppressed;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::string_view cell = pair.cell(k);
    const bool equal = pair.equals_before(k, cell);
    if (!equal && columns[k].goes_with_suppressed) {
      if (!suppressed) suppressed = pair.is_suppressed();
      if (*suppressed) continue;
    }
    counts[k].add(row, cell, equal);
  }
}

struct CellsToCompare {
  const Table& original;
  const Table& masked;
  // By row of the masked table: the row of the original, or kNobody; empty: the same row.
  const std::vector<std::uint64_t>& rows;
  // Whether a row of the masked table is one of a suppressed record.
  std::function<bool(std::uint64_t)> is_suppressed;
  PersonOfRow person_of;
  const WorkProgress& progress;
};

// Fills in what was found of each column.
Status compare_cells(const CellsToCompare& what, std::vector<ComparedColumn>& columns);

// By record: a hash of its cells in some columns of the table.
Result<std::vector<std::uint64_t>> hashes_of(const Table& table,
                                             const std::vector<std::size_t>& columns,
                                             const WorkProgress& progress);

// By column: the chance that two records of the table, drawn independently, have equal cells there.
Result<std::vector<double>> agreement_by_chance(const Table& table,
                                                const std::vector<std::size_t>& columns,
                                                const WorkProgress& progress);

}  // namespace semveil
