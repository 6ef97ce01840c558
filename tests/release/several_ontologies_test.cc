#include "release/several_ontologies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "ontology/draft.h"
#include "support/generate.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

// An ontology whose concepts carry words, some of them several, some words several concepts.
struct Worded {
  GeneratedTaxonomy taxonomy;
  std::vector<std::set<std::string>> words;  // by concept

  Worded(Shape shape, std::size_t size, std::size_t vocabulary, std::uint64_t seed)
      : taxonomy(generate(shape, size, seed)), words(taxonomy.ids.size()) {
    Random random(seed + 1);
    for (std::set<std::string>& some : words) {
      for (std::size_t n = random.below(3); n > 0; --n) {
        some.insert("w" + std::to_string(random.below(vocabulary)));
      }
    }
  }

  Ontology ontology() const {
    OntologyDraft draft;
    draft.info.format = "edges";
    for (std::size_t c = 0; c < words.size(); ++c) {
      draft.add_concept(taxonomy.ids[c]);
      for (const std::string& word : words[c]) {
        draft.add_term(static_cast<OntologyDraft::Index>(c), TermKind::kExactSynonym, word);
      }
    }
    for (const auto& [child, parent] : taxonomy.links) {
      draft.add_link(static_cast<OntologyDraft::Index>(child),
                     static_cast<OntologyDraft::Index>(parent));
    }
    return *std::move(draft).finish("generated");
  }

  std::vector<std::string> senses(const std::string& word) const {
    std::vector<std::string> ids;
    for (std::size_t c = 0; c < words.size(); ++c) {
      if (words[c].contains(word)) ids.push_back(taxonomy.ids[c]);
    }
    return ids;
  }
};

// The definition, word for word: least Wu-Palmer distance over ontologies and senses.
class SlowSeveral {
 public:
  SlowSeveral(const std::vector<Worded>& ontologies, const std::vector<std::string>& column) {
    for (const Worded& worded : ontologies) {
      const SlowTaxonomy whole(worded.taxonomy);
      std::vector<SlowTaxonomy::Node> all;
      std::map<std::string, std::vector<std::string>>& senses = senses_.emplace_back();
      for (const std::string& word : column) {
        senses[word] = worded.senses(word);
        for (const std::string& id : senses[word]) all.push_back(whole.node(id));
      }
      domains_.push_back(all.empty() ? whole : whole.subtree(whole.lcs(all)));
    }
  }
  bool known(const std::string& word) const {
    return std::ranges::any_of(senses_, [&](const auto& of) { return !of.at(word).empty(); });
  }
  bool alike(const std::string& a, const std::string& b) const {
    return std::ranges::all_of(senses_, [&](const auto& of) { return of.at(a) == of.at(b); });
  }
  double distance(const std::string& a, const std::string& b) const {
    if (alike(a, b)) return 0;
    double least = 1;
    for (std::size_t o = 0; o < domains_.size(); ++o) {
      const SlowTaxonomy& domain = domains_[o];
      for (const std::string& x : senses_[o].at(a)) {
        for (const std::string& y : senses_[o].at(b)) {
          const auto l = domain.lcs(domain.node(x), domain.node(y));
          const double d = domain.depth(l.node);
          const double paths = l.path_a + l.path_b;
          least = std::min(least, paths == 0 ? 0 : 1 - 2 * d / (2 * d + paths));
        }
      }
    }
    return least;
  }

 private:
  std::vector<SlowTaxonomy> domains_;
  std::vector<std::map<std::string, std::vector<std::string>>> senses_;  // by ontology and word
};

class SeveralOntologiesOfShape : public testing::TestWithParam<Shape> {};

TEST_P(SeveralOntologiesOfShape, AreMeasuredWhereAPairIsClosest) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::vector<Worded> worded{{GetParam(), 40, 30, seed}, {Shape::kDag, 30, 30, seed + 50}};
    Ontologies ontologies;
    ontologies.add("one", worded[0].ontology());
    ontologies.add("two", worded[1].ontology());
    ColumnPlan plan;
    plan.name = "c";
    plan.ontology = "one + two";
    plan.ontologies = {"one", "two"};
    std::vector<std::pair<std::string, std::uint64_t>> values;
    std::vector<std::string> words;
    for (std::size_t w = 0; w < 34; ++w) {  // the last few are in no ontology
      words.push_back("w" + std::to_string(w));
      values.emplace_back(words.back(), w % 5 + 1);
    }
    const SlowSeveral slow(worded, words);
    const MappedColumn column = *map_to_several(plan, ontologies, values, false, 2);
    ASSERT_EQ(column.values.size(), words.size());
    std::size_t mapped = 0;
    for (const MappedValue& a : column.values) {
      ASSERT_EQ(is_mapped(a.how), slow.known(a.value)) << a.value;
      ASSERT_EQ(a.concept_id.has_value(), is_mapped(a.how));
      mapped += is_mapped(a.how) ? 1 : 0;
      for (const MappedValue& b : column.values) {
        if (!a.concept_id || !b.concept_id) continue;
        ASSERT_EQ(a.concept_id == b.concept_id, slow.alike(a.value, b.value));
        ASSERT_DOUBLE_EQ(column.attribute->measure->distance(*a.concept_id, *b.concept_id),
                         slow.distance(a.value, b.value))
            << a.value << " and " << b.value;
      }
    }
    EXPECT_GT(mapped, 0U);
    EXPECT_LT(mapped, words.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SeveralOntologiesOfShape,
                         testing::Values(Shape::kTree, Shape::kDag, Shape::kSkips, Shape::kLadder,
                                         Shape::kSeveralRoots, Shape::kChain, Shape::kStar),
                         [](const auto& shape) { return to_string(shape.param); });

TEST(SeveralOntologies, TakeTheFirstSenseWhereAskedTo) {
  const std::vector<Worded> worded{{Shape::kTree, 40, 12, 7}, {Shape::kDag, 30, 12, 8}};
  Ontologies ontologies;
  ontologies.add("one", worded[0].ontology());
  ontologies.add("two", worded[1].ontology());
  ColumnPlan plan;
  plan.name = "c";
  plan.ontologies = {"one", "two"};
  plan.senses = "first";
  std::vector<std::pair<std::string, std::uint64_t>> values;
  for (std::size_t w = 0; w < 12; ++w) values.emplace_back("w" + std::to_string(w), 1);
  const MappedColumn column = *map_to_several(plan, ontologies, values, false, 1);
  for (const MappedValue& value : column.values) {
    if (!value.concept_id) continue;
    const std::string_view id = column.attribute->id(*value.concept_id);
    EXPECT_LE(std::ranges::count(id, '+'), 1) << id;  // at most one concept of each
  }
}

// WordNet numbers a word's senses; which comes first is no part of what the word means.
TEST(SeveralOntologies, TakeWordsWithTheSameSensesInAnotherOrderAsOne) {
  OntologyDraft draft;
  draft.info.names_are_equal = true;
  for (const char* id : {"top", "cat", "tomcat"}) draft.add_concept(id);
  for (const auto& [word, first] : {std::pair("mog", 1U), std::pair("puss", 2U)}) {
    draft.add_term(1, TermKind::kExactSynonym, word, first == 1 ? 1 : 2);
    draft.add_term(2, TermKind::kExactSynonym, word, first == 1 ? 2 : 1);
  }
  draft.add_term(1, TermKind::kExactSynonym, "feline", 1);
  draft.add_link(1, 0);
  draft.add_link(2, 0);
  Ontologies ontologies;
  ontologies.add("one", *std::move(draft).finish("one"));
  ontologies.add("two", Worded(Shape::kTree, 10, 3, 1).ontology());
  ColumnPlan plan;
  plan.name = "c";
  plan.ontologies = {"one", "two"};
  const MappedColumn column =
      *map_to_several(plan, ontologies, {{"mog", 1}, {"puss", 1}, {"feline", 1}}, false, 1);
  std::map<std::string, ConceptId> unit;
  for (const MappedValue& value : column.values) unit[value.value] = value.concept_id.value();
  EXPECT_EQ(unit["mog"], unit["puss"]);
  EXPECT_NE(unit["mog"], unit["feline"]);
  plan.senses = "first";
  const MappedColumn firsts =
      *map_to_several(plan, ontologies, {{"mog", 1}, {"puss", 1}}, false, 1);
  EXPECT_NE(firsts.values[0].concept_id, firsts.values[1].concept_id);
}

}  // namespace
}  // namespace semveil::test
