// Statistics in a plan that stand for a table: noise needs no record once domain, mean, variance
// and covariance are known (semantic noise, section 3; framework, section 3).
//
// Holds:   a model fitted so masks a table as one fitted on a table with these statistics does, to
//          the last byte, under the same key, release and digest, where both spell concepts alike
//          and the words have one sense: what values were seen tells nothing else to noise.
// Choices: columns come in the plan's order. The domain must be named, for there are no values that
//          it could be the smallest common one of. Without a digest it is one of the statistics.
#pragma once

#include "release/survey.h"
#include "semveil/noise.h"

namespace semveil {

// What a stream key is made from: the plan's digest, or one of the statistics.
std::string digest_of_statistics(const PlanFile& plan, const std::string& digest_of_options,
                                 const Survey::Impl& survey);

}  // namespace semveil
