// How the dates of a column are written, as a plan's `format` says it.
#pragma once

#include <optional>
#include <string>

#include "propose/column_facts.h"

namespace semveil {

// "" for ISO 8601. Nothing where some cell is no date by any one format, or where days and months
// could be taken for each other: nobody should guess that.
std::optional<std::string> date_format(const ColumnFacts& column);

}  // namespace semveil
