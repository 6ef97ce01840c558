// Columns that come out as they went in, whatever method is chosen.
#pragma once

#include "semveil/compare.h"

namespace semveil {

// Those that the plan does not declare, and would release; how distinct their first values are.
PassingColumns undeclared_columns(const Table& table, const PlanFile& plan);

// The findings that masking raises of them.
void find_passing(const PassingColumns& columns, std::vector<Finding>& out);

}  // namespace semveil
