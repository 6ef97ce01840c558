#include "ontology/sweep_graph.h"

namespace semveil {

SweepGraph::SweepGraph(const Taxonomy& whole) {
  code_.resize(whole.size());
  for (ConceptId c = 0; c < whole.size(); ++c) {
    const auto parents = whole.parents(c);
    if (whole.is_leaf(c) && parents.size() == 1) {
      code_[c] = code_[parents[0]] | 1U;
    } else {
      add(whole, c);
    }
  }
}

SweepGraph::SweepGraph(const Taxonomy& taxonomy, std::span<const ConceptId> list) {
  std::vector<bool> wanted(taxonomy.size(), false);
  std::vector<ConceptId> open;
  const auto want = [&](ConceptId c) {
    if (wanted[c]) return;
    wanted[c] = true;
    open.push_back(c);
  };
  want(Taxonomy::root());
  for (const ConceptId c : list) want(c);
  while (!open.empty()) {
    const ConceptId c = open.back();
    open.pop_back();
    for (const ConceptId p : taxonomy.parents(c)) want(p);
  }
  code_.resize(taxonomy.size());
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (wanted[c]) add(taxonomy, c);
  }
}

void SweepGraph::add(const Taxonomy& taxonomy, ConceptId c) {
  const auto slot = static_cast<Slot>(concepts_.size());
  const auto parents = taxonomy.parents(c);
  const auto fan_in = static_cast<std::uint32_t>(parents.size());
  // A run also ends with its level: a slot must not be the parent of another one in its run, so
  // that the loop over a run may be vectorised.
  const bool continues = !runs_.empty() && runs_.back().fan_in == fan_in &&
                         taxonomy.depth(concepts_.back()) == taxonomy.depth(c);
  if (!continues) {
    runs_.push_back({slot, slot, fan_in, static_cast<std::uint32_t>(parents_.size())});
  }
  runs_.back().last = slot + 1;
  for (const ConceptId p : parents) parents_.push_back(slot_of(code_[p]));
  concepts_.push_back(c);
  code_[c] = slot << 1;
}

}  // namespace semveil
