#include "release/value_column.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "ontology/draft.h"
#include "release/model.h"
#include "support/slow_values.h"

namespace semveil::test {
namespace {

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

// Words of a column; the last few are in no ontology.
struct WordColumn {
  std::vector<std::string> words;
  Counts counted;
  std::map<std::string, std::uint64_t> counts;

  explicit WordColumn(std::size_t size) {
    for (std::size_t w = 0; w < size; ++w) {
      words.push_back("w" + std::to_string(w));
      counted.emplace_back(words.back(), w % 5 + 1);
      counts[words.back()] = w % 5 + 1;
    }
  }
};

// Every pair, in each form that a measure answers in.
void expect_distances(const MappedColumn& column, const SlowValues& slow) {
  const Measure& measure = *column.attribute->measure;
  std::vector<ConceptId> units;
  for (const MappedValue& a : column.values) {
    ASSERT_EQ(is_mapped(a.how), slow.known(a.value)) << a.value;
    ASSERT_EQ(a.concept_id.has_value(), is_mapped(a.how));
    if (a.concept_id) units.push_back(*a.concept_id);
    for (const MappedValue& b : column.values) {
      if (!a.concept_id || !b.concept_id) continue;
      ASSERT_EQ(a.concept_id == b.concept_id, slow.alike(a.value, b.value));
      ASSERT_DOUBLE_EQ(measure.distance(*a.concept_id, *b.concept_id),
                       slow.distance(a.value, b.value))
          << a.value << " and " << b.value;
    }
  }
  std::ranges::sort(units);
  units.erase(std::ranges::unique(units).begin(), units.end());
  EXPECT_GT(units.size(), 1U);
  for (const std::size_t some : {units.size(), std::size_t{1}, std::size_t{2}}) {
    const std::span<const ConceptId> targets = std::span(units).first(std::min(some, units.size()));
    measure.rows(units, targets, [&](std::size_t i, std::span<const double> row) {
      for (std::size_t t = 0; t < row.size(); ++t) {
        ASSERT_EQ(row[t], measure.distance(units[i], targets[t]));
      }
    });
  }
  std::vector<double> all(measure.taxonomy().size());
  for (ConceptId c = 0; c < all.size(); ++c) {
    measure.from(c, all);
    for (ConceptId d = 0; d < all.size(); ++d) ASSERT_EQ(all[d], measure.distance(c, d));
  }
}

class ValuesOfShape : public testing::TestWithParam<Shape> {};

TEST_P(ValuesOfShape, AreMeasuredWhereAPairIsClosestInSeveralOntologies) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::vector<Worded> worded{{GetParam(), 40, 30, seed}, {Shape::kDag, 30, 30, seed + 50}};
    Ontologies ontologies;
    ontologies.add("one", worded[0].ontology());
    ontologies.add("two", worded[1].ontology());
    ColumnSettings plan;
    plan.name = "c";
    plan.ontology = "one + two";
    plan.ontologies = {"one", "two"};
    const WordColumn words(34);
    const MappedColumn column = *map_to_several(plan, ontologies, {words.counted}, false, 2);
    ASSERT_EQ(column.values.size(), words.words.size());
    expect_distances(column, SlowValues(worded, words.words));
    EXPECT_EQ(column.attribute->resolved, nullptr);
  }
}

TEST_P(ValuesOfShape, AreMeasuredByTheirClosestSensesInOneOntology) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const std::vector<Worded> worded{{GetParam(), 60, 30, seed}};
    Ontologies ontologies;
    ontologies.add("one", worded[0].ontology());
    ColumnSettings plan;
    plan.name = "c";
    plan.ontology = "one";
    const WordColumn words(34);
    for (const bool is_named : {false, true}) {
      plan.root = is_named ? worded[0].taxonomy.ids[0] : "";
      const MappedColumn column =
          *map_column(plan, ontologies, {words.counted}, false, Unit::kValue, 2);
      if (!column.plan.values) continue;  // no word has two senses
      const SlowValues slow(worded, words.words, plan.root);
      expect_distances(column, slow);
      // The one concept is the one that methods which need one take.
      const MappedColumn concepts =
          *map_column(plan, ontologies, {words.counted}, false, Unit::kConcept, 1);
      ASSERT_NE(column.attribute->resolved, nullptr);
      for (const MappedValue& value : column.values) {
        if (!value.concept_id) continue;
        const ConceptId c = concept_of(*column.attribute, *value.concept_id);
        EXPECT_EQ(concepts_of(*column.attribute).id(c), slow.resolved(value.value, words.counts));
        const auto same = std::ranges::find(concepts.values, value.value, &MappedValue::value);
        EXPECT_EQ(concepts.attribute->id(*concepts.attribute->domain->in_domain(*same->concept_id)),
                  concepts_of(*column.attribute).id(c));
      }
    }
  }
}

// One value lies above another where its resolved concept does: what a released value may stand
// for.
TEST_P(ValuesOfShape, HaveTheOrderOfTheirConcepts) {
  const std::vector<Worded> worded{{GetParam(), 60, 20, 7}};
  Ontologies ontologies;
  ontologies.add("one", worded[0].ontology());
  ColumnSettings plan;
  plan.name = "c";
  plan.ontology = "one";
  const MappedColumn column =
      *map_column(plan, ontologies, {WordColumn(20).counted}, false, Unit::kValue, 1);
  if (!column.plan.values) GTEST_SKIP() << "no word has two senses";
  const Attribute& attribute = *column.attribute;
  const Taxonomy& concepts = concepts_of(attribute).taxonomy();
  for (ConceptId a = 0; a < attribute.size(); ++a) {
    const std::vector<Ancestor> above = attribute.taxonomy().ancestors(a);
    const ConceptId of_a = concept_of(attribute, a);
    for (ConceptId b = 0; b < attribute.size(); ++b) {
      const ConceptId of_b = concept_of(attribute, b);
      if (of_a == kMissing || of_b == kMissing || of_a == of_b) continue;  // "(nothing)", or alike
      const auto above_of_a = concepts.ancestors(of_a);
      const bool is_above =
          std::ranges::find(above_of_a, of_b, &Ancestor::concept_id) != above_of_a.end();
      const bool means_root = of_b == Taxonomy::root() && b != Taxonomy::root();
      if (means_root) continue;  // hangs below the root itself
      EXPECT_EQ(std::ranges::find(above, b, &Ancestor::concept_id) != above.end(), is_above)
          << attribute.id(a) << " and " << attribute.id(b);
    }
  }
}

// A word that comes later is settled as if it had been there.
TEST_P(ValuesOfShape, AreSettledAlikeWhenTheyComeLater) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::vector<Worded> worded{{GetParam(), 80, 24, seed}};
    Ontologies ontologies;
    ontologies.add("one", worded[0].ontology());
    ColumnSettings plan;
    plan.name = "c";
    plan.ontology = "one";
    const WordColumn all(24);
    for (const bool is_named : {false, true}) {
      plan.root = is_named ? worded[0].taxonomy.ids[0] : "";
      for (std::size_t left = 0; left < all.counted.size(); ++left) {
        Counts seen = all.counted;
        const std::string later = seen[left].first;
        seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(left));
        MappedColumn with = *map_column(plan, ontologies, {all.counted}, false, Unit::kConcept, 1);
        MappedColumn without = *map_column(plan, ontologies, {seen}, false, Unit::kConcept, 1);
        ModelColumn model;
        model.plan = without.plan;
        model.attribute = without.attribute;
        model.mapping = without.mapping;
        model.ontology = ontologies.at("one");
        for (const auto& [text, count] : seen)
          model.texts.emplace(text, ModelColumn::Known{0, count, true});
        const ConceptId found = model.map(later);
        const auto fitted = std::ranges::find(with.values, later, &MappedValue::value);
        const auto wanted = fitted->concept_id
                                ? without.attribute->domain->in_domain(*fitted->concept_id)
                                : std::nullopt;
        EXPECT_EQ(found, wanted.value_or(kMissing)) << later << ", seed " << seed;
      }
    }
  }
}

// Records that were never masked are compared, too, but say nothing of what distances are.
TEST_P(ValuesOfShape, OfFurtherTextsChangeNoDistance) {
  const std::vector<Worded> worded{{GetParam(), 80, 30, 3}};
  Ontologies ontologies;
  ontologies.add("one", worded[0].ontology());
  ColumnSettings plan;
  plan.name = "c";
  plan.ontology = "one";
  Counts counted = WordColumn(15).counted;
  std::vector<std::string> further;
  for (std::size_t w = 15; w < 30; ++w) further.push_back("w" + std::to_string(w));
  const MappedColumn alone = *map_column(plan, ontologies, {counted}, false, Unit::kValue, 1);
  const MappedColumn beside =
      *map_column(plan, ontologies, {counted, further}, false, Unit::kValue, 1);
  if (!alone.plan.values) GTEST_SKIP() << "no word has two senses";
  EXPECT_EQ(beside.values.size(), 30U);
  for (std::size_t i = 0; i < alone.values.size(); ++i) {
    for (std::size_t j = 0; j < alone.values.size(); ++j) {
      const auto a = alone.values[i].concept_id, b = alone.values[j].concept_id;
      if (!a || !b) continue;
      EXPECT_EQ(
          alone.attribute->distance(*a, *b),
          beside.attribute->distance(*beside.values[i].concept_id, *beside.values[j].concept_id));
    }
  }
  EXPECT_EQ(alone.attribute->id(Taxonomy::root()), beside.attribute->id(Taxonomy::root()));
}

INSTANTIATE_TEST_SUITE_P(Shapes, ValuesOfShape,
                         testing::Values(Shape::kTree, Shape::kDag, Shape::kSkips, Shape::kLadder,
                                         Shape::kSeveralRoots, Shape::kChain, Shape::kStar),
                         [](const auto& shape) { return to_string(shape.param); });

// Columns whose values have one sense each are what they were: concepts of the ontology.
TEST(Values, WithOneSenseEachAreConcepts) {
  Worded worded(Shape::kDag, 40, 30, 5);
  for (std::size_t c = 0; c < worded.words.size(); ++c) worded.words[c] = {"w" + std::to_string(c)};
  Ontologies ontologies;
  ontologies.add("one", worded.ontology());
  ColumnSettings plan;
  plan.name = "c";
  plan.ontology = "one";
  const MappedColumn column =
      *map_column(plan, ontologies, {WordColumn(30).counted}, false, Unit::kValue, 1);
  EXPECT_EQ(column.plan.values, nullptr);
  EXPECT_FALSE(column.joined);
  EXPECT_EQ(column.attribute->names, *ontologies.at("one").names());
}

// There is no table of distances: memory follows the senses.
TEST(Values, MayBeMoreThanATableOfDistancesCouldHold) {
  constexpr std::size_t kWords = 7'000;
  const Worded worded(Shape::kDag, 12'000, kWords, 9);
  Ontologies ontologies;
  ontologies.add("one", worded.ontology());
  ontologies.add("two", worded.ontology());
  ColumnSettings plan;
  plan.name = "c";
  plan.ontology = "one + two";
  plan.ontologies = {"one", "two"};
  const Counts counted = WordColumn(kWords).counted;
  const Result<MappedColumn> several = map_to_several(plan, ontologies, {counted}, false, 1);
  ASSERT_TRUE(several);
  EXPECT_GT(several->attribute->size(), 5'000U);
  plan.ontology = "one";
  plan.ontologies.clear();
  const Result<MappedColumn> one = map_column(plan, ontologies, {counted}, false, Unit::kValue, 1);
  ASSERT_TRUE(one && one->plan.values);
  EXPECT_GT(one->attribute->size(), 5'000U);
}

TEST(SeveralOntologies, TakeTheFirstSenseWhereAskedTo) {
  const std::vector<Worded> worded{{Shape::kTree, 40, 12, 7}, {Shape::kDag, 30, 12, 8}};
  Ontologies ontologies;
  ontologies.add("one", worded[0].ontology());
  ontologies.add("two", worded[1].ontology());
  ColumnSettings plan;
  plan.name = "c";
  plan.ontologies = {"one", "two"};
  plan.senses = "first";
  const MappedColumn column = *map_to_several(plan, ontologies, {WordColumn(12).counted}, false, 1);
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
  ColumnSettings plan;
  plan.name = "c";
  plan.ontologies = {"one", "two"};
  const MappedColumn column =
      *map_to_several(plan, ontologies, {{{"mog", 1}, {"puss", 1}, {"feline", 1}}}, false, 1);
  std::map<std::string, ConceptId> unit;
  for (const MappedValue& value : column.values) unit[value.value] = value.concept_id.value();
  EXPECT_EQ(unit["mog"], unit["puss"]);
  EXPECT_NE(unit["mog"], unit["feline"]);
  EXPECT_EQ(column.attribute->distance(unit["mog"], unit["feline"]), 0);  // and yet two values
  plan.senses = "first";
  const MappedColumn firsts =
      *map_to_several(plan, ontologies, {{{"mog", 1}, {"puss", 1}}}, false, 1);
  EXPECT_NE(firsts.values[0].concept_id, firsts.values[1].concept_id);
}

}  // namespace
}  // namespace semveil::test
