// The nearest correlation matrix: positive semi-definite with ones on its diagonal.
//
// Correlations that were measured one by one, some by distances and some by numbers, need not fit
// together. Two projections take turns: the negative eigenvalues become 0, the diagonal becomes 1.
// The first is corrected by what it took away last time (Dykstra), else the end would be some
// correlation matrix and not the nearest.
//
//    1  .9   0         1    .72  .13
//   .9   1  .9   ──▶  .72    1   .72      the first has the eigenvalue 1 − .9 √2 < 0
//    0  .9   1        .13   .72   1
//
// Source:  Higham 2002, Computing the nearest correlation matrix, Algorithm 3.3.
// Choice:  what is a correlation matrix already is kept to the last bit. At most 2,000 turns; what
//          is left of the diagonal is divided out, so that the result is one in any case.
// Cost:    a turn is an eigen-decomposition; tens of turns are usual.
#pragma once

#include "semveil/statistics.h"

namespace semveil {

// A symmetric matrix, row by row, with ones on its diagonal.
PsdMatrix nearest_correlation(std::size_t size, std::span<const double> symmetric);

}  // namespace semveil
