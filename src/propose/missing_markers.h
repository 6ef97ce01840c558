// Texts that stand for nothing: "?", "NA", -9.
#pragma once

#include <vector>

#include "propose/column_facts.h"
#include "semveil/propose.h"

namespace semveil {

// Finds them, marks them in the columns, counts the columns' forms. A plan has one list for all
// columns: a text that is an ordinary value elsewhere is told, and marked nowhere. Columns whose
// values nearly all differ are asked for a number among their numbers alone: they will be dropped.
std::vector<MissingMarker> find_markers(std::vector<ColumnFacts>& columns);

}  // namespace semveil
