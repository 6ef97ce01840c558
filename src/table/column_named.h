// A column found by its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semveil/result.h"

namespace semveil {

// An error that lists the columns where there is none of this name, or two. `header`: where the
// names stand.
Result<std::size_t> column_named(std::string_view name, const std::vector<std::string>& names,
                                 const Place& header);

}  // namespace semveil
