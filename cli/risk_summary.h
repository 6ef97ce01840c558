// The part of a summary that says who can still be found, and what a class tells of its members.
#pragma once

#include "summary.h"

namespace semveil::cli {

// A number among the parameters.
std::optional<double> number_in(const ReleaseFacts& facts, const std::string& key);

std::string risk_text(const MaskResult& result, const ReleaseFacts& facts);
void add_classes(const MaskResult::Classes& classes, const ReleaseFacts& facts, Json& json);

}  // namespace semveil::cli
