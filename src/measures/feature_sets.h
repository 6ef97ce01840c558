// The sets that feature measures compare: for every concept a set, of which only sizes and
// overlaps are asked.
//
// Two kinds. A set may be listed (a concept's own names, the words of its gloss, the names of its
// neighbours), or inherited: it holds what the concept itself brings along and everything that the
// sets of its parents hold (all concepts above; all their names).
//
// Inherited sets are told by differences. Every concept but the root has a base, the parent with
// most bases above it, and only what it adds to that:
//
//   set(c) = set(base(c)) ⊎ added(c),
//   so |set(c) ∩ S| = |set(base(c)) ∩ S| + |added(c) ∩ S|
//
// One pass over the concepts, parents first, answers one to all. With a single parent nothing is
// stored but what the concept brings itself, so chains of any length cost no more than their
// names, and WordNet's 82,115 sets of subsumers 88,092 numbers in the place of 825,356. For a pair
// the two ways up along the bases are followed until they meet: what lies above is shared, and
// only the added parts below are compared.
//
// Cost: build O(links + what is added); one to all O(concepts + what is added); a pair O(what is
// added below the meeting point). Taxonomies of several parents everywhere can still be quadratic:
// beyond half a gigabyte of numbers nothing is stored, and sets are collected by walking up. Then a
// pair costs O(links above both + what these concepts bring along), one to all that for every
// concept. Neither way allocates for a pair after a thread's first one.
#pragma once

#include <memory>

#include "measures/id_lists.h"

namespace semveil {

class FeatureSets {  // immutable, thread-safe
 public:
  virtual ~FeatureSets() = default;

  virtual std::uint32_t size(ConceptId c) const = 0;
  virtual std::uint32_t common(ConceptId a, ConceptId b) const = 0;
  // Adds to the concepts (ascending, none twice) those that the next call must look at as well.
  virtual void complete(std::vector<ConceptId>& concepts) const = 0;
  // out[c] = common(source, c) for each of these concepts, which are complete.
  virtual void common_with(ConceptId source, std::span<const ConceptId> concepts,
                           std::span<std::uint32_t> out) const = 0;
};

std::unique_ptr<const FeatureSets> listed_sets(IdLists lists);

inline constexpr std::size_t kMostAdded = std::size_t{1} << 27;
// `own` by concept. What is added may take up to `most` numbers.
std::unique_ptr<const FeatureSets> inherited_sets(std::shared_ptr<const Taxonomy> taxonomy,
                                                  IdLists own, std::size_t most = kMostAdded);

}  // namespace semveil
