// Recoding of one column, value after value (semveil/fuse.h: RecodeAlgorithm::kRecoding).
#pragma once

#include "mechanisms/common/random_choices.h"
#include "mechanisms/fuse/fuse_engine.h"

namespace semveil {

// The column has k records or more.
FuseOutcome recode_by_listing(const ClassTable& column, const RecodeOptions& options,
                              RandomChoices& random);

}  // namespace semveil
