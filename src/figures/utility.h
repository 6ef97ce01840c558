// How much of a table's content masking kept.
//
//   semantic quality   1 − mean over records and columns of sd(before, after)
//   discernibility     Σ|g|² over classes g of equal released tuples
//   c_avg              records / (classes · k): how much larger than k classes are
//   lm, ncp            how general released cells are (statistics/cell_generality.h)
//
// lm and ncp look at released values alone: whoever replaces a leaf by another loses nothing by
// them, however far apart these are.
//
// Paper:   thesis eq 22, 1, 2, 3-4.
// Choice:  lm is a mean over the columns (the thesis adds them up).
// Cost:    the pairs; of lm and ncp what lies below each released value.
#pragma once

#include "figures/paired.h"
#include "statistics/cell_generality.h"

namespace semveil {

double semantic_quality(const Paired& pairs);

std::uint64_t discernibility(const Classes& classes);
double c_avg(const Classes& classes, std::uint64_t k);

Generality generality(const Paired& pairs);
// Of one table alone, as if every cell had been what it is.
Generality own_generality(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                          const Classes& table);

}  // namespace semveil
