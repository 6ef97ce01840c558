// CSV tables: chunks shared by the batches that were cut from them.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/csv_records.h"
#include "semveil/table.h"

namespace semveil {

// Things that are used again instead of made anew: fresh memory costs a page fault every 4 KiB.
// Thread-safe; what it lent may outlive it.
template <class T>
class Pool : public std::enable_shared_from_this<Pool<T>> {
 public:
  std::shared_ptr<T> take() {
    std::unique_ptr<T> item;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        item = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!item) item = std::make_unique<T>();
    return {item.release(), [pool = this->shared_from_this()](T* back) {
              const std::lock_guard lock(pool->mutex_);
              pool->free_.emplace_back(back);
            }};
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

// Rows first … last − 1 of a chunk, and the bytes from the end of the row before to the beginning
// of the row behind: empty lines are in no row, but in some batch.
class CsvBatch final : public TableBatch {
 public:
  std::vector<std::optional<std::string_view>> texts(std::size_t column) const override;

  std::shared_ptr<const CsvChunk> chunk;
  std::size_t first = 0;
  std::uint32_t begin = 0, end = 0;
  char quote = '"';

 private:
  mutable std::mutex mutex_;
  mutable std::deque<std::string> unquoted_;  // what texts() had to change
};

// The header as it stands in the file, for sinks to copy.
struct CsvHeader {
  std::string bytes;  // with the byte order mark and its line end
  std::vector<std::pair<std::size_t, std::size_t>> fields;  // their extents in it
  std::uint64_t line = 1;
  std::string line_end = "\n";
};

// A sink for batches of a CSV table that leaves every byte it does not change.
Result<std::unique_ptr<TableSink>> splice_csv(const std::string& path, CsvDialect dialect,
                                              const CsvHeader& header,
                                              const std::vector<std::string>& columns, Edits edits,
                                              const TableOptions& options);

}  // namespace semveil
