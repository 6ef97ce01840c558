// A table before and after masking, as far as its quasi-identifiers go: which tuple came out as
// which, and how many records did so. All that utility and risk are measured on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "semveil/frequency_table.h"

namespace semveil {

enum class Side : std::uint8_t { kBefore, kAfter };

struct Paired {
  std::vector<std::shared_ptr<const Attribute>> attributes;  // the same before and after
  // By pair, then column; missing_value() for a missing cell; beyond it texts that mean nothing to
  // the attribute, each its own number. A pair may occur several times.
  std::vector<ConceptId> before, after;
  std::vector<std::uint64_t> counts;  // records of each pair, none 0

  std::size_t width() const { return attributes.size(); }
  std::size_t size() const { return counts.size(); }
  std::uint64_t records() const;
  std::span<const ConceptId> tuple(std::size_t pair, Side side) const {
    return std::span(side == Side::kBefore ? before : after).subspan(pair * width(), width());
  }
  // The same pairs, measured otherwise: attributes of the same values.
  Paired with(std::vector<std::shared_ptr<const Attribute>> others) const;
  // Some of the columns, equal pairs as one.
  Paired over(std::span<const std::size_t> columns) const;
};

// Records with equal tuples, before or after.
struct Classes {
  std::size_t width = 0;
  std::vector<ConceptId> tuples;      // by class, then column; ascending by the values' ids
  std::vector<std::uint64_t> counts;  // records of each
  std::vector<std::uint32_t> of;      // by pair: its class

  std::size_t size() const { return counts.size(); }
  std::span<const ConceptId> tuple(std::size_t c) const {
    return std::span(tuples).subspan(c * width, width);
  }
  std::uint64_t records() const;
  std::uint64_t smallest() const;  // 0 of no class
};
Classes classes_of(const Paired& pairs, Side side);
// Classes by some of their columns; `of` is left out.
Classes classes_over(const Classes& classes,
                     const std::vector<std::shared_ptr<const Attribute>>& attributes,
                     std::span<const std::size_t> columns);

}  // namespace semveil
