#include "base/three_digits.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/text.h"

namespace semveil {
namespace {

std::string three_digits_text(double figure) { return fmt::format("{:.2e}", figure); }

}  // namespace

double three_digits(double figure) {
  if (!std::isfinite(figure)) return figure;
  return number_of(three_digits_text(figure)).value_or(figure);
}

double unit_of_three_digits(double figure) {
  if (!std::isfinite(figure) || figure == 0) return 0;
  const std::string text = three_digits_text(figure);
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  return number_of(fmt::format("1e{}", exponent - 2)).value_or(0);
}

}  // namespace semveil
