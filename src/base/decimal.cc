#include "base/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace semveil {

Int128 power_of_ten(unsigned exponent) {
  Int128 power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

std::optional<Decimal> decimal_of(std::string_view text) {
  Decimal out;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    std::from_chars(power.data(), power.data() + power.size(), out.exponent);
    text = text.substr(0, e);
  }
  bool behind_point = false;
  int zeros = 0;  // that wait for another digit
  unsigned digits = 0;
  for (const char c : text) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    if (behind_point) --out.exponent;
    if (c == '0') {
      ++zeros;
      continue;
    }
    if (out.mantissa != 0) digits += static_cast<unsigned>(zeros);
    if (++digits > Decimal::kMostDigits) return std::nullopt;
    if (out.mantissa != 0) {
      out.mantissa *= static_cast<std::int64_t>(power_of_ten(static_cast<unsigned>(zeros)));
    }
    zeros = 0;
    out.mantissa = out.mantissa * 10 + (c - '0');
  }
  out.exponent = out.mantissa == 0 ? 0 : out.exponent + zeros;
  if (negative) out.mantissa = -out.mantissa;
  return out;
}

unsigned digits_of(std::int64_t number) {
  unsigned digits = 0;
  for (; number != 0; number /= 10) ++digits;
  return digits;
}

std::string written(Int128 scaled, unsigned decimals) {
  const bool negative = scaled < 0;
  std::string digits;
  for (Int128 rest = negative ? -scaled : scaled; rest > 0; rest /= 10) {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  while (digits.size() < decimals + 1) digits.push_back('0');
  if (decimals > 0) digits.insert(decimals, 1, '.');
  if (negative) digits.push_back('-');
  std::ranges::reverse(digits);
  return digits;
}

Decimal decimal_of(double number) {
  return decimal_of(fmt::format("{}", number)).value_or(Decimal());
}

Int128 divided_half_even(Int128 numerator, Int128 denominator) {
  Int128 quotient = numerator / denominator;
  const Int128 rest = numerator % denominator;
  const Int128 twice = (rest < 0 ? -rest : rest) * 2;
  if (twice > denominator || (twice == denominator && quotient % 2 != 0)) {
    quotient += numerator < 0 ? -1 : 1;
  }
  return quotient;
}

// The same of numbers that are too far apart to be exact.
static double rough_multiple(double number, double base) {
  constexpr double kAllWhole = 9007199254740992;  // 2^53
  const double times = number / base;
  if (std::abs(times) >= kAllWhole) return number;  // which lies as near as doubles tell
  const double whole = std::nearbyint(times);
  if (const double nearest = whole * base; std::isfinite(nearest)) return nearest;
  return (whole - std::copysign(1, whole)) * base;  // the nearest is beyond all doubles
}

std::string rounded_to(double number, double base) {
  const Decimal x = decimal_of(number), unit = decimal_of(base);
  const auto decimals = static_cast<unsigned>(std::max(0, -unit.exponent));
  const int scale = std::max({0, -x.exponent, -unit.exponent});
  const int up = x.exponent + scale, unit_up = unit.exponent + scale;
  constexpr int kMost = 18;  // with 18 digits it fits 128 bits
  if (up > kMost || unit_up > kMost) {
    std::string rough = fmt::format("{:.{}f}", rough_multiple(number, base), decimals);
    const bool is_zero = rough.find_first_not_of("-0.") == std::string::npos;
    return is_zero ? written(0, decimals) : rough;
  }
  const Int128 scaled = Int128{x.mantissa} * power_of_ten(static_cast<unsigned>(up));
  const Int128 step = Int128{unit.mantissa} * power_of_ten(static_cast<unsigned>(unit_up));
  const Int128 times = divided_half_even(scaled, step);
  return written(times * step / power_of_ten(static_cast<unsigned>(scale) - decimals), decimals);
}

}  // namespace semveil
