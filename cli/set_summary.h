// The part of a summary that speaks of sets: what they hold, what they tell, what they cost.
#pragma once

#include "summary.h"

namespace semveil::cli {

// Of any method with draw_by: who is meant by a person.
std::string persons_text(const MaskResult& result, const ReleaseFacts& facts);
std::string set_warnings(const MaskResult& result, const ReleaseFacts& facts);
std::string set_column_text(const MaskedColumn& column, const MaskResult& result,
                            const ReleaseFacts& facts);
std::string sets_text(const MaskResult& result);

Json set_column_json(const MaskedColumn& column, const MaskResult& result);
void add_sets(const MaskResult& result, Json& json);

}  // namespace semveil::cli
