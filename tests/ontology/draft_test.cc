#include "ontology/draft.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace semveil {
namespace {

std::vector<std::string> terms_of(const Names& names, ConceptId c) {
  std::vector<std::string> texts;
  for (TermId t = names.first_term(c); t < names.last_term(c); ++t) {
    texts.emplace_back(names.term(t).text);
  }
  return texts;
}

TEST(OntologyDraft, PutsIdAndPreferredLabelFirstAndKeepsRepeatsOnce) {
  OntologyDraft draft;
  const auto c = draft.add_concept("C");
  draft.add_term(c, TermKind::kExactSynonym, "early synonym");
  draft.add_term(c, TermKind::kLabel, "name");
  draft.add_term(c, TermKind::kLabel, "second name");
  draft.add_term(c, TermKind::kExactSynonym, "early synonym");
  draft.add_term(c, TermKind::kRelatedSynonym, "early synonym");
  const Ontology ontology = *std::move(draft).finish("f");
  const auto names = *ontology.names();
  EXPECT_EQ(names->label(0), "name");
  EXPECT_EQ(terms_of(*names, 0), (std::vector<std::string>{"C", "name", "early synonym",
                                                           "second name", "early synonym"}));
  EXPECT_EQ(names->term(3).kind, TermKind::kExactSynonym);  // one preferred label only
}

TEST(OntologyDraft, KeepsRepeatsOnceInLongListsToo) {
  OntologyDraft draft;
  const auto c = draft.add_concept("C");
  for (int i = 0; i < 1000; ++i) {
    draft.add_term(c, TermKind::kExactSynonym, "synonym " + std::to_string(i % 100));
  }
  const Ontology ontology = *std::move(draft).finish("f");
  EXPECT_EQ((*ontology.names())->terms(), 102U);  // id, label, 100 synonyms
}

TEST(OntologyDraft, LabelsANamelessConceptByItsId) {
  OntologyDraft draft;
  draft.add_concept("C:1");
  const Ontology ontology = *std::move(draft).finish("f");
  EXPECT_EQ((*ontology.names())->label(0), "C:1");
  EXPECT_EQ((*ontology.names())->term(1).kind, TermKind::kLabel);  // a name like any other
}

TEST(OntologyDraft, FindsEveryTermByItsSqueezedText) {
  OntologyDraft draft;
  for (int i = 0; i < 3000; ++i) {
    const auto c = draft.add_concept("id " + std::to_string(i));
    draft.add_term(c, TermKind::kLabel, "label-" + std::to_string(i % 700));
    if (i > 0) draft.add_link(c, static_cast<OntologyDraft::Index>(i / 2));
  }
  const Ontology ontology = *std::move(draft).finish("f");
  const auto names = *ontology.names();
  for (TermId t = 0; t < names->terms(); ++t) {
    bool found = false;
    for (const std::uint64_t entry : names->lookup(squeeze(names->term(t).text))) {
      found = found || Names::term_of(entry) == t;
    }
    ASSERT_TRUE(found) << names->term(t).text;
  }
  EXPECT_TRUE(names->lookup("no such text").empty());
}

TEST(OntologyDraft, GivesAllBasesOfAnException) {
  OntologyDraft draft;
  draft.add_concept("C");
  draft.add_exception("axes", "axis");
  draft.add_exception("mice", "mouse");
  draft.add_exception("axes", "ax");
  const Ontology ontology = *std::move(draft).finish("f");
  const auto names = *ontology.names();
  EXPECT_EQ(names->exceptions("axes"), (std::vector<std::string_view>{"ax", "axis"}));
  EXPECT_EQ(names->exceptions("mice"), (std::vector<std::string_view>{"mouse"}));
  EXPECT_TRUE(names->exceptions("mic").empty());
  EXPECT_TRUE(names->exceptions("zzz").empty());
}

TEST(OntologyDraft, TheVirtualRootHasNoIdAndIsCalledTop) {
  OntologyDraft draft;
  draft.add_concept("A");
  draft.add_concept("B");
  const Ontology ontology = *std::move(draft).finish("f");
  const auto names = *ontology.names();
  EXPECT_EQ(names->id(0), "");
  EXPECT_EQ(names->label(0), "(top)");
  EXPECT_EQ(names->id(1), "A");
  EXPECT_EQ(names->id(2), "B");
}

TEST(OntologyDraft, WithoutConceptsIsAnError) {
  const Result<Ontology> ontology = OntologyDraft().finish("empty.csv");
  ASSERT_FALSE(ontology);
  EXPECT_EQ(ontology.error().place.file, "empty.csv");
}

}  // namespace
}  // namespace semveil
