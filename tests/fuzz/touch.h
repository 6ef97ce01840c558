// What the fuzz targets do with what they got: finish a draft, read every part of an ontology,
// measure on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "ontology/draft.h"
#include "semveil/measure.h"

namespace semveil::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void touch(const Ontology& ontology) {
  const auto taxonomy = ontology.taxonomy().value();
  const auto names = ontology.names().value();
  std::size_t bytes = 0;
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    bytes += names->id(c).size() + names->label(c).size() + names->definition(c).size();
    require(taxonomy->is_virtual(c) || !names->id(c).empty());
    for (const ConceptId p : taxonomy->parents(c)) {
      require(p < c && taxonomy->depth(p) < taxonomy->depth(c));
    }
    for (TermId t = names->first_term(c); t < names->last_term(c); ++t) {
      require(names->term(t).concept_id == c);
      bytes += names->term(t).text.size();
    }
  }
  require(bytes > 0);
  static_cast<void>(names->exceptions("mice"));
  for (const std::string_view name : {"wu-palmer", "lin"}) {
    MeasureOptions options;
    options.name = name;
    const auto measure = make_measure(taxonomy, options).value();
    const auto last = static_cast<ConceptId>(taxonomy->size() - 1);
    std::vector<double> out(taxonomy->size());
    measure->from(last / 2, out);
    require(measure->distance(last / 2, last) == out[last]);
    require(measure->explain(last / 2, last).distance == out[last]);
  }
}

inline void touch(Result<OntologyDraft> draft) {
  if (!draft) {
    require(!draft.error().message.empty() && !draft.error().place.file.empty());
    return;
  }
  require(draft->concepts() > 0);
  const auto ontology = std::move(*draft).finish("input");
  if (!ontology) {
    require(!ontology.error().message.empty());
    return;
  }
  touch(*ontology);
}

}  // namespace semveil::fuzz
