// Rows in a keyed random order (table/shuffle.h) by way of a temporary file without a name.
//
// The file holds the rows of many batches sorted by part, each part's as a batch of their own
// with the rows' numbers. Memory: some 2^18 rows at first, then one part.
#pragma once

#include <arrow/api.h>
#include <arrow/io/file.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "semveil/key.h"
#include "table/shuffle.h"

namespace semveil {

class Shuffler {
 public:
  static arrow::Result<std::unique_ptr<Shuffler>> open(const Key& key,
                                                       std::shared_ptr<arrow::Schema> schema,
                                                       const std::string& folder);

  arrow::Status add(std::shared_ptr<arrow::RecordBatch> records);
  // Gives all rows, in their new order.
  arrow::Status finish(
      const std::function<arrow::Status(std::shared_ptr<arrow::RecordBatch>)>& give);

 private:
  struct Block {
    std::int64_t start, size;
  };

  explicit Shuffler(const Key& key) : order_(key) {}
  arrow::Status spread(const arrow::RecordBatch& records);
  arrow::Status spread_pending();
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> read_part(const std::vector<Block>& blocks);

  ShuffleOrder order_;
  std::shared_ptr<arrow::Schema> schema_;  // of the file: the row's number is the last column
  std::shared_ptr<arrow::io::FileOutputStream> out_;
  std::shared_ptr<arrow::io::ReadableFile> in_;
  arrow::RecordBatchVector pending_;
  std::int64_t pending_rows_ = 0;
  std::uint64_t spread_rows_ = 0;
  std::array<std::vector<Block>, kShuffleParts> blocks_;
};

}  // namespace semveil
