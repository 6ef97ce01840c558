// Information content: how much a concept says. The root says nothing (IC = 0).
//
// clang-format off
//   Seco 2004      1 − ln(hyponyms + 1) / ln N                           max 1
//   Sánchez 2011   −ln((leaves / |subsumers| + 1) / (leaves of τ + 1))   max ln(leaves of τ + 1)
//   file           −ln(frequency / frequency of τ's root)                max of τ
//   counts         −ln(share of what is counted at or below the concept) max of τ
// clang-format on
//
// hyponyms and leaves lie below the concept (itself left out), subsumers above it (itself
// counted); on a DAG each counts once. A concept the file does not know, or with frequency 0,
// gets the greatest IC of τ: nothing is rarer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semveil/domain.h"
#include "semveil/names.h"
#include "semveil/result.h"
#include "semveil/taxonomy.h"

namespace [[gnu::visibility("default")]] semveil {

struct InformationContent {
  std::vector<double> of;  // by ConceptId
  double max = 0;

  static InformationContent seco(const Taxonomy& taxonomy);
  static InformationContent sanchez(const Taxonomy& taxonomy);
  // Frequencies as WordNet::Similarity writes them: a line `wnver::…`, then `1740n 128767 ROOT`;
  // other ontologies: `ID FREQUENCY`. Ids the ontology does not have are an error with their line.
  static Result<InformationContent> from_file(const std::string& path, const Domain& domain,
                                              const Names& names);
  // `counts` by ConceptId of the ontology: occurrences of the concept itself in a text, or records
  // that have it. Each counts at everything above, once. Nothing counted in the domain: an error.
  static Result<InformationContent> from_counts(const Domain& domain,
                                                std::span<const double> counts);
};

}  // namespace semveil
