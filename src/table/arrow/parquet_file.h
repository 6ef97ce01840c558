// A Parquet file whose column chunks are written by Parquet's own writer or as coded columns.
//
// Parquet's Arrow writer knows nested columns, but none of its own ways leads to the pages of a
// chunk. So the file under it is ours: the magic bytes, the row groups, the footer, all made by
// Parquet's builders.
#pragma once

#include <arrow/io/interfaces.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_writer.h>
#include <parquet/metadata.h>

#include <memory>

#include "table/arrow/coded_column.h"

namespace semveil {

class ParquetFile {
 public:
  static arrow::Result<std::unique_ptr<ParquetFile>> open(
      const std::shared_ptr<arrow::Schema>& schema,
      const std::shared_ptr<arrow::io::OutputStream>& stream,
      std::shared_ptr<parquet::WriterProperties> options,
      std::shared_ptr<parquet::ArrowWriterProperties> arrow_options);

  // Then every column in the order of the schema.
  arrow::Status start_row_group();
  arrow::Status write(const std::shared_ptr<arrow::ChunkedArray>& column);
  arrow::Status write(const CodedColumn& column);

  arrow::Status close();

  class Contents;

 private:
  Contents* contents_ = nullptr;  // the writer's
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

}  // namespace semveil
