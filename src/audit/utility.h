// How much of a table's content masking kept.
//
//   semantic quality   1 − mean over records and columns of sd(before, after)
//   discernibility     Σ|g|² over classes g of equal released tuples
//   c_avg              records / (classes · k): how much larger than k classes are
//   lm                 mean over records and columns of (leaves(v) − 1) / (leaves(τ) − 1)
//   ncp                the same mean of leaves(v) / leaves(τ), 0 where leaves(v) = 1
//
// lm and ncp look at released values alone: whoever replaces a leaf by another loses nothing by
// them, however far apart these are.
//
// Paper:   thesis eq 22, 1, 2, 3-4; LM: Iyengar, Transforming data to satisfy privacy constraints.
// Choice:  lm is a mean over the columns (the thesis adds them up). Leaves are counted once, also
//          those absent from the data. A missing cell tells nothing and counts 1; a column without
//          a taxonomy has nothing but leaves.
// Cost:    the pairs; of lm and ncp what lies below each released value.
#pragma once

#include "audit/paired.h"

namespace semveil {

double semantic_quality(const Paired& pairs);

std::uint64_t discernibility(const Classes& classes);
double c_avg(const Classes& classes, std::uint64_t k);

struct Generality {
  double lm = 0, ncp = 0;
};
Generality generality(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                      const Classes& released);

}  // namespace semveil
