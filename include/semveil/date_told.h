// What a released column tells of dates that were shifted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] semveil {

enum class DateTold : std::uint8_t {
  kNothing,
  kWeekday,
  kDayOfMonth,
  kMonth,
  kQuarter,
  kYear,
  kYearAndMonth,
  kIsoWeek,
  kDate,
  kAge,
  kDayAndMonth,
  kYearAndQuarter,
  kSeason,
  kHalfYear,
  kPartOfYear,   // some function of the month
  kPartOfMonth,  // of the day of the month
  kPartOfWeek,   // of the weekday
};
std::string_view to_string(DateTold told);  // "the weekday", …

struct ShiftTold {
  std::string column;   // comes out as it went in
  std::string shifted;  // whose dates it tells; empty: it holds dates itself
  DateTold told = DateTold::kNothing;
};

}  // namespace semveil
