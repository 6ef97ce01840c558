// The concepts a sweep visits, and in which order.
//
// A sweep computes one key per concept from its parents' keys (measures/sweep.h). The graph holds
// only the concepts whose key must be computed, its slots, in topological order; runs of slots with
// equally many parents stand together so that the inner loop has no branch.
//
// For the whole taxonomy a leaf with a single parent has no slot: its key is its parent's, one link
// farther. For a list of concepts only they and what lies above them have slots.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semveil/taxonomy.h"

namespace semveil {

class SweepGraph {
 public:
  using Slot = std::uint32_t;
  struct Run {
    Slot first, last;       // last: past the end
    std::uint32_t fan_in;   // parents of each slot
    std::uint32_t parents;  // where their parents begin
  };

  explicit SweepGraph(const Taxonomy& whole);
  // Only `list` and everything above it.
  SweepGraph(const Taxonomy& taxonomy, std::span<const ConceptId> list);

  std::size_t slots() const { return concepts_.size(); }
  std::span<const Run> runs() const { return runs_; }
  std::span<const Slot> parents() const { return parents_; }

  // Whether a concept has a key: false for one that is not at or above the list.
  bool holds(ConceptId c) const { return code_[c] != 0 || c == Taxonomy::root(); }
  // Where a concept's key stands: slot << 1 | links below it (0 or 1).
  std::uint32_t code(ConceptId c) const { return code_[c]; }
  std::span<const std::uint32_t> codes() const { return code_; }
  static Slot slot_of(std::uint32_t code) { return code >> 1; }
  static std::uint32_t links_of(std::uint32_t code) { return code & 1; }

 private:
  void add(const Taxonomy& taxonomy, ConceptId c);

  std::vector<ConceptId> concepts_;
  std::vector<Run> runs_;
  std::vector<Slot> parents_;
  std::vector<std::uint32_t> code_;
};

}  // namespace semveil
