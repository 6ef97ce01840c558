// The ordinary figures of numbers, from how many records have each.
//
//   mean        Σ n x / Σ n
//   deviation   √(Σ n (x − mean)² / (Σ n − 1)); nothing of one record
//   quantile q  the smallest number that at least q of the records have, or less than it
//
// Choice:  Sums have 64 bits of precision, in ascending order. Shares are compared as whole
//          numbers, so that no quantile depends on rounding.
// Cost:    sorting the distinct numbers.
#pragma once

#include <utility>
#include <vector>

#include "semveil/description.h"

namespace semveil {

// Numbers may stand several times, in any order. Nothing where no record has a number.
std::optional<NumericSummary> numeric_summary(std::vector<std::pair<double, std::uint64_t>> counts);

}  // namespace semveil
