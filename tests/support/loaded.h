// A loader's draft, finished, with the questions its tests ask.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
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

// That a loader refuses `text`: where the error is, and what it says.
inline void expect_refused(const Result<OntologyDraft>& draft, std::string_view text,
                           const char* place, const char* message) {
  ASSERT_FALSE(draft) << text;
  EXPECT_EQ(draft.error().code, ErrorCode::kData);
  EXPECT_THAT(describe(draft.error(), Quote::kShow), testing::StartsWith(place)) << text;
  EXPECT_THAT(draft.error().message, testing::HasSubstr(message)) << text;
}

// Every concept's label and parents, by id.
using LabelledNode = std::pair<std::string, std::set<std::string>>;
using LabelledNodes = std::map<std::string, LabelledNode>;
inline LabelledNodes nodes_of(const Ontology& ontology) {
  LabelledNodes nodes;
  const auto taxonomy = *ontology.taxonomy();
  const auto names = *ontology.names();
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    LabelledNode node{std::string(names->label(c)), {}};
    for (const ConceptId p : taxonomy->parents(c)) node.second.emplace(names->id(p));
    if (!taxonomy->is_virtual(c)) nodes.emplace(names->id(c), node);
  }
  return nodes;
}

inline std::size_t roots(const Loaded& loaded) {
  const Taxonomy& taxonomy = *loaded.taxonomy;
  return taxonomy.has_virtual_root() ? taxonomy.children(Taxonomy::root()).size() : 1;
}

}  // namespace semveil::test
