// What a user may write for an ontology: `wordnet`, `wordnet:DIR`, `obo:FILE`, `edges:FILE`,
// `vgh:FILE`, `FILE.svo`, or a file whose ending tells its format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ontology/draft.h"
#include "semveil/result.h"

namespace semveil {

enum class SourceFormat : std::uint8_t { kWordNet, kObo, kEdges, kVgh, kSnapshot };

struct Source {
  std::string text;  // as the user wrote it
  SourceFormat format;
  std::string path;  // of the file, or WordNet's folder

  // The files whose content decides what is loaded.
  std::vector<std::string> files() const;
  Result<OntologyDraft> load() const;
};

Result<Source> parse_source(std::string_view text);

}  // namespace semveil
