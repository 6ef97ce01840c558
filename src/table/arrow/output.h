// Record batches to a Parquet or Arrow IPC file.
//
// What is written does not depend on how the rows came: they are put together to batches of a
// fixed size first, unless a flush asks for what is there.
#pragma once

#include <arrow/api.h>
#include <arrow/io/interfaces.h>

#include <cstdint>
#include <deque>
#include <memory>

#include "table/backend.h"

namespace semveil {

inline constexpr std::int64_t kUsualBatchRows = 65536;
inline constexpr std::int64_t kMaxRowGroupRows = std::int64_t{1} << 20;
inline constexpr std::int64_t kMaxRowGroupBytes = std::int64_t{128} << 20;

struct OutputForm {
  ArrowFormat format = ArrowFormat::kParquet;
  arrow::Compression::type compression = arrow::Compression::ZSTD;
  std::int64_t row_group_rows = kMaxRowGroupRows;  // of Parquet
  // Parquet's own types are fewer than Arrow's: the others are told to Arrow's readers apart, by
  // a schema of names and types alone.
  bool arrow_types = false;
};

class FormatWriter {
 public:
  virtual ~FormatWriter() = default;
  virtual std::int64_t room() const = 0;  // rows of the next batch
  // The next batch, at most that many rows, in pieces.
  virtual arrow::Status write(const arrow::RecordBatchVector& pieces) = 0;
  virtual arrow::Status close() = 0;
};

class Output {
 public:
  static arrow::Result<std::unique_ptr<Output>> open(
      const OutputForm& form, std::shared_ptr<arrow::Schema> schema,
      std::shared_ptr<arrow::io::OutputStream> stream);

  arrow::Status write(std::shared_ptr<arrow::RecordBatch> batch);
  arrow::Status flush();  // Parquet cannot be read before its end: nothing to do
  arrow::Status close();

 private:
  arrow::Status write_pending(std::int64_t rows);

  OutputForm form_;
  std::shared_ptr<arrow::io::OutputStream> stream_;
  std::unique_ptr<FormatWriter> writer_;
  std::deque<std::shared_ptr<arrow::RecordBatch>> pending_;
  std::int64_t pending_rows_ = 0;
};

}  // namespace semveil
