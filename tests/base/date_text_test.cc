#include "base/date_text.h"

#include <gtest/gtest.h>

#include "base/calendar.h"

namespace semveil::test {
namespace {

DateForm form(std::string_view format) {
  Result<DateForm> made = DateForm::of(format);
  EXPECT_TRUE(made) << format;
  return made ? *std::move(made) : DateForm();
}

TEST(DateForm, ReadsIsoDatesAndTimesAsPartsOfADay) {
  const DateForm iso;
  EXPECT_EQ(iso.number("1970-01-01"), 0);
  EXPECT_EQ(iso.number("1969-12-31"), -1);
  EXPECT_EQ(iso.number("1970-01-02T12:00"), 1.5);
  EXPECT_EQ(iso.number("1970-01-02 06:00:00"), 1.25);
  EXPECT_EQ(iso.number("1970-01-01T24:00"), 1);
  for (const char* wrong : {"", "1970", "1970-1-1", "1970-02-29", "01.01.1970", "1970-01-01T25:00",
                            "1970-01-01x", "1970-01- 01"}) {
    EXPECT_FALSE(iso.number(wrong)) << wrong;
  }
}

TEST(DateForm, ReadsAGivenFormat) {
  EXPECT_EQ(form("%d.%m.%Y").number("29.02.2024"), days_of(CivilDate{2024, 2, 29}));
  EXPECT_EQ(form("%d.%m.%Y").number("29.2.2024"), days_of(CivilDate{2024, 2, 29}));
  EXPECT_EQ(form("%m/%d/%y").number("12/31/68"), days_of(CivilDate{2068, 12, 31}));
  EXPECT_EQ(form("%m/%d/%y").number("12/31/69"), days_of(CivilDate{1969, 12, 31}));
  EXPECT_EQ(form("%d %b %Y").number("1 mar 2024"), days_of(CivilDate{2024, 3, 1}));
  EXPECT_EQ(form("%B %d, %Y").number("March 1, 2024"), days_of(CivilDate{2024, 3, 1}));
  EXPECT_EQ(form("%Y%m%d%%").number("20240301%"), days_of(CivilDate{2024, 3, 1}));
  EXPECT_EQ(form("%Y-%m-%d %H:%M:%S.%f").number("1970-01-01 18:00:00.000"), 0.75);
  for (const char* wrong : {"30.02.2024", "29.02.24", "2024-02-29", "29.02.2024x", "0.1.2024"}) {
    EXPECT_FALSE(form("%d.%m.%Y").number(wrong)) << wrong;
  }
}

TEST(DateForm, ReadsOverBlanksAroundADate) {
  EXPECT_EQ(DateForm().number(" 1970-01-02\t"), 1);
  EXPECT_EQ(form("%d.%m.%Y").number(" 2.1.1970 "), 1);
  EXPECT_EQ(form("%d.%m.%Y").with_days_added(" 02.01.1970 ", 1), "03.01.1970");
  EXPECT_EQ(DateForm().of_texts({" 1970-01-02T00:00"}).written(1), "1970-01-02T00:00");
  EXPECT_EQ(form(" %d.%m.%Y\t").number("2.1.1970"), 1);
  EXPECT_EQ(form(" %d.%m.%Y\t").number(" 2.1.1970\t"), 1);
  EXPECT_EQ(form("%d.%m.%Y ").with_days_added("02.01.1970", 1), "03.01.1970");
  EXPECT_FALSE(DateForm::of(" ")) << "says no date";
  EXPECT_EQ(cell_number(nullptr, " 40 "), 40);
  EXPECT_FALSE(cell_number(nullptr, "4 0"));
}

TEST(DateForm, NeverWritesAYearThatIsNone) {
  EXPECT_EQ(DateForm().with_days_added("0001-01-02", -1), "0001-01-01");
  EXPECT_FALSE(DateForm().with_days_added("0001-01-02", -2)) << "there is no year 0";
  EXPECT_FALSE(DateForm().with_days_added("9999-12-31", 1));
  EXPECT_FALSE(form("%d.%m.%Y").with_days_added("01.01.0001", -1));
}

TEST(DateForm, RefusesFormatsThatSayNoDate) {
  for (const char* wrong : {"%d.%m", "%Y-%m", "%H:%M", "%d.%m.%Y %", "%d.%m.%Q", "dd.mm.yyyy"}) {
    EXPECT_FALSE(DateForm::of(wrong)) << wrong;
  }
}

TEST(DateForm, KeepsZonesAsTextsThatAreNotComputedWith) {
  const DateForm iso = DateForm().of_texts(
      {"2024-01-01T10:00+02:00", "2024-01-01T10:00+01:00", "2024-01-02T10:00+01:00"});
  EXPECT_EQ(iso.zones(), (std::vector<std::string>{"+01:00", "+02:00"}));
  const auto early = iso.number("2024-01-01T10:00+01:00"),
             late = iso.number("2024-01-01T10:00+02:00");
  ASSERT_TRUE(early && late);
  EXPECT_NE(*early, *late);
  EXPECT_NEAR(*early, *late, 1e-8);  // equally late but for a hair
  EXPECT_FALSE(iso.number("2024-01-01T10:00Z")) << "a zone that the column does not have";
}

TEST(DateForm, WritesADayAsTheColumnDoes) {
  const std::int64_t day = days_of(CivilDate{2024, 3, 1});
  EXPECT_EQ(DateForm().written(day), "2024-03-01");
  EXPECT_EQ(DateForm().of_texts({"2024-02-01", "2024-02-01T10:30"}).written(day), "2024-03-01");
  EXPECT_EQ(DateForm().of_texts({"2024-02-01T10:30", "2024-02-02T10:30"}).written(day),
            "2024-03-01T00:00");
  EXPECT_EQ(DateForm().of_texts({"2024-02-01 10:30:00.5+01:00"}).written(day),
            "2024-03-01 00:00:00+01:00");
  EXPECT_EQ(form("%d.%m.%y").written(day), "01.03.24");
  EXPECT_EQ(form("%B %d, %Y").written(day), "March 01, 2024");
  EXPECT_EQ(form("%d%b%Y:%H:%M:%S").written(day), "01Mar2024:00:00:00");
}

TEST(DateForm, ReadsWhatItWrites) {
  for (const char* format : {"", "%d.%m.%Y", "%m/%d/%Y %H:%M", "%d-%b-%Y", "%B %d, %Y", "%Y%m%d"}) {
    const DateForm written = form(format);
    for (std::int64_t day = -200'000; day < 200'000; day += 997) {
      EXPECT_EQ(written.number(written.written(day)), static_cast<double>(day)) << format;
    }
  }
}

TEST(DateForm, MovesADayAndKeepsAllElse) {
  EXPECT_EQ(DateForm().with_days_added("2024-02-28T10:30:05.25+01:00", 2),
            "2024-03-01T10:30:05.25+01:00");
  EXPECT_EQ(DateForm().with_days_added("2024-01-01T24:00", -1), "2023-12-31T24:00");
  EXPECT_EQ(form("%d.%m.%Y %H:%M").with_days_added("28.2.2024 7:05", 2), "01.03.2024 7:05");
  EXPECT_EQ(form("%d.%m.%Y").padded(false).with_days_added("15.12.2024", 20), "4.1.2025");
  EXPECT_EQ(form("%m/%d/%y").with_days_added("02/09/24", 1), "02/10/24");
  EXPECT_FALSE(form("%m/%d/%y").with_days_added("01/05/69", -30)) << "68 is read as 2068";
  EXPECT_EQ(form("%H:%M:%S.%f %d %b %Y").with_days_added("10:30:05.123 31 Dec 2023", 1),
            "10:30:05.123 01 Jan 2024");
  EXPECT_FALSE(DateForm().with_days_added("tomorrow", 1));
  EXPECT_FALSE(DateForm().with_days_added("9999-12-31", 1)) << "no year of four digits";
}

TEST(DateForm, PadsAsAllTextsOfAColumnDo) {
  EXPECT_TRUE(form("%d.%m.%Y").of_texts({"05.02.2024", "15.12.2024"}).pads());
  EXPECT_FALSE(form("%d.%m.%Y").of_texts({"15.12.2024", "5.12.2024"}).pads());
  EXPECT_FALSE(form("%d.%m.%Y").of_texts({"15.2.2024"}).pads());
}

TEST(DateForm, ComesBackFromWhatAModelKeeps) {
  const DateForm was = DateForm().of_texts({"2024-02-01 10:30+01:00", "2024-02-01 10:30Z"});
  const auto is = DateForm::restored(was.format(), was.zones(), was.midnight());
  ASSERT_TRUE(is);
  EXPECT_EQ(is->written(7), was.written(7));
  EXPECT_EQ(is->number("2024-02-01 10:30Z"), was.number("2024-02-01 10:30Z"));
  EXPECT_FALSE(DateForm::restored("%Q", {""}, ""));
  EXPECT_FALSE(DateForm::restored("", {}, ""));
  EXPECT_FALSE(DateForm::restored("", {"b", "a"}, ""));
}

TEST(DaysText, TellsTheMinuteWhereADayHasBegun) {
  EXPECT_EQ(days_text(0), "1970-01-01");
  EXPECT_EQ(days_text(-0.5), "1969-12-31 12:00");
  EXPECT_EQ(days_text(19782.25), "2024-02-29 06:00");
}

}  // namespace
}  // namespace semveil::test
