#include "table/arrow/shuffler.h"

#include <arrow/compute/api_vector.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "table/arrow/status.h"
#include "table/shuffle.h"

namespace semveil {
namespace {

constexpr std::int64_t kSpreadRows = std::int64_t{1} << 18;

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
  std::unique_ptr<Shuffler> shuffler(new Shuffler(shuffle_draws(key)));
  ARROW_ASSIGN_OR_RAISE(
      shuffler->schema_,
      schema->AddField(schema->num_fields(), arrow::field("draw", arrow::uint64(), false)));
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
  std::vector<std::uint64_t> draws(rows);
  draws_.of_rows(spread_rows_, 0, draws);
  std::array<std::vector<std::uint32_t>, kParts> places;
  for (std::size_t i = 0; i < rows; ++i) {
    places[draws[i] >> 56].push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint64_t> of_part;
  for (std::size_t part = 0; part < kParts; ++part) {
    if (places[part].empty()) continue;
    ARROW_ASSIGN_OR_RAISE(auto taken, take(records, places[part]));
    of_part.clear();
    for (const std::uint32_t place : places[part]) of_part.push_back(draws[place]);
    ARROW_ASSIGN_OR_RAISE(
        taken, taken->AddColumn(
                   taken->num_columns(), schema_->fields().back(),
                   std::make_shared<arrow::UInt64Array>(
                       std::ssize(of_part), arrow::Buffer::Wrap(of_part.data(), of_part.size()))));
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
    const std::uint64_t* const draws = column.raw_values();
    std::vector<std::uint32_t> order(static_cast<std::size_t>(column.length()));
    std::iota(order.begin(), order.end(), 0);
    // The rows of a part are in their old order: a place says who was before whom.
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(draws[a], a) < std::pair(draws[b], b);
    });
    ARROW_ASSIGN_OR_RAISE(const auto released, records->RemoveColumn(last));
    ARROW_ASSIGN_OR_RAISE(auto taken, take(*released, order));
    ARROW_RETURN_NOT_OK(give(std::move(taken)));
  }
  return arrow::Status::OK();
}

}  // namespace semveil
