// Rows in a keyed random order, that of table/shuffle.h, by way of a spool.
//
// The spool holds the rows of many batches sorted by part, each part's as a batch of their own with
// the rows' numbers; the parts are put in order in memory at the end.
//
// Cost: one more write and read of the table. Memory: some 2^18 rows at first, then one part.
#pragma once

#include <arrow/api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/spool.h"
#include "semveil/key.h"
#include "table/shuffle.h"

namespace semveil {

// Some rows of a batch, in the order given.
arrow::Result<std::shared_ptr<arrow::RecordBatch>> take_rows(const arrow::RecordBatch& records,
                                                             std::span<const std::uint32_t> rows);

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
    std::uint64_t start;
    std::int64_t size;
  };

  explicit Shuffler(const Key& key) : order_(key) {}
  arrow::Status spread(const arrow::RecordBatch& records);
  arrow::Status spread_pending();
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> read_part(
      const std::vector<Block>& blocks) const;

  ShuffleOrder order_;
  std::shared_ptr<arrow::Schema> schema_;  // of the spool: the row's number is the last column
  std::shared_ptr<Spool> spool_;
  arrow::RecordBatchVector pending_;
  std::int64_t pending_rows_ = 0;
  std::uint64_t spread_rows_ = 0;
  std::array<std::vector<Block>, kShuffleParts> blocks_;
};

}  // namespace semveil
