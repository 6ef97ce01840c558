// A Parquet column chunk read as it is encoded: a dictionary and codes, no cell decoded.
//
// Arrow's reader gives dictionaries of texts only, and makes a new one for every batch.
#pragma once

#include <arrow/api.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <cstdint>
#include <memory>

namespace semveil {

class CodedChunk {
 public:
  // Whether every page of the chunk is coded, as its metadata has it.
  static bool can_read(const parquet::ColumnChunkMetaData& chunk);
  // Whether such chunks of this column hold what Arrow has as values of this type.
  static bool can_read(const parquet::ColumnDescriptor& column, const arrow::DataType& type);

  static arrow::Result<std::unique_ptr<CodedChunk>> open(
      parquet::RowGroupReader& row_group, int leaf, const std::shared_ptr<arrow::DataType>& type);
  virtual ~CodedChunk() = default;

  // The next rows, validated in full; all arrays of a chunk have the same dictionary. An error
  // where the chunk has not so many. Throws what Parquet throws.
  virtual arrow::Result<std::shared_ptr<arrow::Array>> read(std::int64_t rows) = 0;
};

}  // namespace semveil
