// What somebody gains who knows that several rows are one person's and hold the
// same value, where every cell is drawn on its own: as many looks at one value.
//
//   V_r = Σ over z_1 … z_r of max_x p(x) Π_i P(z_i | x)
//
// the chance of a best guess after r looks; V_1 is the vulnerability of
// channel.h, and V_r grows to 1 where values can be told apart at all.
//
// Example: two values, as likely as each other, each kept with 3/4: V_1 = V_2 =
// 3/4, V_3 = 27/32.
//
// How:    exact over multisets of released values while these times the original ones are at most
//         kMostExactSteps; else kRepeatedDraws keyed draws of a value and its r looks, the mean of
//         the greatest posterior, with a 99 % interval. Where so many are too much work, fewer are
//         drawn, and the interval is wider. Nothing where not even a hundred can be.
#pragma once

#include <optional>

#include "semveil/channel.h"

namespace semveil {

inline constexpr double kMostExactSteps = 2e7;
inline constexpr std::size_t kRepeatedDraws = 100'000;

struct RepeatedLook {
  std::uint64_t rows = 1;  // r
  double vulnerability = 0;
  std::optional<double> half_width;  // where it was drawn
};
std::optional<RepeatedLook> repeated_look(const Channel& channel, std::uint64_t rows,
                                          double most_exact_steps = kMostExactSteps);

}  // namespace semveil
