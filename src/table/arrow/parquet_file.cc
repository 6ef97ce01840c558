#include "table/arrow/parquet_file.h"

#include <arrow/ipc/writer.h>
#include <arrow/util/base64.h>
#include <parquet/arrow/schema.h>
#include <parquet/column_writer.h>
#include <parquet/exception.h>

#include <string_view>
#include <utility>

#include "table/arrow/coded_pages.h"

namespace semveil {
namespace {

using parquet::ParquetFileWriter;
using parquet::RowGroupWriter;

class RowGroup final : public RowGroupWriter::Contents {
 public:
  RowGroup(std::shared_ptr<arrow::io::OutputStream> stream,
           parquet::RowGroupMetaDataBuilder* metadata, std::int16_t place,
           const parquet::WriterProperties* options)
      : stream_(std::move(stream)), metadata_(metadata), place_(place), options_(options) {}

  int num_columns() const override { return metadata_->num_columns(); }
  std::int64_t num_rows() const override { return rows_; }
  parquet::ColumnWriter* NextColumn() override {
    finish_column();
    auto [chunk, pages] = next_chunk();
    column_ = parquet::ColumnWriter::Make(chunk, std::move(pages), options_);
    return column_.get();
  }
  parquet::ColumnWriter* column(int /*i*/) override {
    throw parquet::ParquetException("columns are written one after the other");
  }
  int current_column() const override { return metadata_->current_column(); }
  std::int64_t total_bytes_written() const override { return bytes_; }
  std::int64_t total_compressed_bytes() const override { return 0; }
  std::int64_t total_compressed_bytes_written() const override { return 0; }
  RowGroupWriter::BufferedStats EstimatedBufferedStats() const override { return {}; }
  bool buffered() const override { return false; }

  void write(const CodedColumn& column) {
    finish_column();
    auto [chunk, pages] = next_chunk();
    bytes_ += write_coded_chunk(column, *options_, *chunk, *pages);
    count_rows(std::ssize(column.codes()));
  }

  void Close() override {
    if (closed_) return;
    closed_ = true;
    finish_column();
    metadata_->set_num_rows(rows_);
    metadata_->Finish(bytes_, place_);
  }

 private:
  std::pair<parquet::ColumnChunkMetaDataBuilder*, std::unique_ptr<parquet::PageWriter>>
  next_chunk() {
    auto* const chunk = metadata_->NextColumnChunk();
    const auto& path = chunk->descr()->path();
    return {chunk, parquet::PageWriter::Open(stream_, options_->compression(path), chunk, place_,
                                             static_cast<std::int16_t>(current_column()))};
  }

  void finish_column() {
    if (column_ == nullptr) return;
    bytes_ += column_->Close();
    count_rows(column_->rows_written());
    column_.reset();
  }

  void count_rows(std::int64_t rows) {
    if (rows_ >= 0 && rows != rows_) {
      throw parquet::ParquetException("the columns of a row group have not the same length");
    }
    rows_ = rows;
  }

  std::shared_ptr<arrow::io::OutputStream> stream_;
  parquet::RowGroupMetaDataBuilder* metadata_;
  std::int16_t place_;
  const parquet::WriterProperties* options_;
  std::shared_ptr<parquet::ColumnWriter> column_;
  std::int64_t rows_ = -1, bytes_ = 0;
  bool closed_ = false;
};

// The names and types of the columns, for Arrow's readers.
arrow::Result<std::shared_ptr<const arrow::KeyValueMetadata>> arrow_schema_note(
    const arrow::Schema& schema) {
  ARROW_ASSIGN_OR_RAISE(const auto bytes, arrow::ipc::SerializeSchema(schema));
  return arrow::key_value_metadata({"ARROW:schema"},
                                   {arrow::util::base64_encode(std::string_view(*bytes))});
}

}  // namespace

class ParquetFile::Contents final : public ParquetFileWriter::Contents {
 public:
  Contents(std::shared_ptr<arrow::io::OutputStream> stream,
           std::shared_ptr<parquet::schema::GroupNode> schema,
           std::shared_ptr<parquet::WriterProperties> options,
           std::shared_ptr<const arrow::KeyValueMetadata> notes)
      : ParquetFileWriter::Contents(std::move(schema), std::move(notes)),
        stream_(std::move(stream)),
        options_(std::move(options)),
        metadata_(parquet::FileMetaDataBuilder::Make(&schema_, options_)) {
    PARQUET_THROW_NOT_OK(stream_->Write(parquet::kParquetMagic, sizeof parquet::kParquetMagic));
  }

  RowGroupWriter* AppendRowGroup() override {
    finish_row_group();
    auto row_group =
        std::make_unique<RowGroup>(stream_, metadata_->AppendRowGroup(),
                                   static_cast<std::int16_t>(row_groups_++), options_.get());
    row_group_ = row_group.get();
    writer_ = std::make_unique<RowGroupWriter>(std::move(row_group));
    return writer_.get();
  }
  RowGroupWriter* AppendBufferedRowGroup() override {
    throw parquet::ParquetException("row groups are written column by column");
  }
  std::int64_t num_rows() const override { return rows_; }
  int num_columns() const override { return schema_.num_columns(); }
  int num_row_groups() const override { return row_groups_; }
  const std::shared_ptr<parquet::WriterProperties>& properties() const override { return options_; }
  void AddKeyValueMetadata(const std::shared_ptr<const arrow::KeyValueMetadata>& notes) override {
    key_value_metadata_ = key_value_metadata_ ? key_value_metadata_->Merge(*notes) : notes;
  }
  void Close() override {
    if (closed_) return;
    closed_ = true;
    finish_row_group();
    file_metadata_ = metadata_->Finish(key_value_metadata_);
    parquet::WriteFileMetaData(*file_metadata_, stream_.get());
  }

  RowGroup& row_group() { return *row_group_; }

 private:
  void finish_row_group() {
    if (row_group_ == nullptr) return;
    writer_->Close();
    rows_ += row_group_->num_rows();
    row_group_ = nullptr;
  }

  std::shared_ptr<arrow::io::OutputStream> stream_;
  std::shared_ptr<parquet::WriterProperties> options_;
  std::unique_ptr<parquet::FileMetaDataBuilder> metadata_;
  std::unique_ptr<RowGroupWriter> writer_;
  RowGroup* row_group_ = nullptr;  // the writer's; null: none is open
  int row_groups_ = 0;
  std::int64_t rows_ = 0;
  bool closed_ = false;
};

arrow::Result<std::unique_ptr<ParquetFile>> ParquetFile::open(
    const std::shared_ptr<arrow::Schema>& schema,
    const std::shared_ptr<arrow::io::OutputStream>& stream,
    std::shared_ptr<parquet::WriterProperties> options,
    std::shared_ptr<parquet::ArrowWriterProperties> arrow_options) {
  std::shared_ptr<parquet::SchemaDescriptor> descriptor;
  ARROW_RETURN_NOT_OK(
      parquet::arrow::ToParquetSchema(schema.get(), *options, *arrow_options, &descriptor));
  std::shared_ptr<const arrow::KeyValueMetadata> notes;
  if (arrow_options->store_schema()) {
    ARROW_ASSIGN_OR_RAISE(notes, arrow_schema_note(*schema));
  }
  auto contents = std::make_unique<Contents>(
      stream, std::static_pointer_cast<parquet::schema::GroupNode>(descriptor->schema_root()),
      std::move(options), std::move(notes));
  auto file = std::make_unique<ParquetFile>();
  file->contents_ = contents.get();
  auto writer = std::make_unique<ParquetFileWriter>();
  writer->Open(std::move(contents));
  ARROW_RETURN_NOT_OK(parquet::arrow::FileWriter::Make(arrow::default_memory_pool(),
                                                       std::move(writer), schema,
                                                       std::move(arrow_options), &file->writer_));
  return file;
}

arrow::Status ParquetFile::start_row_group() { return writer_->NewRowGroup(); }

arrow::Status ParquetFile::write(const std::shared_ptr<arrow::ChunkedArray>& column) {
  return writer_->WriteColumnChunk(column);
}

arrow::Status ParquetFile::write(const CodedColumn& column) {
  contents_->row_group().write(column);
  return arrow::Status::OK();
}

arrow::Status ParquetFile::close() { return writer_->Close(); }

}  // namespace semveil
