// `hierarchy =` of a column, and which columns are seen by theirs.
#pragma once

#include "plan/plan_reader.h"
#include "semveil/plan_file.h"

namespace semveil {

void read_hierarchy(PlanTable& column, PlanNotes& notes, ColumnSettings& plan);
// What goes together with a hierarchy, and what does not.
void check_hierarchy(PlanTable& column, const ColumnSettings& plan);

// A column of words is always seen by its hierarchy; one of numbers where a step or recoding
// changes it that does not take numbers.
void settle_hierarchies(PlanFile& plan);

}  // namespace semveil
