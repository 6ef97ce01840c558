// Rows in a keyed random order, that of table/shuffle.h, by way of a spool.
//
// The spool holds the rows of many batches sorted by part, each part's as a batch of their own with
// the rows' draws; the parts, 256 ranges of draws, are sorted in memory at the end.
//
// Cost: one more write and read of the table. Memory: some 2^18 rows at first, then one part.
#pragma once

#include <arrow/api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/spool.h"
#include "semveil/key.h"

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
  static constexpr std::size_t kParts = 256;

  struct Block {
    std::uint64_t start;
    std::int64_t size;
  };

  explicit Shuffler(Draws draws) : draws_(draws) {}
  arrow::Status spread(const arrow::RecordBatch& records);
  arrow::Status spread_pending();
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> read_part(
      const std::vector<Block>& blocks) const;

  Draws draws_;
  std::shared_ptr<arrow::Schema> schema_;  // of the spool: the row's draw is the last column
  std::shared_ptr<Spool> spool_;
  arrow::RecordBatchVector pending_;
  std::int64_t pending_rows_ = 0;
  std::uint64_t spread_rows_ = 0;
  std::array<std::vector<Block>, kParts> blocks_;
};

}  // namespace semveil
