// Brings equal numbers near each other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace semveil {

// The places of `keys` by the keys' lowest bits, then as they come. So equal keys stand together,
// but for others that end in the same bits; these are few, as there are as many groups as keys, up
// to 32,768. Cost: two passes over the keys.
inline std::vector<std::uint32_t> by_lowest_bits(std::span<const std::uint32_t> keys) {
  constexpr std::size_t kMostGroups = std::size_t{1} << 15U;
  const std::size_t groups = std::min(std::bit_ceil(keys.size()), kMostGroups);
  const auto lowest = static_cast<std::uint32_t>(groups - 1);
  std::vector<std::uint32_t> begin(groups);
  for (const std::uint32_t key : keys) ++begin[key & lowest];
  std::uint32_t sum = 0;
  for (std::uint32_t& count : begin) {
    const std::uint32_t here = count;
    count = sum;
    sum += here;
  }
  std::vector<std::uint32_t> places(keys.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) places[begin[keys[i] & lowest]++] = i;
  return places;
}

}  // namespace semveil
