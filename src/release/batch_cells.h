// The cells of a batch on their way through masking: from texts to values, and from values back to
// texts.
#pragma once

#include "release/outcome_counter.h"
#include "release/read_columns.h"

namespace semveil {

struct Job {
  std::unique_ptr<TableBatch> batch;
  std::vector<std::vector<ConceptId>> cells;            // by masked column: what the plan masks
  std::vector<std::vector<Unmapped>> unmapped;          // by masked column, ascending rows
  std::vector<std::vector<std::uint64_t>> occurrences;  // by step that deals values out, then row
};

// What the texts of a batch mean to the method, row by row. `first_row`: of the batch, in the whole
// table. Rows that are left out are marked, and take no part.
struct BatchReader {
  const Model::Impl& model;
  const ReadColumns& columns;
  const std::string& table;  // its name

  Status read(std::uint64_t first_row, Job& job) const;

 private:
  Status read_column(const ReadColumns::Masked& masked, std::uint64_t first_row, Job& job) const;
  void leave_out_incomplete(Job& job) const;
};

// Codes of the texts that a masked column gets. The released values of cells without a concept are
// set, too: what had none, and what was missing. `own_texts`: of a recoded column, whose cells
// cannot stay as they were, where its own texts begin among those that are written.
std::vector<Code> texts_to_write(const Model::Impl& model, const ReadColumns::Masked& masked,
                                 const TableBatch& batch, std::size_t j, ReleasedBatch& released,
                                 std::optional<Code> own_texts);
// Of a column that is recoded, and masked by no step: its texts, from the first on.
std::vector<Code> recoded_to_write(const RecodedCells& column, const TableBatch& batch);
// Of a column that is not masked, but goes with suppressed records.
std::vector<Code> emptied_to_write(const TableBatch& batch, const ReleasedBatch& released);

}  // namespace semveil
