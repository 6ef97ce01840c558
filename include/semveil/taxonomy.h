// A taxonomy: concepts joined by is-a links, a directed acyclic graph with one root.
//
//             entity            depth = nodes on the LONGEST way to the root (root = 1)
//            /      \           path  = links on the SHORTEST way up
//       organism   agent        LCS   = the common subsumer of greatest depth; of several the
//            \      /                   one with the least path sum, then the smallest id
//             person
//
// Several real roots are joined under a virtual one. Concepts are numbered densely in topological
// order: by depth, then so that sweeps over the graph run through memory in sequence (same number
// of parents together, children of one parent together). "Smallest id" always means the byte order
// of the source's ids: id_rank().
//
// Paper:  rank swapping eq 3, framework eq 11 for depth and path; the tie rule is ours (a DAG has
//         no unique "most specific" subsumer).
// Holds:  immutable, thread-safe; nothing in the graph is ever marked or counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] semveil {

// A concept's place in ONE taxonomy; a domain's taxonomy has its own numbering (domain.h).
using ConceptId = std::uint32_t;

struct Ancestor {
  ConceptId concept_id;
  std::uint32_t path;  // fewest links up to it; 0 for the concept itself
  bool operator==(const Ancestor&) const = default;
};

struct Subsumer {
  ConceptId concept_id;
  std::uint32_t path_a, path_b;
  bool operator==(const Subsumer&) const = default;
};

class AncestorIndex;
class SweepGraph;

class Taxonomy {
 public:
  // What a taxonomy is made of. The arrays belong to `owner`: vectors or a mapped file.
  struct Arrays {
    std::span<const std::uint16_t> depth;
    std::span<const std::uint32_t> parent_begin;  // size + 1
    std::span<const ConceptId> parents;           // ascending
    std::span<const std::uint32_t> id_rank;
    bool virtual_root = false;
  };
  static constexpr unsigned kMaxDepth = 32767;  // path sums stay below 2^16

  // The arrays must hold what the comments above say: TaxonomyBuilder and the snapshot's reader
  // see to that.
  Taxonomy(Arrays arrays, std::shared_ptr<const void> owner);
  ~Taxonomy();
  Taxonomy(const Taxonomy&) = delete;
  Taxonomy& operator=(const Taxonomy&) = delete;

  std::size_t size() const { return arrays_.depth.size(); }  // the virtual root included
  static constexpr ConceptId root() { return 0; }
  bool is_virtual(ConceptId c) const { return arrays_.virtual_root && c == root(); }
  bool has_virtual_root() const { return arrays_.virtual_root; }

  unsigned depth(ConceptId c) const { return arrays_.depth[c]; }
  unsigned max_depth() const { return arrays_.depth.back(); }
  std::uint32_t id_rank(ConceptId c) const { return arrays_.id_rank[c]; }
  std::span<const ConceptId> parents(ConceptId c) const {
    return slice(arrays_.parents, arrays_.parent_begin, c);
  }
  // Ascending. The first call of either turns the links around (1 ms for WordNet); thread-safe.
  std::span<const ConceptId> children(ConceptId c) const;
  bool is_leaf(ConceptId c) const { return children(c).empty(); }

  // c and everything above it, each with the fewest links up to it, by descending ConceptId (so c
  // comes first, the root last). Cost: the links above c.
  std::vector<Ancestor> ancestors(ConceptId c) const;
  // c and everything below it, ascending. Cost: the links below c.
  std::vector<ConceptId> descendants(ConceptId c) const;
  Subsumer lcs(ConceptId a, ConceptId b) const;
  // A shortest way from c up to its subsumer, both included; of several the one through the
  // smallest ids. Empty if it does not subsume c.
  std::vector<ConceptId> way_up(ConceptId c, ConceptId subsumer) const;
  // The LCS of a whole list (not empty): the deepest concept above all of them, then the smallest
  // sum of paths to them, then the smallest id.
  ConceptId lcs(std::span<const ConceptId> list) const;

  // Ancestor lists of all concepts, for many one-to-one questions. Built on the first call (3 ms
  // for WordNet), then shared; thread-safe.
  const AncestorIndex& ancestor_index() const;
  // The concepts a sweep over the whole taxonomy has to visit; built on the first call as well.
  const SweepGraph& sweep_graph() const;

  const Arrays& arrays() const { return arrays_; }

 private:
  template <class T>
  static std::span<const T> slice(std::span<const T> all, std::span<const std::uint32_t> begin,
                                  ConceptId c) {
    return all.subspan(begin[c], begin[c + 1] - begin[c]);
  }

  struct Lazy;
  Arrays arrays_;
  std::shared_ptr<const void> owner_;
  std::unique_ptr<Lazy> lazy_;
};

}  // namespace semveil
