// What a fit of sets learns of a column, checked: by the fit, and again when a plan is loaded.
#pragma once

#include "semveil/ean.h"

namespace semveil {

// Weights are whole numbers that doubles hold, and so do the sums over a set.
inline constexpr std::uint64_t kMostWeight = std::uint64_t{1} << 53U;

// Fills `category` and `weights` from l, the categories and the counts; l = 0 becomes the number of
// categories. Errors: a category without values, a value that is none of the attribute's or stands
// in two, a value with records that stands in none, an l that there are no sets of or
// above kMostSetSize, and, by frequency, a category without records.
Status finish_set_column(const Attribute& attribute, bool by_category, SetDraw draw,
                         SetColumn& column);

// Whether a value can stand in a set only as the true one: drawn by frequency, without records.
inline bool gives_itself_away(const SetColumn& column, ConceptId value) {
  return column.counts[value] == 0 && column.weights[value] > 0;
}

// One for each value that has records.
Categories single_values(const Attribute& attribute, const std::vector<std::uint64_t>& counts);

}  // namespace semveil
