// What the fuzz targets do with what they got: finish a draft, read every part of an ontology,
// measure on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>
#include <vector>

#include "ontology/draft.h"
#include "semveil/mapping.h"
#include "semveil/measure.h"

namespace semveil::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds,
                    const std::source_location& where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u does not hold\n", where.file_name(), where.line());
  std::abort();
}

// A draft is finished by us, so what it says must hold; a snapshot may be wrong, if only it can be
// read without harm.
enum class Trust : bool { kNo, kYes };

inline void touch(const Ontology& ontology, Trust trust) {
  const auto believe = [trust](bool holds) { require(holds || trust == Trust::kNo); };
  const auto taxonomy = ontology.taxonomy().value();
  const auto names = ontology.names().value();
  std::size_t bytes = 0;
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    bytes += names->id(c).size() + names->label(c).size() + names->definition(c).size();
    believe(taxonomy->is_virtual(c) || !names->id(c).empty());
    for (const ConceptId p : taxonomy->parents(c)) {
      believe(p < c && taxonomy->depth(p) < taxonomy->depth(c));
    }
    for (TermId t = names->first_term(c); t < names->last_term(c); ++t) {
      believe(names->term(t).concept_id == c);
      bytes += names->term(t).text.size();
    }
  }
  believe(bytes > 0);
  static_cast<void>(names->exceptions("mice"));
  const auto middle = static_cast<ConceptId>(taxonomy->size() / 2);
  const Domain domain = Domain::subtree(taxonomy, middle);
  believe(domain.in_ontology(Taxonomy::root()) == middle);
  const auto mapper = Mapper::create(ontology).value();
  static_cast<void>(mapper.match(names->label(middle)));
  static_cast<void>(mapper.suggest("mouze", 3, &domain));
  for (const std::string_view name : {"wu-palmer", "lin"}) {
    MeasureOptions options;
    options.name = name;
    const auto measure = make_measure(taxonomy, options).value();
    const auto last = static_cast<ConceptId>(taxonomy->size() - 1);
    std::vector<double> out(taxonomy->size());
    measure->from(last / 2, out);
    believe(measure->distance(last / 2, last) == out[last]);
    believe(measure->explain(last / 2, last).distance == out[last]);
    const DistanceMatrix matrix = measure->among(std::vector<ConceptId>{last, last / 2, 0});
    believe(matrix(0, 1) == out[last]);
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
  touch(*ontology, Trust::kYes);
}

}  // namespace semveil::fuzz
