#include "table/arrow/output.h"

#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <algorithm>
#include <string>
#include <utility>

#include "table/arrow/status.h"

namespace semveil {
namespace {

using arrow::Compression;

// ---- Parquet ------------------------------------------------------------------------------------

// The bytes of the values; the same for the same rows, however their arrays lie in memory.
std::int64_t value_bytes(const arrow::ArrayData& data) {
  const auto text_bytes = [&](auto offset_of_type) {
    const auto* offsets = data.GetValues<decltype(offset_of_type)>(1);
    return data.length == 0 ? 0 : static_cast<std::int64_t>(offsets[data.length] - offsets[0]);
  };
  const arrow::DataType& type = *data.type;
  if (arrow::is_binary_like(type.id())) return text_bytes(std::int32_t{});
  if (arrow::is_large_binary_like(type.id())) return text_bytes(std::int64_t{});
  if (type.bit_width() > 0) return type.bit_width() * data.length / 8;
  std::int64_t sum = data.length;
  for (const auto& child : data.child_data) sum += value_bytes(*child);
  return sum;
}

std::int64_t value_bytes(const arrow::RecordBatch& batch) {
  std::int64_t sum = 0;
  for (const auto& column : batch.column_data()) sum += value_bytes(*column);
  return sum;
}

// Old files name a form of LZ4 that nobody should write any more.
Compression::type parquet_codec(Compression::type codec) {
  if (codec == Compression::LZ4_HADOOP || codec == Compression::LZ4_FRAME) return Compression::LZ4;
  return arrow::util::Codec::IsAvailable(codec) ? codec : Compression::ZSTD;
}

class ParquetWriter final : public FormatWriter {
 public:
  static arrow::Result<std::unique_ptr<FormatWriter>> open(
      const OutputForm& form, const arrow::Schema& schema,
      const std::shared_ptr<arrow::io::OutputStream>& stream) {
    parquet::WriterProperties::Builder options;
    options.compression(parquet_codec(form.compression));
    options.max_row_group_length(form.row_group_rows);
    parquet::ArrowWriterProperties::Builder arrow_options;
    if (form.arrow_types) arrow_options.store_schema();
    auto writer = parquet::arrow::FileWriter::Open(schema, arrow::default_memory_pool(), stream,
                                                   options.build(), arrow_options.build());
    if (writer.status().IsNotImplemented()) {
      return to_arrow(usage_error("Parquet has no type for one of the columns (" +
                                  writer.status().message() +
                                  "): write an .arrow file, or drop the column"));
    }
    ARROW_RETURN_NOT_OK(writer.status());
    return std::make_unique<ParquetWriter>(*std::move(writer), form.row_group_rows);
  }

  ParquetWriter(std::unique_ptr<parquet::arrow::FileWriter> writer, std::int64_t row_group_rows)
      : writer_(std::move(writer)), row_group_rows_(row_group_rows) {}

  std::int64_t room() const override { return std::min(kUsualBatchRows, row_group_rows_ - rows_); }

  arrow::Status write(const arrow::RecordBatch& batch) override {
    if (rows_ == 0) ARROW_RETURN_NOT_OK(writer_->NewBufferedRowGroup());
    ARROW_RETURN_NOT_OK(writer_->WriteRecordBatch(batch));
    rows_ += batch.num_rows();
    bytes_ += value_bytes(batch);
    if (rows_ >= row_group_rows_ || bytes_ >= kMaxRowGroupBytes) rows_ = bytes_ = 0;
    return arrow::Status::OK();
  }

  arrow::Status close() override { return writer_->Close(); }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  std::int64_t row_group_rows_;
  std::int64_t rows_ = 0, bytes_ = 0;  // of the row group
};

// ---- Arrow IPC ----------------------------------------------------------------------------------

class IpcWriter final : public FormatWriter {
 public:
  static arrow::Result<std::unique_ptr<FormatWriter>> open(
      const OutputForm& form, const std::shared_ptr<arrow::Schema>& schema,
      const std::shared_ptr<arrow::io::OutputStream>& stream) {
    arrow::ipc::IpcWriteOptions options = arrow::ipc::IpcWriteOptions::Defaults();
    options.use_threads = false;
    Compression::type codec = form.compression;
    // IPC knows two codecs.
    if (codec == Compression::LZ4 || codec == Compression::LZ4_HADOOP) {
      codec = Compression::LZ4_FRAME;
    }
    if (codec != Compression::UNCOMPRESSED && codec != Compression::LZ4_FRAME) {
      codec = Compression::ZSTD;
    }
    ARROW_ASSIGN_OR_RAISE(options.codec, arrow::util::Codec::Create(codec));
    ARROW_ASSIGN_OR_RAISE(auto writer, form.format == ArrowFormat::kIpcFile
                                           ? arrow::ipc::MakeFileWriter(stream, schema, options)
                                           : arrow::ipc::MakeStreamWriter(stream, schema, options));
    return std::make_unique<IpcWriter>(std::move(writer));
  }

  explicit IpcWriter(std::shared_ptr<arrow::ipc::RecordBatchWriter> writer)
      : writer_(std::move(writer)) {}

  std::int64_t room() const override { return kUsualBatchRows; }
  arrow::Status write(const arrow::RecordBatch& batch) override {
    return writer_->WriteRecordBatch(batch);
  }
  arrow::Status close() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

}  // namespace

arrow::Result<std::unique_ptr<Output>> Output::open(
    const OutputForm& form, std::shared_ptr<arrow::Schema> schema,
    std::shared_ptr<arrow::io::OutputStream> stream) {
  auto output = std::make_unique<Output>();
  output->form_ = form;
  output->stream_ = std::move(stream);
  if (form.format == ArrowFormat::kParquet) {
    ARROW_ASSIGN_OR_RAISE(output->writer_, ParquetWriter::open(form, *schema, output->stream_));
  } else {
    ARROW_ASSIGN_OR_RAISE(output->writer_, IpcWriter::open(form, schema, output->stream_));
  }
  return output;
}

arrow::Status Output::write(std::shared_ptr<arrow::RecordBatch> batch) {
  if (batch->num_rows() == 0) return arrow::Status::OK();
  pending_rows_ += batch->num_rows();
  pending_.push_back(std::move(batch));
  while (pending_rows_ >= writer_->room()) ARROW_RETURN_NOT_OK(write_pending(writer_->room()));
  return arrow::Status::OK();
}

arrow::Status Output::flush() {
  if (form_.format == ArrowFormat::kParquet) return arrow::Status::OK();
  ARROW_RETURN_NOT_OK(write_pending(pending_rows_));
  return stream_->Flush();
}

arrow::Status Output::close() {
  ARROW_RETURN_NOT_OK(write_pending(pending_rows_));
  return writer_->close();
}

arrow::Status Output::write_pending(std::int64_t rows) {
  if (rows == 0) return arrow::Status::OK();
  arrow::RecordBatchVector pieces;
  pending_rows_ -= rows;
  while (rows > 0) {
    std::shared_ptr<arrow::RecordBatch>& first = pending_.front();
    if (first->num_rows() > rows) {
      pieces.push_back(first->Slice(0, rows));
      first = first->Slice(rows);
      break;
    }
    rows -= first->num_rows();
    pieces.push_back(std::move(first));
    pending_.pop_front();
  }
  if (pieces.size() == 1) return writer_->write(*pieces[0]);
  const auto whole = arrow::ConcatenateRecordBatches(pieces);
  if (whole.ok()) return writer_->write(**whole);
  // The texts of one batch may be too long for one array; its pieces are not.
  for (const auto& piece : pieces) ARROW_RETURN_NOT_OK(writer_->write(*piece));
  return arrow::Status::OK();
}

}  // namespace semveil
