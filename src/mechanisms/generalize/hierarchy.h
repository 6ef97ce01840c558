// What the values of one column become on each level of generalisation (semveil/generalize.h).
//
//   by levels   of a VGH level L is column L of its file: rows decide, so values that are one on a
//               level may be two on the next. Without a VGH the same as by depths.
//   by depths   level L lifts every concept deeper than D − L to depth D − L along its generalising
//               parent. Values that are one stay one, and the last level is the root.
//
// The concepts that occur are the column's nodes, numbered by ConceptId. missing_value() is one
// more value right below the root: itself on every level but the last, where it becomes the root
// if that is all there is on the last level of the domain.
//
// Cost:  values × levels, and the links below each node once.
#pragma once

#include <span>
#include <vector>

#include "semveil/frequency_table.h"

namespace semveil {

class Hierarchy {  // immutable, thread-safe
 public:
  enum class By : std::uint8_t { kLevels, kDepths };
  // An error for a column of numbers or texts: these have no taxonomy.
  static Result<Hierarchy> of(const Attribute& attribute, std::span<const ConceptId> values, By by);

  std::size_t values() const { return levels_ == 0 ? 0 : node_.size() / levels_; }
  unsigned levels() const { return levels_; }
  // Of the value at a place.
  Code node(Code value, unsigned level) const { return node_[value * levels_ + level]; }
  // Whether values that are one on a level are one on all higher levels.
  bool is_nested() const { return nested_; }
  // The lowest level on which both are one. Of columns by depths.
  unsigned meet(Code a, Code b) const;

  std::size_t nodes() const { return concepts_.size(); }
  ConceptId concept_of(Code node) const { return concepts_[node]; }
  // Leaves at or below it, each once; 1 of missing_value().
  std::uint64_t leaves(Code node) const { return leaves_[node]; }
  std::uint64_t all_leaves() const { return all_leaves_; }  // of the taxonomy
  // By node what a cell loses, where that is not by leaves; else empty.
  const std::vector<double>& shares() const { return shares_; }

 private:
  Hierarchy() = default;
  void number_nodes(const std::vector<ConceptId>& lifted);
  void count_leaves(const Attribute& attribute);
  bool nests() const;

  unsigned levels_ = 0;
  bool nested_ = true;
  std::vector<Code> node_;           // by value, then level
  std::vector<ConceptId> concepts_;  // by node, ascending
  std::vector<std::uint64_t> leaves_;
  std::uint64_t all_leaves_ = 0;
  std::vector<double> shares_;
};

// Of its parents at depth − 1 the one with the smallest id. Of any concept but the root.
ConceptId generalizing_parent(const Taxonomy& taxonomy, ConceptId c);

}  // namespace semveil
