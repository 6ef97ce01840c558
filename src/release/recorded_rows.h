// What a pass of masking records of its rows beside the model, and when.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "release/read_columns.h"
#include "release/recording.h"

namespace semveil {

enum class OrderedColumns : bool { kMasked, kMaskedAndRecoded };
// Those whose order is hashed.
std::vector<ColumnOrder> orders_of(const ReadColumns& columns, OrderedColumns which);
// `first_row`: of the batch, in the whole table.
void add_orders(const ReadColumns& columns, std::uint64_t first_row, const TableBatch& batch,
                std::vector<ColumnOrder>& orders);

class RecordedRows {
 public:
  // Null: nothing is recorded. All but `columns` must outlive it.
  static std::unique_ptr<RecordedRows> of(const Model::Impl& model, const Table& table,
                                          const ApplyOptions& options, const Survey::Impl* survey,
                                          const ReadColumns& columns, const std::string& release);

  // What cannot be taken back is recorded before it leaves. In what follows an error is a refusal,
  // or a record that cannot be read.
  Status begin();
  void add(const ReadColumns& columns, const TableBatch& batch);
  // The batch is about to leave.
  Status reserve(const TableBatch& batch);
  // Of all rows, before anybody is told that they were masked. False: nothing can be recorded.
  Result<bool> check(std::uint64_t rows);
  std::unique_ptr<Recording> take() && { return std::move(recording_); }

 private:
  RecordedRows(const Model::Impl& model, const Table& table, const ApplyOptions& options,
               const Survey::Impl* survey, const ReadColumns& columns, std::string release,
               std::unique_ptr<Recording> recording);
  Result<bool> record_whole();

  const Model::Impl& model_;
  const Table& table_;
  const ApplyOptions& options_;
  const Survey::Impl* survey_;
  std::string release_;
  std::unique_ptr<Recording> recording_;
  std::vector<ColumnOrder> orders_;  // of what was read
  bool goes_out_ = false;            // what is written cannot be taken back
  bool recorded_ = false;            // before that
  std::string digest_;               // of what was recorded then
};

}  // namespace semveil
