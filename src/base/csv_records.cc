#include "base/csv_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/text.h"

namespace semveil {
namespace {

// The most frequent of the usual separators outside quotes; the comma if there is none.
char separator_of(std::string_view line, char quote) {
  constexpr std::string_view kUsual = ",;\t|";
  std::array<std::size_t, kUsual.size()> count{};
  bool quoted = false;
  for (const char c : line) {
    if (c == quote) quoted = !quoted;
    if (quoted) continue;
    if (const std::size_t i = kUsual.find(c); i != std::string_view::npos) ++count[i];
  }
  return kUsual[static_cast<std::size_t>(std::max_element(count.begin(), count.end()) -
                                         count.begin())];
}

// The single quote if the line holds no other and its first field stands in a pair of them.
char quote_of(std::string_view line, std::optional<char> separator) {
  if (!line.starts_with('\'') || line.find('"') != std::string_view::npos) return '"';
  const char between = separator ? *separator : separator_of(line, '\'');
  const std::size_t closing = line.find('\'', 1);
  if (between == '\'' || closing == std::string_view::npos) return '"';
  const std::size_t behind = closing + 1;
  return behind == line.size() || line[behind] == between ? '\'' : '"';
}

// Whether every record has this many fields. Most chunks are so, and plain.
bool all_wide(std::span<const CsvScan::End> ends, std::size_t width) {
  std::uint32_t different = 0;
  auto expected = static_cast<std::uint32_t>(width) - 1;
  for (const CsvScan::End& end : ends) {
    different |= end.marks ^ expected;
    expected += static_cast<std::uint32_t>(width);
  }
  return different == 0;
}

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::uint64_t CsvChunk::line(std::size_t row) const {
  const auto after = std::upper_bound(jumps_.begin(), jumps_.end(), row,
                                      [](std::size_t r, const Jump& jump) { return r < jump.row; });
  const Jump& jump = *std::prev(after);
  return jump.line + (row - jump.row);
}

CsvChunk::Fields::At CsvChunk::Fields::far_from(const CsvChunk& chunk, At at, std::size_t field) {
  std::size_t to_pass = field - at.field;  // marks; the last of them ends the field before
  std::uint32_t from = at.begin;
  std::uint64_t marks = chunk.scan_.marks_from(from);
  for (;;) {
    const auto here = static_cast<std::size_t>(std::popcount(marks));
    if (here >= to_pass) break;
    to_pass -= here;
    from += CsvScan::kBlock;
    marks = chunk.scan_.marks_from(from);
  }
  for (; to_pass > 1; --to_pass) marks &= marks - 1;
  return {field, from + static_cast<std::uint32_t>(std::countr_zero(marks)) + 1};
}

std::string_view csv_text(std::string_view raw, char quote, std::string& scratch) {
  if (raw.empty() || raw.front() != quote) return raw;
  const std::string_view inner = raw.substr(1, raw.size() - 2);
  std::size_t at = inner.find(quote);
  if (at == std::string_view::npos) return inner;
  const std::size_t kept = scratch.size();
  std::size_t from = 0;
  for (; at != std::string_view::npos; at = inner.find(quote, from)) {
    scratch.append(inner, from, at + 1 - from);
    from = at + 2;
  }
  scratch.append(inner, from);
  return std::string_view(scratch).substr(kept);
}

Result<CsvRecords> CsvRecords::over(std::string_view text, std::string name,
                                    const Options& options) {
  CsvRecords records;
  records.text_ = text;
  records.name_ = std::move(name);
  records.ragged_ = options.ragged;
  records.piece_ = options.piece;
  return start(std::move(records), options.dialect);
}

Result<CsvRecords> CsvRecords::over(std::unique_ptr<InputStream> stream, std::string name,
                                    const Options& options) {
  CsvRecords records;
  records.stream_ = std::move(stream);
  records.name_ = std::move(name);
  records.ragged_ = options.ragged;
  records.ahead_of_need_ = options.ahead;
  records.piece_ = options.piece;
  return start(std::move(records), options.dialect);
}

Result<CsvRecords> CsvRecords::start(CsvRecords records, const Choice& choice) {
  if (Status chosen = records.choose(choice); !chosen) return fail(chosen.error());
  return records;
}

// Looks at the first line; of a stream, keeps what it read for that.
Status CsvRecords::choose(const Choice& choice) {
  std::size_t searched = 0;
  bool quoted = false;
  const char quote = choice.quote.value_or('"');
  for (;;) {
    const std::string_view seen = stream_ ? std::string_view(ahead_) : text_;
    for (; searched < seen.size(); ++searched) {
      if (seen[searched] == quote) quoted = !quoted;
      if (seen[searched] == '\n' && !quoted) break;
    }
    if (searched < seen.size() || !stream_ || at_end_ || seen.size() > kMaxRecord) break;
    const std::size_t used = ahead_.size();
    ahead_.resize(used + piece_);
    const auto got = stream_->read(ahead_.data() + used, piece_);
    if (!got) return fail(got.error());
    ahead_.resize(used + *got);
    at_end_ = *got == 0;
  }
  std::string_view first = (stream_ ? std::string_view(ahead_) : text_).substr(0, searched);
  if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF")) {
    return fail(error("the text is UTF-16: save it as UTF-8", 1));
  }
  if (first.starts_with(kByteOrderMark)) first.remove_prefix(kByteOrderMark.size());
  if (first.ends_with('\r')) first.remove_suffix(1);
  dialect_.quote = choice.quote ? *choice.quote : quote_of(first, choice.separator);
  dialect_.separator = choice.separator ? *choice.separator : separator_of(first, dialect_.quote);

  const auto reserved = [](char c) {
    return c == '\n' || c == '\r' || c == '\0' || static_cast<unsigned char>(c) >= 128;
  };
  if (reserved(dialect_.separator) || reserved(dialect_.quote) ||
      dialect_.separator == dialect_.quote) {
    return fail(
        error("the separator and the quote must be two different ASCII characters, no line ends: "
              "change the CSV settings",
              1));
  }
  return {};
}

// Gives the chunk more text; false where there is none.
Result<bool> CsvRecords::widen(CsvChunk& chunk) {
  if (!stream_) {
    const std::size_t size = std::min(text_.size(), std::max(piece_, chunk.text_.size() * 2));
    if (size == chunk.text_.size()) return false;
    chunk.text_ = text_.substr(0, size);
    return true;
  }
  Growing<char>& buffer = chunk.buffer_;
  if (ahead_of_need_ == Ahead::kYes && !at_end_ &&
      (buffer.empty() ? ahead_.size() <= kHead : ahead_.empty())) {
    if (const auto more = take(chunk); !more || *more) return more;
  }
  if (!ahead_.empty()) {
    buffer.make_room(std::max(ahead_.size(), piece_) + CsvChunk::kPadding);
    buffer.append(ahead_.data(), ahead_.size());
    ahead_.clear();
    chunk.text_ = {buffer.data(), buffer.size()};
    return true;
  }
  if (at_end_) return false;
  if (buffer.size() + CsvChunk::kPadding >= buffer.capacity()) {
    buffer.make_room(std::max(piece_, buffer.size()) + CsvChunk::kPadding);
  }
  const std::size_t room = buffer.capacity() - buffer.size() - CsvChunk::kPadding;
  const auto got = stream_->read(buffer.data() + buffer.size(), room);
  if (!got) return fail(got.error());
  buffer.set_size(buffer.size() + *got);
  chunk.text_ = {buffer.data(), buffer.size()};
  at_end_ = *got == 0;
  return !at_end_;
}

// The next bytes that were read ahead, behind those of the chunk. A chunk without any takes the
// buffer as it is: what was read before, but not given out, finds room at its head.
Result<bool> CsvRecords::take(CsvChunk& chunk) {
  if (!reader_) {
    const ReadAhead::Room room{.before = kHead, .bytes = piece_, .behind = CsvChunk::kPadding};
    reader_ = std::make_unique<ReadAhead>(*stream_, room);
  }
  Growing<char>& buffer = chunk.buffer_;
  const bool first = buffer.empty();
  const Result<bool> taken = reader_->take(first ? buffer : more_);
  if (!taken) return taken;
  at_end_ = !*taken;
  if (at_end_) return false;
  std::size_t begin = kHead - ahead_.size();
  if (first) {
    std::copy(ahead_.begin(), ahead_.end(), buffer.data() + begin);
    ahead_.clear();
  } else {
    begin = static_cast<std::size_t>(chunk.text_.data() - buffer.data());
    buffer.make_room(more_.size() + CsvChunk::kPadding);
    buffer.append(more_.data() + kHead, more_.size() - kHead);
  }
  chunk.text_ = {buffer.data() + begin, buffer.size() - begin};
  return true;
}

// Gives the chunk whole records, at least one; false where there is none.
Result<bool> CsvRecords::fill(CsvChunk& chunk) {
  chunk.text_ = {};
  chunk.buffer_.set_size(0);
  chunk.scan_.restart(dialect_);
  for (;;) {
    const auto more = widen(chunk);
    if (!more) return fail(more.error());
    if (!*more) break;
    chunk.scan_.extend(chunk.text_);
    if (!chunk.scan_.ends().empty()) break;
    if (chunk.text_.size() > kMaxRecord) break;  // check() says what is wrong with it
  }
  if (chunk.text_.empty()) return false;

  const std::size_t size = chunk.text_.size();
  const Growing<CsvScan::End>& ends = chunk.scan_.ends();
  std::size_t whole = ends.empty() ? 0 : ends.back().at + std::size_t{1};
  const bool last = stream_ ? at_end_ : size == text_.size();
  if (ends.empty() || (last && whole < size)) {
    chunk.scan_.end_here(size);
    whole = size;
  }
  if (stream_) {
    ahead_.assign(chunk.text_.substr(whole));
  } else {
    text_.remove_prefix(whole);
  }
  chunk.text_ = chunk.text_.substr(0, whole);
  const std::uint64_t position = reader_   ? reader_->position()
                                 : stream_ ? stream_->position()
                                           : position_ + whole;
  chunk.bytes_read_ = position - std::exchange(position_, position);
  return true;
}

Result<bool> CsvRecords::next(CsvChunk& chunk) {
  if (failure_) return fail(*failure_);
  const auto filled = fill(chunk);
  if (!filled) failure_ = filled.error();
  if (!filled || !*filled) return filled;
  cut(chunk);
  if (chunk.rows() == 0 && failure_) return fail(*failure_);
  return true;
}

// Makes rows of what the scan found. Empty lines are none where the first record had more than one
// field.
void CsvRecords::cut(CsvChunk& chunk) {
  chunk.rows_.set_size(0);
  chunk.jumps_.clear();
  const std::span<const CsvScan::End> ends = chunk.scan_.ends();
  const std::vector<CsvScan::OddBlock>& odd = chunk.scan_.odd();
  const bool may_be_long = chunk.text_.size() > kMaxRecord;
  chunk.rows_.make_room(ends.size());
  CsvChunk::Row* const rows = chunk.rows_.data();
  std::size_t count = 0, next_odd = 0;
  std::uint64_t line = next_line_;     // of the present record …
  std::uint64_t counted_line = 0;      // … and what line() would make of it
  std::uint32_t begin = 0, marks = 0;  // before the present record
  if (std::exchange(at_start_, false) && chunk.text_.starts_with(kByteOrderMark)) {
    begin = static_cast<std::uint32_t>(kByteOrderMark.size());
    if (chunk.text_.size() == begin) return;
  }
  if (odd.empty() && !may_be_long && width_ > 1 && all_wide(ends, width_)) {
    chunk.jumps_.push_back({0, line});
    const auto width = static_cast<std::uint32_t>(width_);
    for (const CsvScan::End& end : ends) {
      rows[count++] = {begin, end.at, width};
      begin = end.at + 1;
    }
    next_line_ = line + count;
    chunk.rows_.set_size(count);
    return;
  }
  for (const auto [end, marks_before] : ends) {
    const CsvChunk::Row row{begin, end, marks_before - marks + 1};
    std::uint8_t what = 0;
    if (next_odd < odd.size() && odd[next_odd].offset < end) [[unlikely]] {
      while (next_odd < odd.size() && odd[next_odd].offset < end) what |= odd[next_odd++].what;
      // Its last block may reach into the next record.
      if (odd[next_odd - 1].offset + CsvScan::kBlock > end) --next_odd;
    }
    std::uint64_t lines = 1;
    const std::size_t fields = row.fields;
    const bool blank = fields == 1 && chunk.content_end(row) == begin && width_ > 1;
    if (!blank) {
      if (what != 0 || may_be_long) [[unlikely]] {
        if (auto wrong = check(chunk, row, what, line)) {
          failure_ = std::move(wrong);
          break;
        }
        if ((what & CsvScan::kQuote) != 0) {
          lines += lines_in(chunk.text_.substr(begin, end - begin));
        }
      }
      if (fields != width_) [[unlikely]] {
        if (width_ == 0) {
          width_ = fields;
        } else if (ragged_ == Ragged::kRefuse) {
          failure_ =
              error(fmt::format("{} field{} where the first line has {}: every line needs as many; "
                                "fields that hold the separator '{}' need quotes",
                                fields, fields == 1 ? "" : "s", width_, dialect_.separator),
                    line);
          break;
        }
      }
      if (line != counted_line) [[unlikely]]
        chunk.jumps_.push_back({count, line});
      counted_line = line + 1;
      rows[count++] = row;
    }
    line += lines;
    begin = end + 1;
    marks = marks_before + 1;
  }
  next_line_ = line;
  chunk.rows_.set_size(count);
  // Nobody has looked at what stands behind an error: it is given to nobody.
  if (failure_) chunk.text_ = chunk.text_.substr(0, begin);
}

// What is wrong with a record whose blocks hold what `odd` says, if anything is.
std::optional<Error> CsvRecords::check(const CsvChunk& chunk, const CsvChunk::Row& row,
                                       std::uint8_t odd, std::uint64_t line) const {
  const std::string_view record = chunk.text_.substr(row.begin, chunk.content_end(row) - row.begin);
  const auto error_at = [&](std::size_t at, const char* message) {
    return error(message, line + lines_in(record.substr(0, at)));
  };
  if (record.size() > kMaxRecord) {
    // A stray quote may be the cause: say so, if it is.
    if (auto wrong = check_fields(chunk, row, line)) return wrong;
    return error(fmt::format("a record of more than {} MiB: is this a CSV file?", kMaxRecord >> 20),
                 line);
  }
  if ((odd & CsvScan::kHigh) != 0) {
    if (const std::size_t at = find_invalid_utf8(record); at != std::string_view::npos) {
      return error_at(at, "the text is not valid UTF-8: save it as UTF-8");
    }
  }
  if ((odd & CsvScan::kNul) != 0) {
    if (const std::size_t at = record.find('\0'); at != std::string_view::npos) {
      return error_at(at, "a NUL byte in the text: this is no CSV file, or it is damaged");
    }
  }
  if ((odd & (CsvScan::kQuote | CsvScan::kReturn)) != 0) return check_fields(chunk, row, line);
  return {};
}

// The fields were cut by the parity of quotes; up to the first stray one that is right. A stray
// quote hides the separators and line ends behind it, never those before it.
std::optional<Error> CsvRecords::check_fields(const CsvChunk& chunk, const CsvChunk::Row& row,
                                              std::uint64_t line) const {
  const char* const text = chunk.text_.data();
  const auto error_at = [&](const char* at, const char* message) {
    const std::string_view before(text + row.begin,
                                  static_cast<std::size_t>(at - text) - row.begin);
    return error(message, line + lines_in(before));
  };
  const auto find = [](const char* begin, const char* end, char c) {
    const void* at =
        begin == end ? nullptr : std::memchr(begin, c, static_cast<std::size_t>(end - begin));
    return at == nullptr ? end : static_cast<const char*>(at);
  };
  CsvChunk::Fields fields(chunk, row);
  for (std::size_t i = 0; i < row.fields; ++i) {
    fields.go_to(i);
    const char* const p = text + fields.begin();
    const char* const end = text + fields.end();
    if (p == end || *p != dialect_.quote) {
      const char* const stray = find(p, end, dialect_.quote);
      if (const char* const lone = find(p, stray, '\r'); lone != stray) {
        return error_at(lone,
                        "a carriage return inside a line: end lines with LF or CRLF, or put the "
                        "field in quotes");
      }
      if (stray != end) {
        return error_at(stray,
                        "a quote inside a field that does not begin with one: put the whole field "
                        "in quotes and double the quotes in it");
      }
    } else {
      const char* closing = find(p + 1, end, dialect_.quote);
      while (closing != end && closing + 1 != end && closing[1] == dialect_.quote) {
        closing = find(closing + 2, end, dialect_.quote);
      }
      if (closing == end) {
        return error_at(p, "a quoted field that never ends: close it with a quote");
      }
      if (closing + 1 != end) {
        return error_at(closing + 1,
                        "text behind the closing quote of a field: double the quotes inside a "
                        "quoted field");
      }
    }
  }
  return {};
}

}  // namespace semveil
