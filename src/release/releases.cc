#include "release/releases.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace semveil {
namespace {

constexpr std::size_t kFirstLine = 2;  // the first says what the file is

// Bytes that would end a word or not be seen.
bool is_plain(char byte) { return byte > ' ' && byte < '\x7f' && byte != '%'; }

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    if (is_plain(byte)) {
      out += byte;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
  }
  return out;
}

template <class Number>
std::optional<Number> digits_read(std::string_view digits, int base = 10) {
  Number number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.front() != '%') {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const auto byte = digits_read<unsigned char>(text.substr(1, 2), 16);
    if (!byte || text.size() < 3) return std::nullopt;
    out += static_cast<char>(*byte);
    text.remove_prefix(3);
  }
  return out;
}

}  // namespace

std::string line_of(const MaskedRows& rows) {
  return fmt::format("{} {} {} {} {} {}", rows.draws, rows.rows.first, rows.rows.end, rows.table,
                     rows.line, percent_encoded(rows.release));
}

std::optional<MaskedRows> masked_rows(std::string_view line) {
  std::array<std::string_view, 5> words;
  for (std::string_view& word : words) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    word = line.substr(0, blank);
    line.remove_prefix(blank + 1);
  }
  const auto first = digits_read<std::uint64_t>(words[1]);
  const auto end = digits_read<std::uint64_t>(words[2]);
  const auto stands_in = digits_read<std::uint64_t>(words[4]);
  std::optional<std::string> release = percent_decoded(line);
  if (!first || !end || *end < *first || !stands_in || !release) return std::nullopt;
  return MaskedRows{std::string(words[0]),
                    *std::move(release),
                    {*first, *end},
                    std::string(words[3]),
                    *stands_in};
}

Result<Releases> Releases::of(const std::vector<std::string>& lines, const std::string& path) {
  Releases out;
  for (const std::string& line : lines) {
    std::optional<MaskedRows> rows = masked_rows(line);
    const std::size_t at = out.by_line_.size();
    const bool stands_in = rows && rows->line != 0;
    if (!rows || (stands_in && (rows->line < kFirstLine || rows->line >= at + kFirstLine))) {
      return fail(data_error("this line is none that this version of semveil writes: use the "
                             "version that wrote it")
                      .at(path, at + kFirstLine));
    }
    // It has the place of the line that it stands in for.
    if (stands_in) out.by_line_[rows->line - kFirstLine] = rows;
    out.by_line_.push_back(stands_in ? std::nullopt : std::move(rows));
  }
  return out;
}

bool Releases::is_same_stream(std::size_t at, const MaskedRows& rows) const {
  return rows.line != 0 && at + kFirstLine == rows.line;
}

bool Releases::has(const MaskedRows& rows) const {
  for (const std::optional<MaskedRows>& known : by_line_) {
    const bool is_known = known && known->table != kUnknownTable;
    if (is_known && known->draws == rows.draws && known->release == rows.release &&
        known->rows == rows.rows && known->table == rows.table) {
      return true;
    }
  }
  return false;
}

std::optional<RowRange> Releases::shared_with(const MaskedRows& rows) const {
  std::optional<RowRange> first;
  for (std::size_t at = 0; at < by_line_.size(); ++at) {
    const std::optional<MaskedRows>& known = by_line_[at];
    if (!known || known->draws != rows.draws || known->release != rows.release) continue;
    if (is_same_stream(at, rows)) continue;
    if (!RowRanges(known->rows).common_with(RowRanges(rows.rows))) continue;
    if (!first || known->rows.first < first->first) first = known->rows;
  }
  return first;
}

}  // namespace semveil
