#include "table/memory/date_cells.h"

#include <limits>

#include "base/calendar.h"

namespace semveil {
namespace {

constexpr std::int64_t kSecondsADay = 24 * 60 * 60;
constexpr std::int64_t kNanoseconds = 1'000'000'000;

// "+01:00", "-0530", "+01", "Z", as the calendar reads them.
std::int64_t seconds_ahead(std::string_view zone) {
  if (zone.empty() || zone == "Z") return 0;
  std::int64_t digits = 0;
  std::size_t count = 0;
  for (const char c : zone) {
    if (c < '0' || c > '9') continue;
    digits = digits * 10 + (c - '0');
    ++count;
  }
  constexpr std::size_t kHoursAlone = 2;
  const std::int64_t hours = count <= kHoursAlone ? digits : digits / 100;
  const std::int64_t minutes = count <= kHoursAlone ? 0 : digits % 100;
  const std::int64_t seconds = (hours * 60 + minutes) * 60;
  return zone.starts_with('-') ? -seconds : seconds;
}

}  // namespace

bool holds_dates(const FieldType& type) {
  const CellMeaning meaning = type.values().meaning;
  return meaning == CellMeaning::kDate || meaning == CellMeaning::kTimestamp;
}

std::optional<std::int64_t> date_cell(std::string_view text, const FieldType& type) {
  const std::optional<DayTime> moment = parse_iso_day_time(text);
  if (!moment) return std::nullopt;
  constexpr std::int64_t kMillisecondsADay = kSecondsADay * 1000;
  if (type.meaning == CellMeaning::kDate) {
    if (moment->nanoseconds != 0) return std::nullopt;
    return type.width == 4 ? moment->day : moment->day * kMillisecondsADay;
  }
  if (type.zone_name.empty() != moment->zone.empty()) return std::nullopt;
  const std::int64_t seconds =
      moment->day * kSecondsADay + moment->nanoseconds / kNanoseconds - seconds_ahead(moment->zone);
  const std::int64_t rest = moment->nanoseconds % kNanoseconds;
  const std::int64_t fine = kNanoseconds / type.per_second;
  if (rest % fine != 0) return std::nullopt;
  __extension__ using Wide = __int128;
  const Wide all = static_cast<Wide>(seconds) * type.per_second + rest / fine;
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  if (all > kMost || all < -kMost) return std::nullopt;
  return static_cast<std::int64_t>(all);
}

}  // namespace semveil
