// An open Parquet or Arrow IPC file: what it holds, and its records batch by batch.
#pragma once

#include <arrow/api.h>
#include <arrow/io/interfaces.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "table/backend.h"

namespace semveil {

class BatchReader {  // on one thread, memory: one batch, or one page of each column
 public:
  virtual ~BatchReader() = default;
  // At most the rows that were asked for, validated in full; null at the end.
  virtual arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() = 0;
  // How far the file has been read, in bytes.
  virtual std::uint64_t position() const = 0;
};

class Input {  // immutable, thread-safe
 public:
  virtual ~Input() = default;

  // What the file holds decides its format.
  static arrow::Result<std::unique_ptr<Input>> open(
      std::shared_ptr<arrow::io::RandomAccessFile> file);

  // The given columns, ascending; those in `coded`, which are some of them, preferably as
  // dictionaries.
  virtual arrow::Result<std::unique_ptr<BatchReader>> batches(const std::vector<int>& columns,
                                                              const std::vector<int>& coded,
                                                              std::int64_t rows) const = 0;

  ArrowFormat format = ArrowFormat::kParquet;
  std::shared_ptr<arrow::Schema> schema;
  std::uint64_t bytes = 0;
  // How an output like this one is written.
  arrow::Compression::type compression = arrow::Compression::UNCOMPRESSED;
  std::int64_t row_group_rows = 0;  // 0: the format has none
  bool has_arrow_types = true;      // beyond what the format itself has
};

}  // namespace semveil
