// The order of small numbers, stable, without comparisons.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace semveil {

// Places of `keys` so that the keys ascend; equal keys stay in order. Cost: a pass over the places
// for every 11 bits of the greatest key.
inline std::vector<std::uint32_t> radix_order(std::span<const std::uint32_t> keys) {
  constexpr unsigned kBits = 11;
  constexpr std::uint32_t kMask = (1U << kBits) - 1;
  std::uint32_t greatest = 0;
  for (const std::uint32_t key : keys) greatest |= key;
  std::vector<std::uint32_t> order(keys.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<std::uint32_t> next(keys.size());
  for (unsigned shift = 0; shift < 32 && (greatest >> shift) != 0; shift += kBits) {
    std::array<std::uint32_t, kMask + 1> begin{};
    for (const std::uint32_t key : keys) ++begin[(key >> shift) & kMask];
    std::uint32_t sum = 0;
    for (std::uint32_t& count : begin) {
      const std::uint32_t here = count;
      count = sum;
      sum += here;
    }
    for (const std::uint32_t i : order) next[begin[(keys[i] >> shift) & kMask]++] = i;
    order.swap(next);
  }
  return order;
}

}  // namespace semveil
