// Numbers as they are written by hand: a half is a half, which binary fractions do not know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace semveil {

__extension__ using Int128 = __int128;

// ±mantissa · 10^exponent, the mantissa without zeros at its end.
struct Decimal {
  static constexpr unsigned kMostDigits = 18;
  std::int64_t mantissa = 0;
  int exponent = 0;
};

// Of the digits of a number. Nothing for a mantissa of more than 18 digits, which the fewest digits
// of a double do not have.
std::optional<Decimal> decimal_of(std::string_view text);
// Of a finite number, by the fewest digits that give it back.
Decimal decimal_of(double number);

Int128 power_of_ten(unsigned exponent);  // at most 38
unsigned digits_of(std::int64_t number);
// |numerator| < 2^125.
Int128 divided_half_even(Int128 numerator, Int128 denominator);
// `scaled` in units of the last decimal.
std::string written(Int128 scaled, unsigned decimals);

// The nearest multiple of `base` > 0, of two the even one, with the decimals that `base` has. There
// is one zero.
std::string rounded_to(double number, double base);

}  // namespace semveil
