// What the ways to make categories share: the values of a column that need one, and how values are
// called in names and errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semveil/ean.h"

namespace semveil {

struct OccurringValue {
  ConceptId value;
  std::uint64_t count;
};
// Ascending. missing_value() is none: it is in no category.
std::vector<OccurringValue> occurring_values(const FrequencyColumn& column);

std::string_view label_of(const Attribute& attribute, ConceptId c);  // nominal
// Of a concept its label and id, the id alone where that is its label.
std::string text_of(const Attribute& attribute, ConceptId c);

// An error of a column as a whole.
Error column_error(const Attribute& attribute, std::string message);
// An error for a column of numbers or texts: these have no taxonomy to cut.
Status needs_taxonomy(const Attribute& attribute);

}  // namespace semveil
