// What an audit counts of two tables, as texts and numbers: what a PairPart holds.
//
// Pairs of tuples are counted by the tuples' places. Codes and places are numbered as they came; in
// counts that are settled, by the first row that has them, as if all rows had been read in order.
// Merged in any order and settled, counts are the same.
#pragma once

#include <string>
#include <vector>

#include "audit/compared_cells.h"
#include "audit/placed_tuples.h"
#include "base/byte_form.h"
#include "base/row_ranges.h"
#include "release/table_rows.h"
#include "semveil/pair_part.h"

namespace semveil {

struct SideCounts {               // of one table
  std::vector<Dictionary> texts;  // by column
  PlacedTuples tuples{0};         // of codes; kMissing: no cell, or no such column
  TableRows rows() &&;            // as read_rows gives it, but for `of`
};

struct PairCounts {
  std::vector<std::string> original_columns, masked_columns;  // of the tables, all of them
  std::string plan;                                           // what counting depends on
  RowRanges rows;
  SideCounts original, masked;
  PlacedTuples pairs{2};             // places of an original and a masked tuple
  std::vector<CellCounts> compared;  // by compared column
  struct PersonRow {
    std::uint64_t row = 0;
    std::uint32_t tuple = 0;   // place of the masked one
    std::uint64_t person = 0;  // a hash
  };
  bool knows_persons = false;
  std::vector<PersonRow> persons;  // of the first pairs, ascending; PersonLinks::kMostRecords

  // An error where the other is of another plan, of other tables or of rows that are here already.
  Status merge(const PairCounts& other);
  PairCounts settled() const;
};

// pair_counting.cc. What counting depends on: columns, roles, which are masked, what is missing.
std::string counted_plan(const PlanFile& plan);
Result<PairCounts> count_pairs(const Table& original, const Table& masked, const PlanFile& plan,
                               const PairedRows& rows, const WorkOptions& options);

// pair_bytes.cc
inline constexpr ByteForm kPairForm{"a part of a pair of tables", "SVPAIRPT", 1};
std::string bytes_of(const std::optional<PairCounts>& settled);
Result<std::optional<PairCounts>> counts_from(std::string_view bytes);

}  // namespace semveil
