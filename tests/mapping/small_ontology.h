// Ontologies of a few concepts, written down in the test that needs them.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ontology/draft.h"
#include "semveil/mapping.h"

namespace semveil::test {

struct SmallTerm {
  TermKind kind;
  std::string_view text;
  std::uint16_t sense = 0;
};

class SmallOntology {
 public:
  explicit SmallOntology(std::string format = "obo") {
    draft_.info.format = std::move(format);
    draft_.info.names_are_equal = draft_.info.format == "wordnet";
  }

  // A concept below `parents`, which must be there already.
  SmallOntology& add(const std::string& id, std::initializer_list<std::string> parents,
                     std::initializer_list<SmallTerm> terms, std::string_view definition = "") {
    const OntologyDraft::Index c = draft_.add_concept(id);
    index_[id] = c;
    for (const std::string& parent : parents) draft_.add_link(c, index_.at(parent));
    for (const SmallTerm& t : terms) draft_.add_term(c, t.kind, t.text, t.sense);
    if (!definition.empty()) draft_.set_definition(c, definition);
    return *this;
  }
  SmallOntology& label(const std::string& id, std::initializer_list<std::string> parents,
                       std::string_view text) {
    return add(id, parents, {{TermKind::kLabel, text}});
  }
  SmallOntology& exception(std::string_view form, std::string_view base) {
    draft_.add_exception(form, base);
    return *this;
  }
  Ontology finish() {
    Result<Ontology> ontology = std::move(draft_).finish("small");
    if (!ontology) throw std::runtime_error(ontology.error().message);
    return *std::move(ontology);
  }

 private:
  OntologyDraft draft_;
  std::map<std::string, OntologyDraft::Index> index_;
};

inline Mapper mapper_of(const Ontology& ontology,
                        std::shared_ptr<const MappingFile> file = nullptr) {
  Result<Mapper> mapper = Mapper::create(ontology, std::move(file));
  if (!mapper) throw std::runtime_error(mapper.error().message);
  return *std::move(mapper);
}

// A match as one line: "label: A B".
inline std::string shown(const Match& match, const Names& names) {
  std::string text = std::string(to_string(match.how)) + ":";
  for (const ConceptId c : match.senses) text += " " + std::string(names.id(c));
  return text;
}
inline std::string shown(const Mapper& mapper, std::string_view value) {
  return shown(mapper.match(value), mapper.names());
}

inline ConceptId concept_of(const Mapper& mapper, std::string_view id) {
  const Result<ConceptId> found = mapper.only(id);
  if (!found) throw std::runtime_error("no concept " + std::string(id));
  return *found;
}

}  // namespace semveil::test
