// Common subsumers of two concepts, from their ancestor lists.
#pragma once

#include <span>

#include "semveil/taxonomy.h"

namespace semveil {

// Calls visit(Subsumer) for each concept in both lists (by descending ConceptId, as
// Taxonomy::ancestors gives them), deepest first. Cost: one merge.
template <class Visit>
void for_each_common(std::span<const Ancestor> a, std::span<const Ancestor> b, Visit visit) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const ConceptId at_a = a[i].concept_id;
    const ConceptId at_b = b[j].concept_id;
    if (at_a == at_b) visit(Subsumer{at_a, a[i].path, b[j].path});
    i += at_a >= at_b ? 1 : 0;
    j += at_b >= at_a ? 1 : 0;
  }
}

// The rule of taxonomy.h: greater depth, then smaller path sum, then smaller id.
inline bool closer_subsumer(const Taxonomy& taxonomy, const Subsumer& s, const Subsumer& than) {
  const unsigned depth_s = taxonomy.depth(s.concept_id);
  const unsigned depth_than = taxonomy.depth(than.concept_id);
  if (depth_s != depth_than) return depth_s > depth_than;
  const std::uint32_t paths_s = s.path_a + s.path_b;
  const std::uint32_t paths_than = than.path_a + than.path_b;
  if (paths_s != paths_than) return paths_s < paths_than;
  return taxonomy.id_rank(s.concept_id) < taxonomy.id_rank(than.concept_id);
}

// The best common subsumer of two concepts by better(candidate, best so far). There is always one:
// the root. Cost: walks up from both.
template <class Better>
Subsumer best_common(const Taxonomy& taxonomy, ConceptId a, ConceptId b, Better better) {
  const std::vector<Ancestor> above_a = taxonomy.ancestors(a);
  const std::vector<Ancestor> above_b = taxonomy.ancestors(b);
  Subsumer best{};
  bool found = false;
  for_each_common(std::span<const Ancestor>(above_a), above_b, [&](const Subsumer& s) {
    if (!found || better(s, best)) best = s;
    found = true;
  });
  return best;
}

}  // namespace semveil
