// Distinct tuples of codes with their counts, and the first row that has each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/tuple_counter.h"

namespace semveil {

class PlacedTuples {
 public:
  using Code = TupleCounter::Code;
  explicit PlacedTuples(std::size_t width) : tuples_(width) {}

  // Returns the tuple's place.
  std::size_t add(std::span<const Code> tuple, std::uint64_t count, std::uint64_t row) {
    const std::size_t at = tuples_.add(tuple, count);
    if (at == first_.size()) first_.push_back(row);
    first_[at] = std::min(first_[at], row);
    return at;
  }

  const TupleCounter& counter() const { return tuples_; }
  std::size_t width() const { return tuples_.width(); }
  std::size_t size() const { return tuples_.size(); }
  std::span<const Code> tuple(std::size_t i) const { return tuples_.tuple(i); }
  std::uint64_t count(std::size_t i) const { return tuples_.count(i); }
  std::uint64_t first(std::size_t i) const { return first_[i]; }
  const std::vector<std::uint64_t>& firsts() const { return first_; }

  std::uint64_t records() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size(); ++i) sum += count(i);
    return sum;
  }
  // Places, ascending by their first rows.
  std::vector<std::uint32_t> by_first() const {
    std::vector<std::uint32_t> out(size());
    std::iota(out.begin(), out.end(), 0U);
    std::ranges::stable_sort(out, {}, [&](std::uint32_t i) { return first_[i]; });
    return out;
  }

 private:
  TupleCounter tuples_;
  std::vector<std::uint64_t> first_;
};

}  // namespace semveil
