// What the measures on features know of a domain's concepts besides their is-a links: names and
// the words of definitions, as numbers, and what is a part of what inside the domain.
//
// Of a definition the first kMostGlossWords different words count, which is all of it but for a
// few monsters; the sums of gloss-vector rely on it.
//
// A name is a label or a synonym in squeezed form (base/text.h): "Ski-trip" and "ski trip" are one.
// Everything is a function of the domain and its names, so that a model, which embeds both,
// measures as the fit did. Cost: the texts of the domain, read once (WordNet: 0.5 s).
#pragma once

#include "measures/id_lists.h"
#include "semveil/domain.h"
#include "semveil/measure.h"
#include "semveil/names.h"

namespace semveil {

inline constexpr std::size_t kMostGlossWords = 255;

struct ConceptFeatures {
  IdLists names;       // by ConceptId of the domain; none for a virtual root
  IdLists words;       // of the definition; each word once
  IdLists name_words;  // of the names, numbered as those of definitions
  IdLists parts;       // concepts of the domain that are parts of this one
  IdLists wholes;      // those that it is a part of
  bool has_words() const { return words.numbers() > 0; }
  bool has_parts() const { return parts.numbers() > 0; }

  static ConceptFeatures of(const Domain& domain, const Names& names);
};

// An error where a measure has nothing to compare: gloss-vector without any definition.
Status check_features(const MeasureOptions& options);

}  // namespace semveil
