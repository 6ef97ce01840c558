// Tables in memory, given and taken by Arrow's own side of the C interfaces.
#pragma once

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow_tables.h"
#include "semveil/memory_table.h"

namespace semveil::test {

inline ArrowArrayStream stream_of(const std::shared_ptr<arrow::Table>& table,
                                  std::int64_t rows = 1 << 20) {
  auto batches = std::make_shared<arrow::TableBatchReader>(table);
  batches->set_chunksize(rows);
  ArrowArrayStream stream{};
  EXPECT_TRUE(arrow::ExportRecordBatchReader(batches, &stream).ok());
  return stream;
}

inline std::shared_ptr<arrow::Table> one_column(const std::shared_ptr<arrow::Array>& cells,
                                                const std::string& name = "c") {
  return arrow::Table::Make(arrow::schema({arrow::field(name, cells->type())}), {cells});
}

inline Result<Table> memory_table(const std::shared_ptr<arrow::Table>& table,
                                  std::int64_t rows = 1 << 20, const TableOptions& options = {}) {
  ArrowArrayStream stream = stream_of(table, rows);
  return table_from(&stream, options);
}

inline std::shared_ptr<arrow::Table> taken(const MemoryOutput& output) {
  ArrowArrayStream stream{};
  if (!output.stream(&stream)) return nullptr;
  const auto reader = arrow::ImportRecordBatchReader(&stream).ValueOrDie();
  const auto table = reader->ToTable().ValueOrDie();
  EXPECT_TRUE(table->ValidateFull().ok()) << table->ValidateFull().ToString();
  return table;
}

// A cell, also where it is told by a dictionary.
inline std::shared_ptr<arrow::Scalar> decoded_cell(const arrow::Array& cells, std::int64_t row) {
  auto cell = cells.GetScalar(row).ValueOrDie();
  if (cell->type->id() != arrow::Type::DICTIONARY) return cell;
  return static_cast<const arrow::DictionaryScalar&>(*cell).GetEncodedValue().ValueOrDie();
}

using CellList = std::vector<std::string>;

inline std::string cell_text(const arrow::Scalar& cell) {
  if (!cell.is_valid) return "null";
  // A number is the same number as a text and as a double.
  const std::string text = cell.ToString();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' ? std::to_string(number) : text;
}

inline std::map<std::string, CellList> cells_of(const arrow::Table& table) {
  std::map<std::string, CellList> cells;
  for (int c = 0; c < table.num_columns(); ++c) {
    CellList& column = cells[table.field(c)->name()];
    for (const auto& chunk : table.column(c)->chunks()) {
      for (std::int64_t i = 0; i < chunk->length(); ++i) {
        column.push_back(cell_text(*decoded_cell(*chunk, i)));
      }
    }
  }
  return cells;
}

}  // namespace semveil::test
