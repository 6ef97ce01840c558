// What tells by how many days somebody's dates were shifted, or whose they are.
//
//   weekday     born on a Tuesday, released as 1985-03-14, a Thursday: moved by 2 days, or 9, −5, …
//   year, …     the release says another year than the column beside it; so do a quarter, a season,
//               a day without its year
//   age         year of birth + age is this year or the last; an age at a visit tells it likewise
//   a date      another column of dates that was not shifted is a shift to be subtracted
//   intervals   shifts keep the days between a person's dates; who is alone with theirs is known by
//               anybody who knows them
//
// All functions are of columns, by row; nothing stands for a cell that is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/date_told.h"

namespace semveil {

using DayCells = std::vector<std::optional<std::int64_t>>;  // days since 1970-01-01
using TextCells = std::vector<std::optional<std::string_view>>;

// Fewer rows tell nothing but by chance.
inline constexpr std::size_t kFewestTellingRows = 20;

// What of the dates the texts tell: that whose value goes with one text alone, and each of several
// texts with one value (but for one row in a hundred), the finest such. The column may spell it in
// any way: Monday, 1, Mo. Constant columns tell nothing.
DateTold told_of_dates(const DayCells& dates, const TextCells& texts);
// The same of columns with more slips, of further parts (day and month, year and quarter, season,
// half-year), and of texts that several values of a part share, as "weekend" does. Told apart are
// days and texts, not rows: the rows of a person may repeat both. Nine of ten must go together, and
// knowing one must leave a quarter of the mistakes, at most, that always guessing the most common
// of the other makes.
DateTold told_roughly_of_dates(const DayCells& dates, const TextCells& texts);
// Whether the texts are ages that go with dates of birth: at one day for all rows, or at the day
// that another column has (empty: none).
bool tells_age(const DayCells& births, const DayCells& at, const TextCells& texts);

// Whether nearly all texts are dates, as ISO 8601 writes them.
bool holds_iso_dates(const TextCells& texts);

struct IntervalFigures {
  std::uint64_t persons = 0;  // with two dates or more
  std::uint64_t alone = 0;    // of them: nobody else has the same days between their dates
};
// By all rows of a person, where something tells that they are one's. `columns`: the shifted ones,
// each by row.
IntervalFigures persons_alone_by_intervals(std::span<const std::string_view> persons,
                                           std::span<const DayCells> columns);
// By single rows, where nothing does: the days between the dates of one row. A person is alone with
// them if nobody else has a row with the same.
IntervalFigures persons_alone_by_rows(std::span<const std::string_view> persons,
                                      std::span<const DayCells> columns);

}  // namespace semveil
