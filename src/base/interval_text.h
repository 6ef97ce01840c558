// Intervals as tables of generalised numbers spell them.
#pragma once

#include <optional>
#include <string_view>

#include "base/text.h"
#include "base/trimmed.h"

namespace semveil {

struct NumberInterval {
  double low = 0, high = 0;
  bool has_low = true, has_high = true;  // whether its ends are in it

  bool contains(double x) const {
    return (has_low ? low <= x : low < x) && (has_high ? x <= high : x < high);
  }
  bool contains(const NumberInterval& other) const {
    const bool from = low < other.low || (low == other.low && (has_low || !other.has_low));
    const bool to = other.high < high || (high == other.high && (has_high || !other.has_high));
    return from && to;
  }
};

// "[20, 30)", "20-30", "20 – 30", "]20;30]", "20..30": two numbers, the smaller first. Brackets say
// which ends are in it; without them both are. Nothing of anything else, of a single number
// neither.
inline std::optional<NumberInterval> interval_of(std::string_view text) {
  text = trimmed(text);
  constexpr std::string_view kBrackets = "[]()";
  bool has_low = true, has_high = true;
  if (!text.empty() && kBrackets.find(text.front()) != text.npos) {
    has_low = text.front() == '[';
    text.remove_prefix(1);
  }
  if (!text.empty() && kBrackets.find(text.back()) != text.npos) {
    has_high = text.back() == ']';
    text.remove_suffix(1);
  }
  for (const std::string_view between : {"..", ";", ",", "–", "-"}) {
    // A number may begin with the sign that parts two.
    for (std::size_t at = text.find(between, 1); at != text.npos; at = text.find(between, at + 1)) {
      const auto low = number_of(trimmed(text.substr(0, at)));
      const auto high = number_of(trimmed(text.substr(at + between.size())));
      if (low && high && *low <= *high) return NumberInterval{*low, *high, has_low, has_high};
    }
  }
  return std::nullopt;
}

}  // namespace semveil
