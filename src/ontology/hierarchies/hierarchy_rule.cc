#include "ontology/hierarchies/hierarchy_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/calendar.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "ontology/hierarchies/number_intervals.h"

namespace semveil {
namespace {

using Kind = HierarchySettings::Kind;

// ---- Texts --------------------------------------------------------------------------------------

// By character of UTF-8: where it ends. Bytes that are none count one each.
std::vector<std::size_t> character_ends(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool goes_on = (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    if (goes_on && !ends.empty()) {
      ends.back() = at + 1;
    } else {
      ends.push_back(at + 1);
    }
  }
  return ends;
}

std::vector<HierarchyStep> prefixes(std::string_view text, unsigned longest) {
  const std::vector<std::size_t> ends = character_ends(text);
  std::vector<HierarchyStep> steps;
  for (std::size_t kept = longest - 1; kept > 0; --kept) {
    // Its turn has not come: it stays what it is.
    std::string label(kept > ends.size() ? text : text.substr(0, ends[kept - 1]));
    if (kept <= ends.size()) label.append(longest - kept, '*');
    steps.push_back({std::move(label), 0, 0});
  }
  return steps;
}

// ---- Dates --------------------------------------------------------------------------------------

HierarchyStep period(std::string label, std::int64_t first, std::int64_t behind) {
  return {std::move(label), static_cast<double>(first), static_cast<double>(behind)};
}

std::int64_t first_of(std::int64_t year, unsigned month) {
  return days_of(CivilDate{year, month, 1});
}

std::vector<HierarchyStep> months_and_years(std::int64_t day) {
  constexpr unsigned kMonths = 3;  // of a quarter
  const CivilDate date = civil_date(day);
  const unsigned quarter = (date.month - 1) / kMonths;
  const unsigned from = quarter * kMonths + 1;
  const auto behind = [&](unsigned month) {
    return month > 12 ? first_of(date.year + 1, month - 12) : first_of(date.year, month);
  };
  const std::int64_t decade = date.year - ((date.year % 10) + 10) % 10;
  return {
      period(fmt::format("{:04}-{:02}", date.year, date.month), first_of(date.year, date.month),
             behind(date.month + 1)),
      period(fmt::format("{:04}-Q{}", date.year, quarter + 1), first_of(date.year, from),
             behind(from + kMonths)),
      period(fmt::format("{:04}", date.year), first_of(date.year, 1), first_of(date.year + 1, 1)),
      period(fmt::format("{:04}s", decade), first_of(decade, 1), first_of(decade + 10, 1))};
}

std::vector<HierarchyStep> weeks_and_years(std::int64_t day) {
  const IsoWeek week = iso_week(day);
  return {
      period(fmt::format("{:04}-W{:02}", week.year, week.week), days_of(week), days_of(week) + 7),
      period(fmt::format("{:04}", week.year), days_of(IsoWeek{week.year, 1}),
             days_of(IsoWeek{week.year + 1, 1}))};
}

// Above a text with a time lies its day. A column without times needs no such level: there the day
// is the text itself.
std::vector<HierarchyStep> periods(const Moment& moment, const HierarchyRule::Fitted& fitted) {
  std::vector<HierarchyStep> steps =
      fitted.settings.by_weeks ? weeks_and_years(moment.day) : months_and_years(moment.day);
  if (steps.size() < fitted.levels) {
    steps.insert(steps.begin(), period(iso_date_text(moment.day), moment.day, moment.day + 1));
  }
  return steps;
}

// ---- Choosing -----------------------------------------------------------------------------------

bool are_dates(std::span<const std::string_view> texts, const DateForm& dates) {
  return std::ranges::all_of(
      texts, [&](std::string_view text) { return dates.read(trimmed(text)).has_value(); });
}

// Plans and models have been checked: what is no format is ISO 8601.
DateForm form_of(const HierarchySettings& settings) {
  return DateForm::of(settings.date_format).value_or(DateForm());
}

// ZIP codes, codes of diagnoses: all of one length, letters and digits, a digit in each. Short ones
// may be years or counts, unless a zero in front says that they are no numbers.
bool are_codes(std::span<const std::string_view> texts) {
  constexpr std::size_t kShort = 4;
  const auto is_letter_or_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const std::size_t length = trimmed(texts.front()).size();
  bool has_zero = false;
  for (const std::string_view written : texts) {
    const std::string_view text = trimmed(written);
    const bool has_digit = text.find_first_of("0123456789") != text.npos;
    if (text.size() != length || !has_digit) return false;
    if (!std::ranges::all_of(text, is_letter_or_digit)) return false;
    has_zero = has_zero || (text.front() == '0' && all_digits(text));
  }
  return length > kShort || (has_zero && length > 1);
}

}  // namespace

HierarchyRule::HierarchyRule(Fitted fitted)
    : fitted_(std::move(fitted)), dates_(form_of(fitted_.settings)) {}

HierarchySettings chosen_hierarchy(bool are_numbers, std::span<const std::string_view> texts,
                                   const DateForm& dates) {
  constexpr std::size_t kFewest = 6;  // fewer different numbers may be codes: 1 for male, 2 …
  HierarchySettings chosen;
  chosen.kind = Kind::kFlat;
  if (texts.empty()) return chosen;
  if (!are_numbers && are_dates(texts, dates)) {
    chosen.kind = Kind::kDate;
  } else if (!are_numbers && are_codes(texts)) {
    chosen.kind = Kind::kPrefix;
  } else if (const std::optional<double> width = usual_width(texts);
             width && (are_numbers || texts.size() >= kFewest)) {
    chosen.kind = Kind::kIntervals;
    chosen.width = *width;
  }
  return chosen;
}

Result<HierarchyRule> HierarchyRule::fit(HierarchySettings settings, bool are_numbers,
                                         std::span<const std::string_view> texts) {
  Fitted fitted;
  fitted.was_chosen = settings.kind == Kind::kChosen;
  fitted.settings = std::move(settings);
  if (fitted.was_chosen) {
    const bool by_weeks = fitted.settings.by_weeks;
    const DateForm form = form_of(fitted.settings);
    fitted.settings = chosen_hierarchy(are_numbers, texts, form);
    fitted.settings.by_weeks = by_weeks && fitted.settings.kind == Kind::kDate;
    fitted.settings.date_format = form.format();
  }
  const DateForm dates = form_of(fitted.settings);
  std::vector<double> numbers;
  bool has_times = false;
  for (const std::string_view written : texts) {
    const std::string_view text = trimmed(written);
    const auto length = static_cast<unsigned>(character_ends(text).size());
    fitted.longest = std::max(fitted.longest, length);
    if (fitted.settings.kind == Kind::kDate) {
      const std::optional<Moment> moment = dates.read(text);
      if (moment) numbers.push_back(moment->days());
      has_times = has_times || (moment && moment->has_time);
    } else if (const std::optional<double> number = number_of(text)) {
      numbers.push_back(*number);
    }
  }
  if (!numbers.empty()) {
    const auto [low, high] = std::ranges::minmax(numbers);
    fitted.low = low;
    fitted.high = high;
  }
  switch (fitted.settings.kind) {
    case Kind::kPrefix:
      fitted.levels = std::max(1U, fitted.longest) - 1;
      fitted.longest = fitted.levels + 1;
      break;
    case Kind::kDate:
      fitted.levels = (fitted.settings.by_weeks ? 2U : 4U) + (has_times ? 1U : 0U);
      break;
    case Kind::kIntervals:
    case Kind::kCuts: {
      const Result<unsigned> levels = interval_levels(fitted.settings, numbers);
      if (!levels) return fail(levels.error());
      fitted.levels = *levels;
      break;
    }
    case Kind::kChosen:
    case Kind::kFlat:
      break;
  }
  return HierarchyRule(std::move(fitted));
}

std::optional<std::vector<HierarchyStep>> HierarchyRule::steps(std::string_view written) const {
  const std::string_view text = trimmed(written);
  if (text.empty()) return std::nullopt;
  switch (settings().kind) {
    case Kind::kIntervals:
    case Kind::kCuts: {
      const std::optional<double> number = number_of(text);
      if (!number) return std::nullopt;
      return intervals_around(settings(), *number, fitted_.levels);
    }
    case Kind::kPrefix:
      return prefixes(text, fitted_.longest);
    case Kind::kDate: {
      const std::optional<Moment> moment = dates_.read(text);
      if (!moment) return std::nullopt;
      return periods(*moment, fitted_);
    }
    case Kind::kChosen:
    case Kind::kFlat:
      break;
  }
  return std::vector<HierarchyStep>();
}

bool HierarchyRule::has_widths() const {
  const Kind kind = settings().kind;
  return kind == Kind::kIntervals || kind == Kind::kCuts || kind == Kind::kDate;
}

double HierarchyRule::share(const HierarchyStep& step) const {
  const double range = fitted_.high - fitted_.low;
  if (range <= 0) return 0;
  const double width = std::min(step.high, fitted_.high) - std::max(step.low, fitted_.low);
  return std::clamp(width / range, 0.0, 1.0);
}

}  // namespace semveil
