// A ClaML class's texts as terms of a concept.
#pragma once

#include <string_view>

#include "ontology/claml/claml_file.h"
#include "ontology/draft.h"

namespace semveil {

// Behind `front`, where there is one: "front: text". Returns the bytes that were added.
std::size_t add_claml_terms(const ClamlClass& source, std::string_view front,
                            OntologyDraft::Index concept_index, OntologyDraft& draft);

}  // namespace semveil
