// What of a column was not understood, and why.
#pragma once

#include <string>
#include <vector>

#include "semveil/finding.h"
#include "semveil/mapping.h"

namespace [[gnu::visibility("default")]] semveil {

struct WhyUnmapped {
  // For a person, the likeliest cause first: a root that is too low, codes of another ontology,
  // what the ontology's concepts are called, what its loader left out. Each is checked on these
  // values and this ontology. Empty where some value is mapped, or there is none.
  std::vector<std::string> sentences;
  std::vector<Finding> findings;  // the most severe first; that values are unmapped, too
};
Result<WhyUnmapped> why_unmapped(const ColumnMapping& mapping, const std::string& column,
                                 const Ontology& ontology);

}  // namespace semveil
