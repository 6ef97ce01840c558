// Which concepts are one thing with a name of its own, such as a person or a town: WordNet tells by
// its links "instance of" (@i). Other sources do not.
//
// Where it is kept: the id is a concept's first term and no word, so that it has no sense number;
// that of an instance has kInstance in its place.
#pragma once

#include "semveil/names.h"

namespace semveil {

inline constexpr std::uint16_t kInstance = 1;

inline bool is_instance(const Names& names, ConceptId c) {
  const TermId id = names.first_term(c);
  return id < names.last_term(c) && names.arrays().term_sense[id] == kInstance;
}

}  // namespace semveil
