// An ontology made of a column's texts by a rule (hierarchy_rule.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/hierarchies/hierarchy_rule.h"
#include "ontology/hierarchies/vgh_levels.h"
#include "semveil/ontology.h"

namespace semveil {

struct MadeHierarchy {
  Ontology ontology;           // as of a VGH: the texts, what lies above them, and "*"
  VghLevels levels;            // of its concepts
  std::vector<double> shares;  // by place in levels.ids: what a cell loses; empty: by leaves
};
// Texts that the rule cannot read are left out. `name` stands for a file in errors.
Result<MadeHierarchy> make_hierarchy(const HierarchyRule& rule,
                                     std::span<const std::string_view> texts,
                                     const std::string& name);

// The lowest concept above or at a text that was not among them; kNoPlace: the rule cannot read
// it, or is a flat one, which says nothing of others.
inline constexpr ConceptId kNoPlace = 0xFFFFFFFF;
ConceptId place_by_rule(const HierarchyRule& rule, const Names& names, std::string_view text);

}  // namespace semveil
