#include "table/memory/cell_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>

#include "table/memory/array_cells.h"
#include "table/set_texts.h"

namespace semveil {
namespace {

// The years ±32767, which are all that a calendar has.
constexpr std::int64_t kFirstDay = -12687428, kLastDay = 11248737;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

// ---- Numbers ------------------------------------------------------------------------------------

// 0x1.8p3 in 16 bits, as a double.
double from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  double value = 0;
  if (exponent == 0x1F) {
    value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                          : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

// The fewest digits that give the number back: plain from 1e-6 to below 1e10, else with an
// exponent.
template <class Number>
void put_float(Number number, std::string& out) {
  if (std::isnan(number)) {
    out = "nan";
    return;
  }
  if (std::isinf(number)) {
    out = number < 0 ? "-inf" : "inf";
    return;
  }
  std::array<char, 64> buffer;
  const char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                        std::abs(number), std::chars_format::scientific)
                              .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');
  int exponent = 0;
  const char* const digits_of_exponent = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(digits_of_exponent, end, exponent);
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  const auto count = static_cast<int>(digits.size());
  out = std::signbit(number) ? "-" : "";
  if (exponent < -6 || exponent >= 10) {
    out += digits[0];
    if (count > 1) out += '.' + digits.substr(1);
    out += fmt::format("e{:+}", exponent);
  } else if (exponent < 0) {
    out += "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  } else if (count <= exponent + 1) {
    out += digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
  } else {
    const auto whole = static_cast<std::size_t>(exponent + 1);
    out += digits.substr(0, whole) + '.' + digits.substr(whole);
  }
}

// The digits of a number of many bytes, the lowest first, without its sign.
std::string decimal_digits(std::span<const unsigned char> bytes, bool& negative) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4, 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    words[i / 4] |= static_cast<std::uint32_t>(bytes[i]) << (i % 4 * 8);
  }
  negative = (bytes.back() & 0x80U) != 0;
  if (negative) {
    std::uint64_t carry = 1;
    for (std::uint32_t& word : words) {
      carry += static_cast<std::uint32_t>(~word);
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
  }
  constexpr std::uint64_t kTenToNine = 1'000'000'000;
  std::string digits;  // the last first
  for (;;) {
    std::uint64_t rest = 0;
    bool is_zero = true;
    for (std::size_t i = words.size(); i-- > 0;) {
      rest = rest << 32U | words[i];
      words[i] = static_cast<std::uint32_t>(rest / kTenToNine);
      rest %= kTenToNine;
      is_zero = is_zero && words[i] == 0;
    }
    for (int i = 0; i < 9 && (!is_zero || rest != 0 || i == 0); ++i) {
      digits += static_cast<char>('0' + rest % 10);
      rest /= 10;
    }
    if (is_zero) break;
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// With the point where the scale puts it; with an exponent where that would need zeros at the end,
// or more than five behind the point.
void put_decimal(std::span<const unsigned char> bytes, int scale, std::string& out) {
  bool negative = false;
  const std::string digits = decimal_digits(bytes, negative);
  out = negative ? "-" : "";
  const auto count = static_cast<int>(digits.size());
  const int exponent = count - 1 - scale;
  if (scale == 0) {
    out += digits;
  } else if (scale < 0 || exponent < -6) {
    out += digits[0];
    if (count > 1) out += '.' + digits.substr(1);
    out += fmt::format("E{:+}", exponent);
  } else if (count > scale) {
    const auto whole = static_cast<std::size_t>(count - scale);
    out += digits.substr(0, whole) + '.' + digits.substr(whole);
  } else {
    out += "0." + std::string(static_cast<std::size_t>(scale - count), '0') + digits;
  }
}

// ---- Days and hours -----------------------------------------------------------------------------

void put_out_of_range(std::int64_t value, std::string& out) {
  out = fmt::format("<value out of range: {}>", value);
}

void add_day(std::int64_t days, std::string& out) {
  const std::chrono::year_month_day day(
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days))));
  const int year = static_cast<int>(day.year());
  fmt::format_to(std::back_inserter(out), "{}{:04}-{:02}-{:02}", year < 0 ? "-" : "",
                 std::abs(year), static_cast<unsigned>(day.month()),
                 static_cast<unsigned>(day.day()));
}

// `value`: units since midnight.
void add_time(std::int64_t value, std::int64_t per_second, std::string& out) {
  const std::int64_t seconds = value / per_second;
  fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60,
                 seconds % 60);
  const int digits = per_second == 1           ? 0
                     : per_second == 1'000     ? 3
                     : per_second == 1'000'000 ? 6
                                               : 9;
  if (digits > 0) {
    fmt::format_to(std::back_inserter(out), ".{:0{}}", value % per_second, digits);
  }
}

void put_date(const FieldType& type, std::int64_t value, std::string& out) {
  // Milliseconds before 1970 that are no whole days are those of the day after, as in Arrow.
  const std::int64_t days = type.width == 4 ? value : value / (kSecondsOfDay * type.per_second);
  if (days < kFirstDay || days > kLastDay) return put_out_of_range(value, out);
  out.clear();
  add_day(days, out);
}

void put_time(const FieldType& type, std::int64_t value, std::string& out) {
  if (value < 0 || value >= kSecondsOfDay * type.per_second) return put_out_of_range(value, out);
  out.clear();
  add_time(value, type.per_second, out);
}

void put_timestamp(const FieldType& type, std::int64_t value, std::string& out) {
  const std::int64_t seconds = floor_div(value, type.per_second);
  const std::int64_t fraction = value - seconds * type.per_second;
  const bool utc = type.zone_name == "UTC";
  const std::int64_t offset = type.zone != nullptr && !utc ? type.zone->offset_at(seconds) : 0;
  const std::int64_t far = std::int64_t{1} << 45U;  // nothing overflows below
  const std::int64_t local = seconds > far || seconds < -far ? seconds : seconds + offset;
  const std::int64_t days = floor_div(local, kSecondsOfDay);
  if (days < kFirstDay || days > kLastDay) return put_out_of_range(value, out);
  out.clear();
  add_day(days, out);
  out += ' ';
  add_time((local - days * kSecondsOfDay) * type.per_second + fraction, type.per_second, out);
  if (type.zone_name.empty()) return;
  if (utc) {
    out += 'Z';
    return;
  }
  const std::int64_t minutes = std::abs(offset) / 60;
  fmt::format_to(std::back_inserter(out), "{}{:02}{:02}", offset < 0 ? '-' : '+', minutes / 60,
                 minutes % 60);
}

// ---- Lists --------------------------------------------------------------------------------------

// ["a","b"], a null among them as null.
void put_list(const FieldType& type, const ArrowArray& array, std::int64_t row, std::string& out) {
  const FieldType& element = type.children[0];
  const ArrowArray& child = *array.children[0];
  const CellExtent extent = extent_at(type, array, row);
  out = '[';
  std::string unused;
  for (std::int64_t i = extent.begin; i < extent.end; ++i) {
    if (i > extent.begin) out += ',';
    if (!is_valid(element, child, i)) {
      out += "null";
    } else if (!element.is_dictionary()) {
      append_json(bytes_at(element, child, i), out);
    } else {
      const FieldType& values = element.dictionary.front();
      const std::int64_t index = number_at(element, child, i);
      const bool there = is_valid(values, *child.dictionary, index) &&
                         has_sound_extent(values, *child.dictionary, index);
      if (there) {
        append_json(bytes_at(values, *child.dictionary, index), out);
      } else {
        out += "null";
      }
    }
  }
  out += ']';
}

void put_float_at(const FieldType& type, const ArrowArray& array, std::int64_t place,
                  std::string& out) {
  switch (type.width) {
    case 2:
      return put_float(from_half(load_at<std::uint16_t>(array.buffers[1], place)), out);
    case 4:
      return put_float(load_at<float>(array.buffers[1], place), out);
    default:
      return put_float(load_at<double>(array.buffers[1], place), out);
  }
}

}  // namespace

std::string_view text_at(const FieldType& type, const ArrowArray& array, std::int64_t row,
                         std::string& room) {
  const std::int64_t place = array.offset + row;
  switch (type.meaning) {
    case CellMeaning::kText:
    case CellMeaning::kBytes:
      return bytes_at(type, array, row);
    case CellMeaning::kBoolean:
      return bit_at(array.buffers[1], place) ? "true" : "false";
    case CellMeaning::kSigned:
    case CellMeaning::kDuration:
      room = std::to_string(number_at(type, array, row));
      return room;
    case CellMeaning::kUnsigned:
      room = std::to_string(std::bit_cast<std::uint64_t>(number_at(type, array, row)));
      return room;
    case CellMeaning::kFloat:
      put_float_at(type, array, place, room);
      return room;
    case CellMeaning::kDecimal:
      put_decimal({static_cast<const unsigned char*>(array.buffers[1]) +
                       place * static_cast<std::int64_t>(type.width),
                   type.width},
                  type.scale, room);
      return room;
    case CellMeaning::kDate:
      put_date(type, number_at(type, array, row), room);
      return room;
    case CellMeaning::kTime:
      put_time(type, number_at(type, array, row), room);
      return room;
    case CellMeaning::kTimestamp:
      put_timestamp(type, number_at(type, array, row), room);
      return room;
    case CellMeaning::kListOfTexts:
      put_list(type, array, row, room);
      return room;
    case CellMeaning::kOther:
    case CellMeaning::kNull:
      break;
  }
  return {};
}

}  // namespace semveil
