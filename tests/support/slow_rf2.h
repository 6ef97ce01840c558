// The slow twin of the RF2 loader: the same rules over maps of texts, row by row, with no eye on
// speed. It knows nothing of files' names and takes one file of each kind.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "semveil/names.h"

namespace semveil::test {

struct SlowRf2 {
  struct Files {  // their texts
    std::string concepts, relationships, descriptions, definitions, languages, associations;
  };
  struct Concept {
    std::string label;  // the id where there is no name
    std::set<std::pair<TermKind, std::string>> others;
    std::set<std::string> parents;
    std::string definition;
    bool operator==(const Concept&) const = default;
  };

  // `reference_set`: an id; `language`: a code, or empty for the names of the reference set.
  SlowRf2(const Files& files, const std::string& reference_set, const std::string& language = "");

  std::map<std::string, Concept> concepts;  // the active ones
  std::size_t inactive = 0, followed = 0;
};

}  // namespace semveil::test
