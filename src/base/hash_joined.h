// A hash of several values in their order, one more at a time: equal values, equal hashes. For
// comparing; whoever chooses the values can make hashes meet.
#pragma once

#include <cstdint>

namespace semveil {

inline std::uint64_t hash_joined(std::uint64_t before, std::uint64_t value) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  const std::uint64_t mixed = (before ^ (value + kOdd + (before << 6U) + (before >> 2U))) * kOdd;
  return mixed ^ (mixed >> 32U);
}

}  // namespace semveil
