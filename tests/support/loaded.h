// A loader's draft, finished, with the questions its tests ask.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ontology/draft.h"

namespace semveil::test {

struct Loaded {
  Ontology ontology;
  std::shared_ptr<const Taxonomy> taxonomy;
  std::shared_ptr<const Names> names;

  ConceptId find(std::string_view id) const {
    for (ConceptId c = 0; c < taxonomy->size(); ++c) {
      if (names->id(c) == id) return c;
    }
    ADD_FAILURE() << "no concept " << id;
    return 0;
  }
  // Without the id, and without the label of a concept that is labelled by it.
  std::vector<std::pair<TermKind, std::string>> terms(std::string_view id) const {
    const ConceptId c = find(id);
    std::vector<std::pair<TermKind, std::string>> terms;
    const TermId first = names->first_term(c) + (names->label(c) == id ? 2 : 1);
    for (TermId t = first; t < names->last_term(c); ++t) {
      terms.emplace_back(names->term(t).kind, names->term(t).text);
    }
    return terms;
  }
  std::vector<std::string> parents(std::string_view id) const {  // in the order of ConceptIds
    std::vector<std::string> ids;
    for (const ConceptId p : taxonomy->parents(find(id))) ids.emplace_back(names->id(p));
    return ids;
  }
};

inline Loaded finished(Result<OntologyDraft> draft) {
  EXPECT_TRUE(draft) << describe(draft.error(), Quote::kShow);
  auto ontology = std::move(*draft).finish("source");
  EXPECT_TRUE(ontology) << describe(ontology.error(), Quote::kShow);
  return {*ontology, *ontology->taxonomy(), *ontology->names()};
}

}  // namespace semveil::test
