// Numbers of any bits and of any text: what is rounded is a number that stands near, the digits of
// a number give it back, an interval holds what lies between its ends.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "base/decimal.h"
#include "base/interval_text.h"
#include "base/text.h"
#include "base/three_digits.h"
#include "fuzz/touch.h"

namespace {

using namespace semveil;
using fuzz::require;

constexpr double kLargest = std::numeric_limits<double>::max();
// Of a number that was divided and multiplied: some units of its last digit.
constexpr double kNearly = 1e-14;

bool is_near(double a, double b, double most) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  // Of halves none is infinite.
  return std::abs(a / 2 - b / 2) <= most / 2 + kNearly * std::abs(b / 2) + 2 * kLeast;
}

void check_rounding(double number, double base) {
  const std::string text = rounded_to(number, base);
  const std::optional<double> rounded = number_of(text);
  require(rounded.has_value());
  // The multiple below the largest number may be the nearest that there is.
  const double most = std::abs(number) > kLargest - base ? base : base / 2;
  require(is_near(*rounded, number, most));
  require(text.find('e') == text.npos);
  require(*rounded != 0 || text.front() != '-' || text.find_first_of("123456789") != text.npos);
}

void check_digits(double number) {
  const Decimal digits = decimal_of(number);
  require(number_of(fmt::format("{}e{}", digits.mantissa, digits.exponent)) == number + 0.0);
  require(digits.mantissa % 10 != 0 || digits.mantissa == 0);
  require(digits_of(digits.mantissa) <= Decimal::kMostDigits);

  const double short_one = three_digits(number);
  const double unit = unit_of_three_digits(number);
  require(std::isfinite(short_one) && three_digits(short_one) == short_one);
  require(is_near(short_one, number, unit / 2));
}

void check_text(std::string_view text) {
  const std::optional<double> number = number_of(text);
  if (number) {
    require(std::isfinite(*number) && number_of(fmt::format("{}", *number)) == number);
    const std::optional<Decimal> digits = decimal_of(text);
    require(!digits || digits_of(digits->mantissa) <= Decimal::kMostDigits);
  }
  const std::optional<NumberInterval> interval = interval_of(text);
  if (!interval) return;
  require(interval->low <= interval->high);
  require(interval->contains(*interval));
  require(interval->contains(interval->low / 2 + interval->high / 2) ||
          std::nextafter(interval->low, kLargest) >= interval->high);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  check_text(text);
  // Two numbers as people write them, or as bits.
  const std::size_t blank = text.find(' ');
  if (blank != text.npos) {
    const auto number = number_of(text.substr(0, blank)), base = number_of(text.substr(blank + 1));
    if (number && base && *base > 0) check_rounding(*number, *base);
  }
  std::array<double, 2> bits{};
  if (size < sizeof bits) return 0;
  std::memcpy(bits.data(), data, sizeof bits);
  if (!std::isfinite(bits[0])) return 0;
  check_digits(bits[0]);
  if (std::isfinite(bits[1]) && bits[1] > 0) check_rounding(bits[0], bits[1]);
  return 0;
}
