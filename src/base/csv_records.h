// The records of a CSV text, many at a time, as extents of bytes (csv.h says what a record is).
//
// CsvScan finds where fields and records end; here the records it may be wrong about, those that
// hold quotes, lone carriage returns, NULs or more than ASCII, are checked one by one. This is the
// only place that knows the grammar: CsvReader and the tables stand on it.
//
// Cost: 5 GB/s on plain ASCII with short fields. Memory: one chunk, at least one record; where a
// thread reads ahead, five pieces more.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/csv_scan.h"
#include "base/growing.h"
#include "base/read_ahead.h"
#include "semveil/result.h"

namespace semveil {

// Some records in a row. Reused, it keeps its memory.
class CsvChunk {
 public:
  struct Row {
    std::uint32_t begin, end;  // its first byte, and the mark behind its last field
    std::uint32_t fields;
  };
  class Fields;
  static constexpr std::size_t kPadding = 64;  // bytes that may be read behind a chunk's own buffer

  std::string_view text() const { return text_; }
  std::size_t rows() const { return rows_.size(); }
  const Row& row(std::size_t i) const { return rows_[i]; }
  std::size_t fields(std::size_t row) const { return rows_[row].fields; }
  // Behind the row's last byte, without and with its line end.
  std::uint32_t content_end(std::size_t row) const { return content_end(rows_[row]); }
  std::uint32_t line_end(std::size_t row) const {
    const std::uint32_t at = rows_[row].end;
    return at < text_.size() ? at + 1 : at;
  }
  // A field as it stands there, with its quotes. Who wants several goes along the row's Fields.
  std::string_view raw(std::size_t row, std::size_t field) const;
  std::uint64_t line(std::size_t row) const;                // physical, from 1
  std::uint64_t bytes_read() const { return bytes_read_; }  // of the file, packed, for this chunk

 private:
  friend class CsvRecords;
  [[gnu::always_inline]] std::uint32_t next_mark(std::uint32_t from) const {
    for (;; from += CsvScan::kBlock) {
      const std::uint64_t marks = scan_.marks_from(from);
      if (marks != 0) [[likely]]
        return from + static_cast<std::uint32_t>(std::countr_zero(marks));
    }
  }
  std::uint32_t content_end(const Row& r) const {
    return r.end > r.begin && text_[r.end - 1] == '\r' ? r.end - 1 : r.end;
  }

  struct Jump {  // from this row on, lines are counted from this line
    std::size_t row;
    std::uint64_t line;
  };
  std::string_view text_;
  Growing<char> buffer_;
  CsvScan scan_;
  Growing<Row> rows_;
  std::vector<Jump> jumps_;
  std::uint64_t bytes_read_ = 0;
};

// The fields of a row, from left to right.
class CsvChunk::Fields {
 public:
  Fields(const CsvChunk& chunk, std::size_t row) : Fields(chunk, chunk.rows_[row]) {}
  Fields(const CsvChunk& chunk, const Row& row) : chunk_(chunk), row_(row), at_{0, row.begin} {}

  // Never back.
  [[gnu::always_inline]] void go_to(std::size_t field) {
    assert(field >= at_.field && field < row_.fields);
    if (field - at_.field > kMany) at_ = far_from(chunk_, at_, field);
    for (; at_.field < field; ++at_.field) at_.begin = chunk_.next_mark(at_.begin) + 1;
  }
  std::uint32_t begin() const { return at_.begin; }
  [[gnu::always_inline]] std::uint32_t end() const {
    const std::uint32_t at = chunk_.next_mark(at_.begin);
    return at == row_.end ? chunk_.content_end(row_) : at;
  }
  [[gnu::always_inline]] std::string_view raw() const {
    return {chunk_.text_.data() + at_.begin, end() - at_.begin};
  }

 private:
  static constexpr std::size_t kMany = 8;
  struct At {
    std::size_t field;
    std::uint32_t begin;
  };
  // A later field, block by block.
  static At far_from(const CsvChunk& chunk, At at, std::size_t field);

  const CsvChunk& chunk_;
  const Row row_;
  At at_;
};
inline std::string_view CsvChunk::raw(std::size_t row, std::size_t field) const {
  Fields fields(*this, row);
  fields.go_to(field);
  return fields.raw();
}

// What a quoted field says: `raw` without its quotes, doubled ones once. Unquoted fields are given
// as they are; `scratch` is used only where quotes were doubled, and appended to.
std::string_view csv_text(std::string_view raw, char quote, std::string& scratch);

class CsvRecords {
 public:
  static constexpr std::size_t kMaxRecord = std::size_t{64} << 20;
  enum class Ragged : bool { kRefuse, kAllow };  // every record as wide as the first, or not
  enum class Ahead : bool { kNo, kYes };         // whether a thread reads the stream: not a pipe
  struct Choice {                                // what is not chosen is told by the first line
    std::optional<char> separator, quote;
  };
  struct Options {
    Choice dialect;
    Ragged ragged = Ragged::kRefuse;
    Ahead ahead = Ahead::kNo;
    std::size_t piece = kPiece;  // bytes read at once
  };
  static constexpr std::size_t kPiece = std::size_t{1} << 20;
  static constexpr std::size_t kHead = std::size_t{1} << 12;  // room for a record's beginning

  // Not assigned: a thread may still read the stream that would go.
  CsvRecords(CsvRecords&&) = default;
  CsvRecords& operator=(CsvRecords&&) = delete;
  CsvRecords(const CsvRecords&) = delete;
  CsvRecords& operator=(const CsvRecords&) = delete;
  ~CsvRecords() = default;

  // `name` stands in error messages; a text must outlive its records.
  static Result<CsvRecords> over(std::string_view text, std::string name, const Options& options);
  static Result<CsvRecords> over(std::unique_ptr<InputStream> stream, std::string name,
                                 const Options& options);

  // The next records; false at the end. Reads once if that is enough for a whole record, so that a
  // pipe that stands still holds nothing back. An error is given after the records before it, and
  // again to whoever asks again. A chunk of empty lines may have no rows.
  Result<bool> next(CsvChunk& chunk);

  const std::string& name() const { return name_; }
  const CsvDialect& dialect() const { return dialect_; }
  std::size_t width() const { return width_; }  // of the first record, once it was read

 private:
  CsvRecords() = default;
  static Result<CsvRecords> start(CsvRecords records, const Choice& choice);
  Status choose(const Choice& choice);
  Result<bool> widen(CsvChunk& chunk);
  Result<bool> take(CsvChunk& chunk);
  Result<bool> fill(CsvChunk& chunk);
  void cut(CsvChunk& chunk);
  std::optional<Error> check(const CsvChunk& chunk, const CsvChunk::Row& row, std::uint8_t odd,
                             std::uint64_t line) const;
  std::optional<Error> check_fields(const CsvChunk& chunk, const CsvChunk::Row& row,
                                    std::uint64_t line) const;
  Error error(std::string message, std::uint64_t line) const {
    return data_error(std::move(message)).at(name_, line);
  }

  std::string name_;
  Ragged ragged_ = Ragged::kRefuse;
  Ahead ahead_of_need_ = Ahead::kNo;
  std::size_t piece_ = kPiece;
  CsvDialect dialect_;
  std::unique_ptr<InputStream> stream_;
  std::unique_ptr<ReadAhead> reader_;  // of the stream, once it is wanted
  Growing<char> more_;                 // of a record that does not end in the piece it began in
  std::string_view text_;              // without a stream: what is left of the text
  std::string ahead_;                  // with a stream: what was read, but not given out
  bool at_end_ = false;                // the stream has no more
  bool at_start_ = true;
  std::uint64_t position_ = 0;  // bytes of the file read so far
  std::uint64_t next_line_ = 1;
  std::size_t width_ = 0;
  std::optional<Error> failure_;
};

}  // namespace semveil
