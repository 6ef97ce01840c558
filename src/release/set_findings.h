// What a release of sets tells: which give their value away, how often they may be released, what
// somebody believes who knows the frequencies.
#pragma once

#include "semveil/release_findings.h"

namespace semveil {

void find_set_warnings(const MaskResult& result, const ReleaseFacts& facts,
                       std::vector<Finding>& out);

}  // namespace semveil
