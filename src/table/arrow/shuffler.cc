#include "table/arrow/shuffler.h"

#include <arrow/compute/api_vector.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "table/arrow/status.h"

namespace semveil {
namespace {

constexpr std::int64_t kSpreadRows = std::int64_t{1} << 18;

arrow::ipc::IpcWriteOptions write_options() {
  arrow::ipc::IpcWriteOptions options = arrow::ipc::IpcWriteOptions::Defaults();
  options.use_threads = false;
  return options;
}

}  // namespace

arrow::Result<std::shared_ptr<arrow::RecordBatch>> take_rows(const arrow::RecordBatch& records,
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

arrow::Result<std::unique_ptr<Shuffler>> Shuffler::open(const Key& key,
                                                        std::shared_ptr<arrow::Schema> schema,
                                                        const std::string& folder) {
  std::unique_ptr<Shuffler> shuffler(new Shuffler(key));
  ARROW_ASSIGN_OR_RAISE(
      shuffler->schema_,
      schema->AddField(schema->num_fields(), arrow::field("row", arrow::uint64(), false)));
  ARROW_ASSIGN_OR_RAISE(shuffler->spool_, to_arrow(Spool::create(folder)));
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
    ARROW_ASSIGN_OR_RAISE(auto taken, take_rows(records, places[part]));
    numbers.clear();
    for (const std::uint32_t place : places[part]) numbers.push_back(spread_rows_ + place);
    ARROW_ASSIGN_OR_RAISE(
        taken, taken->AddColumn(
                   taken->num_columns(), schema_->fields().back(),
                   std::make_shared<arrow::UInt64Array>(
                       std::ssize(numbers), arrow::Buffer::Wrap(numbers.data(), numbers.size()))));
    ARROW_ASSIGN_OR_RAISE(const auto bytes,
                          arrow::ipc::SerializeRecordBatch(*taken, write_options()));
    blocks_[part].push_back({spool_->size(), bytes->size()});
    ARROW_RETURN_NOT_OK(to_arrow(spool_->append(std::string_view(*bytes))));
  }
  spread_rows_ += rows;
  return arrow::Status::OK();
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> Shuffler::read_part(
    const std::vector<Block>& blocks) const {
  arrow::RecordBatchVector pieces;
  for (const Block& block : blocks) {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bytes, arrow::AllocateBuffer(block.size));
    for (std::uint64_t done = 0; done < static_cast<std::uint64_t>(block.size);) {
      ARROW_ASSIGN_OR_RAISE(
          const std::size_t got,
          to_arrow(spool_->read(block.start + done, bytes->mutable_data_as<char>() + done,
                                static_cast<std::size_t>(block.size) - done)));
      if (got == 0) return arrow::Status::Invalid("a temporary file was cut short");
      done += got;
    }
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
  ARROW_RETURN_NOT_OK(to_arrow(spool_->finish()));
  for (const auto& blocks : blocks_) {
    if (blocks.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(const auto records, read_part(blocks));
    const int last = records->num_columns() - 1;
    const auto& column = static_cast<const arrow::UInt64Array&>(*records->column(last));
    const std::vector<std::uint32_t> order =
        order_.order({column.raw_values(), static_cast<std::size_t>(column.length())});
    ARROW_ASSIGN_OR_RAISE(const auto released, records->RemoveColumn(last));
    ARROW_ASSIGN_OR_RAISE(auto taken, take_rows(*released, order));
    ARROW_RETURN_NOT_OK(give(std::move(taken)));
  }
  return arrow::Status::OK();
}

}  // namespace semveil
