// Terms counted in running text, and the information content of counts.
#include "mapping/corpus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "ontology/draft.h"
#include "semveil/mapping.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil::test {
namespace {

class Corpus : public testing::Test {
 protected:
  Corpus() {
    OntologyDraft draft;
    const auto add = [&](const char* id, const char* name) {
      const auto c = draft.add_concept(id);
      draft.add_term(c, TermKind::kLabel, name);
      return c;
    };
    const auto animal = add("1", "animal");
    const auto pig = add("2", "pig");
    const auto guinea_pig = add("3", "guinea-pig");
    const auto mouse = add("4", "mouse");
    const auto pointer = add("5", "mouse");  // another sense
    draft.add_exception("mice", "mouse");
    draft.add_link(pig, animal);
    draft.add_link(guinea_pig, animal);
    draft.add_link(mouse, animal);
    draft.add_link(pointer, pig);
    ontology = value_or_throw(std::move(draft).finish("animals"));
    names = value_or_throw(ontology->names());
    taxonomy = value_or_throw(ontology->taxonomy());
  }
  // By id: 1 … 5.
  std::vector<double> counted(const std::string& text) const {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/text.txt";
    std::ofstream(path) << text;
    const std::vector<double> counts = value_or_throw(count_in_corpus(path, *names));
    std::vector<double> by_id(counts.size());
    for (ConceptId c = 0; c < counts.size(); ++c) {
      by_id[static_cast<std::size_t>(std::stoi(std::string(names->id(c)))) - 1] = counts[c];
    }
    return by_id;
  }

  std::optional<Ontology> ontology;
  std::shared_ptr<const Names> names;
  std::shared_ptr<const Taxonomy> taxonomy;
};

using ConceptCounts = std::vector<double>;

TEST_F(Corpus, TheLongestNameCounts) {
  EXPECT_EQ(counted("A guinea pig is no pig."), (ConceptCounts{0, 1, 1, 0, 0}));
  EXPECT_EQ(counted("Guinea\n  Pigs, PIGS; guinea-pigs"), (ConceptCounts{0, 1, 2, 0, 0}));
}
TEST_F(Corpus, ANameEndsWithItsPhrase) {
  EXPECT_EQ(counted("from Guinea. Pigs (animals)"), (ConceptCounts{1, 1, 0, 0, 0}));
}
TEST_F(Corpus, SensesShareAnOccurrence) {
  EXPECT_EQ(counted("three mice and a mouse"), (ConceptCounts{0, 0, 0, 1, 1}));
}
TEST_F(Corpus, PartsOfWordsAreNoWords) {
  EXPECT_EQ(counted("pigment, pig"), (ConceptCounts{0, 1, 0, 0, 0}));
}
// Sentences without end and words across the pieces that are read.
TEST_F(Corpus, LongTextsAreCountedWhole) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "the guinea pig ";
  EXPECT_EQ(counted(text), (ConceptCounts{0, 0, 100'000, 0, 0}));
  EXPECT_EQ(counted(std::string(3'000'000, 'x') + " pig"), (ConceptCounts{0, 1, 0, 0, 0}));
}

// Pieces end between words also where spaces are not ASCII's, of whatever length in bytes.
TEST_F(Corpus, TextsWithoutBlanksAreCountedWhole) {
  std::string spaced;
  for (int i = 0; i < 100'000; ++i) spaced += "guinea\u3000pig\u3000and\u3000no\u3000";
  EXPECT_EQ(counted(spaced), (ConceptCounts{0, 0, 100'000, 0, 0}));
  std::string dotted;
  for (int i = 0; i < 200'000; ++i) dotted += "pig\u2022animal\u00B7";
  EXPECT_EQ(counted(dotted), (ConceptCounts{200'000, 200'000, 0, 0, 0}));
}
// Wherever a word without end is cut, no pig of its own is left, by half a character or otherwise.
TEST_F(Corpus, TheEndOfALongWordIsNoWord) {
  for (const std::string character : {"x", "\u00E9", "\u732B", "\U0001D400"}) {
    for (std::size_t less = 0; less < 16; ++less) {
      const std::string text = std::string((1 << 18) + 8 - less, 'x') + character + "pig pig";
      EXPECT_EQ(counted(text), (ConceptCounts{0, 1, 0, 0, 0}))
          << character << ", " << less << " less";
    }
  }
}

TEST_F(Corpus, NothingFoundIsAnError) { EXPECT_ANY_THROW(counted("no such words")); }
TEST_F(Corpus, NoFileIsAnError) { EXPECT_FALSE(count_in_corpus("no such file", *names)); }

// 4 of 8 at pig and below it, pointer 1; mouse none.
TEST_F(Corpus, CountsAreContent) {
  const Domain whole = Domain::whole(taxonomy);
  std::vector<double> counts(taxonomy->size(), 0.0);
  const auto at = [&](const char* id) {
    for (ConceptId c = 0; c < taxonomy->size(); ++c) {
      if (names->id(c) == id) return c;
    }
    throw std::logic_error(id);
  };
  counts[at("2")] = 3;
  counts[at("3")] = 4;
  counts[at("5")] = 1;
  const auto ic = value_or_throw(InformationContent::from_counts(whole, counts));
  EXPECT_EQ(ic.of[at("1")], 0);
  EXPECT_NEAR(ic.of[at("2")], std::log(2), 1e-15);
  EXPECT_NEAR(ic.of[at("5")], std::log(8), 1e-15);
  EXPECT_NEAR(ic.max, std::log(8), 1e-15);
  EXPECT_EQ(ic.of[at("4")], ic.max);
  EXPECT_FALSE(InformationContent::from_counts(whole, std::vector<double>(taxonomy->size(), 0.0)));
  // In a part only its own counts matter: 3 + 1 of pig and pointer.
  const Domain part = Domain::subtree(taxonomy, at("2"));
  const auto inside = value_or_throw(InformationContent::from_counts(part, counts));
  EXPECT_NEAR(inside.max, std::log(4), 1e-15);
}

// The counts and the content in one.
TEST_F(Corpus, GivesCountsAndContent) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/text.txt";
  std::ofstream(path) << "pig, pig, guinea pig, animal";
  const Domain whole = Domain::whole(taxonomy);
  const CorpusContent counted = value_or_throw(content_of_corpus(path, whole, *names));
  EXPECT_EQ(counted.counts, value_or_throw(count_in_corpus(path, *names)));
  const auto expected = value_or_throw(InformationContent::from_counts(whole, counted.counts));
  EXPECT_EQ(counted.content->of, expected.of);
  EXPECT_NEAR(counted.content->max, std::log(4), 1e-15);
  // A part of the ontology that the text does not speak of.
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    if (names->id(c) != "4") continue;
    const auto nothing = content_of_corpus(path, Domain::subtree(taxonomy, c), *names);
    ASSERT_FALSE(nothing);
    EXPECT_NE(describe(nothing.error(), Quote::kShow).find("text.txt"), std::string::npos);
  }
}

}  // namespace
}  // namespace semveil::test
