// Days, months, weeks: the calendar that ISO 8601 writes (Gregorian, also before 1582).
//
// A date is a number of days, counted from 1970-01-01, so that days between dates are a difference.
// Years 0 to 9999 are read and written; the arithmetic knows no such limits.
//
// A week of ISO 8601 begins on Monday and belongs to the year that holds its Thursday. So weeks do
// not nest in months, and 2024-12-30 is a day of 2025-W01.
//
// Cost: constant, no allocation but for texts. Floor divisions only, so that days before 1970 and
// years before 0 follow the same formulas.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace semveil {

struct CivilDate {
  std::int64_t year = 1970;
  unsigned month = 1;  // 1 … 12
  unsigned day = 1;    // 1 … 31

  auto operator<=>(const CivilDate&) const = default;
};

bool is_leap_year(std::int64_t year);
unsigned days_of_month(std::int64_t year, unsigned month);

// Days since 1970-01-01 of a date that exists, and back.
std::int64_t days_of(const CivilDate& date);
CivilDate civil_date(std::int64_t days);

// 1 is Monday, 7 is Sunday.
unsigned iso_weekday(std::int64_t days);

struct IsoWeek {
  std::int64_t year = 1970;
  unsigned week = 1;  // 1 … 52 or 53

  auto operator<=>(const IsoWeek&) const = default;
};
IsoWeek iso_week(std::int64_t days);
// Its Monday. The week after the last of a year is the first of the next one.
std::int64_t days_of(const IsoWeek& week);
unsigned weeks_of_iso_year(std::int64_t year);

// "2024-02-29" and nothing else; nothing for what is written otherwise or does not exist.
std::optional<std::int64_t> parse_iso_date(std::string_view text);
std::string iso_date_text(std::int64_t days);

// A moment as ISO 8601 writes it: the day, and what of it has passed. Where a text names a zone,
// both are those of the zone: they are what a reader sees.
struct DayTime {
  std::int64_t day = 0;
  std::int64_t nanoseconds = 0;  // since midnight; 24:00 is the next day's midnight
  bool has_time = false;
  std::string_view zone;  // of the text: "", "Z", "+01:00", "-0530", "+01"
};
// "2024-02-29", and behind it, where there is a time, "T" or a blank and "10:30", "10:30:05",
// "10:30:05.123" (up to nine digits), then a zone or none.
std::optional<DayTime> parse_iso_day_time(std::string_view text);

}  // namespace semveil
