// What stands behind a Table: one class per kind of file.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/csv_scan.h"
#include "semveil/table.h"
#include "table/backend.h"
#include "table/input.h"

namespace semveil {

struct FieldType;

class Table::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;
  static Table table(std::unique_ptr<Impl> impl) { return Table(std::move(impl)); }

  virtual const std::string& name() const = 0;
  virtual const std::vector<std::string>& columns() const = 0;
  virtual std::uint64_t bytes() const = 0;
  virtual std::uint64_t header_line() const { return 0; }  // 0: there are no lines
  virtual Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t> wanted,
                                                    Cells cells) const = 0;
  virtual Result<std::unique_ptr<TableSink>> write(const std::string& path, Edits edits) const = 0;
  // The type of its records, where they are arrays in memory.
  virtual const FieldType* records() const { return nullptr; }
};

// table/csv_table.cc
Result<std::unique_ptr<Table::Impl>> open_csv_table(TableInput input, const TableOptions& options);

// A sink that writes texts as CSV, for batches of any table.
Result<std::unique_ptr<TableSink>> write_as_csv(const std::string& path, CsvDialect dialect,
                                                const std::vector<std::string>& columns,
                                                Edits edits, const TableOptions& options);

// What the ending of an output's name asks for.
enum class OutputFormat : std::uint8_t { kOwn, kCsv, kTsv, kParquet, kIpcFile, kIpcStream };
OutputFormat output_format(std::string_view path);
// The name without .gz or .zst.
std::string_view without_packing(std::string_view path);

}  // namespace semveil
