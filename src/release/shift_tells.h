// Which released columns tell by how many days dates were shifted (figures/date_tells.h): columns
// that come out as they went in, or recoded and no more, are held against the true dates, in the
// first records.
#pragma once

#include "release/first_records.h"
#include "release/survey.h"
#include "release/survey_columns.h"

namespace semveil {

// `names`: the table's columns.
std::vector<ShiftTold> told_of_shifts(const SurveyColumns& columns,
                                      const std::vector<std::string>& names,
                                      const FirstRecords& first, const Survey::Impl& survey,
                                      const PlanFile& plan);

}  // namespace semveil
