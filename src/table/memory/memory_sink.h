// A release kept in memory, and the sink that fills it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "semveil/memory_table.h"
#include "table/memory/field_type.h"
#include "table/memory/memory_batch.h"

namespace semveil {

// The texts of a masked column that were released, sorted by bytes.
struct ReleasedTexts {
  std::vector<std::string> texts;
  std::vector<double> doubles;  // of a column of numbers, by text; one of these
  std::vector<std::int64_t> integers;
  SharedArray dictionary;                     // of a column that has one
  std::shared_ptr<const std::string> joined;  // all texts one after the other, for views
  std::vector<std::int64_t> begins;           // of each in it
};

// A column of the release.
struct ReleasedColumn {
  enum class Kind : std::uint8_t { kKept, kTexts, kNumbers, kJoined, kList };
  FieldType type;
  Kind kind = Kind::kKept;
  std::size_t source = 0;  // of kKept: place in ReleasedPiece::kept; else: of codes
  std::size_t width = 1, place_in_set = 0;
  std::string separator;  // kJoined
};

struct ReleasedPiece {  // a batch
  std::int64_t rows = 0;
  std::vector<SharedCells> kept;
  std::vector<std::vector<Code>> codes;  // places in ReleasedTexts, or kMissing
};

struct ReleasedRecords {  // immutable once it is there
  FieldType type;         // a struct
  std::vector<ReleasedColumn> columns;
  std::vector<ReleasedTexts> texts;
  std::vector<ReleasedPiece> pieces;

  // One batch, to be released by whoever has it.
  Status give(std::size_t piece, ArrowArray* out) const;
};

// A masked column of one batch; `codes` has `column.width` for each row.
Status give_masked(const ReleasedColumn& column, const ReleasedTexts& texts,
                   const std::vector<Code>& codes, std::int64_t rows, ArrowArray* out);

class MemoryOutput::Impl {
 public:
  std::shared_ptr<const ReleasedRecords> released;  // null until commit()
};

// `records`: the type of the table's, or null where it is no table in memory. It and the table
// outlive the sink; so does the output.
Result<std::unique_ptr<TableSink>> write_to_memory(MemoryOutput& output, const FieldType* records,
                                                   const std::vector<std::string>& columns,
                                                   Edits edits);

}  // namespace semveil
