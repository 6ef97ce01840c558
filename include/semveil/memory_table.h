// Tables in memory: in and out by the Arrow C data and stream interfaces, without Arrow.
//
//   Table table = table_from(&stream)            // or from a factory, or from one batch
//   MemoryOutput out; options.memory = &out;     // in the place of a file
//   apply(model, table, options)->commit();
//   out.stream(&released)
//
// A column that a plan names may have the types it may have in a Parquet file: texts (string,
// large_string, string_view, the same of bytes, dictionaries with any index), lists of texts,
// numbers, booleans, decimals, dates, times, timestamps, durations, nulls. The text of a cell is
// the one that Arrow's cast gives.
//
// What comes out:
//   masked texts     keep their type. A dictionary is made anew, of released texts alone, sorted by
//                    bytes; its index gets wider where they are more than it can count.
//   masked numbers   are doubles, or integers of the type they were where all that are released are
//                    whole and fit
//   other masked     (dates that became labels, …) and sets: string, list<string>, or columns
//   all others       are handed on WITHOUT A COPY, with whatever their buffers hold besides the
//                    cells: unused values of dictionaries, bytes behind nulls, rows outside of a
//                    slice; and with the metadata of their field. Write such a table to a file, or
//                    copy the cells, before it goes to somebody who may not see that. Columns are
//                    copied, cell by cell, where records are dropped, cells suppressed or rows
//                    shuffled.
// Nothing is kept of the metadata of a field whose cells are masked or suppressed, or of the schema
// itself.
//
// Structs are moved from, as the interface says: whoever gives one need not release it, also where
// the call fails. Each is released once. What is malformed is an error, as far as it can be seen:
// the interface does not tell how large buffers are.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "semveil/arrow_c.h"
#include "semveil/result.h"
#include "semveil/table.h"

namespace [[gnu::visibility("default")]] semveil {

// Gives the table's stream from its beginning, each time it is called. All must have one schema and
// the same cells.
using ArrowStreamFactory = std::function<Status(ArrowArrayStream* out)>;

// A table is read two or three times (the first records once more). A stream can be read once, so
// its arrays are kept, not copied: they are in memory already. Where they are not all there at the
// same time (a scan of files), use a factory. `name`: what messages call the table.
Result<Table> table_from(ArrowArrayStream* stream, const TableOptions& options = {},
                         std::string name = "the table");
// Each pass asks for a stream of its own; memory: as for a file, and what a release keeps.
Result<Table> table_from(ArrowStreamFactory factory, const TableOptions& options = {},
                         std::string name = "the table");
// One batch: a struct of columns.
Result<Table> table_from(ArrowSchema* schema, ArrowArray* batch, const TableOptions& options = {},
                         std::string name = "the table");

// A release that is kept in memory: arrays of the columns that were not masked, shared with the
// table's, and 4 bytes for each masked cell.
class MemoryOutput {
 public:
  MemoryOutput();
  ~MemoryOutput();
  MemoryOutput(const MemoryOutput&) = delete;
  MemoryOutput& operator=(const MemoryOutput&) = delete;
  MemoryOutput(MemoryOutput&&) noexcept;
  MemoryOutput& operator=(MemoryOutput&&) noexcept;

  // After the release's commit(), as often as one likes. The stream may outlive everything else; of
  // a table that is no table in memory, columns come out as texts.
  Status stream(ArrowArrayStream* out) const;
  // The release as one batch. An error where it is several: the table was none of one batch.
  Status batch(ArrowSchema* schema, ArrowArray* array) const;

  class Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace semveil
