// The columns of a VGH file, which its taxonomy alone does not tell: a label that is repeated on
// the next level is one concept, and a concept above the values may have several parents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/draft.h"
#include "semveil/result.h"

namespace semveil {

struct VghLevels {
  unsigned levels = 0;            // columns of the file
  std::vector<std::string> ids;   // of the concepts, as the ontology has them
  std::vector<std::uint32_t> of;  // by concept, then level: places in `ids`
};
// Level 0 of a concept is itself. A value is on each level what its row says; a concept above the
// values is itself up to its own level, and from there what the smallest id among its parents is.
Result<VghLevels> load_vgh_levels(const std::string& path);
// Over bytes in memory; `name` stands for the file in errors.
Result<VghLevels> parse_vgh_levels(std::string_view text, const std::string& name);

// Rows that a program made: semicolons between the columns, whatever the texts hold. Both at once.
struct VghRows {
  OntologyDraft draft;
  VghLevels levels;
};
Result<VghRows> parse_vgh_rows(std::string_view text, const std::string& name);

}  // namespace semveil
