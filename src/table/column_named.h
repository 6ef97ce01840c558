// A column found by its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semveil/result.h"

namespace semveil {

// Names of columns in a sentence: the first of them, and how many more there are.
std::string listed_columns(const std::vector<std::string>& names);

// An error that lists the columns where there is none of this name, or two. `header`: where the
// names stand.
Result<std::size_t> column_named(std::string_view name, const std::vector<std::string>& names,
                                 const Place& header);

}  // namespace semveil
