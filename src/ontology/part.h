// A part of an ontology by its root.
#pragma once

#include <string_view>

#include "semveil/names.h"
#include "semveil/ontology.h"

namespace semveil {

// The one concept with this id, or else this name (letter case, blanks and hyphens apart), or else
// WordNet's sense (dog.n.01).
Result<ConceptId> concept_called(const Names& names, std::string_view text);

}  // namespace semveil
