// What a release should have kept, and whether it did (release/missed_aims.h), as masking knows it:
// from the descriptions of the table before and after.
#pragma once

#include "release/model.h"

namespace semveil {

// Fills noise_pairs and adds to the findings, as far as both sides are described.
void find_what_missed(const FittedSteps& plan, MaskResult& out);

}  // namespace semveil
