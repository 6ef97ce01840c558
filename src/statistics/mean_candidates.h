// Which concepts can be the mean of a column at all.
//
// Let c have exactly one parent p, a real one. Say w records lie at or below c and u elsewhere
// (missing ones are equally far from all). Going from p down to c, each of the u gets farther by at
// least `loss` and each of the w nearer by at most `gain` (Measure::step_down), so
//
//   m(c, A) − m(p, A) ≥ u · loss − w · gain.
//
// c is left out where that
//   - is above twice the width of a tie: c is not even tied with the least sum; or
//   - is 0 because w = 0 and loss ≥ 0: p is no worse, and wins a tie, for c is in no record and
//     deeper. (Rounding keeps the order: both sums add terms in one order, each of p's no greater.)
// A mean that was left out would thus lead up to an equal or better concept that was not.
//
// On WordNet this leaves the concepts with two or more parents and a few hundred heavy ones.
#pragma once

#include "semveil/statistics.h"

namespace semveil {

inline constexpr double kTiePerRecord = 1e-9;

// Ascending. `column` has a value that is not missing.
std::vector<ConceptId> mean_candidates(const Measure& measure, const ValueCounts& column);

}  // namespace semveil
