#include "release/batch.h"

#include <utility>

#include "semveil/memory_table.h"

namespace semveil {

Occurrences::Occurrences() : impl_(std::make_unique<Impl>()) {}
Occurrences::~Occurrences() = default;
Occurrences::Occurrences(Occurrences&&) noexcept = default;
Occurrences& Occurrences::operator=(Occurrences&&) noexcept = default;

void Occurrences::add(const Occurrences& other) {
  if (!other.impl_->tuples) return;
  const TupleCounter& tuples = *other.impl_->tuples;
  if (!impl_->tuples) impl_->tuples.emplace(tuples.width());
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    impl_->tuples->add(tuples.tuple(i), tuples.count(i));
  }
}

void OutcomePart::add(const OutcomePart& other) {
  records += other.records;
  dropped_records += other.dropped_records;
  suppressed_records += other.suppressed_records;
  single_origin += other.single_origin;
  dealt += other.dealt;
  if (columns.empty()) columns.resize(other.columns.size());
  for (std::size_t j = 0; j < other.columns.size() && j < columns.size(); ++j) {
    columns[j].name = other.columns[j].name;
    columns[j].tally.add(other.columns[j].tally);
    columns[j].suppressed += other.columns[j].suppressed;
    columns[j].generalized += other.columns[j].generalized;
    columns[j].kept += other.columns[j].kept;
  }
  joint.add(other.joint);
}

namespace {

// A batch stays one.
TableOptions batch_options(const Model::Impl& model) {
  TableOptions options = model.table;
  options.batch_rows = std::uint64_t{1} << 31U;
  return options;
}

constexpr const char* kBatch = "the batch";

}  // namespace

Result<OutcomePart> Model::mask(ArrowSchema* schema, ArrowArray* batch, const BatchOptions& options,
                                ArrowSchema* masked_schema, ArrowArray* masked) const {
  const Result<Table> table = table_from(schema, batch, batch_options(*impl_), kBatch);
  if (!table) return fail(table.error());
  MemoryOutput output;
  ApplyOptions apply_options;
  apply_options.memory = &output;
  apply_options.first_row = options.first_row;
  apply_options.release = options.release;
  Result<OutcomePart> counted = mask_part(*impl_, *table, apply_options, options);
  if (!counted) return counted;
  if (const Status status = output.batch(masked_schema, masked); !status) {
    return fail(status.error());
  }
  return counted;
}

Result<Occurrences> Model::occurrences(ArrowSchema* schema, ArrowArray* batch) const {
  const Result<Table> table = table_from(schema, batch, batch_options(*impl_), kBatch);
  if (!table) return fail(table.error());
  Result<TupleCounter> tuples = count_tuples(*impl_, *table);
  if (!tuples) return fail(tuples.error());
  Occurrences counted;
  counted.impl().tuples = *std::move(tuples);
  return counted;
}

}  // namespace semveil
