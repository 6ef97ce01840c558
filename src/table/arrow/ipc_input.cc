// Arrow IPC, file and stream. A batch of the file is read whole and cut into pieces.
#include "table/arrow/ipc_input.h"

#include <arrow/ipc/message.h>
#include <arrow/ipc/reader.h>
#include <arrow/util/future.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

namespace semveil {
namespace {

using arrow::Compression;

arrow::ipc::IpcReadOptions read_options() {
  arrow::ipc::IpcReadOptions options;
  options.use_threads = false;
  return options;
}

// ---- Compression --------------------------------------------------------------------------------

// Just enough of a flatbuffer: Arrow's reader does not tell how a batch was compressed. A table
// begins with the distance back to its list of field offsets; that list begins with its own size
// in bytes and the table's, 16 bits each. Anything that does not fit in is taken as not there.
class FlatTable {
 public:
  FlatTable(std::string_view bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  static std::optional<FlatTable> root(std::string_view bytes) {
    return FlatTable(bytes, 0).follow(0);
  }
  std::optional<FlatTable> table(int field) const {
    const auto at = place(field);
    return at ? follow(*at) : std::nullopt;
  }
  std::uint8_t byte(int field, std::uint8_t otherwise) const {
    const auto at = place(field);
    return at ? load<std::uint8_t>(*at).value_or(otherwise) : otherwise;
  }

 private:
  template <class T>
  std::optional<T> load(std::size_t at) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }
  std::optional<FlatTable> follow(std::size_t at) const {
    const auto distance = load<std::uint32_t>(at);
    return distance ? std::optional(FlatTable(bytes_, at + *distance)) : std::nullopt;
  }
  std::optional<std::size_t> place(int field) const {
    const auto back = load<std::int32_t>(at_);
    if (!back) return std::nullopt;
    const auto list = static_cast<std::size_t>(static_cast<std::int64_t>(at_) - *back);
    const auto size = load<std::uint16_t>(list);
    const std::size_t entry = 4 + 2 * static_cast<std::size_t>(field);
    if (!size || entry + 2 > *size) return std::nullopt;
    const auto offset = load<std::uint16_t>(list + entry);
    if (!offset || *offset == 0) return std::nullopt;
    return at_ + *offset;
  }

  std::string_view bytes_;
  std::size_t at_;
};

// Format/Message.fbs and Format/Schema.fbs of Arrow: the fields in their order.
Compression::type compression_of(const arrow::ipc::Message& batch) {
  constexpr int kHeader = 2;       // of Message
  constexpr int kCompression = 3;  // of RecordBatch
  constexpr int kCodec = 0;        // of BodyCompression
  constexpr std::uint8_t kLz4Frame = 0, kZstd = 1;
  const std::shared_ptr<arrow::Buffer> bytes = batch.metadata();
  const auto message = FlatTable::root(std::string_view(*bytes));
  const auto header = message ? message->table(kHeader) : std::nullopt;
  const auto body = header ? header->table(kCompression) : std::nullopt;
  if (!body) return Compression::UNCOMPRESSED;
  switch (body->byte(kCodec, kLz4Frame)) {
    case kLz4Frame:
      return Compression::LZ4_FRAME;
    case kZstd:
      return Compression::ZSTD;
    default:
      return Compression::UNCOMPRESSED;
  }
}

// Of the first batch. After its magic an IPC file is a stream, too.
arrow::Result<Compression::type> first_compression(arrow::io::InputStream& messages) {
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const std::unique_ptr<arrow::ipc::Message> message,
                          arrow::ipc::ReadMessage(&messages));
    if (message == nullptr) return Compression::UNCOMPRESSED;
    if (message->type() == arrow::ipc::MessageType::RECORD_BATCH) return compression_of(*message);
  }
}

// ---- Reading where one is -----------------------------------------------------------------------

// Arrow reads files of its own form ahead, in a thread of a pool. There is nothing to be won, as
// batches are read whole and one by one, and a thread that runs out of memory ends the program.
class ReadHere final : public arrow::io::RandomAccessFile {
 public:
  explicit ReadHere(std::shared_ptr<arrow::io::RandomAccessFile> file) : file_(std::move(file)) {}

  arrow::Future<std::shared_ptr<arrow::Buffer>> ReadAsync(const arrow::io::IOContext& /*pool*/,
                                                          std::int64_t position,
                                                          std::int64_t size) override {
    return finished(ReadAt(position, size));
  }
  arrow::Future<std::shared_ptr<arrow::Buffer>> ReadAsync(const arrow::io::IOContext& /*pool*/,
                                                          std::int64_t position, std::int64_t size,
                                                          bool allow_short) override {
    return finished(ReadAt(position, size, allow_short));
  }

  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t size, bool allow_short,
                                     void* out) override {
    return file_->ReadAt(position, size, allow_short, out);
  }
  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t size, void* out) override {
    return file_->ReadAt(position, size, out);
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position, std::int64_t size,
                                                       bool allow_short) override {
    return file_->ReadAt(position, size, allow_short);
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position,
                                                       std::int64_t size) override {
    return file_->ReadAt(position, size);
  }
  arrow::Result<std::int64_t> GetSize() override { return file_->GetSize(); }
  arrow::Result<std::int64_t> Read(std::int64_t size, void* out) override {
    return file_->Read(size, out);
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t size) override {
    return file_->Read(size);
  }
  arrow::Status Seek(std::int64_t position) override { return file_->Seek(position); }
  arrow::Result<std::int64_t> Tell() const override { return file_->Tell(); }
  arrow::Status Close() override { return file_->Close(); }
  bool closed() const override { return file_->closed(); }

 private:
  using Bytes = std::shared_ptr<arrow::Buffer>;
  // An error is copied into a future where nothing may be thrown, and a copy takes memory.
  static arrow::Future<Bytes> finished(arrow::Result<Bytes> read) {
    if (read.status().IsOutOfMemory()) throw std::bad_alloc();
    return arrow::Future<Bytes>::MakeFinished(std::move(read));
  }

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
};

// ---- Batches ------------------------------------------------------------------------------------

class IpcReader : public BatchReader {
 public:
  explicit IpcReader(std::int64_t rows) : rows_(rows) {}

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() final {
    while (whole_ == nullptr || done_ == whole_->num_rows()) {
      ARROW_ASSIGN_OR_RAISE(whole_, next_whole());
      if (whole_ == nullptr) return nullptr;
      // Before it is cut: once for all pieces, and a slice of a damaged array may lie outside it.
      ARROW_RETURN_NOT_OK(whole_->ValidateFull());
      done_ = 0;
    }
    const std::int64_t n = std::min(rows_, whole_->num_rows() - done_);
    auto batch = n == whole_->num_rows() ? whole_ : whole_->Slice(done_, n);
    done_ += n;
    return batch;
  }

 protected:
  virtual arrow::Result<std::shared_ptr<arrow::RecordBatch>> next_whole() = 0;

 private:
  std::int64_t rows_;
  std::shared_ptr<arrow::RecordBatch> whole_;
  std::int64_t done_ = 0;
};

class IpcFileReader final : public IpcReader {
 public:
  IpcFileReader(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file, std::uint64_t bytes,
                std::int64_t rows)
      : IpcReader(rows), file_(std::move(file)), bytes_(bytes) {}

  std::uint64_t position() const override {
    const auto all = static_cast<std::uint64_t>(file_->num_record_batches());
    if (all == 0) return bytes_;
    const auto read = static_cast<std::uint64_t>(next_);
    return bytes_ / all * read + bytes_ % all * read / all;
  }

 private:
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next_whole() override {
    if (next_ == file_->num_record_batches()) return nullptr;
    return file_->ReadRecordBatch(next_++);
  }

  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  std::uint64_t bytes_;
  int next_ = 0;
};

class IpcStreamReader final : public IpcReader {
 public:
  IpcStreamReader(std::shared_ptr<arrow::io::InputStream> stream,
                  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> batches, std::int64_t rows)
      : IpcReader(rows), stream_(std::move(stream)), batches_(std::move(batches)) {}

  std::uint64_t position() const override {
    return static_cast<std::uint64_t>(stream_->Tell().ValueOr(0));
  }

 private:
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next_whole() override {
    std::shared_ptr<arrow::RecordBatch> batch;
    ARROW_RETURN_NOT_OK(batches_->ReadNext(&batch));
    return batch;
  }

  std::shared_ptr<arrow::io::InputStream> stream_;
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> batches_;
};

class IpcInput final : public Input {
 public:
  arrow::Status open(std::shared_ptr<arrow::io::RandomAccessFile> file, ArrowFormat form) {
    file_ = std::make_shared<ReadHere>(std::move(file));
    format = form;
    ARROW_ASSIGN_OR_RAISE(const std::int64_t size, file_->GetSize());
    bytes = static_cast<std::uint64_t>(size);
    if (format == ArrowFormat::kIpcFile) {
      ARROW_ASSIGN_OR_RAISE(const auto reader, open_file(read_options()));
      schema = reader->schema();
    } else {
      ARROW_ASSIGN_OR_RAISE(const auto stream, stream_from(0));
      ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ipc::RecordBatchStreamReader::Open(
                                                   stream.get(), read_options()));
      schema = reader->schema();
    }
    constexpr std::int64_t kMagicAndPadding = 8;
    ARROW_ASSIGN_OR_RAISE(const auto messages,
                          stream_from(format == ArrowFormat::kIpcFile ? kMagicAndPadding : 0));
    // What is wrong with a batch is told when it is read.
    compression = first_compression(*messages).ValueOr(Compression::UNCOMPRESSED);
    return arrow::Status::OK();
  }

  arrow::Result<std::unique_ptr<BatchReader>> batches(const std::vector<int>& columns,
                                                      const std::vector<int>& /*coded*/,
                                                      std::int64_t rows) const override {
    arrow::ipc::IpcReadOptions options = read_options();
    if (std::ssize(columns) != schema->num_fields()) {
      options.included_fields = columns;  // the others are not even decompressed
    }
    if (format == ArrowFormat::kIpcFile) {
      ARROW_ASSIGN_OR_RAISE(auto reader, open_file(options));
      return std::make_unique<IpcFileReader>(std::move(reader), bytes, rows);
    }
    ARROW_ASSIGN_OR_RAISE(auto stream, stream_from(0));
    ARROW_ASSIGN_OR_RAISE(auto reader,
                          arrow::ipc::RecordBatchStreamReader::Open(stream.get(), options));
    return std::make_unique<IpcStreamReader>(std::move(stream), std::move(reader), rows);
  }

 private:
  arrow::Result<std::shared_ptr<arrow::ipc::RecordBatchFileReader>> open_file(
      const arrow::ipc::IpcReadOptions& options) const {
    return arrow::ipc::RecordBatchFileReader::Open(file_, options);
  }

  // Each with a position of its own.
  arrow::Result<std::shared_ptr<arrow::io::InputStream>> stream_from(std::int64_t start) const {
    return arrow::io::RandomAccessFile::GetStream(
        file_, start, std::max<std::int64_t>(0, static_cast<std::int64_t>(bytes) - start));
  }

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
};

}  // namespace

arrow::Result<std::unique_ptr<Input>> open_ipc(std::shared_ptr<arrow::io::RandomAccessFile> file,
                                               ArrowFormat format) {
  auto input = std::make_unique<IpcInput>();
  ARROW_RETURN_NOT_OK(input->open(std::move(file), format));
  return input;
}

}  // namespace semveil
