#include "table/arrow/output.h"

#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>

#include <algorithm>
#include <string>
#include <utility>

#include "table/arrow/parquet_output.h"

namespace semveil {
namespace {

using arrow::Compression;

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
  arrow::Status write(const arrow::RecordBatchVector& pieces) override {
    // Also a single one: a slice is written with bytes of the rows behind it, up to the alignment.
    const auto whole = arrow::ConcatenateRecordBatches(pieces);
    if (whole.ok()) return writer_->WriteRecordBatch(**whole);
    // The texts of one batch may be too long for one array; its pieces are not.
    for (const auto& piece : pieces) ARROW_RETURN_NOT_OK(writer_->WriteRecordBatch(*piece));
    return arrow::Status::OK();
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
    ARROW_ASSIGN_OR_RAISE(output->writer_, open_parquet_writer(form, schema, output->stream_));
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
  return writer_->write(pieces);
}

}  // namespace semveil
