// Tables: what the program reads its columns from.
//
// CSV and TSV (plain, gzip or zstd; "-" is standard input) are read by semveil itself; Parquet and
// Arrow IPC/Feather through Apache Arrow, which is loaded on first use.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semveil/result.h"

namespace semveil {

struct ColumnCounts {
  std::vector<std::pair<std::string, std::uint64_t>> values;  // distinct texts, sorted by bytes
  std::uint64_t records = 0;
  std::uint64_t missing = 0;  // nulls and empty cells; in none of the values
};

// Called now and then with the records read so far.
using Progress = std::function<void(std::uint64_t)>;

// Counts the distinct texts of one column. Cost: one pass; memory for the distinct values.
Result<ColumnCounts> count_column(const std::string& table, std::string_view column,
                                  const Progress& progress = {});

// The rows of a CSV file after its header, which must have at least `columns` columns; visit gets
// the line a row begins on and may stop with an error.
Status for_each_row(
    const std::string& table, std::size_t columns,
    const std::function<Status(std::uint64_t, std::span<const std::string_view>)>& visit);

}  // namespace semveil
