// The part of a summary that says who can still be found, and what a class tells of its members.
#pragma once

#include "summary.h"

namespace semveil::cli {

std::string risk_text(const MaskResult& result, const ReleaseFacts& facts);

}  // namespace semveil::cli
