// What a user may write for an ontology: `wordnet`, `SCHEME:PATH`, `FILE.svo`, or a file whose
// ending tells its format; then, behind a question mark, `lang=CODE` and `root=CONCEPT`, joined by
// &.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ontology/draft.h"
#include "semveil/result.h"

namespace semveil {

enum class SourceFormat : std::uint8_t {
  kWordNet,
  kObo,
  kEdges,
  kVgh,
  kRf2,
  kMesh,
  kOwl,
  kSkos,
  kClaml,
  kIcd10cm,
  kIcd9cm,
  kSnapshot,
};

struct Source {
  std::string text;  // as the user wrote it
  SourceFormat format;
  std::string path;           // of the file or folder
  std::string language = {};  // empty: the source's own preference
  std::string root = {};      // a concept's id or name; empty: all

  // The files whose content decides what is loaded.
  std::vector<std::string> files() const;
  Result<OntologyDraft> load() const;
};

Result<Source> parse_source(std::string_view text);

}  // namespace semveil
