// A plan that looks tuples up: each distinct tuple of the fitted table comes out as another, or is
// suppressed.
#pragma once

#include "mechanisms/classes/class_table.h"
#include "semveil/classes.h"

namespace semveil {

struct Lookup {
  std::vector<std::shared_ptr<const Attribute>> attributes, released;  // as in FittedMethod
  std::vector<std::vector<ConceptId>> values;                          // as in ClassTable
  std::vector<Code> tuples;
  // By tuple, then column: a value of the released attribute, missing_value() for a missing cell.
  std::vector<ConceptId> replacements;
  std::vector<bool> suppressed;  // by tuple; their replacements are missing_value() everywhere
};

inline constexpr std::string_view kLookupName = "lookup-1";
std::unique_ptr<const FittedMethod> make_lookup_plan(Lookup lookup, ClassFit fit);
Result<std::unique_ptr<const FittedMethod>> load_lookup(
    std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes);

}  // namespace semveil
