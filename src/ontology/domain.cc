#include "semveil/domain.h"

#include <algorithm>

#include "ontology/taxonomy_builder.h"

namespace semveil {

Domain::Domain(std::shared_ptr<const Taxonomy> taxonomy, std::vector<ConceptId> to_ontology)
    : taxonomy_(std::move(taxonomy)), to_ontology_(std::move(to_ontology)) {
  from_ontology_.reserve(to_ontology_.size());
  for (ConceptId c = 0; c < to_ontology_.size(); ++c)
    from_ontology_.emplace_back(to_ontology_[c], c);
  std::sort(from_ontology_.begin(), from_ontology_.end());
}

Domain Domain::whole(std::shared_ptr<const Taxonomy> ontology) { return {std::move(ontology), {}}; }

// `members` (ascending, the root first) under numbers and depths of their own.
Domain Domain::of(const Taxonomy& ontology, std::vector<ConceptId> members) {
  const bool virtual_root = ontology.is_virtual(members.front());
  if (virtual_root) members.erase(members.begin());  // the builder makes it anew
  constexpr std::uint32_t kOutside = 0xffffffff;
  std::vector<std::uint32_t> position(ontology.size(), kOutside);
  for (std::uint32_t i = 0; i < members.size(); ++i) position[members[i]] = i;
  std::vector<std::uint32_t> member_with_rank(ontology.size(), kOutside);
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    member_with_rank[ontology.id_rank(members[i])] = i;
  }
  std::vector<std::uint32_t> rank(members.size());
  std::uint32_t next = 0;
  for (const std::uint32_t i : member_with_rank) {
    if (i != kOutside) rank[i] = next++;
  }
  std::vector<TaxonomyLink> links;
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    for (const ConceptId p : ontology.parents(members[i])) {
      if (position[p] != kOutside) links.push_back({i, position[p]});
    }
  }
  // Part of a DAG is a DAG, and every member hangs below the one root: this cannot fail.
  BuiltTaxonomy built = build_taxonomy(std::move(links), rank, virtual_root);
  std::vector<ConceptId> to_ontology(built.taxonomy->size(), Taxonomy::root());
  for (std::uint32_t i = 0; i < members.size(); ++i) to_ontology[built.place[i]] = members[i];
  return {std::move(built.taxonomy), std::move(to_ontology)};
}

Domain Domain::subtree(const std::shared_ptr<const Taxonomy>& ontology, ConceptId root) {
  if (root == Taxonomy::root()) return whole(ontology);
  return of(*ontology, ontology->descendants(root));
}

Domain Domain::branches(const std::shared_ptr<const Taxonomy>& ontology, ConceptId root,
                        std::span<const ConceptId> values) {
  std::vector<bool> below(ontology->size(), false);
  for (const ConceptId c : ontology->descendants(root)) below[c] = true;
  std::vector<bool> member(ontology->size(), false);
  member[root] = true;
  std::vector<ConceptId> open(values.begin(), values.end());
  while (!open.empty()) {
    const ConceptId c = open.back();
    open.pop_back();
    if (!below[c] || member[c]) continue;
    member[c] = true;
    for (const ConceptId p : ontology->parents(c)) open.push_back(p);
  }
  std::vector<ConceptId> members;
  for (ConceptId c = 0; c < member.size(); ++c) {
    if (member[c]) members.push_back(c);
  }
  return of(*ontology, std::move(members));
}

std::optional<ConceptId> Domain::in_domain(ConceptId ontology_concept) const {
  if (to_ontology_.empty()) return ontology_concept;
  const auto at = std::lower_bound(from_ontology_.begin(), from_ontology_.end(),
                                   std::pair{ontology_concept, ConceptId{0}});
  if (at == from_ontology_.end() || at->first != ontology_concept) return std::nullopt;
  return at->second;
}

Result<Candidates> Candidates::of(const Taxonomy& domain, const CandidateRules& rules) {
  Candidates candidates;
  candidates.allowed_.assign(domain.size(), true);
  for (const ConceptId c : rules.deny) candidates.allowed_[c] = false;
  for (ConceptId c = 0; c < domain.size(); ++c) {
    const bool barred = domain.is_virtual(c) || (rules.leaves_only && !domain.is_leaf(c)) ||
                        domain.depth(c) < rules.min_depth;
    if (barred) candidates.allowed_[c] = false;
  }
  for (const ConceptId c : rules.headings) {
    if (!candidates.allowed_[c]) continue;
    candidates.allowed_[c] = false;
    ++candidates.headings_;
  }
  candidates.count_ = static_cast<std::size_t>(
      std::count(candidates.allowed_.begin(), candidates.allowed_.end(), true));
  if (candidates.count_ == 0) {
    return fail(
        data_error(candidates.headings_ > 0
                       ? "candidates = \"codes\" leaves no concept of the domain to replace values "
                         "by; write candidates = \"all\", or a wider root"
                       : "deny, leaves_only and min_depth leave no concept of the domain to "
                         "replace values by; loosen one of them"));
  }
  return candidates;
}

}  // namespace semveil
