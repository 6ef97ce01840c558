#include "semveil/search.h"

#include <gtest/gtest.h>

#include "ontology/draft.h"

namespace semveil {
namespace {

std::vector<std::string> found(std::string_view text, std::size_t most = 10) {
  OntologyDraft draft;
  const auto top = draft.add_concept("0");
  for (const char* name :
       {"heart", "heart attack", "weak heart", "sweetheart", "Heartburn", "lung"}) {
    const auto c = draft.add_concept(std::string("H:") + name);
    draft.add_term(c, TermKind::kLabel, name);
    draft.add_term(c, TermKind::kXref, "heart reference");
    draft.add_link(c, top);
  }
  const Ontology ontology = *std::move(draft).finish("f");
  const Result<Mapper> mapper = Mapper::create(ontology);
  std::vector<std::string> labels;
  for (const Hit& hit : search_names(*mapper, **ontology.taxonomy(), text, most)) {
    labels.emplace_back(mapper->names().label(hit.concept_id));
  }
  return labels;
}

TEST(SearchNames, GivesEqualThenBeginningThenWordThenInside) {
  EXPECT_EQ(found("Heart"), (std::vector<std::string>{"heart", "Heartburn", "heart attack",
                                                      "weak heart", "sweetheart"}));
}

TEST(SearchNames, FindsIdsAndStopsAtTheLimit) {
  EXPECT_EQ(found("H:lung"), std::vector<std::string>{"lung"});
  EXPECT_EQ(found("heart", 2), (std::vector<std::string>{"heart", "Heartburn"}));
}

TEST(SearchNames, FindsNothingWhereNothingIs) {
  EXPECT_TRUE(found("kidney").empty());
  EXPECT_TRUE(found(" - ").empty());
}

}  // namespace
}  // namespace semveil
