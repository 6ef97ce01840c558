#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "release/survey_columns.h"
#include "release/table_counts.h"
#include "release/table_rows.h"

namespace semveil {

// A table whose records were counted elsewhere.
struct RowsOfTable {
  const Table& heading;                          // its name and columns
  const std::vector<std::string>& columns;       // that were counted
  const TableRows& rows;                         // of these
  const std::vector<std::uint64_t>& first_rows;  // by tuple
};
// What was counted elsewhere, as the first pass would have counted it.
Result<SurveyPart::Impl> counts_of(const RowsOfTable& counted, const SurveyColumns& columns);

}  // namespace semveil
