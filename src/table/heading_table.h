// A table of which only the name and the columns are known: its records were counted elsewhere.
#pragma once

#include <string>
#include <vector>

#include "semveil/table.h"

namespace semveil {

// Reading and writing it is an error.
Table heading_table(std::string name, std::vector<std::string> columns);

}  // namespace semveil
