#include "mechanisms/noise/number_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace semveil {
namespace {

// Exact up to 22, beyond which nothing is that fine or that large without being rounded anyway.
double ten_to(unsigned exponent) {
  double power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

double in_steps(double number, int decimals) {
  return decimals >= 0 ? number * ten_to(static_cast<unsigned>(decimals))
                       : number / ten_to(static_cast<unsigned>(-decimals));
}

// 0.57 is 56.99999999999999 hundredths: an end that is a multiple but for rounding is one.
double unless_whole(double steps, double otherwise) {
  constexpr double kRounding = 1e-6;
  const double nearest = std::nearbyint(steps);
  return std::abs(steps - nearest) < kRounding ? nearest : otherwise;
}

double number_of_digits(const std::string& digits) {
  double number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

double NumberGrid::step() const {
  return decimals >= 0 ? 1 / ten_to(static_cast<unsigned>(decimals))
                       : ten_to(static_cast<unsigned>(-decimals));
}

std::string NumberGrid::digits(std::uint32_t place) const {
  constexpr int kMostZeros = 15;  // beyond them an exponent is easier to read
  const std::int64_t steps = first + static_cast<std::int64_t>(place);
  if (decimals < -kMostZeros) return steps == 0 ? "0" : fmt::format("{}e{}", steps, -decimals);
  if (decimals <= 0) {
    return steps == 0 ? "0" : fmt::format("{}{:0>{}}", steps, "", -decimals);
  }
  const std::uint64_t size =
      steps < 0 ? static_cast<std::uint64_t>(-steps) : static_cast<std::uint64_t>(steps);
  std::string text = fmt::format("{:0>{}}", size, decimals + 1);
  text.insert(text.size() - static_cast<std::size_t>(decimals), 1, '.');
  return steps < 0 ? "-" + text : text;
}

std::uint32_t NumberGrid::nearest(double number) const {
  const double place = std::nearbyint(in_steps(number, decimals)) - static_cast<double>(first);
  if (!(place > 0)) return 0;  // nor is what is no number anywhere else
  return place < static_cast<double>(count) ? static_cast<std::uint32_t>(place) : count - 1;
}

std::optional<NumberGrid> number_grid(double low, double high, unsigned decimals) {
  for (int d = static_cast<int>(decimals);; --d) {
    const double from = in_steps(low, d), to = in_steps(high, d);
    const double first = unless_whole(from, std::ceil(from));
    const double last = unless_whole(to, std::floor(to));
    if (last < first) return std::nullopt;
    if (last - first >= static_cast<double>(NumberGrid::kMost)) continue;
    constexpr double kMostSteps = 9e15;  // beyond, doubles leave whole numbers out
    if (std::max(std::abs(first), std::abs(last)) > kMostSteps) continue;
    return NumberGrid{d, static_cast<std::int64_t>(first),
                      static_cast<std::uint32_t>(last - first) + 1};
  }
}

Attribute grid_attribute(const Attribute& column, const NumberGrid& grid) {
  Attribute out;
  out.name = column.name;
  out.kind = Attribute::Kind::kNumeric;
  out.unit = column.unit;
  out.decimals = static_cast<unsigned>(std::max(0, grid.decimals));
  out.numbers.reserve(grid.count);
  out.digits.reserve(grid.count);
  for (std::uint32_t place = 0; place < grid.count; ++place) {
    out.digits.push_back(grid.digits(place));
    out.numbers.push_back(number_of_digits(out.digits.back()));
  }
  return out;
}

}  // namespace semveil
