// What the numbers of a column are to methods and figures.
#pragma once

#include "release/survey.h"

namespace semveil {

// What a distance of 1 is where the plan does not say: in groups of records the deviation.
NumericScale usual_scale(const ColumnSettings& column, const PlanFile& plan);
// Of numbers and how many records have each; the order does not matter.
double number_unit(const ColumnSettings& column, NumericScale usual,
                   std::vector<std::pair<double, std::uint64_t>> numbers);

// Of the column's own numbers. `usual`: what a distance of 1 is where the plan does not say.
Attribute number_attribute(const SurveyColumn& column, NumericScale usual);

}  // namespace semveil
