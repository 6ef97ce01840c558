// From any list of concepts and links to a Taxonomy: joins several roots, finds depths and cycles,
// numbers the concepts.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "semveil/taxonomy.h"

namespace semveil {

struct TaxonomyLink {
  std::uint32_t child, parent;
};

struct BuiltTaxonomy {
  std::shared_ptr<const Taxonomy> taxonomy;  // null if the build failed
  std::vector<ConceptId> place;              // the ConceptId of each input index
  std::vector<std::uint32_t> cycle;          // input indexes on a cycle, each a child of the next
  bool too_deep = false;                     // deeper than Taxonomy::kMaxDepth
};

// `rank[i]` is the place of concept i's id in the byte order of all ids: 0, 1, 2, … each once.
// Repeated links count once. A virtual root is made where there are several roots, or where the
// caller wants one; else at least one concept is needed.
BuiltTaxonomy build_taxonomy(std::vector<TaxonomyLink> links, std::span<const std::uint32_t> rank,
                             bool want_virtual_root = false);

}  // namespace semveil
