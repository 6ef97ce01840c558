// A table as numbers, for audits: distinct tuples of its cells, and which tuple each record has.
//
// Memory: 4 bytes a record, the distinct texts and tuples; 4 bytes more for each column that is
// kept record by record.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/tuple_counter.h"
#include "semveil/release.h"
#include "semveil/table.h"

namespace semveil {

struct TableRows {
  std::uint64_t records = 0;
  // By wanted column. A column that the table does not have: no text, every cell kMissing.
  std::vector<Dictionary> texts;
  std::vector<std::vector<std::uint64_t>> counts;  // by column, then code
  TupleCounter tuples{0};                          // of codes
  std::vector<std::uint32_t> of;                   // by record: its tuple
  // Columns beside the tuples.
  std::vector<Dictionary> apart_texts;
  std::vector<std::vector<Code>> apart;  // by column, then record
};

// Fills counts, all zero yet, from the tuples.
void count_texts(TableRows& rows);

// `wanted`: columns of the table; nothing: it has no such column. Needs at least one that is there.
Result<TableRows> read_rows(const Table& table, std::span<const std::optional<std::size_t>> wanted,
                            std::span<const std::size_t> apart, const WorkProgress& progress);

}  // namespace semveil
