// How many records look like those of a class where a missing cell may be any value.
//
// Two tuples match where each place holds equal values or a missing one. Matching is no
// equivalence: (a, –) matches (a, b) and (a, c), which do not match each other.
//
//   tuple    records   matching
//   (a, b)      2      2 + 1     itself, (a, –)
//   (a, c)      3      3 + 1
//   (a, –)      1      1 + 2 + 3
//
// Tuples that miss the same places are looked up as one: for two such groups only the places that
// neither misses count.
//
// Cost:   tuples × different sets of missing places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace semveil {

// Distinct tuples, one after the other; missing[j] stands for a missing cell of place j.
std::vector<std::uint64_t> matching_records(std::span<const std::uint32_t> tuples,
                                            std::span<const std::uint64_t> counts,
                                            std::span<const std::uint32_t> missing);

}  // namespace semveil
