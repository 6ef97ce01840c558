#include "release/recorded_rows.h"

#include "base/pending_names.h"
#include "base/stop.h"

namespace semveil {

std::vector<ColumnOrder> orders_of(const ReadColumns& columns, OrderedColumns which) {
  std::vector<ColumnOrder> orders;
  for (const ReadColumns::Masked& masked : columns.masked()) {
    orders.push_back({masked.model->plan.name, masked.place, {}});
  }
  if (which == OrderedColumns::kMasked) return orders;
  for (const RecodedCells& recoded : columns.recoded()) {
    orders.push_back({recoded.name(), recoded.place(), {}});
  }
  return orders;
}

void add_orders(const ReadColumns& columns, std::uint64_t first_row, const TableBatch& batch,
                std::vector<ColumnOrder>& orders) {
  for (ColumnOrder& column : orders) {
    columns.add_order(column.place, first_row, batch, column.order);
  }
}

std::unique_ptr<RecordedRows> RecordedRows::of(const Model::Impl& model, const Table& table,
                                               const ApplyOptions& options,
                                               const Survey::Impl* survey,
                                               const ReadColumns& columns,
                                               const std::string& release) {
  std::unique_ptr<Recording> recording = Recording::of(model, options, release);
  if (recording == nullptr) return nullptr;
  return std::unique_ptr<RecordedRows>(
      new RecordedRows(model, table, options, survey, columns, release, std::move(recording)));
}

RecordedRows::RecordedRows(const Model::Impl& model, const Table& table,
                           const ApplyOptions& options, const Survey::Impl* survey,
                           const ReadColumns& columns, std::string release,
                           std::unique_ptr<Recording> recording)
    : model_(model),
      table_(table),
      options_(options),
      survey_(survey),
      release_(std::move(release)),
      recording_(std::move(recording)),
      orders_(orders_of(columns, OrderedColumns::kMaskedAndRecoded)),
      goes_out_(options.memory == nullptr && goes_out_directly(options.output)) {}

Status RecordedRows::begin() {
  if (!goes_out_) return {};
  const Result<bool> recorded = options_.flush ? recording_->begin_stream() : record_whole();
  if (!recorded) return fail(recorded.error());
  recorded_ = *recorded;
  return {};
}

Result<bool> RecordedRows::record_whole() {
  Result<ReadColumns> columns = ReadColumns::find(model_, table_, survey_, {}, release_);
  if (!columns) return fail(columns.error());
  std::vector<ColumnOrder> orders = orders_of(*columns, OrderedColumns::kMaskedAndRecoded);
  const auto source = table_.read(columns->columns(), Cells::kWanted);
  if (!source) return fail(source.error());
  for (std::uint64_t rows = 0;;) {
    check_stop();
    const Result<std::unique_ptr<TableBatch>> next = columns->next(**source, table_.name());
    if (!next) return fail(next.error());
    if (*next == nullptr) {
      digest_ = recording_->digest(orders);
      return recording_->record(rows, digest_);
    }
    const TableBatch& batch = **next;
    add_orders(*columns, options_.first_row + batch.first_row, batch, orders);
    rows += batch.rows;
  }
}

void RecordedRows::add(const ReadColumns& columns, const TableBatch& batch) {
  add_orders(columns, options_.first_row + batch.first_row, batch, orders_);
}

Status RecordedRows::reserve(const TableBatch& batch) {
  return recording_->reserve(batch.first_row + batch.rows);
}

Result<bool> RecordedRows::check(std::uint64_t rows) {
  const std::string digest = recording_->digest(orders_);
  if (!goes_out_) return recording_->check(rows, digest);
  if (options_.flush) {
    recording_->end_stream(digest);
  } else if (digest != digest_) {
    return fail(data_error("the table changed while it was read: mask it again").at(table_.name()));
  }
  return recorded_;
}

}  // namespace semveil
