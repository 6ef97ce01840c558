// Columns that tell which category a value is of that comes out in a set.
//
// A set has one value of each category. Whoever knows the category of the true one has read it off:
// a ward that is a group of diseases tells the disease. The first records show it, as they show
// whether a column tells a masked one (telling.h).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "release/survey.h"
#include "semveil/ean.h"

namespace semveil {

// Of the same records: what stands in the column names[0], and the category of what the set column
// names[1] hides (kMissing: of none). Nothing where the one does not tell the other.
std::optional<Finding> told_category(std::span<const Code> seen, const std::vector<Code>& hidden,
                                     const std::array<std::string, 2>& names);

// `fit`: of the columns `names`, in this order.
std::vector<Finding> find_told_categories(const Survey::Impl& survey, const SetFit& fit,
                                          const std::vector<std::string>& names);

}  // namespace semveil
