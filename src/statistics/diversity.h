// How varied the values of a class of records are, by the records of each value.
//
// Paper:  Machanavajjhala et al. 2007, l-diversity: entropy and recursive (c, l).
#pragma once

#include <cstdint>
#include <span>

namespace semveil {

// −Σ p ln p, with our own logarithm. Records of one value, in any order; none may be 0.
double entropy(std::span<const std::uint64_t> counts);
double entropy_l(
    std::span<const std::uint64_t> counts);  // exp of the entropy: a figure, for people

// r1 / (r_l + r_(l+1) + …), r the records of each value, most frequent first: the greatest c that
// does not hold. Infinite where there are fewer than l values.
double recursive_ratio(std::span<const std::uint64_t> counts, std::uint64_t l);

}  // namespace semveil
