// The nearest correlation matrix by another way than the library's: its dual.
//
// The nearest one is (G + diag y)₊, the matrix without its negative eigenvalues, for the y that
// makes its diagonal 1; y is found by going down the slope of ½ ‖(G + diag y)₊‖² − Σ y, which is
// convex and smooth (Malick 2004). Steps of 1 go down always, so it is slow and sure. Eigenvalues
// by Jacobi's rotations in long double.
#pragma once

#include <vector>

namespace semveil::test {

// Row by row, of `size` rows.
std::vector<double> slow_nearest_correlation(std::size_t size, const std::vector<double>& given);

}  // namespace semveil::test
