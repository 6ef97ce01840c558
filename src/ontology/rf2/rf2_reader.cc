#include "ontology/rf2/rf2_reader.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace semveil {
namespace {

// The number of all the digits; false where something else stands among them.
bool read_digits(std::string_view text, std::uint64_t& number) {
  number = 0;
  unsigned wrong = 0;
  for (const char c : text) {
    const auto digit = static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
    wrong |= static_cast<unsigned>(digit > 9);
    number = number * 10 + digit;
  }
  return wrong == 0;
}

}  // namespace

Rf2Reader::Rf2Reader(NamedStream input, std::uint16_t file,
                     std::initializer_list<std::string_view> columns)
    : lines_(std::move(input.stream), std::move(input.name)), file_(file), columns_(columns) {}

void Rf2Reader::refuse(std::string message, std::string_view value) {
  if (status_) status_ = fail(lines_.error(std::move(message), value));
}

RowPlace Rf2Reader::place() const {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint32_t>::max();
  return {static_cast<std::uint32_t>(std::min(lines_.line(), kLast)), file_};
}

// False where there are more fields than any of these files has.
bool Rf2Reader::split(std::string_view line) {
  std::size_t count = 0;
  const char* from = line.data();
  const char* const end = from + line.size();
  for (;;) {
    if (count == kMostColumns) return false;
    const auto* tab =
        static_cast<const char*>(std::memchr(from, '\t', static_cast<std::size_t>(end - from)));
    const char* const to = tab == nullptr ? end : tab;
    fields_[count++] = {from, static_cast<std::size_t>(to - from)};
    if (tab == nullptr) break;
    from = tab + 1;
  }
  if (width_ == 0) width_ = count;
  return count == width_;
}

bool Rf2Reader::read_header() {
  const auto line = lines_.next();
  if (!line) {
    status_ = fail(line.error());
    return false;
  }
  if (!*line || !split(**line)) {
    // Also of an empty file, which has no line.
    status_ = fail(
        data_error("a header line with the names of the columns was expected: is this an RF2 file?")
            .at(lines_.name(), 1));
    return false;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto end = fields_.begin() + static_cast<std::ptrdiff_t>(width_);
    const auto found = std::find(fields_.begin(), end, columns_[i]);
    if (found == end) {
      refuse(
          fmt::format("no column '{}' in the header: this is not the kind of file that its name "
                      "says",
                      columns_[i]));
      return false;
    }
    place_[i] = static_cast<std::size_t>(found - fields_.begin());
  }
  return true;
}

bool Rf2Reader::next() {
  if (!status_ || (width_ == 0 && !read_header())) return false;
  const auto line = lines_.next();
  if (!line) {
    status_ = fail(line.error());
    return false;
  }
  if (!*line) return false;
  if (split(**line)) return true;
  const auto fields = std::count((*line)->begin(), (*line)->end(), '\t') + 1;
  refuse(fmt::format("{} field{} where the header has {}: the line is cut off or damaged", fields,
                     fields == 1 ? "" : "s", width_));
  return false;
}

std::uint64_t Rf2Reader::id(std::size_t column) {
  const std::string_view field = text(column);
  std::uint64_t id = 0;
  if (field.size() < 6 || field.size() > 18 || field.front() == '0' || !read_digits(field, id)) {
    refuse(fmt::format("column '{}': an SCTID was expected, 6 to 18 digits of which the first "
                       "is not 0",
                       columns_[column]),
           field);
  }
  return id;
}

MemberId Rf2Reader::member_id(std::size_t column) {
  const std::string_view field = text(column);
  if (field.empty()) refuse(fmt::format("column '{}' is empty", columns_[column]));
  const XXH128_hash_t hash = XXH3_128bits(field.data(), field.size());
  return {hash.high64, hash.low64};
}

std::uint32_t Rf2Reader::time(std::size_t column) {
  const std::string_view field = text(column);
  std::uint64_t time = 0;
  if (field.size() != 8 || !read_digits(field, time)) {
    refuse(
        fmt::format("column '{}': a date of eight digits was expected, 20260131", columns_[column]),
        field);
  }
  return static_cast<std::uint32_t>(time);
}

bool Rf2Reader::flag(std::size_t column) {
  const std::string_view field = text(column);
  if (field != "0" && field != "1") {
    refuse(fmt::format("column '{}': 1 or 0 was expected", columns_[column]), field);
  }
  return field == "1";
}

}  // namespace semveil
