#include "base/date_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/calendar.h"
#include "base/text.h"
#include "base/trimmed.h"

namespace semveil {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60 * kSecond, kHour = 60 * kMinute, kWholeDay = 24 * kHour;
constexpr double kZoneApart = 1.0 / (1U << 30U);

constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};

// Takes a format's pieces off the front of a text.
class FormatReader {
 public:
  explicit FormatReader(std::string_view text) : rest_(text) {}

  bool literal(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool piece(char letter) {
    switch (letter) {
      case 'Y':
        return digits(4, 4, year_);
      case 'y':
        if (!digits(2, 2, year_)) return false;
        year_ += year_ < 69 ? 2000 : 1900;
        return true;
      case 'm':
        return digits(1, 2, month_);
      case 'b':
      case 'B':
        return month_name(letter == 'b');
      case 'd':
        return digits(1, 2, day_);
      case 'H':
        return digits(1, 2, hour_);
      case 'M':
        return digits(1, 2, minute_);
      case 'S':
        return digits(1, 2, second_);
      case 'f':
        return fraction();
      case 'z':
        return zone();
      default:
        return letter == '%' && literal('%');
    }
  }

  std::size_t left() const { return rest_.size(); }

  std::optional<Moment> finish(bool has_time) {
    const bool exists = rest_.empty() && month_ >= 1 && month_ <= 12 && day_ >= 1 &&
                        day_ <= days_of_month(year_, static_cast<unsigned>(month_)) && hour_ < 24 &&
                        minute_ < 60 && second_ < 60;
    if (!exists) return std::nullopt;
    const CivilDate date{year_, static_cast<unsigned>(month_), static_cast<unsigned>(day_)};
    return Moment{days_of(date),
                  hour_ * kHour + minute_ * kMinute + second_ * kSecond + nanoseconds_, has_time,
                  std::move(zone_)};
  }

 private:
  bool digits(std::size_t fewest, std::size_t most, std::int64_t& out) {
    out = 0;
    std::size_t taken = 0;
    while (taken < most && taken < rest_.size() && rest_[taken] >= '0' && rest_[taken] <= '9') {
      out = out * 10 + (rest_[taken++] - '0');
    }
    rest_.remove_prefix(taken);
    return taken >= fewest;
  }

  bool fraction() {
    constexpr std::size_t kMost = 9;
    const std::size_t before = rest_.size();
    if (!digits(1, kMost, nanoseconds_)) return false;
    for (std::size_t taken = before - rest_.size(); taken < kMost; ++taken) nanoseconds_ *= 10;
    return true;
  }

  bool month_name(bool is_short) {
    constexpr std::size_t kShort = 3;
    for (std::size_t m = 0; m < kMonths.size(); ++m) {
      const std::string_view name = is_short ? kMonths[m].substr(0, kShort) : kMonths[m];
      const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
      if (rest_.size() < name.size() ||
          !std::equal(name.begin(), name.end(), rest_.begin(), same)) {
        continue;
      }
      month_ = static_cast<std::int64_t>(m) + 1;
      rest_.remove_prefix(name.size());
      return true;
    }
    return false;
  }

  // "Z", "+01:00", "-0530", "+01"
  bool zone() {
    const std::string_view before = rest_;
    if (!literal('Z')) {
      std::int64_t hours = 0, minutes = 0;
      if (!literal('+') && !literal('-')) return false;
      if (!digits(2, 2, hours) || hours > 23) return false;
      const bool more = literal(':') || (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9');
      if (more && (!digits(2, 2, minutes) || minutes > 59)) return false;
    }
    zone_ = before.substr(0, before.size() - rest_.size());
    return true;
  }

  std::string_view rest_;
  std::int64_t year_ = 1970, month_ = 1, day_ = 1;
  std::int64_t hour_ = 0, minute_ = 0, second_ = 0, nanoseconds_ = 0;
  std::string zone_;
};

// %Y, %y, %m, %b, %B or %d of a day.
std::string piece_of_day(char letter, std::int64_t day) {
  constexpr std::size_t kShort = 3;
  constexpr std::int64_t kCentury = 100;
  const CivilDate date = civil_date(day);
  const std::string_view month = kMonths[date.month - 1];
  switch (letter) {
    case 'Y':
      return fmt::format("{:04}", date.year);
    case 'y':
      return fmt::format("{:02}", date.year % kCentury);
    case 'm':
      return fmt::format("{:02}", date.month);
    case 'b':
      return std::string(month.substr(0, kShort));
    case 'B':
      return std::string(month);
    default:
      return fmt::format("{:02}", date.day);
  }
}

bool has_piece(std::string_view format, std::string_view letters) {
  for (std::size_t at = 0; at + 1 < format.size(); ++at) {
    if (format[at] != '%') continue;
    if (letters.find(format[++at]) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

double Moment::days() const {
  return static_cast<double>(day) +
         static_cast<double>(nanoseconds) / static_cast<double>(kWholeDay);
}

Result<DateForm> DateForm::of(std::string_view format) {
  constexpr std::string_view kLetters = "YymbBdHMSfz%";
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') continue;
    ++at;
    if (at < format.size() && kLetters.find(format[at]) != std::string_view::npos) continue;
    return fail(data_error("% stands before one of Y, y, m, b, B, d, H, M, S, f, z or %"));
  }
  const bool whole = format.empty() || (has_piece(format, "Yy") && has_piece(format, "mbB") &&
                                        has_piece(format, "d"));
  if (!whole) {
    return fail(data_error(
        "a format of dates has a year (%Y or %y), a month (%m, %b or %B) and a day (%d)"));
  }
  DateForm form;
  form.format_ = trimmed(format);  // as cells are
  return form;
}

std::optional<DateForm> DateForm::restored(std::string_view format, std::vector<std::string> zones,
                                           std::string midnight) {
  Result<DateForm> form = of(format);
  if (!form || zones.empty() || !std::ranges::is_sorted(zones)) return std::nullopt;
  form->zones_ = std::move(zones);
  form->midnight_ = std::move(midnight);
  return *std::move(form);
}

DateForm DateForm::of_texts(const std::vector<std::string_view>& texts) const {
  DateForm form = *this;
  form.zones_.clear();
  bool all_have_times = true;
  std::optional<std::string_view> first;  // the smallest bytes: in whatever order they come
  for (const std::string_view written : texts) {
    const std::string_view text = trimmed(written);
    const std::optional<Moment> moment = read(text);
    if (!moment) continue;
    all_have_times = all_have_times && moment->has_time;
    form.zones_.push_back(moment->zone);
    if (!format_.empty()) form.pads_ = form.pads_ && !has_short_piece(text);
    if (!first || text < *first) first = text;
  }
  if (form.zones_.empty()) form.zones_.emplace_back();
  std::ranges::sort(form.zones_);
  form.zones_.erase(std::unique(form.zones_.begin(), form.zones_.end()), form.zones_.end());
  form.midnight_.clear();
  if (first && all_have_times && format_.empty()) {
    constexpr std::size_t kDate = 10, kWithSeconds = 19;  // letters
    const bool seconds = first->size() - read(*first)->zone.size() >= kWithSeconds;
    form.midnight_ = (*first)[kDate] + std::string(seconds ? "00:00:00" : "00:00");
    form.midnight_ += form.zones_.front();
  }
  return form;
}

std::optional<Moment> DateForm::read(std::string_view written) const {
  const std::string_view text = trimmed(written);
  if (format_.empty()) {
    const std::optional<DayTime> found = parse_iso_day_time(text);
    if (!found) return std::nullopt;
    return Moment{found->day, found->nanoseconds, found->has_time, std::string(found->zone)};
  }
  FormatReader reader(text);
  for (std::size_t at = 0; at < format_.size(); ++at) {
    const bool fits =
        format_[at] == '%' ? reader.piece(format_[++at]) : reader.literal(format_[at]);
    if (!fits) return std::nullopt;
  }
  return reader.finish(has_piece(format_, "HMSf"));
}

std::optional<double> DateForm::number(std::string_view text) const {
  const std::optional<Moment> moment = read(text);
  if (!moment) return std::nullopt;
  const auto zone = std::ranges::lower_bound(zones_, moment->zone);
  if (zone == zones_.end() || *zone != moment->zone) return std::nullopt;
  return moment->days() + static_cast<double>(zone - zones_.begin()) * kZoneApart;
}

std::string DateForm::written(std::int64_t day) const {
  if (format_.empty()) return iso_date_text(day) + midnight_;
  std::string out;
  for (std::size_t at = 0; at < format_.size(); ++at) {
    if (format_[at] != '%') {
      out += format_[at];
      continue;
    }
    const char letter = format_[++at];
    if (letter == '%') {
      out += '%';
    } else if (letter == 'z') {
      out += zones_.front();
    } else if (letter == 'f') {
      out += '0';
    } else if (letter == 'H' || letter == 'M' || letter == 'S') {
      out += "00";
    } else {
      out += piece_of_day(letter, day);
    }
  }
  return out;
}

DateForm DateForm::padded(bool pads) const {
  DateForm form = *this;
  form.pads_ = pads;
  return form;
}

// Calls with each piece of the format, its letter or 0, and what it is in the text.
template <class Do>
static void for_each_piece(const std::string& format, std::string_view text, const Do& act) {
  FormatReader reader(text);
  for (std::size_t at = 0; at < format.size(); ++at) {
    const std::size_t before = reader.left();
    char letter = 0;
    if (format[at] == '%') {
      letter = format[++at];
      reader.piece(letter);
    } else {
      reader.literal(format[at]);
    }
    act(letter, text.substr(text.size() - before, before - reader.left()));
  }
}

bool DateForm::has_short_piece(std::string_view text) const {
  bool is_short = false;
  for_each_piece(format_, text, [&](char letter, std::string_view was) {
    is_short = is_short || ((letter == 'd' || letter == 'm') && was.size() == 1);
  });
  return is_short;
}

// The pieces that say the day are written anew.
std::string DateForm::with_day(std::string_view text, std::int64_t day) const {
  constexpr std::string_view kPieces = "YymbBd";
  std::string out;
  for_each_piece(format_, text, [&](char letter, std::string_view was) {
    if (letter == 0 || kPieces.find(letter) == std::string_view::npos) {
      out += was;
      return;
    }
    std::string is = piece_of_day(letter, day);
    const bool may_be_short = letter == 'd' || letter == 'm';
    if (!pads_ && may_be_short && is.starts_with('0')) is.erase(0, 1);
    out += is;
  });
  return out;
}

std::optional<std::string> DateForm::with_days_added(std::string_view written,
                                                     std::int64_t days) const {
  const std::string_view text = trimmed(written);
  std::optional<Moment> moment = read(text);
  if (!moment) return std::nullopt;
  moment->day += days;
  constexpr std::int64_t kFirstYear = 1, kLastYear = 9999;
  const std::int64_t year = civil_date(moment->day).year;
  if (year < kFirstYear || year > kLastYear) return std::nullopt;
  if (!format_.empty()) {
    std::string out = with_day(text, moment->day);
    const std::optional<Moment> again =
        read(out);  // a year of two digits may be of another century
    return again && again->day == moment->day ? std::optional(std::move(out)) : std::nullopt;
  }
  constexpr std::size_t kDate = 10;
  // 24:00 is read as the next day's midnight.
  const bool is_next = text.size() > kDate && text.substr(kDate + 1).starts_with("24");
  return iso_date_text(moment->day - (is_next ? 1 : 0)) + std::string(text.substr(kDate));
}

std::string days_text(double days) {
  constexpr std::int64_t kMinutesOfDay = 1440;
  const auto minutes =
      static_cast<std::int64_t>(std::nearbyint(days * static_cast<double>(kMinutesOfDay)));
  const std::int64_t of_day = ((minutes % kMinutesOfDay) + kMinutesOfDay) % kMinutesOfDay;
  std::string text = iso_date_text((minutes - of_day) / kMinutesOfDay);
  if (of_day != 0) text += fmt::format(" {:02}:{:02}", of_day / 60, of_day % 60);
  return text;
}

std::optional<double> cell_number(const DateForm* dates, std::string_view text) {
  return dates == nullptr ? number_of(trimmed(text)) : dates->number(text);
}

}  // namespace semveil
