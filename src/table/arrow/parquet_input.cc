// Parquet files. Pages are read as they are needed, not whole column chunks; columns of texts and
// numbers that are encoded with dictionaries all through the file keep them. A batch never spans
// row groups: each has its own dictionaries, and Arrow cannot put nested columns with different
// ones together.
#include "table/arrow/parquet_input.h"

#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include <algorithm>
#include <string>
#include <utility>

#include "table/arrow/coded_chunk.h"
#include "table/arrow/output.h"
#include "table/arrow/types.h"

namespace semveil {
namespace {

constexpr std::int64_t kReadAhead = std::int64_t{1} << 18;  // bytes, of each column

// What to read: a column of the file by its leaves, and whether it is read as it is coded.
struct ReadColumn {
  std::shared_ptr<arrow::Field> field;
  std::vector<int> leaves;
  bool coded;
};

class ParquetReader final : public BatchReader {
 public:
  ParquetReader(std::unique_ptr<parquet::arrow::FileReader> file, std::vector<ReadColumn> columns,
                std::int64_t batch_rows, std::uint64_t bytes)
      : file_(std::move(file)),
        columns_(std::move(columns)),
        batch_rows_(batch_rows),
        bytes_(bytes),
        rows_(file_->parquet_reader()->metadata()->num_rows()) {
    for (const ReadColumn& column : columns_) {
      if (column.coded) continue;
      others_.insert(others_.end(), column.leaves.begin(), column.leaves.end());
    }
  }

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() override {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, next_of_row_group());
      if (batch != nullptr) {
        read_ += batch->num_rows();
        return batch;
      }
      if (next_row_group_ == file_->num_row_groups()) break;
      ARROW_RETURN_NOT_OK(open_row_group(next_row_group_++));
    }
    if (read_ != rows_) {
      return arrow::Status::Invalid("it lists " + std::to_string(rows_) + " records and holds " +
                                    std::to_string(read_));
    }
    return nullptr;
  }

  std::uint64_t position() const override {
    if (rows_ == 0) return bytes_;
    // Exact enough to show; never beyond the file.
    const double share = static_cast<double>(read_) / static_cast<double>(rows_);
    return std::min(bytes_, static_cast<std::uint64_t>(share * static_cast<double>(bytes_)));
  }

 private:
  arrow::Status open_row_group(int number) {
    const auto row_group = file_->parquet_reader()->RowGroup(number);
    left_ = row_group->metadata()->num_rows();
    chunks_.clear();
    for (const ReadColumn& column : columns_) {
      if (!column.coded) continue;
      ARROW_ASSIGN_OR_RAISE(
          auto chunk, CodedChunk::open(*row_group, column.leaves.front(), column.field->type()));
      chunks_.push_back(std::move(chunk));
    }
    if (!others_.empty()) {
      ARROW_ASSIGN_OR_RAISE(batches_, file_->GetRecordBatchReader({number}, others_));
    }
    return arrow::Status::OK();
  }

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next_of_row_group() {
    std::shared_ptr<arrow::RecordBatch> others;
    std::int64_t rows = std::min(left_, batch_rows_);
    if (batches_ != nullptr) {
      ARROW_RETURN_NOT_OK(batches_->ReadNext(&others));
      rows = others == nullptr ? 0 : others->num_rows();
      if (others != nullptr) ARROW_RETURN_NOT_OK(others->ValidateFull());
    }
    if (rows == 0) return nullptr;
    left_ -= rows;
    if (chunks_.empty()) return others;
    arrow::FieldVector fields;
    arrow::ArrayVector arrays;
    std::size_t chunk = 0;
    int other = 0;
    for (const ReadColumn& column : columns_) {
      if (column.coded) {
        ARROW_ASSIGN_OR_RAISE(auto array, chunks_[chunk++]->read(rows));
        arrays.push_back(std::move(array));
      } else if (others != nullptr && other < others->num_columns()) {
        arrays.push_back(others->column(other++));
      } else {
        return arrow::Status::Invalid("a batch lacks columns");
      }
      fields.push_back(column.field->WithType(arrays.back()->type()));
    }
    return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), rows, std::move(arrays));
  }

  std::unique_ptr<parquet::arrow::FileReader> file_;
  std::vector<ReadColumn> columns_;
  std::vector<int> others_;  // leaves of the columns that Arrow reads
  std::int64_t batch_rows_;
  std::uint64_t bytes_;
  std::int64_t rows_, read_ = 0;
  int next_row_group_ = 0;

  // Of one row group.
  std::vector<std::unique_ptr<CodedChunk>> chunks_;    // by coded column
  std::unique_ptr<arrow::RecordBatchReader> batches_;  // of the others; null where there are none
  std::int64_t left_ = 0;
};

// The leaves of each column: a nested column has several.
arrow::Result<std::vector<std::vector<int>>> leaves_of_columns(
    const parquet::SchemaDescriptor& schema) {
  const parquet::schema::GroupNode& root = *schema.group_node();
  std::vector<std::vector<int>> leaves(static_cast<std::size_t>(root.field_count()));
  int column = 0;
  for (int leaf = 0; leaf < schema.num_columns(); ++leaf) {  // both in the order of the schema
    while (column < root.field_count() && root.field(column).get() != schema.GetColumnRoot(leaf)) {
      ++column;
    }
    if (column == root.field_count()) break;
    leaves[static_cast<std::size_t>(column)].push_back(leaf);
  }
  for (const auto& of_column : leaves) {
    if (of_column.empty()) {
      return arrow::Status::Invalid("its schema lists a column without data");
    }
  }
  return leaves;
}

class ParquetInput final : public Input {
 public:
  arrow::Status open(std::shared_ptr<arrow::io::RandomAccessFile> file) {
    file_ = std::move(file);
    ARROW_ASSIGN_OR_RAISE(const std::int64_t size, file_->GetSize());
    bytes = static_cast<std::uint64_t>(size);
    metadata_ = parquet::ReadMetaData(file_);
    ARROW_RETURN_NOT_OK(parquet::arrow::FromParquetSchema(
        metadata_->schema(), parquet::ArrowReaderProperties(/*use_threads=*/false),
        metadata_->key_value_metadata(), &schema));
    ARROW_ASSIGN_OR_RAISE(leaves_, leaves_of_columns(*metadata_->schema()));
    if (std::ssize(leaves_) != schema->num_fields()) {
      return arrow::Status::Invalid("its two schemas do not agree");
    }
    const auto& notes = metadata_->key_value_metadata();
    has_arrow_types = notes != nullptr && notes->Contains("ARROW:schema");
    look_at_row_groups();
    return arrow::Status::OK();
  }

  arrow::Result<std::unique_ptr<BatchReader>> batches(const std::vector<int>& columns,
                                                      const std::vector<int>& coded,
                                                      std::int64_t rows) const override {
    parquet::ReaderProperties file_options = parquet::default_reader_properties();
    file_options.enable_buffered_stream();
    file_options.set_buffer_size(kReadAhead);
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(file_, file_options, metadata_));

    parquet::ArrowReaderProperties options(/*use_threads=*/false);
    options.set_batch_size(rows);
    options.set_pre_buffer(false);
    std::vector<ReadColumn> read;
    for (const int column : columns) {
      read.push_back({schema->field(column), leaves(column), is_coded(column)});
    }
    for (const int column : coded) {
      if (!is_coded(column) && is_text(schema->field(column)->type()->id()) &&
          is_plain_or_coded(leaves(column).front())) {
        options.set_read_dictionary(leaves(column).front(), true);
      }
    }
    builder.properties(options);
    ARROW_ASSIGN_OR_RAISE(std::unique_ptr<parquet::arrow::FileReader> reader, builder.Build());
    return std::make_unique<ParquetReader>(std::move(reader), std::move(read), rows, bytes);
  }

 private:
  const std::vector<int>& leaves(int column) const {
    return leaves_[static_cast<std::size_t>(column)];
  }

  // In every row group, so that a column has one type.
  bool is_coded(int column) const {
    const int leaf = leaves(column).front();
    if (leaves(column).size() != 1 ||
        !CodedChunk::can_read(*metadata_->schema()->Column(leaf), *schema->field(column)->type())) {
      return false;
    }
    for (int i = 0; i < metadata_->num_row_groups(); ++i) {
      if (!CodedChunk::can_read(*metadata_->RowGroup(i)->ColumnChunk(leaf))) return false;
    }
    return true;
  }

  // Arrow makes dictionaries of these alone: of texts in the delta encodings it refuses to.
  bool is_plain_or_coded(int leaf) const {
    for (int i = 0; i < metadata_->num_row_groups(); ++i) {
      const auto chunk = metadata_->RowGroup(i)->ColumnChunk(leaf);
      const bool has_deltas = std::ranges::any_of(chunk->encodings(), [](auto encoding) {
        return encoding == parquet::Encoding::DELTA_BYTE_ARRAY ||
               encoding == parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY;
      });
      if (has_deltas) return false;
    }
    return true;
  }

  void look_at_row_groups() {
    compression = arrow::Compression::ZSTD;
    row_group_rows = kMaxRowGroupRows;
    if (metadata_->num_row_groups() == 0 || metadata_->num_columns() == 0) return;
    compression = metadata_->RowGroup(0)->ColumnChunk(0)->compression();
    std::int64_t most_rows = 1;
    std::int64_t least_rows_of_bytes = kMaxRowGroupRows;
    for (int i = 0; i < metadata_->num_row_groups(); ++i) {
      const auto group = metadata_->RowGroup(i);
      most_rows = std::max(most_rows, group->num_rows());
      if (group->total_byte_size() > kMaxRowGroupBytes && group->num_rows() > 0) {
        const std::int64_t parts = group->total_byte_size() / kMaxRowGroupBytes + 1;
        least_rows_of_bytes =
            std::min(least_rows_of_bytes, std::max<std::int64_t>(1, group->num_rows() / parts));
      }
    }
    row_group_rows = std::min(most_rows, least_rows_of_bytes);
  }

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<std::vector<int>> leaves_;
};

}  // namespace

arrow::Result<std::unique_ptr<Input>> open_parquet(
    std::shared_ptr<arrow::io::RandomAccessFile> file) {
  auto input = std::make_unique<ParquetInput>();
  ARROW_RETURN_NOT_OK(input->open(std::move(file)));
  return input;
}

}  // namespace semveil
