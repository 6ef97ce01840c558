// In a column a text is a marker if
//   - it is blank, or one of those that programs write (kWritten; "NA" not among country codes);
//   - all other values are numbers, two or more, and it is the only other text, short and without
//     a digit;
//   - it is −7, −8 or −9, −77 … or −9999 and all other values are numbers of at least 0;
//   - it is the only number among words, and made of nines: 99;
//   - it is one in another column of the same series.
#include "propose/missing_markers.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "base/trimmed.h"
#include "propose/text_forms.h"

namespace semveil {
namespace {

constexpr std::array<std::string_view, 22> kWritten{
    "?",    "NA",     "N/A",  "n/a", "na", "#N/A", "<NA>", "NaN", "nan", "NULL",    "null",
    "Null", "(null)", "None", "-",   "--", ".",    "..",   "NaT", "nil", "missing", "Missing"};
constexpr std::size_t kLongest = 12;  // of a text that stands among numbers

struct FoundMarker {
  Code code = 0;
  std::string why;
};

// Only a sign and one digit, again and again: -99.
bool is_repeated(std::string_view text, char digit) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) { return c == digit; });
}
bool is_negative_marker(std::string_view text) {
  if (!text.starts_with('-') || text.size() > 5) return false;
  const std::string_view digits = text.substr(1);
  return is_repeated(digits, '9') || is_repeated(digits, '8') || is_repeated(digits, '7');
}

bool is_alone_among_numbers(std::string_view text) {
  return text.size() <= kLongest &&
         std::ranges::none_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

struct Others {  // what else the column has
  std::vector<Code> numbers, texts;
  std::uint64_t countries = 0, negatives = 0;
};

Others others_of(const ColumnFacts& column, const std::vector<FoundMarker>& found) {
  Others out;
  for (Code code = 0; code < column.counts.size(); ++code) {
    const bool is_found =
        std::ranges::any_of(found, [&](const FoundMarker& marker) { return marker.code == code; });
    if (is_found) continue;
    const std::string_view text = column.text(code);
    const std::optional<double> number = number_of(trimmed(text));
    (number ? out.numbers : out.texts).push_back(code);
    out.negatives += number && *number < 0 ? 1 : 0;
    out.countries += is_country_code(trimmed(text)) ? 1 : 0;
  }
  return out;
}

void find_written(const ColumnFacts& column, std::vector<FoundMarker>& found) {
  const Others others = others_of(column, {});
  const bool has_countries = others.countries * 2 > column.counts.size() && others.countries > 4;
  for (Code code = 0; code < column.counts.size(); ++code) {
    const std::string_view text = trimmed(column.text(code));
    if (has_countries && text == "NA") continue;
    if (text.empty()) {
      found.push_back({code, "nothing but blanks"});
    } else if (std::ranges::find(kWritten, text) != kWritten.end()) {
      found.push_back({code, "a text that programs write for nothing"});
    }
  }
}

void find_by_company(const ColumnFacts& column, std::vector<FoundMarker>& found) {
  const Others others = others_of(column, found);
  if (others.texts.size() == 1 && others.numbers.size() >= 2 &&
      is_alone_among_numbers(trimmed(column.text(others.texts.front())))) {
    found.push_back({others.texts.front(),
                     "the only text among numbers; should it mean something of its own, classes "
                     "still count it as a value"});
  }
  std::vector<Code> negative;
  for (const Code code : others.numbers) {
    if (is_negative_marker(trimmed(column.text(code)))) negative.push_back(code);
  }
  if (others.texts.size() <= 1 && negative.size() == others.negatives &&
      others.numbers.size() >= negative.size() + 2) {
    for (const Code code : negative) {
      found.push_back({code, "below zero, where all other numbers are not"});
    }
  }
  if (others.numbers.size() == 1 && others.texts.size() >= 3 &&
      is_repeated(trimmed(column.text(others.numbers.front())), '9')) {
    found.push_back({others.numbers.front(), "the only number among words"});
  }
}

// Nearly every value another, by whichever values: the column of a key.
bool is_nearly_a_key(const ColumnFacts& column) {
  constexpr double kMost = 0.95;
  std::uint64_t records = 0;
  for (const std::uint64_t count : column.counts) records += count;
  return static_cast<double>(column.counts.size()) >= kMost * static_cast<double>(records);
}

// Whether a text that stands for nothing elsewhere is a value here. A column of a key will be
// dropped; what is a number among its numbers is one all the same, as it may be no key.
bool is_value_of(const ColumnFacts& column, std::string_view text) {
  const std::optional<Code> code = column.texts->find(text);
  if (!code) return false;
  if (!is_nearly_a_key(column)) return true;
  const std::optional<double> number = number_of(trimmed(text));
  bool is_above_some = false, is_below_some = false;
  for (Code other = 0; number && other < column.counts.size(); ++other) {
    const std::optional<double> beside = number_of(trimmed(column.text(other)));
    is_above_some = is_above_some || (beside && *beside < *number);
    is_below_some = is_below_some || (beside && *beside > *number);
  }
  return is_above_some && is_below_some;
}

// What stands for nothing in one column of a series does so in all: some have few other values.
void add_series(const std::vector<ColumnFacts>& columns, MissingMarker& marker) {
  const std::vector<std::string> found = marker.columns;
  for (const ColumnFacts& column : columns) {
    const std::string series = series_of(column.name);
    const std::optional<Code> code = column.texts->find(marker.text);
    const bool is_known = std::ranges::find(found, column.name) != found.end();
    const bool is_alike = !series.empty() && std::ranges::any_of(found, [&](const auto& other) {
      return series_of(other) == series;
    });
    if (!code || is_known || !is_alike) continue;
    marker.columns.push_back(column.name);
    marker.cells += column.counts[*code];
  }
}

}  // namespace

std::vector<MissingMarker> find_markers(std::vector<ColumnFacts>& columns) {
  std::map<std::string, MissingMarker, std::less<>> by_text;
  for (const ColumnFacts& column : columns) {
    std::vector<FoundMarker> found;
    find_written(column, found);
    if (!is_nearly_a_key(column)) find_by_company(column, found);
    for (const FoundMarker& marker : found) {
      MissingMarker& out = by_text[std::string(column.text(marker.code))];
      out.text = column.text(marker.code);
      out.cells += column.counts[marker.code];
      out.columns.push_back(column.name);
      if (out.why.empty()) out.why = marker.why;
    }
  }
  std::vector<MissingMarker> out;
  for (auto& [text, marker] : by_text) {
    add_series(columns, marker);
    for (ColumnFacts& column : columns) {
      const bool is_here = std::ranges::find(marker.columns, column.name) != marker.columns.end();
      if (!is_here && is_value_of(column, text)) marker.proposed = false;
    }
    for (ColumnFacts& column : columns) {
      const std::optional<Code> code = column.texts->find(text);
      if (code && marker.proposed) column.markers[*code] = true;
    }
    out.push_back(std::move(marker));
  }
  for (ColumnFacts& column : columns) column.count_forms();
  return out;
}

}  // namespace semveil
