#include "table/arrow/shuffler.h"

#include <arrow/compute/api_vector.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <span>
#include <system_error>
#include <utility>

#include "table/arrow/status.h"

namespace semveil {
namespace {

constexpr std::int64_t kSpreadRows = std::int64_t{1} << 18;

arrow::Status no_temporary_file(const std::string& folder, int error) {
  return to_arrow(
      system_error("no temporary file can be made here: " + std::generic_category().message(error) +
                   "; choose another folder for temporary files")
          .at(folder));
}

arrow::Result<int> nameless_file(const std::string& folder) {
  int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = folder + "/.semveil-XXXXXX";  // a file system without nameless files
  file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return no_temporary_file(folder, errno);
  ::unlink(name.c_str());
  return file;
}

arrow::ipc::IpcWriteOptions write_options() {
  arrow::ipc::IpcWriteOptions options = arrow::ipc::IpcWriteOptions::Defaults();
  options.use_threads = false;
  return options;
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> take(const arrow::RecordBatch& records,
                                                        std::span<const std::uint32_t> rows) {
  const arrow::UInt32Array indices(static_cast<std::int64_t>(rows.size()),
                                   arrow::Buffer::Wrap(rows.data(), rows.size()));
  arrow::ArrayVector columns;
  for (const auto& column : records.columns()) {
    ARROW_ASSIGN_OR_RAISE(
        auto taken,
        arrow::compute::Take(*column, indices, arrow::compute::TakeOptions::NoBoundsCheck()));
    columns.push_back(std::move(taken));
  }
  return arrow::RecordBatch::Make(records.schema(), indices.length(), std::move(columns));
}

}  // namespace

arrow::Result<std::unique_ptr<Shuffler>> Shuffler::open(const Key& key,
                                                        std::shared_ptr<arrow::Schema> schema,
                                                        const std::string& folder) {
  std::unique_ptr<Shuffler> shuffler(new Shuffler(key));
  ARROW_ASSIGN_OR_RAISE(
      shuffler->schema_,
      schema->AddField(schema->num_fields(), arrow::field("row", arrow::uint64(), false)));
  ARROW_ASSIGN_OR_RAISE(const int file, nameless_file(folder));
  ARROW_ASSIGN_OR_RAISE(shuffler->out_, arrow::io::FileOutputStream::Open(file));
  const int again = ::fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (again < 0) return no_temporary_file(folder, errno);
  ARROW_ASSIGN_OR_RAISE(shuffler->in_, arrow::io::ReadableFile::Open(again));
  return shuffler;
}

arrow::Status Shuffler::add(std::shared_ptr<arrow::RecordBatch> records) {
  pending_rows_ += records->num_rows();
  pending_.push_back(std::move(records));
  return pending_rows_ >= kSpreadRows ? spread_pending() : arrow::Status::OK();
}

arrow::Status Shuffler::spread_pending() {
  if (pending_rows_ == 0) return arrow::Status::OK();
  const auto whole = arrow::ConcatenateRecordBatches(pending_);
  if (whole.ok()) {
    ARROW_RETURN_NOT_OK(spread(**whole));
  } else {  // too long for one array: the pieces are not
    for (const auto& piece : pending_) ARROW_RETURN_NOT_OK(spread(*piece));
  }
  pending_.clear();
  pending_rows_ = 0;
  return arrow::Status::OK();
}

arrow::Status Shuffler::spread(const arrow::RecordBatch& records) {
  const auto rows = static_cast<std::size_t>(records.num_rows());
  const std::vector<std::uint8_t> parts = order_.parts(spread_rows_, rows);
  std::array<std::vector<std::uint32_t>, kShuffleParts> places;
  for (std::size_t i = 0; i < rows; ++i) places[parts[i]].push_back(static_cast<std::uint32_t>(i));

  std::vector<std::uint64_t> numbers;
  for (std::size_t part = 0; part < kShuffleParts; ++part) {
    if (places[part].empty()) continue;
    ARROW_ASSIGN_OR_RAISE(auto taken, take(records, places[part]));
    numbers.clear();
    for (const std::uint32_t place : places[part]) numbers.push_back(spread_rows_ + place);
    ARROW_ASSIGN_OR_RAISE(
        taken, taken->AddColumn(
                   taken->num_columns(), schema_->fields().back(),
                   std::make_shared<arrow::UInt64Array>(
                       std::ssize(numbers), arrow::Buffer::Wrap(numbers.data(), numbers.size()))));
    ARROW_ASSIGN_OR_RAISE(const auto bytes,
                          arrow::ipc::SerializeRecordBatch(*taken, write_options()));
    ARROW_ASSIGN_OR_RAISE(const std::int64_t start, out_->Tell());
    ARROW_RETURN_NOT_OK(out_->Write(bytes));
    blocks_[part].push_back({start, bytes->size()});
  }
  spread_rows_ += rows;
  return arrow::Status::OK();
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> Shuffler::read_part(
    const std::vector<Block>& blocks) {
  arrow::RecordBatchVector pieces;
  for (const Block& block : blocks) {
    ARROW_ASSIGN_OR_RAISE(const auto bytes, in_->ReadAt(block.start, block.size));
    arrow::io::BufferReader reader(bytes);
    arrow::ipc::IpcReadOptions options;
    options.use_threads = false;
    ARROW_ASSIGN_OR_RAISE(auto piece,
                          arrow::ipc::ReadRecordBatch(schema_, nullptr, options, &reader));
    pieces.push_back(std::move(piece));
  }
  return arrow::ConcatenateRecordBatches(pieces);
}

arrow::Status Shuffler::finish(
    const std::function<arrow::Status(std::shared_ptr<arrow::RecordBatch>)>& give) {
  ARROW_RETURN_NOT_OK(spread_pending());
  ARROW_RETURN_NOT_OK(out_->Flush());
  for (auto& blocks : blocks_) {
    if (blocks.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(auto records, read_part(blocks));
    const int last = records->num_columns() - 1;
    const auto& numbers = static_cast<const arrow::UInt64Array&>(*records->column(last));
    const std::vector<std::uint32_t> order =
        order_.order(std::span(numbers.raw_values(), static_cast<std::size_t>(numbers.length())));
    ARROW_ASSIGN_OR_RAISE(const auto released, records->RemoveColumn(last));
    ARROW_ASSIGN_OR_RAISE(auto taken, take(*released, order));
    ARROW_RETURN_NOT_OK(give(std::move(taken)));
  }
  return arrow::Status::OK();
}

}  // namespace semveil
