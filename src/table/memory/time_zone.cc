// The files of the database are TZif (RFC 8536): changes of the offset with their seconds.
#include "table/memory/time_zone.h"

#include <algorithm>
#include <bit>
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
  if (bytes.failed()) return false;
  first_ = offsets.front();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto kind = static_cast<unsigned char>(kinds[i]);
    if (kind >= offsets.size()) return false;
    changes_.push_back({from[i], offsets[kind]});
  }
  return true;
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
  if (changes_.empty() || seconds < changes_.front().from) return first_;
  const auto after = std::upper_bound(changes_.begin(), changes_.end(), seconds,
                                      [](std::int64_t s, const Change& c) { return s < c.from; });
  return std::prev(after)->offset;
}

}  // namespace semveil
