// The first look at columns that come out as they went in.
#pragma once

#include "release/first_records.h"
#include "release/survey.h"
#include "release/survey_columns.h"

namespace semveil {

// How distinct are the columns that nobody counts (`survey.others`), and which of all that pass
// through tell a masked one? The first records show it. Columns whose cells have no text (lists and
// the like) are looked at by nobody. `names`: the table's columns.
void look_at_passing(const SurveyColumns& columns, const std::vector<std::string>& names,
                     const FirstRecords& first, Survey::Impl& survey);

inline bool is_more_than_half(std::uint64_t part, std::uint64_t whole) { return part * 2 > whole; }

// Whether more than half of its first values are different, so that a value finds its record. Where
// the plan names a person, equal values of one person count once.
inline bool is_nearly_unique(const Survey::PassedThrough& column) {
  return is_more_than_half(column.distinct, column.sampled);
}

}  // namespace semveil
