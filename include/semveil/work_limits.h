// How long a fit may take: work that would take days is refused before it begins.
//
//   what                        steps, at most or about
//   noise, a column of words    distinct values · (Measure::level_steps() + 4 · concepts)
//   fuse                        tuples below k · nodes that some of them visit, and a quarter of
//                               their square for lists
//   recode                      values below k · values
//   microaggregate              n² / (2k) for each pass over the tuples that are left
//
// A step is about a nanosecond of one processor, so an estimate is right within a factor of some.
// It hangs on the table and the plan alone: what is refused once is refused everywhere.
#pragma once

#include <string_view>

#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

inline constexpr double kStepsOfAnHour = 3.6e12;
// Of a fit, where nobody allowed more.
inline constexpr double kUsualHours = 2;

// `doing`: how the refusal begins, a part of a sentence ("finding a replacement of 9 values").
// `remedy`: how there would be less of it.
Status check_work(double steps, double most_hours, std::string_view doing, std::string_view remedy);

}  // namespace semveil
