#include "table/arrow/arrow_table.h"

#include <arrow/compute/cast.h>
#include <arrow/io/file.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "table/arrow/output.h"
#include "table/arrow/status.h"
#include "table/arrow/texts.h"
#include "table/arrow/types.h"

namespace semveil {
namespace {

class ArrowSource final : public TableSource {
 public:
  // The path, the options and the names of the columns are the table's.
  ArrowSource(const std::string& path, const TableOptions& options,
              const std::vector<std::string>& columns, std::vector<std::size_t> wanted,
              std::vector<int> read, std::unique_ptr<BatchReader> reader)
      : path_(path),
        columns_(columns),
        wanted_(std::move(wanted)),
        read_(std::move(read)),
        reader_(std::move(reader)),
        coders_(wanted_.size(), Coder(options.missing_values)) {}

  Result<std::unique_ptr<TableBatch>> next(std::span<Dictionary> dictionaries) override {
    return guarded(Place{.file = path_, .line = 0, .column = {}},
                   [&] { return next_batch(dictionaries); });
  }

 private:
  arrow::Result<std::unique_ptr<TableBatch>> next_batch(std::span<Dictionary> dictionaries) {
    ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<arrow::RecordBatch> records, reader_->next());
    if (records == nullptr) return nullptr;
    if (records->num_columns() != std::ssize(read_)) {
      return arrow::Status::Invalid("a batch lacks columns");
    }
    arrow::ArrayVector columns(columns_.size());
    for (std::size_t i = 0; i < read_.size(); ++i) {
      columns[static_cast<std::size_t>(read_[i])] = records->column(static_cast<int>(i));
    }
    auto batch = std::make_unique<ArrowBatch>(std::move(columns));
    batch->first_row = rows_;
    batch->rows = static_cast<std::size_t>(records->num_rows());
    rows_ += batch->rows;
    batch->bytes = reader_->position() - position_;
    position_ += batch->bytes;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      auto codes = coders_[i].codes(batch->column(wanted_[i]), dictionaries[i]);
      if (!codes.ok()) {
        const Place place{.file = path_, .line = 0, .column = columns_[wanted_[i]]};
        return to_arrow(to_error(codes.status()).at(place));
      }
      batch->codes.push_back(*std::move(codes));
    }
    return batch;
  }

  const std::string& path_;
  const std::vector<std::string>& columns_;
  std::vector<std::size_t> wanted_;
  std::vector<int> read_;  // columns of the table, ascending
  std::unique_ptr<BatchReader> reader_;
  std::vector<Coder> coders_;
  std::uint64_t rows_ = 0, position_ = 0;
};

}  // namespace

std::vector<std::optional<std::string_view>> ArrowBatch::texts(std::size_t column) const {
  if (columns_[column] == nullptr) return std::vector<std::optional<std::string_view>>(rows);
  std::shared_ptr<arrow::Array> holder;
  auto texts = texts_of(columns_[column], holder);
  if (!texts.ok()) return std::vector<std::optional<std::string_view>>(rows);
  const std::scoped_lock lock(mutex_);
  holders_.push_back(std::move(holder));
  return *std::move(texts);
}

Result<std::unique_ptr<ArrowTable>> ArrowFileTable::open(const std::string& path,
                                                         const TableOptions& options) {
  return guarded(Place{.file = path, .line = 0, .column = {}},
                 [&]() -> arrow::Result<std::unique_ptr<ArrowTable>> {
                   auto table = std::make_unique<ArrowFileTable>();
                   table->path_ = path;
                   table->options_ = options;
                   ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path));
                   ARROW_ASSIGN_OR_RAISE(table->input_, Input::open(std::move(file)));
                   table->columns_ = table->input_->schema->field_names();
                   return table;
                 });
}

bool ArrowFileTable::has_text(std::size_t column) const {
  const std::shared_ptr<arrow::DataType> type =
      released_type(input_->schema->field(static_cast<int>(column))->type());
  if (!can_be_text(*type)) return false;
  if (type->id() != arrow::Type::TIMESTAMP) return true;
  // A time zone that nobody knows is found out by the cast alone.
  const Status status = guarded({}, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const auto epoch, arrow::MakeScalar(type, std::int64_t{0}));
    return arrow::compute::Cast(epoch, arrow::large_utf8()).status();
  });
  return status.has_value();
}

Result<std::unique_ptr<TableSource>> ArrowFileTable::read(std::vector<std::size_t> wanted,
                                                          Cells cells) const {
  Place place{.file = path_, .line = 0, .column = {}};
  std::vector<int> coded;
  for (const std::size_t column : wanted) {
    const arrow::DataType& type = *input_->schema->field(static_cast<int>(column))->type();
    if (!can_be_text(type)) {
      place.column = columns_[column];
      return fail(data_error("the column has the type " + type.ToString() +
                             ", which has no text; use a column of texts, numbers or dates")
                      .at(place));
    }
    coded.push_back(static_cast<int>(column));
  }
  std::sort(coded.begin(), coded.end());
  coded.erase(std::unique(coded.begin(), coded.end()), coded.end());
  std::vector<int> read = coded;
  if (cells == Cells::kAll) {
    read.resize(columns_.size());
    std::iota(read.begin(), read.end(), 0);
  } else if (read.empty() && !columns_.empty()) {
    read = {0};  // for the number of records
  }
  const auto rows = static_cast<std::int64_t>(
      std::min<std::uint64_t>(options_.batch_rows, std::uint64_t{1} << 31));
  return guarded(place, [&]() -> arrow::Result<std::unique_ptr<TableSource>> {
    ARROW_ASSIGN_OR_RAISE(auto reader,
                          input_->batches(read, coded, rows == 0 ? kUsualBatchRows : rows));
    return std::make_unique<ArrowSource>(path_, options_, columns_, std::move(wanted),
                                         std::move(read), std::move(reader));
  });
}

}  // namespace semveil
