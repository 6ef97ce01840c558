// The first look at columns that come out as they went in.
#pragma once

#include "release/survey.h"

namespace semveil {

// How distinct are the columns that nobody counts (`survey.others`, `others` in the table), and
// which of all that pass through tell a masked one? The first records show it. Columns whose cells
// have no text (lists and the like) are looked at by nobody.
void look_at_passing(const Table& table, const std::optional<MaskPlan>& mask,
                     const std::vector<std::size_t>& others, Survey::Impl& survey);

}  // namespace semveil
