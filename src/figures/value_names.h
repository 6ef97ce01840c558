// What values are called in figures.
#pragma once

#include <string>

#include "semveil/description.h"
#include "semveil/frequency_table.h"

namespace semveil {

inline NamedConcept named_concept(const Attribute& nominal, ConceptId c) {
  NamedConcept out;
  if (!nominal.taxonomy().is_virtual(c)) out.id = nominal.id(c);
  out.label = nominal.names->label(nominal.domain->in_ontology(c));
  return out;
}

// The preferred label of a concept, the digits of a number, a text. Not of what is beyond
// missing_value().
inline std::string label_of(const Attribute& attribute, ConceptId value) {
  if (value == attribute.missing_value()) return "(missing)";
  return attribute.is_nominal() ? named_concept(attribute, value).label
                                : std::string(attribute.id(value));
}

}  // namespace semveil
