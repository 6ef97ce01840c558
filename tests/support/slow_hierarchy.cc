#include "support/slow_hierarchy.h"

#include <algorithm>
#include <set>

namespace semveil::test {
namespace {

std::string in_units(long long cents) {
  const std::string digits = std::to_string(std::abs(cents));
  const std::string padded = std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
  return (cents < 0 ? "-" : "") + padded.substr(0, padded.size() - 2) + "." +
         padded.substr(padded.size() - 2);
}

// Without zeros behind the point that an end of this width never needs.
std::string end_text(long long cents, long long width) {
  std::string text = in_units(cents);
  if (width % 100 == 0) return text.substr(0, text.size() - 3);
  if (width % 10 == 0) return text.substr(0, text.size() - 1);
  return text;
}

// Step by step from 0.
long long low_end(long long value, long long width) {
  long long low = 0;
  while (low > value) low -= width;
  while (low + width <= value) low += width;
  return low;
}

}  // namespace

std::vector<std::string> slow_intervals(long long value, long long width,
                                        const std::vector<long long>& column) {
  std::vector<std::string> texts;
  for (bool goes_on = true; goes_on; width *= 2) {
    std::set<long long> lows;
    for (const long long other : column) lows.insert(low_end(other, width));
    if (lows.size() == 1) break;
    const long long low = low_end(value, width);
    texts.push_back("[" + end_text(low, width) + ", " + end_text(low + width, width) + ")");
    goes_on = lows != std::set<long long>{-width, 0};  // which no wider ones join
  }
  texts.emplace_back("*");
  return texts;
}

std::vector<std::string> slow_cuts(long long value, const std::vector<long long>& cuts) {
  using Interval = std::pair<std::string, std::string>;  // ends; "": none
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    intervals.emplace_back(i == 0 ? "" : std::to_string(cuts[i - 1]),
                           i == cuts.size() ? "" : std::to_string(cuts[i]));
  }
  const auto holds = [&](const Interval& one) {
    return (one.first.empty() || std::stoll(one.first) <= value) &&
           (one.second.empty() || value < std::stoll(one.second));
  };
  std::vector<std::string> texts;
  while (intervals.size() > 1) {
    for (const Interval& one : intervals) {
      if (!holds(one)) continue;
      texts.push_back((one.first.empty() ? "(-inf" : "[" + one.first) + ", " +
                      (one.second.empty() ? "inf" : one.second) + ")");
    }
    std::vector<Interval> joined;
    for (std::size_t i = 0; i < intervals.size(); i += 2) {
      const std::size_t last = std::min(i + 1, intervals.size() - 1);
      joined.emplace_back(intervals[i].first, intervals[last].second);
    }
    intervals = joined;
  }
  texts.emplace_back("*");
  return texts;
}

std::vector<std::string> slow_prefixes(const std::string& value,
                                       const std::vector<std::string>& column) {
  std::size_t longest = 0;
  for (const std::string& other : column) longest = std::max(longest, other.size());
  std::vector<std::string> texts;
  std::string padded = value + std::string(longest - value.size(), ' ');
  for (std::size_t at = longest; at > 1; --at) {
    padded[at - 1] = '*';
    // Stars stand only where a character was, or where all that is left is written.
    const bool is_whole = padded.find(' ') != std::string::npos;
    texts.push_back(is_whole ? value : padded);
  }
  texts.emplace_back("*");
  return texts;
}

double slow_share_of_values(std::size_t below, std::size_t all) {
  return all == 1 ? 0 : (static_cast<double>(below) - 1) / (static_cast<double>(all) - 1);
}

double slow_width(long long low, long long high, long long least, long long most) {
  long long steps = 0;
  for (long long x = least; x < most; ++x) steps += low <= x && x + 1 <= high ? 1 : 0;
  return static_cast<double>(steps) / static_cast<double>(most - least);
}

}  // namespace semveil::test
