// The columns of a table that do not come out as they went in, and what is written in their place:
// those that are masked, those that are recoded, and those that are emptied with suppressed
// records.
#pragma once

#include <optional>
#include <vector>

#include "release/batch_cells.h"
#include "release/fitted_steps.h"
#include "release/read_columns.h"
#include "table/table_impl.h"

namespace semveil {

class WrittenColumns {
 public:
  WrittenColumns() = default;
  // The columns read must outlive it.
  static Result<WrittenColumns> find(const Model::Impl& model, const FittedSteps& plan,
                                     const Table& table, const ReadColumns& columns);

  // What a sink must know of them, in the table's order. Called once.
  std::vector<Edits::Replace> replacements(const Model::Impl& model, const FittedSteps& plan,
                                           const ReadColumns& columns);
  // Recoded texts that came after the sink was opened.
  Status tell_new_texts(const ReadColumns& columns, TableSink& sink);

  // What other steps masked goes with a suppressed record, too.
  void empty_suppressed(const FittedSteps& plan, ReleasedBatch& released) const;
  Result<std::unique_ptr<RenderedBatch>> render(const Model::Impl& model, const FittedSteps& plan,
                                                const ReadColumns& columns, const TableBatch& batch,
                                                ReleasedBatch& released, TableSink& sink) const;

 private:
  struct Column {
    std::size_t column = 0;                 // of the table
    std::optional<std::size_t> masked;      // by a step
    const RecodedCells* recoded = nullptr;  // before that
    bool is_emptied = false;                // in suppressed records
    // Of a recoded column: where its own texts begin among those that the sink knows, and how many
    // of them it knows.
    std::optional<Code> own_texts = {};
    std::size_t known_texts = 0;
  };
  Column& add(std::size_t column);
  static std::vector<Code> codes(const Column& column, const Model::Impl& model,
                                 const ReadColumns& columns, const TableBatch& batch,
                                 ReleasedBatch& released);

  std::vector<Column> columns_;  // in the table's order
};

}  // namespace semveil
