// The texts of cells, exactly those that Arrow's cast to string gives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "semveil/arrow_c.h"
#include "table/memory/field_type.h"

namespace semveil {

// The text of a cell that is there. Of texts and bytes it lies in the array, else in `room`, which
// it overwrites. Of dictionaries: `array` is that of the values.
std::string_view text_at(const FieldType& type, const ArrowArray& array, std::int64_t row,
                         std::string& room);

}  // namespace semveil
