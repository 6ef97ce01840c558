// Which module a table belongs to, and what needs nothing but a Table.
#include "semveil/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/csv.h"
#include "base/limits.h"
#include "base/stop.h"
#include "table/column_named.h"
#include "table/memory/memory_sink.h"
#include "table/set_texts.h"
#include "table/table_impl.h"

namespace semveil {

namespace {

// A file whose name promises a format that is not in it helps nobody.
bool promises_other_format(std::string_view path) {
  constexpr std::array<std::string_view, 21> kEndings{
      ".xlsx", ".xls",  ".ods",      ".json",   ".sav", ".dta", ".xpt",
      ".orc",  ".avro", ".sas7bdat", ".sqlite", ".bz2", ".xz",  ".zip",
      ".7z",   ".rar",  ".lz4",      ".lzma",   ".br",  ".tar", ".tgz"};
  std::string folded(without_packing(path));
  for (char& c : folded) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return folded.ends_with(ending); });
}

}  // namespace

std::string_view without_packing(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  return path;
}

OutputFormat output_format(std::string_view path) {
  const std::string_view name = without_packing(path);
  if (name.ends_with(".csv")) return OutputFormat::kCsv;
  if (name.ends_with(".tsv")) return OutputFormat::kTsv;
  if (path.ends_with(".parquet")) return OutputFormat::kParquet;
  if (path.ends_with(".arrows")) return OutputFormat::kIpcStream;
  for (const std::string_view ending : {".arrow", ".feather", ".ipc"}) {
    if (path.ends_with(ending)) return OutputFormat::kIpcFile;
  }
  return OutputFormat::kOwn;
}

namespace {

// The name decides; where it says nothing, the first bytes do.
bool is_arrow(std::string_view path, std::string_view first_bytes) {
  switch (output_format(path)) {
    case OutputFormat::kParquet:
    case OutputFormat::kIpcFile:
    case OutputFormat::kIpcStream:
      return true;
    case OutputFormat::kCsv:
    case OutputFormat::kTsv:
      return false;
    case OutputFormat::kOwn:
      break;
  }
  constexpr std::array<std::string_view, 5> kMagic = {"PAR1", "PARE", "ARROW1", "FEA1",
                                                      "\xFF\xFF\xFF\xFF"};
  return std::any_of(kMagic.begin(), kMagic.end(),
                     [&](std::string_view magic) { return first_bytes.starts_with(magic); });
}

// An error of a table that was opened by another path than its name.
Error named(Error error, const std::string& path, const std::string& name) {
  if (error.place.file == path) error.place.file = name;
  return error;
}

class NamedSource final : public TableSource {
 public:
  NamedSource(std::unique_ptr<TableSource> source, std::string path, std::string name)
      : source_(std::move(source)), path_(std::move(path)), name_(std::move(name)) {}

  Result<std::unique_ptr<TableBatch>> next(std::span<Dictionary> dictionaries) override {
    auto batch = source_->next(dictionaries);
    if (!batch) return fail(named(std::move(batch.error()), path_, name_));
    return batch;
  }

 private:
  std::unique_ptr<TableSource> source_;
  std::string path_, name_;
};

class ArrowImpl final : public Table::Impl {
 public:
  ArrowImpl(TableInput input, const TableBackend& backend, std::unique_ptr<ArrowTable> table,
            std::string path, const TableOptions& options)
      : input_(std::move(input)),
        backend_(backend),
        table_(std::move(table)),
        path_(std::move(path)),
        options_(options) {}

  const std::string& name() const override { return input_.name(); }
  const std::vector<std::string>& columns() const override { return table_->columns(); }
  std::uint64_t bytes() const override { return table_->bytes(); }
  Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t> wanted,
                                            Cells cells) const override {
    auto source = table_->read(std::move(wanted), cells);
    if (path_ == name()) return source;
    if (!source) return fail(named(std::move(source.error()), path_, name()));
    return std::make_unique<NamedSource>(*std::move(source), path_, name());
  }
  Result<std::unique_ptr<TableSink>> write(const std::string& path, Edits edits) const override {
    ArrowFormat format = table_->format();
    switch (output_format(path)) {
      case OutputFormat::kCsv:
        return as_csv(path, ',', std::move(edits));
      case OutputFormat::kTsv:
        return as_csv(path, '\t', std::move(edits));
      case OutputFormat::kParquet:
        format = ArrowFormat::kParquet;
        break;
      case OutputFormat::kIpcFile:
        format = ArrowFormat::kIpcFile;
        break;
      case OutputFormat::kIpcStream:
        format = ArrowFormat::kIpcStream;
        break;
      case OutputFormat::kOwn:
        break;
    }
    return backend_.write(path, format, columns(), table_.get(), std::move(edits), options_);
  }

 private:
  Result<std::unique_ptr<TableSink>> as_csv(const std::string& path, char separator,
                                            Edits edits) const {
    for (std::size_t i = 0; i < columns().size(); ++i) {
      if (!table_->has_text(i) && !std::binary_search(edits.drop.begin(), edits.drop.end(), i)) {
        return fail(
            data_error("this column is nested and cannot be written as CSV: drop it, or write "
                       "the table in its own format")
                .at(name())
                .quoting(columns()[i]));
      }
    }
    const CsvDialect dialect{options_.separator.value_or(separator), options_.quote.value_or('"')};
    return write_as_csv(path, dialect, columns(), std::move(edits), options_);
  }

  TableInput input_;  // the table's path may lead to it
  const TableBackend& backend_;
  std::unique_ptr<ArrowTable> table_;
  std::string path_;
  TableOptions options_;
};

Result<std::unique_ptr<Table::Impl>> open_arrow_table(TableInput input,
                                                      const TableOptions& options) {
  const Result<const TableBackend*> backend = table_backend();
  if (!backend) return fail(backend.error());
  const Result<std::string> path = input.path();
  if (!path) return fail(path.error());
  auto table = (*backend)->open(*path, options);
  if (!table) return fail(named(std::move(table.error()), *path, input.name()));
  return std::make_unique<ArrowImpl>(std::move(input), **backend, std::move(*table), *path,
                                     options);
}

Result<std::unique_ptr<Table::Impl>> open_table(const std::string& path, TableInput::Passes passes,
                                                const TableOptions& options) {
  if (path.starts_with("postgresql://") || path.starts_with("sqlite:")) {
    return fail(usage_error("databases cannot be read yet: export the table as CSV or Parquet"));
  }
  auto input = TableInput::open(path, passes, options.temp_folder);
  if (!input) return fail(input.error());
  if (is_arrow(path, input->first_bytes())) return open_arrow_table(std::move(*input), options);
  return open_csv_table(std::move(*input), options);
}

}  // namespace

Result<Table> Table::open(const std::string& path, const TableOptions& options) {
  auto impl = open_table(path, TableInput::Passes::kMany, options);
  if (!impl) return fail(impl.error());
  return Table(std::move(*impl));
}

Result<Table> Table::stream(const std::string& path, const TableOptions& options) {
  auto impl = open_table(path, TableInput::Passes::kOne, options);
  if (!impl) return fail(impl.error());
  return Table(std::move(*impl));
}

Table::Table(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Table::~Table() = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;

const std::string& Table::name() const { return impl_->name(); }
const std::vector<std::string>& Table::columns() const { return impl_->columns(); }
std::uint64_t Table::bytes() const { return impl_->bytes(); }

Result<std::size_t> Table::column(std::string_view name) const {
  return column_named(name, columns(), {impl_->name(), impl_->header_line(), {}});
}

std::string listed_columns(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  if (names.size() <= kMost) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kMost, ", "),
                     names.size() - kMost);
}

Result<std::size_t> column_named(std::string_view name, const std::vector<std::string>& names,
                                 const Place& header) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return fail(data_error(fmt::format("there is no column '{}'", name))
                    .at(header)
                    .hinting(fmt::format("the table has: {}", listed_columns(names))));
  }
  if (std::find(found + 1, names.end(), name) != names.end()) {
    return fail(
        data_error(fmt::format("two columns are called '{}': rename one or, where the first line "
                               "is a record, write a line of names in front of it",
                               name))
            .at(header));
  }
  return static_cast<std::size_t>(found - names.begin());
}

Result<std::unique_ptr<TableSource>> Table::read(std::vector<std::size_t> wanted,
                                                 Cells cells) const {
  return impl_->read(std::move(wanted), cells);
}

Result<std::unique_ptr<TableSink>> Table::write(const std::string& path, Edits edits) const {
  if (promises_other_format(path)) {
    return fail(usage_error("this format is not written: choose .csv, .tsv (also .gz, .zst), "
                            ".parquet, .arrow or .feather")
                    .at(path));
  }
  if (Status checked = check(edits); !checked) return fail(std::move(checked.error()));
  return impl_->write(path, std::move(edits));
}

Result<std::unique_ptr<TableSink>> Table::write(MemoryOutput& output, Edits edits) const {
  if (Status checked = check(edits); !checked) return fail(std::move(checked.error()));
  return write_to_memory(output, impl_->records(), columns(), std::move(edits));
}

Status Table::check(const Edits& edits) const {
  if (edits.drop.size() >= columns().size()) {
    return fail(data_error("every column would be dropped: keep at least one").at(name()));
  }
  for (const Edits::Replace& replace : edits.replace) {
    if (replace.set && replace.set->width == 0) {
      return fail(usage_error("a set needs at least one value"));
    }
  }
  if (Status names = check_set_names(columns(), edits); !names) {
    Error error = std::move(names.error());
    error.place.file = name();
    error.place.line = impl_->header_line();
    return fail(std::move(error));
  }
  return {};
}

Result<ColumnCounts> count_column(const std::string& path, std::string_view column,
                                  const Progress& progress, const TableOptions& options) {
  const Result<Table> table = Table::stream(path, options);
  if (!table) return fail(table.error());
  const Result<std::size_t> position = table->column(column);
  if (!position) return fail(position.error());
  auto source = table->read({*position}, Cells::kWanted);
  if (!source) return fail(source.error());

  ColumnCounts result;
  Dictionary dictionary;
  std::vector<std::uint64_t> counts;
  for (;;) {
    check_stop();
    const auto batch = (*source)->next({&dictionary, 1});
    if (!batch) return fail(batch.error());
    if (!*batch) break;
    counts.resize(dictionary.size(), 0);
    for (const Code code : (*batch)->codes[0]) ++(code == kMissing ? result.missing : counts[code]);
    result.records += (*batch)->rows;
    if (progress) progress(result.records);
  }
  for (Code code = 0; code < dictionary.size(); ++code) {
    result.values.emplace_back(dictionary.text(code), counts[code]);
  }
  std::sort(result.values.begin(), result.values.end());
  return result;
}

Status for_each_row(
    const std::string& table, std::size_t columns,
    const std::function<Status(std::uint64_t, std::span<const std::string_view>)>& visit) {
  std::optional<CsvDialect> dialect;
  if (output_format(table) == OutputFormat::kTsv) dialect = CsvDialect{'\t', '"'};
  auto packed = InputStream::open(table, Unpack::kNo);
  if (!packed) return fail(packed.error());
  auto stream = unpack_any_length(*std::move(packed), table);
  if (!stream) return fail(stream.error());
  Result<CsvReader> reader = CsvReader::over(*std::move(stream), table, dialect);
  if (!reader) return fail(reader.error());
  const auto header = reader->next();
  if (!header) return fail(header.error());
  if (!*header) {
    return fail(data_error("the table is empty: expected a header line").at(reader->name()));
  }
  if ((*header)->size() < columns) {
    return fail(data_error(fmt::format("expected a header line and {} columns, found {}", columns,
                                       (*header)->size()))
                    .at(table, reader->line()));
  }
  for (;;) {
    const auto record = reader->next();
    if (!record) return fail(record.error());
    if (!*record) return {};
    if (const Status status = visit(reader->line(), **record); !status) return status;
  }
}

}  // namespace semveil
