// The domain τ(A) of an attribute: the part of an ontology its values may come from.
//
// A domain has a taxonomy of its own, whose depths are counted from the domain's root and whose
// ConceptIds are its own; in_ontology() and in_domain() translate. Everything that measures, masks
// or audits works inside one domain, so a disease is only ever replaced by a disease.
//
// Paper:  rank swapping def 2, framework def 2 (`subtree`); semantic noise def 2 (`branches`: only
//         what lies between the values and the root).
#pragma once

#include <optional>

#include "semveil/result.h"
#include "semveil/taxonomy.h"

namespace [[gnu::visibility("default")]] semveil {

class Domain {
 public:
  static Domain whole(std::shared_ptr<const Taxonomy> ontology);
  // Everything at or below `root`.
  static Domain subtree(const std::shared_ptr<const Taxonomy>& ontology, ConceptId root);
  // Everything at or below `root` and at or above one of `values`; values outside `root` are left
  // out. The root is in it even if no value is.
  static Domain branches(const std::shared_ptr<const Taxonomy>& ontology, ConceptId root,
                         std::span<const ConceptId> values);

  const std::shared_ptr<const Taxonomy>& taxonomy() const { return taxonomy_; }
  ConceptId in_ontology(ConceptId c) const { return to_ontology_.empty() ? c : to_ontology_[c]; }
  std::optional<ConceptId> in_domain(ConceptId ontology_concept) const;
  // Concepts of the domain, the virtual root left out.
  std::size_t concepts() const {
    return taxonomy_->size() - (taxonomy_->has_virtual_root() ? 1 : 0);
  }

 private:
  Domain(std::shared_ptr<const Taxonomy> taxonomy, std::vector<ConceptId> to_ontology);
  static Domain of(const Taxonomy& ontology, std::vector<ConceptId> members);

  std::shared_ptr<const Taxonomy> taxonomy_;
  std::vector<ConceptId> to_ontology_;                          // empty: the same numbers
  std::vector<std::pair<ConceptId, ConceptId>> from_ontology_;  // sorted by the first
};

// Which concepts of a domain may be put in a value's place. Depths and distances do not change.
struct CandidateRules {
  std::vector<ConceptId> deny;  // ids of the domain
  bool leaves_only = false;
  unsigned min_depth = 1;
  std::vector<ConceptId> headings = {};  // without a code of their own; ids of the domain
};

class Candidates {
 public:
  // The virtual root is never a candidate. An error if nothing is left.
  static Result<Candidates> of(const Taxonomy& domain, const CandidateRules& rules);

  bool contains(ConceptId c) const { return allowed_[c]; }
  std::size_t count() const { return count_; }
  // Concepts that only their being headings bars.
  std::size_t headings() const { return headings_; }

 private:
  std::vector<bool> allowed_;
  std::size_t count_ = 0, headings_ = 0;
};

}  // namespace semveil
