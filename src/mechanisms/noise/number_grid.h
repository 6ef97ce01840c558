// The numbers that noise can release: multiples of a power of ten between two ends.
//
//   ends 17 … 90, no decimals      17, 18, …, 90
//   ends 0 … 0.25, two decimals    0.00, 0.01, …, 0.25
//   ends 0 … 99,999,999            0, 100, …, 99,999,900: at most a million of them
//
// So a released number has a place, as a concept has, and whatever counts values counts these.
// Rounding moves a number by half a step at most: where steps had to grow, that is less than a
// two-hundred-thousandth of the range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "semveil/frequency_table.h"

namespace semveil {

struct NumberGrid {
  int decimals = 0;        // of the step 10^-decimals; negative: tens, hundreds, …
  std::int64_t first = 0;  // in steps
  std::uint32_t count = 0;

  static constexpr std::uint32_t kMost = 1'000'000;

  double step() const;
  std::string digits(std::uint32_t place) const;
  // The place of the nearest one, half to even; of what lies beyond an end that end's.
  std::uint32_t nearest(double number) const;
  bool operator==(const NumberGrid&) const = default;
};

// Those from `low` to `high`, with these decimals or as many fewer as it takes. Nothing where there
// is no such number.
std::optional<NumberGrid> number_grid(double low, double high, unsigned decimals);

// What comes out of a column; distances are those of the column.
Attribute grid_attribute(const Attribute& column, const NumberGrid& grid);

}  // namespace semveil
