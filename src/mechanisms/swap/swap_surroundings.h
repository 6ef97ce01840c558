// What lies around a reference: the items its interval consists of, and the items farthest from it.
//
// Distances are those of the original data, so the interval of an item never changes, whoever has
// swapped: only how many of its records can still be picked does. The items farthest from it are
// found among those not yet done.
//
// Cost:  the distances from an item to all others are sums of one row for each attribute: m
//        additions a pair. The k nearest are kept while scanning, beginning at the item itself,
//        whose neighbours in the table share its first values: soon nearly all others are beyond
//        what is kept and 64 of them are passed with one comparison. No sort.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mechanisms/swap/swap_parts.h"

namespace semveil {

struct SwapInterval {
  std::vector<std::uint32_t> inside;  // items closer than the k-th closest record
  std::vector<std::uint32_t> edge;    // items as far as that
  std::uint64_t places = 0;           // records of the edge that the interval has room for
};

class SwapDistances {
 public:
  explicit SwapDistances(const SwapItems& items);

  // From an item to all, by item; lives until the next call.
  std::span<const std::uint32_t> from(std::uint32_t item);
  // Of the k records closest to one record of the item, k fewer than all others.
  SwapInterval interval(std::uint32_t item, std::uint64_t k);
  // The items farthest from this one, or closest to it, of those with records left.
  std::vector<std::uint32_t> farthest(std::uint32_t item, std::span<const std::uint32_t> left);
  std::vector<std::uint32_t> closest(std::uint32_t item, std::span<const std::uint32_t> left);

 private:
  struct Near {
    std::uint32_t distance, item;
  };
  std::uint32_t narrow(std::uint64_t rank, std::uint32_t reach);

  const SwapItems& items_;
  bool identity_;  // one attribute, and every value is an item: a row is the answer
  std::uint32_t of_ = 0xFFFFFFFF;
  std::span<const std::uint32_t> distances_;
  std::vector<std::uint32_t> sums_;
  std::vector<SwapRows::Scratch> scratch_;  // by attribute
  std::vector<Near> near_, selected_;
};

}  // namespace semveil
