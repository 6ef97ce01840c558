// Dates of any format and any text: a format that is taken reads what it writes; a date that is
// moved by some days is read as that day, and nothing behind it is lost. The first line is the
// format, each other a cell.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/calendar.h"
#include "base/date_text.h"
#include "fuzz/touch.h"

namespace {

using namespace semveil;
using fuzz::require;

constexpr std::int64_t kFirstDay = -719162, kLastDay = 2932896;  // of the years 1 to 9999

void check_written(const DateForm& form, std::int64_t day) {
  const std::string text = form.written(day);
  const std::optional<Moment> read = form.read(text);
  require(read.has_value());
  // A year of two digits is one of 1969 to 2068.
  const CivilDate date = civil_date(day), again = civil_date(read->day);
  require(read->nanoseconds == 0 && again.month == date.month && again.day == date.day &&
          (again.year - date.year) % 100 == 0);
  if (form.format().find("%y") == std::string::npos) require(again.year == date.year);
}

void check_cell(const DateForm& form, std::string_view cell) {
  const std::optional<Moment> moment = form.read(cell);
  for (const std::int64_t days : {0, 1, -1, 366, -40'000, 3'000'000}) {
    const auto moved = form.with_days_added(cell, days);
    require(moment.has_value() || !moved);
    if (!moved) continue;
    const std::optional<Moment> again = form.read(*moved);
    require(again && again->day == moment->day + days && again->zone == moment->zone &&
            again->nanoseconds == moment->nanoseconds && again->has_time == moment->has_time);
  }
  if (!moment) return require(!form.number(cell));
  require(moment->nanoseconds >= 0 && std::isfinite(moment->days()));
  require(moment->day >= kFirstDay - 366 && moment->day <= kLastDay + 1);
  require(!days_text(moment->days()).empty());
  require(form.number(cell).has_value());  // the form was made of all cells
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::vector<std::string_view> lines;
  while (!rest.empty() && lines.size() < 20) {
    const std::size_t end = rest.find('\n');
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  if (lines.empty()) return 0;
  const Result<DateForm> given = DateForm::of(lines.front());
  if (!given) {
    require(!given.error().message.empty());
    return 0;
  }
  const std::vector<std::string_view> cells(lines.begin() + 1, lines.end());
  const DateForm form = given->of_texts(cells);
  const auto restored = DateForm::restored(form.format(), form.zones(), form.midnight());
  require(restored && restored->format() == form.format() && restored->zones() == form.zones());
  bool has_dates = false;  // else nobody knows a zone
  for (const std::string_view cell : cells) {
    has_dates = has_dates || form.read(cell);
    check_cell(form, cell);
  }
  if (!has_dates) return 0;
  for (const std::int64_t day : {kFirstDay, std::int64_t{-1}, std::int64_t{19782}, kLastDay}) {
    check_written(form, day);
  }
  return 0;
}
