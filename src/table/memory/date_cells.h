// Texts of dates back to the cells of a column of dates or times.
#pragma once

#include <optional>
#include <string_view>

#include "table/memory/field_type.h"

namespace semveil {

// Whether its cells are days or moments.
bool holds_dates(const FieldType& type);

// The cell that such a text came from: days, milliseconds, or what has passed since 1970. A moment
// of a column that has a zone is told by the text's own, which it must have. Nothing where the text
// is no date, or the type cannot hold it.
std::optional<std::int64_t> date_cell(std::string_view text, const FieldType& type);

}  // namespace semveil
