// Verifies what methods that form classes promise: classes are counted anew from the codes that
// are written, against what the plan asks for. What a class has is computed by the same functions
// that describe a table (privacy.h); nothing that the method itself counted is believed.
#pragma once

#include "release/model.h"
#include "release/outcome_counts.h"
#include "semveil/classes.h"

namespace semveil {

// kGuarantee if a class is too small or misses a demand, if too many records are suppressed, or so
// few that their sensitive cells tell who they are.
Status verify_release(const Model::Impl& model, const FittedSteps& plan,
                      const OutcomeCounts& counts);

}  // namespace semveil
