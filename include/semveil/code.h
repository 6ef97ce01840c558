// Cells as numbers: what tables, statistics and mechanisms pass to each other.
#pragma once

#include <cstdint>

namespace [[gnu::visibility("default")]] semveil {

// A cell's place in the dictionary of its column.
using Code = std::uint32_t;
inline constexpr Code kMissing = 0xFFFFFFFF;  // read: a missing cell; written: an empty one
inline constexpr Code kAsItWas = 0xFFFFFFFE;  // written: the cell's own bytes

}  // namespace semveil
