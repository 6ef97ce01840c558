// A Parquet or Arrow table, and the batches its sources give.
#pragma once

#include <arrow/api.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/arrow/input.h"
#include "table/backend.h"

namespace semveil {

class ArrowBatch final : public TableBatch {
 public:
  // `columns` by column of the table, null where one was not read.
  explicit ArrowBatch(arrow::ArrayVector columns) : columns_(std::move(columns)) {}

  // Of a column whose ArrowTable::has_text(); nothing but nulls of one that was not read.
  std::vector<std::optional<std::string_view>> texts(std::size_t column) const override;

  const std::shared_ptr<arrow::Array>& column(std::size_t column) const { return columns_[column]; }

 private:
  arrow::ArrayVector columns_;
  mutable std::mutex mutex_;            // of holders_
  mutable arrow::ArrayVector holders_;  // what the views point into
};

class ArrowFileTable final : public ArrowTable {
 public:
  static Result<std::unique_ptr<ArrowTable>> open(const std::string& path,
                                                  const TableOptions& options);

  const std::vector<std::string>& columns() const override { return columns_; }
  ArrowFormat format() const override { return input_->format; }
  std::uint64_t bytes() const override { return input_->bytes; }
  bool has_text(std::size_t column) const override;
  Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t> wanted,
                                            Cells cells) const override;

  const Input& input() const { return *input_; }

 private:
  std::string path_;
  TableOptions options_;
  std::unique_ptr<Input> input_;
  std::vector<std::string> columns_;
};

}  // namespace semveil
