// Finding concepts by part of a name, for people who look around in an ontology.
#pragma once

#include <string_view>
#include <vector>

#include "semveil/mapping.h"

namespace [[gnu::visibility("default")]] semveil {

struct Hit {
  ConceptId concept_id;
  std::string_view matched;  // the name that was found
};

// What the text maps to first; then names that begin with it, names with a word that begins with
// it, names that hold it anywhere (all folded as in mapping); shorter names first, then by bytes
// and id. One hit per concept. Cost: one pass over all names.
std::vector<Hit> search_names(const Mapper& mapper, const Taxonomy& taxonomy, std::string_view text,
                              std::size_t most);

}  // namespace semveil
