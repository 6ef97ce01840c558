#include "base/calendar.h"

#include <fmt/format.h>

#include <array>

namespace semveil {
namespace {

constexpr std::int64_t kDaysOfEra = 146'097;  // 400 years, after which the calendar repeats
constexpr std::int64_t kYearsOfEra = 400;
constexpr std::int64_t kDaysToEpoch = 719'468;  // from 0000-03-01 to 1970-01-01
constexpr std::int64_t kNanosecondsOfSecond = 1'000'000'000;

constexpr std::int64_t floor_division(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}
constexpr std::int64_t floor_remainder(std::int64_t a, std::int64_t b) {
  return a - floor_division(a, b) * b;
}

// The Monday of a year's first week: that of the week with January 4.
std::int64_t first_monday(std::int64_t iso_year) {
  const std::int64_t fourth = days_of(CivilDate{iso_year, 1, 4});
  return fourth - (iso_weekday(fourth) - 1);
}

// Reads a text from the left; what does not fit leaves `good` false.
struct DigitReader {
  std::string_view rest;
  bool good = true;

  std::int64_t digits(std::size_t count) {
    std::int64_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      good = good && i < rest.size() && rest[i] >= '0' && rest[i] <= '9';
      if (!good) return 0;
      number = number * 10 + (rest[i] - '0');
    }
    rest.remove_prefix(count);
    return number;
  }
  bool takes(char c) {
    if (!good || rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  void needs(char c) { good = takes(c); }
};

std::int64_t read_date(DigitReader& text) {
  const std::int64_t year = text.digits(4);
  text.needs('-');
  const auto month = static_cast<unsigned>(text.digits(2));
  text.needs('-');
  const auto day = static_cast<unsigned>(text.digits(2));
  text.good = text.good && month >= 1 && month <= 12 && day >= 1;
  text.good = text.good && day <= days_of_month(year, month);
  return text.good ? days_of(CivilDate{year, month, day}) : 0;
}

// Digits behind the point of a second.
std::int64_t read_fraction(DigitReader& text) {
  std::int64_t part = 0;
  std::int64_t unit = kNanosecondsOfSecond;
  do {
    part = part * 10 + text.digits(1);
    unit /= 10;
  } while (text.good && unit > 1 && !text.rest.empty() && text.rest.front() >= '0' &&
           text.rest.front() <= '9');
  return part * unit;
}

std::int64_t read_time(DigitReader& text) {
  const std::int64_t hour = text.digits(2);
  text.needs(':');
  const std::int64_t minute = text.digits(2);
  std::int64_t second = 0;
  std::int64_t fraction = 0;
  if (text.takes(':')) {
    second = text.digits(2);
    if (text.takes('.')) fraction = read_fraction(text);
  }
  text.good = text.good && hour <= 24 && minute < 60 && second < 60;
  text.good = text.good && (hour < 24 || (minute == 0 && second == 0 && fraction == 0));
  return ((hour * 60 + minute) * 60 + second) * kNanosecondsOfSecond + fraction;
}

void read_zone(DigitReader& text) {
  if (text.rest.empty() || text.takes('Z')) return;
  text.good = text.good && (text.takes('+') || text.takes('-'));
  const std::int64_t hours = text.digits(2);
  std::int64_t minutes = 0;
  if (!text.rest.empty()) {
    text.takes(':');
    minutes = text.digits(2);
  }
  text.good = text.good && hours < 24 && minutes < 60;
}

}  // namespace

bool is_leap_year(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

unsigned days_of_month(std::int64_t year, unsigned month) {
  constexpr std::array<unsigned, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && is_leap_year(year) ? 1 : 0);
}

// A year that begins in March has its leap day last, so that the days before a month are one
// formula: (153 m + 2) / 5, m = 0 in March.
std::int64_t days_of(const CivilDate& date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = floor_division(year, kYearsOfEra);
  const std::int64_t of_era = year - era * kYearsOfEra;
  const std::int64_t month = (date.month + 9) % 12;
  const std::int64_t of_year = (153 * month + 2) / 5 + date.day - 1;
  return era * kDaysOfEra + of_era * 365 + of_era / 4 - of_era / 100 + of_year - kDaysToEpoch;
}

CivilDate civil_date(std::int64_t days) {
  const std::int64_t from_march = days + kDaysToEpoch;
  const std::int64_t era = floor_division(from_march, kDaysOfEra);
  const std::int64_t of_era = from_march - era * kDaysOfEra;
  // Leap days before that day are taken out: one in 4 years, none in 100, one in 400.
  const std::int64_t year_of_era =
      (of_era - of_era / 1'460 + of_era / 36'524 - of_era / (kDaysOfEra - 1)) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  CivilDate date;
  date.day = static_cast<unsigned>(of_year - (153 * month + 2) / 5 + 1);
  date.month = static_cast<unsigned>(month < 10 ? month + 3 : month - 9);
  date.year = era * kYearsOfEra + year_of_era + (date.month <= 2 ? 1 : 0);
  return date;
}

unsigned iso_weekday(std::int64_t days) {
  return static_cast<unsigned>(floor_remainder(days + 3, 7)) + 1;  // 1970-01-01 was a Thursday
}

IsoWeek iso_week(std::int64_t days) {
  const std::int64_t thursday = days - iso_weekday(days) + 4;
  const std::int64_t year = civil_date(thursday).year;
  return {year, static_cast<unsigned>((days - first_monday(year)) / 7) + 1};
}

std::int64_t days_of(const IsoWeek& week) {
  return first_monday(week.year) + 7 * (static_cast<std::int64_t>(week.week) - 1);
}

unsigned weeks_of_iso_year(std::int64_t year) {
  return static_cast<unsigned>((first_monday(year + 1) - first_monday(year)) / 7);
}

std::optional<std::int64_t> parse_iso_date(std::string_view text) {
  DigitReader reader{text};
  const std::int64_t days = read_date(reader);
  if (!reader.good || !reader.rest.empty()) return std::nullopt;
  return days;
}

std::string iso_date_text(std::int64_t days) {
  const CivilDate date = civil_date(days);
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::optional<DayTime> parse_iso_day_time(std::string_view text) {
  constexpr std::int64_t kDay = 24 * 60 * 60 * kNanosecondsOfSecond;
  DigitReader reader{text};
  DayTime found;
  found.day = read_date(reader);
  if (reader.good && !reader.rest.empty()) {
    found.has_time = true;
    reader.good = reader.takes('T') || reader.takes(' ');
    found.nanoseconds = read_time(reader);
    found.zone = reader.rest;
    read_zone(reader);
  }
  if (!reader.good || !reader.rest.empty()) return std::nullopt;
  if (found.nanoseconds == kDay) {
    ++found.day;
    found.nanoseconds = 0;
  }
  return found;
}

}  // namespace semveil
