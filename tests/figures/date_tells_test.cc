#include "figures/date_tells.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "base/calendar.h"
#include "support/generate.h"

namespace semveil::test {
namespace {

constexpr std::size_t kRows = 400;

// Dates of three years, and columns that go with them.
class DateTells : public testing::Test {
 protected:
  DateTells() {
    Random random(5);
    for (std::size_t i = 0; i < kRows; ++i) {
      dates_.push_back(i % 37 == 0 ? std::nullopt
                                   : std::optional<std::int64_t>(
                                         days_of(CivilDate{2019, 1, 1}) +
                                         static_cast<std::int64_t>(random.below(3 * 365))));
    }
  }

  template <class Of>
  TextCells column(const Of& of) {
    TextCells out;
    for (std::size_t i = 0; i < dates_.size(); ++i) {
      if (!dates_[i]) {
        out.emplace_back();
        continue;
      }
      out.emplace_back(kept_.emplace_back(of(i, *dates_[i])));
    }
    return out;
  }

  DayCells dates_;
  std::deque<std::string> kept_;
};

TEST_F(DateTells, FindsPartsOfADateHoweverTheyAreSpelt) {
  constexpr std::array<const char*, 8> kNames{"", "Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"};
  EXPECT_EQ(told_of_dates(dates_, column([&](auto, auto day) { return kNames[iso_weekday(day)]; })),
            DateTold::kWeekday);
  EXPECT_EQ(told_of_dates(dates_, column([](auto, auto day) {
                            return std::to_string(civil_date(day).year - 2000);
                          })),
            DateTold::kYear);
  EXPECT_EQ(told_of_dates(dates_, column([](auto, auto day) {
                            return fmt::format("m{}", civil_date(day).month);
                          })),
            DateTold::kMonth);
  EXPECT_EQ(told_of_dates(dates_, column([](auto, auto day) {
                            return fmt::format("Q{}", (civil_date(day).month + 2) / 3);
                          })),
            DateTold::kQuarter);
  EXPECT_EQ(told_of_dates(dates_, column([](auto, auto day) {
                            const CivilDate date = civil_date(day);
                            return fmt::format("{}/{}", date.month, date.year);
                          })),
            DateTold::kYearAndMonth);
}

TEST_F(DateTells, FindsNothingInColumnsThatGoTheirOwnWay) {
  Random random(6);
  EXPECT_EQ(
      told_of_dates(dates_, column([&](auto, auto) { return std::to_string(random.below(7)); })),
      DateTold::kNothing);
  EXPECT_EQ(told_of_dates(dates_, column([&](auto i, auto) { return std::to_string(i); })),
            DateTold::kNothing);
  EXPECT_EQ(told_of_dates(dates_, column([&](auto, auto) { return "x"; })), DateTold::kNothing);
  // Mostly the weekday, but not nearly always.
  EXPECT_EQ(told_of_dates(dates_, column([&](auto, auto day) {
                            return std::to_string(random.below(10) == 0 ? random.below(7) + 1
                                                                        : iso_weekday(day));
                          })),
            DateTold::kNothing);
  EXPECT_EQ(told_of_dates(DayCells(5, 3), TextCells(5, "a")), DateTold::kNothing);
}

TEST_F(DateTells, FindsFurtherPartsAndTextsThatValuesShare) {
  const auto told = [&](const auto& of) {
    const TextCells cells = column([&](auto i, auto day) { return of(i, civil_date(day), day); });
    EXPECT_EQ(told_of_dates(dates_, cells), DateTold::kNothing);
    return told_roughly_of_dates(dates_, cells);
  };
  EXPECT_EQ(told([](auto, const CivilDate& date, auto) {
              return fmt::format("{}/{}", (date.month + 2) / 3, date.year);
            }),
            DateTold::kYearAndQuarter);
  EXPECT_EQ(told([](auto, const CivilDate& date, auto) {
              return fmt::format("s{}", date.month % 12 / 3);
            }),
            DateTold::kSeason);
  EXPECT_EQ(told([](auto, const CivilDate& date, auto) {
              return fmt::format("{}", (date.month - 1) / 6);
            }),
            DateTold::kHalfYear);
  EXPECT_EQ(told([](auto, const CivilDate& date, auto) {
              return fmt::format("{}", (date.month - 1) / 4);
            }),
            DateTold::kPartOfYear);
  EXPECT_EQ(told([](auto, const CivilDate&, auto day) {
              return fmt::format("{}", iso_weekday(day) > 5);
            }),
            DateTold::kPartOfWeek);
  Random random(9);
  // Rare texts go with most of anything, and tell nothing.
  EXPECT_EQ(
      told([&](auto, const CivilDate&, auto) { return random.below(20) == 0 ? "yes" : "no"; }),
      DateTold::kNothing);
  EXPECT_EQ(told([&](auto, const CivilDate&, auto) { return fmt::format("{}", random.below(4)); }),
            DateTold::kNothing);
}

TEST_F(DateTells, FindsAgesBesideDatesOfBirth) {
  const DayCells births = dates_;
  DayCells visits;
  Random random(8);
  for (std::size_t i = 0; i < kRows; ++i) {
    visits.emplace_back(days_of(CivilDate{2030, 1, 1}) +
                        static_cast<std::int64_t>(random.below(10'000)));
  }
  const auto age = [](std::int64_t birth, std::int64_t at) { return (at - birth) * 4 / 1461; };
  const std::int64_t now = days_of(CivilDate{2060, 6, 30});
  EXPECT_TRUE(
      tells_age(births, {}, column([&](auto, auto day) { return std::to_string(age(day, now)); })));
  // At each row's own day: months of thirty days would not do.
  const TextCells at_visits = column([&](auto i, auto day) {
    const CivilDate born = civil_date(day), at = civil_date(*visits[i]);
    const bool later = at.month < born.month || (at.month == born.month && at.day < born.day);
    return std::to_string(at.year - born.year - (later ? 1 : 0));
  });
  EXPECT_TRUE(tells_age(births, visits, at_visits));
  EXPECT_FALSE(tells_age(births, {}, at_visits));
  EXPECT_FALSE(tells_age(births, visits,
                         column([&](auto, auto) { return std::to_string(random.below(90)); })));
  EXPECT_FALSE(tells_age(births, visits, column([&](auto, auto) { return "old"; })));
}

TEST_F(DateTells, KnowsAColumnOfDates) {
  EXPECT_TRUE(holds_iso_dates(column([](auto, auto day) { return iso_date_text(day); })));
  EXPECT_FALSE(holds_iso_dates(column([](auto i, auto) { return std::to_string(i); })));
  EXPECT_FALSE(holds_iso_dates(TextCells(5, std::nullopt)));
}

TEST(PersonsAloneByIntervals, CountsThoseWhoseDaysBetweenNobodyElseHas) {
  const std::vector<std::string_view> persons{"a", "a", "b", "b", "c", "c", "d", "e"};
  // a and b: 10 days apart; c: 11; d: one date; e: one date in each column.
  const DayCells admitted{0, 10, 110, 100, 5, 16, 7, 0}, left{{}, {}, {}, {}, {}, {}, {}, 10};
  const std::vector<DayCells> columns{admitted, left};
  const IntervalFigures found = persons_alone_by_intervals(persons, columns);
  EXPECT_EQ(found.persons, 4U);
  EXPECT_EQ(found.alone, 2U);  // c, and e, whose dates stand in two columns
  const std::vector<DayCells> none;
  EXPECT_EQ(persons_alone_by_intervals(persons, none).persons, 0U);
}

}  // namespace
}  // namespace semveil::test
