// Parts of an IRI that people write instead of it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "ontology/rdf/rdf_vocabulary.h"

namespace semveil {

// What stands behind the last # or /: Male of http://x/people#Male.
inline std::string_view local_part(std::string_view iri) {
  while (iri.ends_with('/') || iri.ends_with('#')) iri.remove_suffix(1);
  return iri.substr(std::min(iri.find_last_of("#/") + 1, iri.size()));
}

// …/obo/DOID_4 is written DOID:4 (obofoundry.org, identifier policy). Empty for others.
inline std::string obo_id(std::string_view iri) {
  if (!iri.starts_with(kOboSpace)) return {};
  std::string local(iri.substr(kOboSpace.size()));
  const std::size_t underscore = local.rfind('_');
  if (underscore == std::string_view::npos || underscore == 0) return {};
  local[underscore] = ':';
  return local;
}

}  // namespace semveil
