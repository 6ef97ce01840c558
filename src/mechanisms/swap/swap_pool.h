// Records that are still to be swapped, item by item: counted, picked by number and removed, each
// in constant time.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "mechanisms/swap/swap_parts.h"

namespace semveil {

class RecordPool {
 public:
  // `counts` by item: all its records or none. The items must outlive the pool.
  RecordPool(const SwapItems& items, std::span<const std::uint32_t> counts)
      : offsets_(items.offsets),
        left_(counts.begin(), counts.end()),
        members_(items.records()),
        places_(items.records()) {
    std::iota(members_.begin(), members_.end(), 0U);
    std::iota(places_.begin(), places_.end(), 0U);
  }

  std::span<const std::uint32_t> left() const { return left_; }
  std::uint32_t left(std::uint32_t item) const { return left_[item]; }
  std::uint32_t record(std::uint32_t item, std::uint64_t i) const {
    return members_[offsets_[item] + i];
  }
  bool has(std::uint32_t item, std::uint32_t record) const {
    return places_[record] < offsets_[item] + left_[item];
  }
  void remove(std::uint32_t item, std::uint32_t record) {
    const std::uint32_t place = places_[record];
    const std::uint32_t end = offsets_[item] + --left_[item];
    const std::uint32_t other = members_[end];
    members_[place] = other;
    places_[other] = place;
    members_[end] = record;
    places_[record] = end;
  }
  std::uint64_t left_in(std::span<const std::uint32_t> list) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t item : list) sum += left_[item];
    return sum;
  }
  // The i-th record left in the items of a list.
  std::uint32_t record_in(std::span<const std::uint32_t> list, std::uint64_t i) const {
    std::size_t at = 0;
    while (i >= left_[list[at]]) i -= left_[list[at++]];
    return record(list[at], i);
  }

 private:
  std::span<const std::uint32_t> offsets_;
  std::vector<std::uint32_t> left_;     // by item
  std::vector<std::uint32_t> members_;  // item by item; those left come first
  std::vector<std::uint32_t> places_;   // by record: where it stands in members_
};

}  // namespace semveil
