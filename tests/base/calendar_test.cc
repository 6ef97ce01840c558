#include "base/calendar.h"

#include <gtest/gtest.h>

namespace semveil::test {
namespace {

std::int64_t day(std::string_view text) { return parse_iso_date(text).value(); }

TEST(Calendar, CountsDaysFrom1970) {
  EXPECT_EQ(day("1970-01-01"), 0);
  EXPECT_EQ(day("1969-12-31"), -1);
  EXPECT_EQ(day("2000-03-01"), 11'017);
  EXPECT_EQ(day("0000-03-01"), -719'468);
}

// The twin counts one day after the other, month by month, and looks no formula up.
TEST(Calendar, GoesFromDayToDay) {
  CivilDate date{-2, 1, 1};
  std::int64_t days = days_of(date);
  unsigned weekday = iso_weekday(days);
  while (date.year < 2450) {
    ASSERT_EQ(days_of(date), days);
    ASSERT_EQ(civil_date(days), date);
    ASSERT_EQ(iso_weekday(days), weekday);
    ++days;
    weekday = weekday % 7 + 1;
    if (++date.day <= days_of_month(date.year, date.month)) continue;
    date.day = 1;
    if (++date.month <= 12) continue;
    date.month = 1;
    ++date.year;
  }
}

TEST(Calendar, KnowsLeapYears) {
  EXPECT_TRUE(is_leap_year(2024) && is_leap_year(2000) && is_leap_year(0));
  EXPECT_FALSE(is_leap_year(2023) || is_leap_year(1900));
  EXPECT_EQ(days_of_month(2024, 2), 29U);
  EXPECT_EQ(days_of_month(1900, 2), 28U);
}

// ISO 8601's own examples, and the ends of a year of 53 weeks.
TEST(Calendar, GivesWeeksToTheYearOfTheirThursday) {
  EXPECT_EQ(iso_week(day("1995-01-01")), (IsoWeek{1994, 52}));
  EXPECT_EQ(iso_week(day("1996-12-31")), (IsoWeek{1997, 1}));
  EXPECT_EQ(iso_week(day("2020-12-31")), (IsoWeek{2020, 53}));
  EXPECT_EQ(iso_week(day("2021-01-03")), (IsoWeek{2020, 53}));
  EXPECT_EQ(iso_week(day("2021-01-04")), (IsoWeek{2021, 1}));
  EXPECT_EQ(weeks_of_iso_year(2020), 53U);
  EXPECT_EQ(weeks_of_iso_year(2021), 52U);
}

TEST(Calendar, HasSevenDaysInEveryWeek) {
  for (std::int64_t monday = day("1899-12-25"); monday < day("2101-01-01"); monday += 7) {
    const IsoWeek week = iso_week(monday);
    ASSERT_EQ(days_of(week), monday);
    ASSERT_EQ(week.year, civil_date(monday + 3).year);
    for (int i = 0; i < 7; ++i) ASSERT_EQ(iso_week(monday + i), week);
    const IsoWeek next = iso_week(monday + 7);
    const bool last = week.week == weeks_of_iso_year(week.year);
    ASSERT_EQ(next, (last ? IsoWeek{week.year + 1, 1} : IsoWeek{week.year, week.week + 1}));
  }
}

TEST(Calendar, ReadsWhatItWrites) {
  for (std::int64_t days = day("0000-01-01"); days <= day("9999-12-31"); days += 97) {
    ASSERT_EQ(parse_iso_date(iso_date_text(days)), days);
  }
}

TEST(Calendar, ReadsNothingElse) {
  for (const char* text : {"", "2024", "2024-2-29", "2023-02-29", "2024-13-01", "2024-00-10",
                           "2024-01-00", "2024-01-32", "2024-01-011", " 2024-01-01", "2024-01-01 ",
                           "24-01-01", "2024/01/01", "20240101", "-024-01-01", "2024-01-0a"}) {
    EXPECT_FALSE(parse_iso_date(text)) << text;
  }
}

TEST(Calendar, ReadsTimes) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const auto time = [](std::string_view text) { return parse_iso_day_time(text).value(); };
  EXPECT_FALSE(time("2024-02-29").has_time);
  EXPECT_EQ(time("2024-02-29T10:30").nanoseconds, (10 * 3600 + 30 * 60) * kSecond);
  EXPECT_EQ(time("2024-02-29 00:00:01").nanoseconds, kSecond);
  EXPECT_EQ(time("2024-02-29T00:00:00.25Z").nanoseconds, kSecond / 4);
  EXPECT_EQ(time("2024-02-29T00:00:00.25Z").zone, "Z");
  EXPECT_EQ(time("2024-02-29T00:00:00.123456789+05:30").nanoseconds, 123'456'789);
  EXPECT_EQ(time("2024-02-29T23:00-0530").zone, "-0530");
  EXPECT_EQ(time("2024-02-29T23:00+01").zone, "+01");
  EXPECT_EQ(time("2024-02-29T24:00").day, day("2024-03-01"));
  EXPECT_EQ(time("2024-02-29T24:00").nanoseconds, 0);
  for (const char* text :
       {"2024-02-29T", "2024-02-29T10", "2024-02-29x10:30", "2024-02-29T25:00", "2024-02-29T10:60",
        "2024-02-29T24:01", "2024-02-29T10:30:60", "2024-02-29T10:30:05.", "2024-02-29T10:30z",
        "2024-02-29T10:30:05.1234567890", "2024-02-29T10:30+1", "2024-02-29T10:30+25:00",
        "2024-02-29T10:30+01:60", "2024-02-29T10:30Z "}) {
    EXPECT_FALSE(parse_iso_day_time(text)) << text;
  }
}

}  // namespace
}  // namespace semveil::test
