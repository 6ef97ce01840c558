// Comma-separated values as RFC 4180 has them, one record at a time, with the line each began on.
//
// Quoted fields may hold separators, doubled quotes and line ends; records end with LF or CRLF; a
// byte order mark is skipped. Ragged rows, stray quotes, NUL bytes and invalid UTF-8 are errors
// that name file and line. Memory: one piece of the file, and at least one record, which has at
// most kMaxRecord bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_records.h"
#include "semveil/result.h"

namespace semveil {

class CsvReader {
 public:
  static constexpr std::size_t kMaxRecord = CsvRecords::kMaxRecord;
  using Ragged = CsvRecords::Ragged;

  // `name` stands in error messages. Without a dialect the first line decides: the most frequent
  // of , ; tab | outside quotes; single quotes if its first field stands in them and no field in
  // double ones.
  static Result<CsvReader> open(const std::string& path, std::optional<CsvDialect> dialect = {},
                                Ragged ragged = Ragged::kRefuse);
  static Result<CsvReader> over(std::string_view text, std::string name,
                                std::optional<CsvDialect> dialect = {},
                                Ragged ragged = Ragged::kRefuse);
  static Result<CsvReader> over(std::unique_ptr<InputStream> stream, std::string name,
                                std::optional<CsvDialect> dialect = {},
                                Ragged ragged = Ragged::kRefuse);
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;
  CsvReader(CsvReader&&) noexcept;
  CsvReader& operator=(CsvReader&&) noexcept;

  // The next record's fields, unquoted, or nothing at the end. Empty lines are skipped where the
  // first record had more than one field. Views live until the next call.
  Result<std::optional<std::span<const std::string_view>>> next();
  std::uint64_t line() const;  // where the record that next() gave began
  const std::string& name() const;
  const CsvDialect& dialect() const;

 private:
  class Impl;
  explicit CsvReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A field as it must be written: quoted where it holds a separator, quote, line end, or a blank at
// either end.
std::string csv_field(std::string_view text, CsvDialect dialect = {});

}  // namespace semveil
