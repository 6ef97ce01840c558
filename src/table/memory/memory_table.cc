// Tables made of arrays of the Arrow C data interface. Nothing is copied: a batch is a slice of the
// arrays that were given.
#include "semveil/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "table/memory/array_cells.h"
#include "table/memory/memory_batch.h"
#include "table/memory/memory_sink.h"
#include "table/table_impl.h"

namespace semveil {
namespace {

constexpr std::uint64_t kUsualRows = 65536;  // of a batch; as of files

Error in_table(Error error, const std::string& name) {
  error.place.file = name;
  return error;
}

Error no_table_error(std::string_view format) {
  return data_error(
      fmt::format("the arrays have the type '{}' and make no table: give a struct "
                  "('+s') whose children are the columns",
                  format));
}

// Of a struct of columns.
Result<FieldType> records_type(const ArrowSchema& schema) {
  Result<FieldType> type = FieldType::read(schema);
  if (type && type->format != "+s") return fail(no_table_error(type->format));
  return type;
}

Status check_records(const FieldType& type, const ArrowArray& records) {
  if (const Status status = check_array(type, records); !status) return status;
  if (records.null_count == 0 || records.buffers[0] == nullptr) return {};
  for (std::int64_t row = 0; row < records.length; ++row) {
    if (!is_valid(type, records, row)) {
      return fail(data_error("a record as a whole is null: a table has nulls in its columns only"));
    }
  }
  return {};
}

Error stream_error(ArrowArrayStream& stream, int code) {
  const char* const message =
      stream.get_last_error != nullptr ? stream.get_last_error(&stream) : nullptr;
  Error error = system_error(
      fmt::format("the stream of the table failed (error {}): see what its producer says", code));
  if (message != nullptr) error.hint = message;
  return error;
}

// A stream of records, one pass.
class RecordStream {
 public:
  static Result<RecordStream> open(Owned<ArrowArrayStream> stream) {
    RecordStream opened;
    opened.stream_ = std::move(stream);
    ArrowArrayStream& given = *opened.stream_;
    if (!opened.stream_.is_there() || given.get_schema == nullptr || given.get_next == nullptr) {
      return fail(data_error("the stream is not there, or was released already"));
    }
    Owned<ArrowSchema> schema;
    if (const int code = given.get_schema(&given, schema.get()); code != 0) {
      return fail(stream_error(given, code));
    }
    Result<FieldType> type = records_type(*schema);
    if (!type) return fail(type.error());
    opened.type_ = *std::move(type);
    return opened;
  }

  const FieldType& type() const { return type_; }
  // Null at the end.
  Result<SharedArray> next() {
    Owned<ArrowArray> records;
    if (const int code = stream_->get_next(stream_.get(), records.get()); code != 0) {
      return fail(stream_error(*stream_, code));
    }
    if (!records.is_there()) return SharedArray();
    if (const Status status = check_records(type_, *records); !status) return fail(status.error());
    return share(std::move(records));
  }

 private:
  Owned<ArrowArrayStream> stream_;
  FieldType type_;
};

class MemorySource final : public TableSource {
 public:
  using Next = std::function<Result<SharedArray>()>;

  // Type, options and name are the table's.
  MemorySource(const FieldType& type, const TableOptions& options, const std::string& name,
               std::vector<std::size_t> wanted, Next next)
      : type_(type), name_(name), wanted_(std::move(wanted)), next_(std::move(next)) {
    most_ = static_cast<std::int64_t>(options.batch_rows == 0
                                          ? kUsualRows
                                          : std::min(options.batch_rows, std::uint64_t{1} << 31U));
    for (const std::size_t column : wanted_) {
      coders_.emplace_back(type.children[column], options.missing_values);
    }
  }

  Result<std::unique_ptr<TableBatch>> next(std::span<Dictionary> dictionaries) override {
    while (records_ == nullptr || done_ == records_->length) {
      Result<SharedArray> records = next_();
      if (!records) return fail(in_table(std::move(records.error()), name_));
      records_ = *std::move(records);
      done_ = 0;
      if (records_ == nullptr) return std::unique_ptr<TableBatch>();
    }
    auto batch = std::make_unique<MemoryBatch>(type_, records_, done_);
    batch->first_row = rows_;
    batch->rows = static_cast<std::size_t>(std::min(most_, records_->length - done_));
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      auto codes = coders_[i].codes(batch->column(wanted_[i]), batch->rows, dictionaries[i]);
      if (!codes) {
        return fail(std::move(codes.error()).at({name_, 0, type_.children[wanted_[i]].name}));
      }
      batch->codes.push_back(*std::move(codes));
    }
    rows_ += batch->rows;
    done_ += static_cast<std::int64_t>(batch->rows);
    return batch;
  }

 private:
  const FieldType& type_;
  const std::string& name_;
  std::vector<std::size_t> wanted_;
  Next next_;
  std::vector<MemoryCoder> coders_;
  std::int64_t most_ = 0, done_ = 0;
  SharedArray records_;
  std::uint64_t rows_ = 0;
};

class MemoryImpl final : public Table::Impl {
 public:
  MemoryImpl(FieldType type, const TableOptions& options, std::string name)
      : type_(std::move(type)), options_(options), name_(std::move(name)) {
    for (const FieldType& column : type_.children) columns_.push_back(column.name);
  }
  void keep(SharedArray records) { records_.push_back(std::move(records)); }
  void set_factory(ArrowStreamFactory factory) { factory_ = std::move(factory); }

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  std::uint64_t bytes() const override { return 0; }
  const FieldType* records() const override { return &type_; }

  Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t> wanted,
                                            Cells /*cells*/) const override {
    for (const std::size_t column : wanted) {
      const FieldType& type = type_.children[column];
      if (!type.has_text()) return fail(no_text_error(type).at({name_, 0, type.name}));
    }
    Result<MemorySource::Next> next = factory_ ? from_factory() : from_kept();
    if (!next) return fail(in_table(std::move(next.error()), name_));
    return std::make_unique<MemorySource>(type_, options_, name_, std::move(wanted),
                                          *std::move(next));
  }

  Result<std::unique_ptr<TableSink>> write(const std::string& path, Edits edits) const override {
    const OutputFormat format = output_format(path);
    if (format != OutputFormat::kCsv && format != OutputFormat::kTsv) {
      return fail(usage_error("a table in memory is written to .csv and .tsv files (also .gz, "
                              ".zst); for others take the release as a stream")
                      .at(path));
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (type_.children[i].has_text() ||
          std::binary_search(edits.drop.begin(), edits.drop.end(), i)) {
        continue;
      }
      return fail(data_error("the column is nested and cannot be written as CSV: drop it, or take "
                             "the release as a stream")
                      .at({name_, 0, columns_[i]}));
    }
    const char usual = format == OutputFormat::kCsv ? ',' : '\t';
    const CsvDialect dialect{options_.separator.value_or(usual), options_.quote.value_or('"')};
    return write_as_csv(path, dialect, columns_, std::move(edits), options_);
  }

 private:
  Result<MemorySource::Next> from_kept() const {
    return [this, at = std::size_t{0}]() mutable -> Result<SharedArray> {
      return at == records_.size() ? SharedArray() : records_[at++];
    };
  }

  Result<MemorySource::Next> from_factory() const {
    Owned<ArrowArrayStream> stream;
    if (Status made = factory_(stream.get()); !made) return fail(std::move(made.error()));
    Result<RecordStream> opened = RecordStream::open(std::move(stream));
    if (!opened) return fail(std::move(opened.error()));
    if (!opened->type().equals(type_)) {
      return fail(
          data_error("the table changed while it was read: its streams have other columns"));
    }
    // Shared, as what is called must be copyable.
    return
        [records = std::make_shared<RecordStream>(*std::move(opened))] { return records->next(); };
  }

  FieldType type_;
  TableOptions options_;
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<SharedArray> records_;
  ArrowStreamFactory factory_;
};

}  // namespace

Result<Table> table_from(ArrowArrayStream* stream, const TableOptions& options, std::string name) {
  Result<RecordStream> opened = RecordStream::open(Owned<ArrowArrayStream>(stream));
  if (!opened) return fail(in_table(std::move(opened.error()), name));
  auto table = std::make_unique<MemoryImpl>(opened->type(), options, name);
  for (;;) {
    check_stop();
    Result<SharedArray> records = opened->next();
    if (!records) return fail(in_table(std::move(records.error()), name));
    if (*records == nullptr) break;
    table->keep(*std::move(records));
  }
  return Table::Impl::table(std::move(table));
}

Result<Table> table_from(ArrowStreamFactory factory, const TableOptions& options,
                         std::string name) {
  Owned<ArrowArrayStream> stream;
  if (Status made = factory(stream.get()); !made) {
    return fail(in_table(std::move(made.error()), name));
  }
  Result<RecordStream> opened = RecordStream::open(std::move(stream));
  if (!opened) return fail(in_table(std::move(opened.error()), name));
  auto table = std::make_unique<MemoryImpl>(opened->type(), options, std::move(name));
  table->set_factory(std::move(factory));
  return Table::Impl::table(std::move(table));
}

Result<Table> table_from(ArrowSchema* schema, ArrowArray* batch, const TableOptions& options,
                         std::string name) {
  const Owned<ArrowSchema> its_schema(schema);
  Owned<ArrowArray> records(batch);
  if (!its_schema.is_there() || !records.is_there()) {
    return fail(data_error("the batch is not there, or was released already").at(name));
  }
  Result<FieldType> type = records_type(*its_schema);
  if (!type) return fail(in_table(std::move(type.error()), name));
  if (Status status = check_records(*type, *records); !status) {
    return fail(in_table(std::move(status.error()), name));
  }
  auto table = std::make_unique<MemoryImpl>(*std::move(type), options, std::move(name));
  table->keep(share(std::move(records)));
  return Table::Impl::table(std::move(table));
}

}  // namespace semveil
