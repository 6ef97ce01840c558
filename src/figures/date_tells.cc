#include "figures/date_tells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/calendar.h"
#include "base/text.h"

namespace semveil {
namespace {

constexpr double kNearlyAll = 0.99;  // of the rows; tables have slips of the pen

struct DatePart {
  DateTold told;
  std::int64_t (*of)(std::int64_t day);
};

// The finest first: who tells the date tells the year, too.
constexpr std::array<DatePart, 8> kDateParts{{
    {DateTold::kDate, [](std::int64_t day) { return day; }},
    {DateTold::kIsoWeek,
     [](std::int64_t day) { return static_cast<std::int64_t>(day - iso_weekday(day)); }},
    {DateTold::kYearAndMonth,
     [](std::int64_t day) {
       const CivilDate date = civil_date(day);
       return date.year * 12 + static_cast<std::int64_t>(date.month);
     }},
    {DateTold::kDayOfMonth,
     [](std::int64_t day) { return static_cast<std::int64_t>(civil_date(day).day); }},
    {DateTold::kYear, [](std::int64_t day) { return civil_date(day).year; }},
    {DateTold::kMonth,
     [](std::int64_t day) { return static_cast<std::int64_t>(civil_date(day).month); }},
    {DateTold::kWeekday,
     [](std::int64_t day) { return static_cast<std::int64_t>(iso_weekday(day)); }},
    {DateTold::kQuarter,
     [](std::int64_t day) { return static_cast<std::int64_t>((civil_date(day).month - 1) / 3); }},
}};

struct DatedRow {
  std::int64_t day;
  std::string_view text;
};

std::vector<DatedRow> complete_rows(const DayCells& dates, const TextCells& texts) {
  std::vector<DatedRow> rows;
  for (std::size_t i = 0; i < std::min(dates.size(), texts.size()); ++i) {
    if (dates[i] && texts[i]) rows.push_back({*dates[i], *texts[i]});
  }
  return rows;
}

// How many rows have the text, or part, that most rows of their part, or text, have. Of groups of a
// single row nothing is said.
template <class From, class To>
bool goes_with_one(const std::map<From, std::map<To, std::size_t>>& groups) {
  std::size_t rows = 0, kept = 0;
  for (const auto& [from, to] : groups) {
    std::size_t all = 0, most = 0;
    for (const auto& [value, count] : to) {
      all += count;
      most = std::max(most, count);
    }
    if (all < 2) continue;
    rows += all;
    kept += most;
  }
  return rows >= kFewestTellingRows &&
         static_cast<double>(kept) >= kNearlyAll * static_cast<double>(rows);
}

bool tells_part(const std::vector<DatedRow>& rows, const DatePart& part) {
  std::map<std::int64_t, std::map<std::string_view, std::size_t>> by_part;
  std::map<std::string_view, std::map<std::int64_t, std::size_t>> by_text;
  for (const DatedRow& row : rows) {
    const std::int64_t value = part.of(row.day);
    ++by_part[value][row.text];
    ++by_text[row.text][value];
  }
  return by_part.size() > 1 && by_text.size() > 1 && goes_with_one(by_part) &&
         goes_with_one(by_text);
}

// ---- Parts that go with most of the texts

// 1: from March on, 0: winter, by whole months.
std::int64_t season_of(std::int64_t day) {
  return static_cast<std::int64_t>(civil_date(day).month % 12 / 3);
}

// By the sun: seasons begin about the 21st.
std::int64_t season_by_sun_of(std::int64_t day) {
  constexpr std::array<unsigned, 4> kBegin{321, 621, 923, 1222};
  const CivilDate date = civil_date(day);
  const unsigned place = date.month * 100 + date.day;
  const auto begun = std::ranges::count_if(kBegin, [&](unsigned begin) { return begin <= place; });
  return begun % 4;  // before March it is winter, as at the end of the year
}

std::int64_t month_of(std::int64_t day) { return static_cast<std::int64_t>(civil_date(day).month); }

constexpr std::array<DatePart, 7> kFurtherParts{{
    {DateTold::kDayAndMonth,
     [](std::int64_t day) {
       return month_of(day) * 100 + static_cast<std::int64_t>(civil_date(day).day);
     }},
    {DateTold::kYearAndQuarter,
     [](std::int64_t day) { return civil_date(day).year * 4 + (month_of(day) - 1) / 3; }},
    {DateTold::kSeason, season_of},
    {DateTold::kSeason, season_by_sun_of},
    {DateTold::kSeason,
     [](std::int64_t day) {  // a winter has one name, that of the year in which it ends
       return (civil_date(day).year * 12 + month_of(day)) / 3;
     }},
    {DateTold::kHalfYear,
     [](std::int64_t day) { return civil_date(day).year * 2 + (month_of(day) - 1) / 6; }},
    {DateTold::kHalfYear, [](std::int64_t day) { return (month_of(day) - 1) / 6; }},
}};

// Whose values may share a text.
constexpr std::array<DatePart, 3> kSharedParts{{
    {DateTold::kPartOfYear, month_of},
    {DateTold::kPartOfMonth,
     [](std::int64_t day) { return static_cast<std::int64_t>(civil_date(day).day); }},
    {DateTold::kPartOfWeek,
     [](std::int64_t day) { return static_cast<std::int64_t>(iso_weekday(day)); }},
}};

struct DayAndText {
  std::int64_t day, text;  // texts by number
  auto operator<=>(const DayAndText&) const = default;
};

std::vector<DayAndText> different(const std::vector<DatedRow>& rows) {
  std::map<std::string_view, std::int64_t> numbers;
  std::vector<DayAndText> out;
  for (const DatedRow& row : rows) {
    const auto next = static_cast<std::int64_t>(numbers.size());
    out.push_back({row.day, numbers.try_emplace(row.text, next).first->second});
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

using FromTo = std::pair<std::int64_t, std::int64_t>;

// Whether `to` is a function of `from` in nearly all pairs. Of a value of `from` that stands alone
// nothing is said. `fewest`: pairs for each value of `from`.
bool is_roughly_a_function(std::vector<FromTo> pairs, double fewest) {
  constexpr double kMost = 0.9, kMistakesLeft = 0.25;
  std::ranges::sort(pairs);
  std::map<std::int64_t, std::size_t> all;  // by `to`
  std::size_t groups = 0, seen = 0, kept = 0;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    std::size_t most = 0, alike = 0;
    for (end = begin; end < pairs.size() && pairs[end].first == pairs[begin].first; ++end) {
      alike = end > begin && pairs[end].second == pairs[end - 1].second ? alike + 1 : 1;
      most = std::max(most, alike);
    }
    ++groups;
    if (end - begin < 2) continue;
    seen += end - begin;
    kept += most;
    for (std::size_t i = begin; i < end; ++i) ++all[pairs[i].second];
  }
  std::size_t usual = 0;
  for (const auto& [to, count] : all) usual = std::max(usual, count);
  const auto mistakes = static_cast<double>(seen - kept);
  return seen >= kFewestTellingRows && usual < seen &&
         static_cast<double>(pairs.size()) >= fewest * static_cast<double>(groups) &&
         static_cast<double>(kept) >= kMost * static_cast<double>(seen) &&
         mistakes <= kMistakesLeft * static_cast<double>(seen - usual);
}

std::vector<FromTo> parts_and_texts(const std::vector<DayAndText>& seen, const DatePart& part) {
  std::vector<FromTo> out;
  for (const DayAndText& each : seen) out.emplace_back(part.of(each.day), each.text);
  return out;
}

bool goes_roughly_with(const std::vector<DayAndText>& seen, const DatePart& part) {
  std::vector<FromTo> pairs = parts_and_texts(seen, part);
  if (!is_roughly_a_function(pairs, 0)) return false;
  for (FromTo& pair : pairs) std::swap(pair.first, pair.second);
  return is_roughly_a_function(std::move(pairs), 0);
}

bool is_roughly_told_by(const std::vector<DayAndText>& seen, const DatePart& part) {
  constexpr double kFewest = 10;  // days of each value: fewer may have one text by chance
  return is_roughly_a_function(parts_and_texts(seen, part), kFewest);
}

// Full years between two days.
std::int64_t age_at(std::int64_t birth, std::int64_t day) {
  const CivilDate born = civil_date(birth), now = civil_date(day);
  const bool before_birthday =
      now.month < born.month || (now.month == born.month && now.day < born.day);
  return now.year - born.year - (before_birthday ? 1 : 0);
}

struct AgedRow {
  std::int64_t birth, age;
  std::optional<std::int64_t> at;
};

// Ages at one day for all: the year of birth and the age add up to that day's year, or to the one
// before for those whose birthday comes later in the year.
bool add_up_to_two_years(const std::vector<AgedRow>& rows) {
  std::map<std::int64_t, std::size_t> sums;
  for (const AgedRow& row : rows) ++sums[civil_date(row.birth).year + row.age];
  std::size_t most = 0;
  for (const auto& [year, count] : sums) {
    const auto next = sums.find(year + 1);
    most = std::max(most, count + (next == sums.end() ? 0 : next->second));
  }
  return static_cast<double>(most) >= kNearlyAll * static_cast<double>(rows.size());
}

bool are_at_the_day(const std::vector<AgedRow>& rows) {
  std::size_t dated = 0, right = 0;
  for (const AgedRow& row : rows) {
    if (!row.at) continue;
    ++dated;
    right += age_at(row.birth, *row.at) == row.age ? 1 : 0;
  }
  return dated >= kFewestTellingRows &&
         static_cast<double>(right) >= kNearlyAll * static_cast<double>(dated);
}

}  // namespace

std::string_view to_string(DateTold told) {
  constexpr std::array<std::string_view, 17> kNames{"nothing",
                                                    "the weekday",
                                                    "the day of the month",
                                                    "the month",
                                                    "the quarter",
                                                    "the year",
                                                    "the year and month",
                                                    "the week",
                                                    "the date",
                                                    "the age",
                                                    "the day and month",
                                                    "the year and quarter",
                                                    "the season",
                                                    "the half-year",
                                                    "the part of the year",
                                                    "the part of the month",
                                                    "the part of the week"};
  return kNames[static_cast<std::size_t>(told)];
}

DateTold told_roughly_of_dates(const DayCells& dates, const TextCells& texts) {
  const std::vector<DayAndText> seen = different(complete_rows(dates, texts));
  if (seen.size() < kFewestTellingRows) return DateTold::kNothing;
  for (const auto& parts :
       {std::span<const DatePart>(kDateParts), std::span<const DatePart>(kFurtherParts)}) {
    for (const DatePart& part : parts) {
      if (goes_roughly_with(seen, part)) return part.told;
    }
  }
  for (const DatePart& part : kSharedParts) {
    if (is_roughly_told_by(seen, part)) return part.told;
  }
  return DateTold::kNothing;
}

DateTold told_of_dates(const DayCells& dates, const TextCells& texts) {
  const std::vector<DatedRow> rows = complete_rows(dates, texts);
  if (rows.size() < kFewestTellingRows) return DateTold::kNothing;
  for (const DatePart& part : kDateParts) {
    if (tells_part(rows, part)) return part.told;
  }
  return DateTold::kNothing;
}

bool tells_age(const DayCells& births, const DayCells& at, const TextCells& texts) {
  constexpr std::int64_t kOldest = 130;
  constexpr std::size_t kFewestAges = 3, kFewestYears = 3;
  std::vector<AgedRow> rows;
  std::set<std::int64_t> ages, years;
  std::size_t others = 0;
  for (std::size_t i = 0; i < std::min(births.size(), texts.size()); ++i) {
    if (!births[i] || !texts[i]) continue;
    const std::optional<double> number = number_of(*texts[i]);
    if (!number || *number < 0 || *number > kOldest || std::floor(*number) != *number) {
      ++others;
      continue;
    }
    rows.push_back(
        {*births[i], static_cast<std::int64_t>(*number), i < at.size() ? at[i] : std::nullopt});
    ages.insert(rows.back().age);
    years.insert(civil_date(*births[i]).year);
  }
  // Ages have bounds and slips of the pen: 90+.
  constexpr double kOthers = 0.1;
  if (static_cast<double>(others) > kOthers * static_cast<double>(others + rows.size())) {
    return false;
  }
  if (rows.size() < kFewestTellingRows || ages.size() < kFewestAges ||
      years.size() < kFewestYears) {
    return false;
  }
  return add_up_to_two_years(rows) || are_at_the_day(rows);
}

bool holds_iso_dates(const TextCells& texts) {
  std::size_t cells = 0, dates = 0;
  for (const std::optional<std::string_view>& text : texts) {
    if (!text) continue;
    ++cells;
    dates += parse_iso_day_time(*text) ? 1 : 0;
  }
  return cells > 0 && static_cast<double>(dates) >= kNearlyAll * static_cast<double>(cells);
}

namespace {

// Days with the column each stands in; then since the first of them.
using Dated = std::vector<std::pair<std::size_t, std::int64_t>>;

void add_dates(std::span<const DayCells> columns, std::size_t row, Dated& dates) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j][row]) dates.emplace_back(j, *columns[j][row]);
  }
}
void count_from_first(Dated& dates) {
  const std::int64_t first = std::ranges::min(dates, {}, &Dated::value_type::second).second;
  for (auto& [column, day] : dates) day -= first;
  std::ranges::sort(dates);
}

}  // namespace

IntervalFigures persons_alone_by_intervals(std::span<const std::string_view> persons,
                                           std::span<const DayCells> columns) {
  std::map<std::string_view, Dated> of_person;
  for (std::size_t row = 0; row < persons.size(); ++row) {
    add_dates(columns, row, of_person[persons[row]]);
  }
  IntervalFigures out;
  std::map<Dated, std::uint64_t> alike;
  for (auto& [person, dates] : of_person) {
    if (dates.size() < 2) continue;
    ++out.persons;
    count_from_first(dates);
    ++alike[dates];
  }
  for (const auto& [dates, count] : alike) out.alone += count == 1 ? 1 : 0;
  return out;
}

IntervalFigures persons_alone_by_rows(std::span<const std::string_view> persons,
                                      std::span<const DayCells> columns) {
  struct Owner {
    std::string_view person;  // of the first row
    bool is_shared = false;
  };
  std::map<Dated, Owner> alike;
  std::set<std::string_view> with_dates, alone;
  for (std::size_t row = 0; row < persons.size(); ++row) {
    Dated dates;
    add_dates(columns, row, dates);
    if (dates.size() < 2) continue;
    with_dates.insert(persons[row]);
    count_from_first(dates);
    const auto [at, is_new] = alike.try_emplace(std::move(dates), Owner{persons[row]});
    at->second.is_shared |= !is_new && at->second.person != persons[row];
  }
  for (const auto& [dates, owner] : alike) {
    if (!owner.is_shared) alone.insert(owner.person);
  }
  return {with_dates.size(), alone.size()};
}

}  // namespace semveil
