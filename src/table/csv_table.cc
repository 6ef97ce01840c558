#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "base/csv.h"
#include "base/text_hash.h"
#include "semveil/table.h"
#include "table/backend.h"

namespace semveil {
namespace {

enum class TableFormat : std::uint8_t { kCsv, kArrow };

Result<TableFormat> format_of(std::string_view table) {
  if (table.starts_with("postgresql://") || table.starts_with("sqlite:")) {
    return fail(usage_error("databases cannot be read yet: export the table as CSV or Parquet"));
  }
  for (const std::string_view ending : {".parquet", ".arrow", ".feather", ".ipc"}) {
    if (table.ends_with(ending)) return TableFormat::kArrow;
  }
  return TableFormat::kCsv;
}

Result<CsvReader> open_csv(const std::string& table) {
  std::string_view name = table;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  if (name.ends_with(".tsv")) return CsvReader::open(table, CsvDialect{'\t', '"'});
  return CsvReader::open(table);
}

// The header, copied: the reader's views do not live long.
Result<std::vector<std::string>> read_header(CsvReader& reader) {
  const auto record = reader.next();
  if (!record) return fail(record.error());
  if (!*record) {
    return fail(data_error("the table is empty: expected a header line").at(reader.name()));
  }
  return std::vector<std::string>((*record)->begin(), (*record)->end());
}

Result<ColumnCounts> count_csv(const std::string& table, std::string_view column,
                               const Progress& progress) {
  Result<CsvReader> reader = open_csv(table);
  if (!reader) return fail(reader.error());
  const Result<std::vector<std::string>> header = read_header(*reader);
  if (!header) return fail(header.error());
  const auto found = std::find(header->begin(), header->end(), column);
  if (found == header->end()) {
    return fail(data_error(fmt::format("there is no column '{}'", column))
                    .at(table, reader->line())
                    .hinting(fmt::format("the table has: {}", fmt::join(*header, ", "))));
  }
  if (std::find(found + 1, header->end(), column) != header->end()) {
    return fail(data_error(fmt::format("two columns are called '{}': rename one", column))
                    .at(table, reader->line()));
  }
  const auto position = static_cast<std::size_t>(found - header->begin());

  std::unordered_map<std::string, std::uint64_t, TextHash, std::equal_to<>> counts;
  ColumnCounts result;
  constexpr std::uint64_t kProgressEvery = 1 << 18;
  for (;;) {
    const auto record = reader->next();
    if (!record) return fail(record.error());
    if (!*record) break;
    const std::string_view cell = (**record)[position];
    if (++result.records % kProgressEvery == 0 && progress) progress(result.records);
    if (cell.empty()) {
      ++result.missing;
    } else if (const auto at = counts.find(cell); at != counts.end()) {
      ++at->second;
    } else {
      counts.emplace(cell, 1);
    }
  }
  result.values.assign(counts.begin(), counts.end());
  std::sort(result.values.begin(), result.values.end());
  return result;
}

Result<ColumnCounts> count_arrow(const TableBackend& backend, const std::string& path,
                                 std::string_view column) {
  const auto table = backend.open(path, {});
  if (!table) return fail(table.error());
  const auto& columns = (*table)->columns();
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) {
    return fail(data_error(fmt::format("there is no column '{}'", column)).at(path));
  }
  const auto source = (*table)->read({static_cast<std::size_t>(found - columns.begin())},
                                     Cells::kWanted);
  if (!source) return fail(source.error());
  Dictionary dictionary;
  std::vector<std::uint64_t> counts;
  ColumnCounts result;
  for (;;) {
    const auto batch = (*source)->next(std::span(&dictionary, 1));
    if (!batch) return fail(batch.error());
    if (*batch == nullptr) break;
    counts.resize(dictionary.size());
    for (const Code code : (*batch)->codes[0]) ++(code == kMissing ? result.missing : counts[code]);
    result.records += (*batch)->rows;
  }
  for (Code code = 0; code < counts.size(); ++code) {
    result.values.emplace_back(dictionary.text(code), counts[code]);
  }
  std::sort(result.values.begin(), result.values.end());
  return result;
}

}  // namespace

Result<ColumnCounts> count_column(const std::string& table, std::string_view column,
                                  const Progress& progress) {
  const Result<TableFormat> format = format_of(table);
  if (!format) return fail(format.error());
  if (*format == TableFormat::kCsv) return count_csv(table, column, progress);
  const Result<const TableBackend*> backend = table_backend();
  if (!backend) return fail(backend.error());
  return count_arrow(**backend, table, column);
}

Status for_each_row(
    const std::string& table, std::size_t columns,
    const std::function<Status(std::uint64_t, std::span<const std::string_view>)>& visit) {
  Result<CsvReader> reader = open_csv(table);
  if (!reader) return fail(reader.error());
  const Result<std::vector<std::string>> header = read_header(*reader);
  if (!header) return fail(header.error());
  if (header->size() < columns) {
    return fail(data_error(fmt::format("expected a header line and {} columns, found {}", columns,
                                       header->size()))
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
