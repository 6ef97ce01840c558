// What two releases of the same records give away: who holds both keeps what stands in both sets of
// a record.
//
// A record of category c is given away where no other value stands in both. Of every other category
// d, each release takes a value with its own luck: neither does, one does, or both do and the
// values differ with probability 1 − Σ q(u)², q how a value of d is drawn. So the probability is
// the coefficient of x^(l−1) y^(l−1) in
//
//   Π_{d ≠ c} (1 + x + y + (1 − Σ_{u ∈ d} q(u)²) x y)
//
// divided by the number of choices of l − 1 categories in each release; for `an`, whose sets are of
// single values, C(n−l, l−1) / C(n−1, l−1).
//
// Cost:  O(categories² · l²), nothing beyond kMostWork.
#pragma once

#include <optional>

#include "semveil/ean.h"

namespace semveil {

// The expected share of the fitted records that two releases, drawn apart, give away.
std::optional<double> revealed_by_two_releases(const SetColumn& column, bool by_category,
                                               SetDraw draw);

}  // namespace semveil
