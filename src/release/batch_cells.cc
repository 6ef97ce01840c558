#include "release/batch_cells.h"

#include <fmt/format.h>

namespace semveil {

static Instead instead_of(UnmappedRule rule) {
  switch (rule) {
    case UnmappedRule::kGeneralize:
      return Instead::kGeneralized;
    case UnmappedRule::kKeep:
      return Instead::kKept;
    default:
      return Instead::kSuppressed;
  }
}

Status BatchReader::read(std::uint64_t first_row, Job& job) const {
  for (const ReadColumns::Masked& masked : columns.masked()) {
    if (const Status status = read_column(masked, first_row, job); !status) return status;
  }
  leave_out_incomplete(job);
  return {};
}

Status BatchReader::read_column(const ReadColumns::Masked& masked, std::uint64_t first_row,
                                Job& job) const {
  const TableBatch& batch = *job.batch;
  const std::vector<Code>& codes = batch.codes[masked.place];
  std::vector<ConceptId>& cells = job.cells.emplace_back(batch.rows);
  std::vector<Unmapped>& unmapped = job.unmapped.emplace_back();
  const bool apart = masked.model->attribute->missing_is_value;
  for (std::size_t row = 0; row < batch.rows; ++row) {
    cells[row] = codes[row] == kMissing ? kMissing : masked.concepts[codes[row]];
    if (cells[row] == kMissing && codes[row] != kMissing) {
      // Missing as a value is another thing than a cell that the fit did not count.
      if (apart) cells[row] = kNoPart;
      unmapped.push_back(
          {static_cast<std::uint32_t>(row), instead_of(masked.model->plan.column.unmapped)});
    } else if (cells[row] == kMissing && model.missing == MissingRule::kError) {
      return fail(data_error(fmt::format("the cell of record {} is missing: complete the table",
                                         first_row + row + 1))
                      .at({table, 0, masked.model->plan.name}));
    }
  }
  return {};
}

// Rows that are left out take no part in masking either.
void BatchReader::leave_out_incomplete(Job& job) const {
  TableBatch& batch = *job.batch;
  for (const std::size_t k : columns.drop_if_missing()) {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (batch.codes[k][row] != kMissing) continue;
      if (batch.dropped.empty()) batch.dropped.resize(batch.rows, false);
      batch.dropped[row] = true;
      // To a plan that looks tuples up, a row without cells would be one of its tuples.
      for (std::size_t j = 0; j < job.cells.size(); ++j) {
        job.cells[j][row] = model.step_of(j).looks_up() ? kNoPart : kMissing;
      }
    }
  }
}

// Back from concepts to codes of texts: what had no concept, and what was missing.
std::vector<Code> texts_to_write(const Model::Impl& model, const ReadColumns::Masked& masked,
                                 const TableBatch& batch, std::size_t j, ReleasedBatch& released,
                                 std::optional<Code> own_texts) {
  const Attribute& attribute = *masked.model->attribute;
  const std::vector<Code>& codes = batch.codes[masked.place];
  std::vector<Code>& values = released.values[j];
  std::vector<Code> written = values;
  // Missing cells stay as they are, unless others become missing: these must look alike.
  const bool alike = attribute.missing_is_value || model.step_of(j).looks_up() || own_texts ||
                     masked.model->plan.column.unmapped == UnmappedRule::kSuppress;
  for (std::size_t row = 0; row < batch.rows && !alike; ++row) {
    if (written[row] == kMissing && codes[row] == kMissing) written[row] = kAsItWas;
  }
  for (const Unmapped& cell : released.unmapped[j]) {
    switch (cell.instead) {
      case Instead::kGeneralized:
        written[cell.row] = values[cell.row] = Taxonomy::root();
        break;
      case Instead::kKept:
        written[cell.row] = own_texts ? *own_texts + codes[cell.row] : kAsItWas;
        values[cell.row] = first_kept(attribute) + codes[cell.row];
        break;
      default:
        break;  // suppressed: written as a missing cell
    }
  }
  return written;
}

std::vector<Code> recoded_to_write(const RecodedCells& column, const TableBatch& batch) {
  std::vector<Code> written = batch.codes[column.place()];
  if (column.empties()) return written;
  for (Code& code : written) {
    if (code == kMissing) code = kAsItWas;
  }
  return written;
}

// Of a column that is not masked, but goes with suppressed records.
std::vector<Code> emptied_to_write(const TableBatch& batch, const ReleasedBatch& released) {
  std::vector<Code> written(batch.rows, kAsItWas);
  for (std::size_t row = 0; row < released.suppressed.size(); ++row) {
    if (released.suppressed[row]) written[row] = kMissing;
  }
  return written;
}

}  // namespace semveil
