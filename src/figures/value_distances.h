// How far the values of one column lie from each other, in whole numbers: of the values that occur,
// not of all that the attribute knows.
//
// A distance is rounded to the nearest multiple of 2^-bits and from there on an integer, so sums
// over columns are exact in any order, and equal distances stay equal.
//
// Cost:    sources × targets look-ups, once. Up to kMostKept distances all rows are kept; beyond
//          that (20,000 values against 20,000 would be gigabytes) rows are computed for those who
//          ask, a block at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "semveil/frequency_table.h"

namespace semveil {

class ValueDistances {  // immutable, thread-safe
 public:
  static constexpr std::size_t kMostKept = std::size_t{1} << 23U;

  // Cells of the attribute, each once: values, missing_value() or beyond. `most_kept`: for tests.
  ValueDistances(std::shared_ptr<const Attribute> attribute, std::vector<ConceptId> sources,
                 std::vector<ConceptId> targets, unsigned bits, unsigned threads,
                 std::size_t most_kept = kMostKept);

  std::size_t targets() const { return targets_.size(); }

  // Rows of some sources: those kept, or computed into a buffer of the caller.
  struct Rows {
    std::vector<const std::uint64_t*> of;  // by source; null where nobody asked
    std::vector<std::uint64_t> buffer;
  };
  // `sources`: places, ascending, each once.
  void rows(std::span<const std::uint32_t> sources, Rows& out) const;

 private:
  void compute(std::span<const std::uint32_t> sources, std::uint64_t* out) const;

  std::shared_ptr<const Attribute> attribute_;
  std::vector<ConceptId> sources_, targets_;
  double unit_;
  std::vector<ConceptId> named_;              // targets that a measure knows
  std::vector<std::uint32_t> named_targets_;  // and where they stand
  std::vector<std::uint64_t> kept_;           // by source, then target; empty: too many
};

}  // namespace semveil
