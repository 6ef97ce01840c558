// How the categories of each column are made, as its plan says.
#pragma once

#include <vector>

#include "release/survey.h"

namespace semveil {

// By column; an empty one where `an` has no categories. They must not outlive survey and plan.
std::vector<CategoryRule> category_rules(const Survey::Impl& survey,
                                         const std::vector<const SurveyColumn*>& columns,
                                         const PlanFile& plan);

}  // namespace semveil
