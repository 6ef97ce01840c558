// Pseudonyms (base/pseudonym.h) in the place of what tells persons apart, as a cell recoding.
#pragma once

#include "mechanisms/cells/recoding_method.h"
#include "semveil/plan_file.h"

namespace semveil {

const Method& pseudonym_method();
// The step that a column of role pseudonym stands for.
MaskStep pseudonym_step(const ColumnSettings& column);

}  // namespace semveil
