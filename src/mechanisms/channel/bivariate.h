// Probabilities of the rectangles of a grid under the standard bivariate normal distribution.
//
//   P(a < X ≤ b, c < Y ≤ d) = ∫_a^b φ(x) [Φ((d − ρx)/s) − Φ((c − ρx)/s)] dx,   s = √(1 − ρ²)
//
// Given X, Y is normal with mean ρx and deviation s. Where x is so far from every c/ρ that the
// bracket is 0 or 1 to the last bit, the integral is a difference of Φ; elsewhere it is taken by
// Gauss and Legendre on panels narrower than the scale s/ρ on which the bracket changes. All terms
// are positive, so that rectangles far out are as accurate, relative to themselves, as those in the
// middle: differences of the distribution function (Drezner and Wesolowsky 1990, Genz 2004) are
// not, and what is believed of a rare release is a quotient of such probabilities.
//
// Holds:     ρ from −1 to 1, both included: then Y = ±X.
// Accuracy:  1e-14 absolute; about 1e-12 relative.
// Cost:      with E1 and E2 edges about min(27 max(1, ρ/s), 24 E2) + E1 + 2 E2 panels of 10 nodes,
// each
//            with as many erfc as edges of Y lie within 9 s of ρx. One rectangle: microseconds.
#pragma once

#include <span>
#include <vector>

namespace semveil {

// Edges ascending; the first and the last may be infinite. out[i · (y − 1) + j]: between the edges
// i and i + 1 of X and j and j + 1 of Y.
std::vector<double> bivariate_grid(std::span<const double> x_edges, std::span<const double> y_edges,
                                   double correlation);
// How many panels a grid takes, at most.
double bivariate_panels(std::size_t x_edges, std::size_t y_edges, double correlation);
double bivariate_rectangle(double a, double b, double c, double d, double correlation);

}  // namespace semveil
