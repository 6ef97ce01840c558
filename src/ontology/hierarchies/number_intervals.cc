#include "ontology/hierarchies/number_intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "base/trimmed.h"

namespace semveil {
namespace {

using Kind = HierarchySettings::Kind;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kMostIntervals = 4e15;  // a double tells whole numbers below 2^53 apart
constexpr std::string_view kLow = "{low}", kHigh = "{high}", kLast = "{last}";

bool is_whole(double x) { return x == std::floor(x); }

// Digits behind the point of the shortest text that gives the number back.
int decimals_in(double x) {
  for (int digits = 0; digits <= 17; ++digits) {
    if (number_of(fmt::format("{:.{}f}", x, digits)) == x) return digits;
  }
  return 17;
}

// The ends of intervals of one width: decimal numbers, not what adding up doubles gives.
class Grid {
 public:
  explicit Grid(double width) : width_(width), decimals_(decimals_in(width)) {}

  std::string text(double n) const {
    return fmt::format("{:.{}f}", n * width_ + 0.0, decimals_);  // there is one zero
  }
  double end(double n) const { return number_of(text(n)).value_or(n * width_); }
  bool reaches(double number) const { return std::abs(number) / width_ <= kMostIntervals; }
  // The last end that is not above a number, which must be within reach.
  double place(double number) const {
    double n = std::floor(number / width_);
    while (end(n) > number) --n;
    while (end(n + 1) <= number) ++n;
    return n;
  }

 private:
  double width_;
  int decimals_;
};

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// Ends as they are written; of the last and the first interval there is one.
std::string spelt(const HierarchySettings& settings, std::string_view low, std::string_view high) {
  const bool usual = settings.as.empty();
  if (low.empty()) return usual ? fmt::format("(-inf, {})", high) : fmt::format("<{}", high);
  if (high.empty()) return usual ? fmt::format("[{}, inf)", low) : fmt::format("{}+", low);
  if (usual) return fmt::format("[{}, {})", low, high);
  std::string text = replaced(settings.as, kLow, std::string(low));
  text = replaced(std::move(text), kHigh, std::string(high));
  const double last = number_of(high).value_or(0) - 1;
  return replaced(std::move(text), kLast, fmt::format("{:.0f}", last));
}

std::string cut_text(double cut) { return fmt::format("{:.{}f}", cut, decimals_in(cut)); }

// Of the intervals between cuts, 2^level are joined.
HierarchyStep joined(const HierarchySettings& settings, std::size_t place, unsigned level) {
  const std::size_t intervals = settings.cuts.size() + 1;
  const std::size_t first = (place >> level) << level;
  const std::size_t behind = std::min(intervals, first + (std::size_t{1} << level));
  const bool has_low = first > 0, has_high = behind < intervals;
  const double low = has_low ? settings.cuts[first - 1] : -kInfinite;
  const double high = has_high ? settings.cuts[behind - 1] : kInfinite;
  return {spelt(settings, has_low ? cut_text(low) : "", has_high ? cut_text(high) : ""), low, high};
}

unsigned levels_of_cuts(std::size_t cuts) {
  unsigned levels = 0;
  for (std::size_t intervals = cuts + 1; intervals > 1; intervals = (intervals + 1) / 2) ++levels;
  return levels;
}

// Intervals lie on one side of 0: numbers on both sides are never in one.
Result<unsigned> levels_of_width(double width, std::span<const double> numbers) {
  const auto [low, high] = std::ranges::minmax(numbers);
  if (const Grid grid(width); !grid.reaches(low) || !grid.reaches(high)) {
    return fail(
        data_error("the intervals are too narrow for such large numbers: choose a wider "
                   "one"));
  }
  for (unsigned levels = 0;; ++levels, width *= 2) {
    const Grid grid(width);
    const double first = grid.place(low), last = grid.place(high);
    if (first == last) return levels;
    if (first == -1 && last == 0) return levels + 1;
  }
}

}  // namespace

Result<unsigned> interval_levels(const HierarchySettings& settings,
                                 std::span<const double> numbers) {
  const bool by_last = settings.as.find(kLast) != std::string::npos;
  if (by_last && !std::ranges::all_of(numbers, is_whole)) {
    return fail(
        data_error("intervals are spelt by their last number, {last}, and some numbers of "
                   "the column are not whole: write {high}"));
  }
  if (settings.kind == Kind::kCuts) return levels_of_cuts(settings.cuts.size());
  if (numbers.empty()) return 0;
  return levels_of_width(settings.width, numbers);
}

std::vector<HierarchyStep> intervals_around(const HierarchySettings& settings, double number,
                                            unsigned levels) {
  std::vector<HierarchyStep> steps;
  if (settings.kind == Kind::kCuts) {
    const auto place = static_cast<std::size_t>(std::ranges::upper_bound(settings.cuts, number) -
                                                settings.cuts.begin());
    for (unsigned level = 0; level < levels; ++level) {
      steps.push_back(joined(settings, place, level));
    }
    return steps;
  }
  double width = settings.width;
  for (unsigned level = 0; level < levels; ++level, width *= 2) {
    const Grid grid(width);
    if (!grid.reaches(number)) continue;
    const double n = grid.place(number);
    steps.push_back(
        {spelt(settings, grid.text(n), grid.text(n + 1)), grid.end(n), grid.end(n + 1)});
  }
  return steps;
}

std::optional<double> usual_width(std::span<const std::string_view> texts) {
  constexpr double kParts = 10;
  double low = kInfinite, high = -kInfinite;
  bool are_whole = true;
  for (const std::string_view text : texts) {
    const std::optional<double> number = number_of(trimmed(text));
    if (!number) return std::nullopt;
    low = std::min(low, *number);
    high = std::max(high, *number);
    are_whole = are_whole && is_whole(*number);
  }
  const double part = (high - low) / kParts;
  if (!(part > 0) || !std::isfinite(part)) return std::nullopt;
  // Decimal texts, so that every machine finds the same width.
  const std::string written = fmt::format("{:.16e}", part);
  const int exponent = std::stoi(written.substr(written.find('e') + 1));
  const char digit = written.front();
  const char first = digit >= '5' ? '5' : digit >= '2' ? '2' : '1';
  const double width = number_of(fmt::format("{}e{}", first, exponent)).value_or(part);
  return are_whole ? std::max(2.0, width) : width;
}

std::string fault_of_spelling(const HierarchySettings& settings) {
  const auto has = [&](std::string_view what) {
    return settings.as.find(what) != std::string::npos;
  };
  if (settings.as.empty()) return "";
  if (!has(kLow) || !(has(kHigh) || has(kLast))) {
    return "intervals need both ends: write {low} and {high} or, of whole numbers, {last}, as in "
           "\"{low}-{last}\"";
  }
  const bool whole = settings.kind == Kind::kCuts ? std::ranges::all_of(settings.cuts, is_whole)
                                                  : is_whole(settings.width);
  if (has(kLast) && !whole) return "{last} is for whole numbers: write {high}";
  return "";
}

}  // namespace semveil
