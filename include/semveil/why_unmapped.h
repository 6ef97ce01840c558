// Why no value of a column was understood.
#pragma once

#include <string>
#include <vector>

#include "semveil/mapping.h"

namespace [[gnu::visibility("default")]] semveil {

// Sentences for a person, the likeliest cause first: a root that is too low, codes of another
// ontology, what the ontology's concepts are called, what its loader left out. Each is checked on
// these values and this ontology. Empty where some value is mapped, or there is none.
Result<std::vector<std::string>> why_nothing_matched(const ColumnMapping& mapping,
                                                     const Ontology& ontology);

}  // namespace semveil
