// The files of the database are TZif (RFC 8536): changes of the offset with their seconds, and a
// rule for the time after the last one.
#include "table/memory/time_zone.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "base/bytes.h"

namespace semveil {
namespace {

constexpr std::int64_t kSecondsOfHour = 3600;

// Reads numbers of a file, the highest byte first; fails for good where it ends too early.
class ZoneBytes {
 public:
  explicit ZoneBytes(std::string_view bytes) : bytes_(bytes) {}

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::int64_t number(std::size_t size) {
    std::uint64_t value = 0;
    const std::string_view digits = take(size);
    for (const char c : digits) value = value << 8U | static_cast<unsigned char>(c);
    if (size == 4) return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    return std::bit_cast<std::int64_t>(value);
  }
  std::string_view rest() const { return bytes_; }
  bool failed() const { return failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

struct ZoneCounts {
  std::int64_t is_utc, is_standard, leaps, times, types, letters;
};

// The head of one of the two parts; its numbers of seconds have `size` bytes.
bool read_zone_head(ZoneBytes& bytes, char& version, ZoneCounts& counts) {
  if (bytes.take(4) != "TZif") return false;
  const std::string_view byte = bytes.take(1);
  if (byte.empty()) return false;
  version = byte.front();
  bytes.take(15);
  for (std::int64_t* const count : {&counts.is_utc, &counts.is_standard, &counts.leaps,
                                    &counts.times, &counts.types, &counts.letters}) {
    *count = bytes.number(4);
    if (*count < 0) return false;
  }
  return !bytes.failed();
}

std::uint64_t zone_size(const ZoneCounts& counts, std::int64_t size) {
  return static_cast<std::uint64_t>(counts.times * (size + 1) + counts.types * 6 + counts.letters +
                                    counts.leaps * (size + 4) + counts.is_standard + counts.is_utc);
}

// Of a rule such as CET-1CEST,M3.5.0,M10.5.0/3.
class RuleText {
 public:
  explicit RuleText(std::string_view text) : text_(text) {}

  bool empty() const { return text_.empty(); }
  bool skip(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool name() {
    const bool quoted = skip('<');
    std::size_t size = 0;
    const auto belongs = [&](char c) {
      return quoted ? c != '>' : (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    while (size < text_.size() && belongs(text_[size])) ++size;
    text_.remove_prefix(size);
    return size > 0 && (!quoted || skip('>'));
  }
  bool number(int& value) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return true;
  }
  // [+-]hh[:mm[:ss]]
  bool time(std::int64_t& seconds) {
    const bool negative = skip('-');
    if (!negative) skip('+');
    int hours = 0, minutes = 0, rest = 0;
    if (!number(hours)) return false;
    if (skip(':') && !number(minutes)) return false;
    if (skip(':') && !number(rest)) return false;
    seconds = hours * kSecondsOfHour + minutes * std::int64_t{60} + rest;
    if (negative) seconds = -seconds;
    return true;
  }

 private:
  std::string_view text_;
};

// Midnight of the given weekday of a month, in seconds; week 5: the last one.
std::int64_t weekday_of_month(int year, int month, int week, int weekday) {
  namespace c = std::chrono;
  const c::year_month in = c::year(year) / c::month(static_cast<unsigned>(month));
  const c::weekday day(static_cast<unsigned>(weekday));
  const c::sys_days found = week == 5 ? c::sys_days(in / day[c::last])
                                      : c::sys_days(in / day[static_cast<unsigned>(week)]);
  return found.time_since_epoch().count() * kSecondsOfDay;
}

std::shared_ptr<const TimeZone> no_zone() { return nullptr; }

bool is_fixed_zone(const std::string& name) {
  return name.size() > 1 && (name[0] == '+' || name[0] == '-');
}

// +hh:mm or +hhmm
bool fixed_offset(std::string text, std::int64_t& seconds) {
  const bool negative = text.front() == '-';
  text.erase(0, 1);
  if (text.size() == 5 && text[2] == ':') text.erase(2, 1);
  if (text.size() != 4 ||
      !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return false;
  }
  const int hours = std::stoi(text.substr(0, 2)), minutes = std::stoi(text.substr(2));
  if (hours > 23 || minutes > 59) return false;
  seconds = hours * kSecondsOfHour + minutes * std::int64_t{60};
  if (negative) seconds = -seconds;
  return true;
}

}  // namespace

std::int64_t TimeZone::Rule::offset_at(std::int64_t seconds) const {
  if (!has_summer) return standard;
  namespace c = std::chrono;
  const c::sys_days day{
      c::days((seconds + standard -
               (((seconds + standard) % kSecondsOfDay + kSecondsOfDay) % kSecondsOfDay)) /
              kSecondsOfDay)};
  const int year = static_cast<int>(c::year_month_day(day).year());
  const std::int64_t summer_begins =
      weekday_of_month(year, begin.month, begin.week, begin.weekday) + begin.time - standard;
  const std::int64_t summer_ends =
      weekday_of_month(year, end.month, end.week, end.weekday) + end.time - summer;
  const bool is_summer = summer_begins < summer_ends
                             ? seconds >= summer_begins && seconds < summer_ends
                             : seconds >= summer_begins || seconds < summer_ends;
  return is_summer ? summer : standard;
}

bool TimeZone::read_rule(std::string_view text) {
  RuleText in(text);
  std::int64_t west = 0;
  if (!in.name() || !in.time(west)) return false;
  rule_.standard = -west;
  if (in.empty()) return true;
  rule_.has_summer = true;
  rule_.summer = rule_.standard + kSecondsOfHour;
  if (!in.name()) return false;
  if (!in.skip(',')) {
    if (!in.time(west) || !in.skip(',')) return false;
    rule_.summer = -west;
  }
  for (Day* const day : {&rule_.begin, &rule_.end}) {
    if (day == &rule_.end && !in.skip(',')) return false;
    day->time = 2 * kSecondsOfHour;
    const bool sound = in.skip('M') && in.number(day->month) && in.skip('.') &&
                       in.number(day->week) && in.skip('.') && in.number(day->weekday) &&
                       day->month >= 1 && day->month <= 12 && day->week >= 1 && day->week <= 5 &&
                       day->weekday >= 0 && day->weekday <= 6;
    if (!sound || (in.skip('/') && !in.time(day->time))) return false;
  }
  return in.empty();
}

bool TimeZone::read(std::string_view file) {
  ZoneBytes bytes(file);
  char version = 0;
  ZoneCounts counts{};
  if (!read_zone_head(bytes, version, counts) || version < '2') return false;
  bytes.take(zone_size(counts, 4));  // the same in 32 bits
  if (!read_zone_head(bytes, version, counts) || counts.types == 0) return false;
  std::vector<std::int64_t> from(static_cast<std::size_t>(
      std::min<std::int64_t>(counts.times, static_cast<std::int64_t>(file.size()))));
  for (std::int64_t& second : from) second = bytes.number(8);
  const std::string_view kinds = bytes.take(from.size());
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < counts.types && !bytes.failed(); ++i) {
    offsets.push_back(bytes.number(4));
    bytes.take(2);
  }
  bytes.take(static_cast<std::uint64_t>(counts.letters + counts.leaps * 12 + counts.is_standard +
                                        counts.is_utc));
  if (bytes.failed()) return false;
  first_ = offsets.front();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto kind = static_cast<unsigned char>(kinds[i]);
    if (kind >= offsets.size()) return false;
    changes_.push_back({from[i], offsets[kind]});
  }
  std::string_view rule = bytes.rest();
  if (rule.size() < 2 || rule.front() != '\n' || rule.back() != '\n') return true;
  rule = rule.substr(1, rule.size() - 2);
  if (rule.empty()) return true;
  has_rule_ = read_rule(rule);
  return has_rule_;
}

std::shared_ptr<const TimeZone> TimeZone::find(const std::string& name) {
  auto zone = std::make_shared<TimeZone>();
  if (is_fixed_zone(name)) return fixed_offset(name, zone->first_) ? zone : no_zone();
  const bool strange = name.empty() || name.front() == '/' || name.find("..") != std::string::npos;
  if (strange) return no_zone();
  const char* const folder = std::getenv("TZDIR");
  const std::string root = folder != nullptr ? folder : "/usr/share/zoneinfo";
  const Result<FileBytes> file = FileBytes::read(root + "/" + name, Unpack::kNo);
  if (!file || !zone->read(file->view())) return no_zone();
  return zone;
}

std::int64_t TimeZone::offset_at(std::int64_t seconds) const {
  if (changes_.empty() || seconds < changes_.front().from) {
    return changes_.empty() && has_rule_ ? rule_.offset_at(seconds) : first_;
  }
  if (has_rule_ && seconds >= changes_.back().from) return rule_.offset_at(seconds);
  const auto after = std::upper_bound(changes_.begin(), changes_.end(), seconds,
                                      [](std::int64_t s, const Change& c) { return s < c.from; });
  return std::prev(after)->offset;
}

}  // namespace semveil
