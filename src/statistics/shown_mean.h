// The mean of a column as people may see it.
#pragma once

#include <optional>

#include "semveil/domain.h"
#include "semveil/statistics.h"

namespace semveil {

// The mean itself, if it may be put in a value's place. Else the concept of least marginality among
// those that may, ties as those of semantic_mean: what a plan denies is not shown either.
// Cost: where the mean is not allowed, distinct values x candidates look-ups.
ConceptId shown_mean(const Measure& measure, const ValueCounts& column, ConceptId mean,
                     const Candidates* allowed, unsigned threads = 1);

}  // namespace semveil
