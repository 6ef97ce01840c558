// The part of a summary that speaks of sets: what they hold, what they tell, what they cost.
#pragma once

#include "summary.h"

namespace semveil::cli {

std::string set_column_text(const MaskedColumn& column, const MaskResult& result);
std::string sets_text(const MaskResult& result);

}  // namespace semveil::cli
