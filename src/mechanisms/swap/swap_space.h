// How far apart the distinct values of one column are, in whole numbers.
//
// Swapping compares distances and sums of distances, and ties decide who may be picked. So a
// distance is rounded to the nearest multiple of 2^-24 and from there on an integer: sums over
// columns are exact, equal distances stay equal, and 255 columns fit 32 bits.
//
// Cost:  a row costs what the measure asks for one source. A table of all rows is worth its memory
//        while it is small; beyond that rows are computed when they are asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "semveil/code.h"
#include "semveil/measure.h"

namespace semveil {

inline constexpr std::uint32_t kSwapUnit = 1U << 24U;  // a distance of 1
inline constexpr std::size_t kMostSwapColumns = 255;

class SwapSpace {  // immutable, thread-safe
 public:
  using VisitRow = std::function<void(std::size_t, std::span<const std::uint32_t>)>;

  // Ascending, each once; may end with missing_value(), which lies at distance 1 from all others.
  static SwapSpace nominal(std::shared_ptr<const Measure> measure, std::vector<ConceptId> values);
  // Ascending, finite; |x − y| / divisor, at most 1. A divisor of 0 makes all distances 0.
  static SwapSpace numeric(std::vector<double> values, double divisor);

  std::size_t size() const { return measure_ ? concepts_.size() + has_missing_ : numbers_.size(); }
  double distance(Code a, Code b) const;  // not rounded
  // Numbers of which no two are farther apart than 1: their distances add up, so what is most
  // distant from all stands at an end.
  bool is_line() const {
    return !measure_ && !numbers_.empty() && numbers_.back() - numbers_.front() <= divisor_;
  }
  // out[b] = the distance of `value` and b in units of 2^-24; size() of them. The scratch is for
  // callers that ask often: its memory is worth more than its contents.
  void row(Code value, std::span<std::uint32_t> out, std::vector<double>& scratch) const;
  void row(Code value, std::span<std::uint32_t> out) const {
    std::vector<double> scratch;
    row(value, out, scratch);
  }
  // The rows of values first … last − 1 in this order: far cheaper than one by one. A row lives
  // until visit returns.
  void rows(Code first, Code last, const VisitRow& visit) const;

 private:
  SwapSpace() = default;
  std::shared_ptr<const Measure> measure_;  // null: numbers
  std::vector<ConceptId> concepts_;         // without missing_value()
  bool has_missing_ = false;                // missing_value() is the last value
  std::vector<double> numbers_;
  double divisor_ = 0;
};

// The rows of a space with one more place at the end: a missing cell, which lies at distance 1 from
// every value and at 0 from itself.
class SwapRows {  // immutable, thread-safe
 public:
  enum class Keep : bool { kNone, kAll };
  struct Scratch {
    std::vector<std::uint32_t> row;
    std::vector<double> distances;
  };
  SwapRows(const SwapSpace& space, Keep keep, unsigned threads);
  static std::size_t bytes(const SwapSpace& space) {
    return (space.size() + 1) * space.size() * sizeof(std::uint32_t);
  }

  std::uint32_t missing() const { return static_cast<std::uint32_t>(space_.size()); }
  std::size_t width() const { return space_.size() + 1; }
  // width() distances, kept here or computed into the scratch.
  const std::uint32_t* row(std::uint32_t place, Scratch& scratch) const;
  bool is_line() const { return space_.is_line(); }
  // Σ_w counts[w] · distance of v and w, for every place v with a count; counts by place.
  std::vector<std::uint64_t> sums(std::span<const std::uint64_t> counts, unsigned threads) const;

 private:
  const SwapSpace& space_;
  std::vector<std::uint32_t> table_;
};

}  // namespace semveil
