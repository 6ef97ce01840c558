// Which column tells persons apart, where the plan names none.
#pragma once

#include <optional>

#include "release/survey_columns.h"
#include "release/table_counts.h"
#include "semveil/description.h"

namespace semveil {

// A guess, among the first records: an identifier whose values repeat, or a column of which 5 to
// 95 % of the values are different. What the name says goes before what the role says, and of
// equals the one with the most rows of people who have several is taken. Amounts are no persons;
// names and the like are none where some column's name says an id. And rows are persons where a
// column of persons has a value for each.
std::optional<Description::PersonLike> person_like(const SurveyPart::Impl& counts,
                                                   const SurveyColumns& columns);

}  // namespace semveil
