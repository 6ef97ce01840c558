// Rows of one RF2 file: UTF-8, a header line with the names of the columns, fields between tabs,
// LF or CRLF.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.h"
#include "ontology/rf2/rf2_rows.h"
#include "ontology/source_files.h"

namespace semveil {

// The first error ends the reading: what the accessors give for a field that is wrong does not
// matter, next() is false from then on, and status() tells.
class Rf2Reader {
 public:
  // `columns`: those the accessors below count by; they may stand anywhere in the file.
  Rf2Reader(NamedStream input, std::uint16_t file, std::initializer_list<std::string_view> columns);

  bool next();
  std::uint64_t id(std::size_t column);    // an SCTID: 6 to 18 digits
  MemberId member_id(std::size_t column);  // of a reference set's row
  std::uint32_t time(std::size_t column);  // eight digits
  bool flag(std::size_t column);           // 1 or 0
  std::string_view text(std::size_t column) const { return fields_[place_[column]]; }

  RowPlace place() const;
  void refuse(std::string message, std::string_view value = {});
  const Status& status() const { return status_; }

 private:
  static constexpr std::size_t kMostColumns = 16;
  bool read_header();
  bool split(std::string_view line);

  LineReader lines_;
  std::uint16_t file_;
  std::vector<std::string_view> columns_;
  std::array<std::size_t, kMostColumns> place_{};  // by wanted column: its field
  std::array<std::string_view, kMostColumns> fields_{};
  std::size_t width_ = 0;  // columns of the file; 0: the header is not read yet
  Status status_;
};

}  // namespace semveil
