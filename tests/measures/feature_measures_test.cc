// The measures on names and definitions against their slow twins, in all their forms; and means by
// them against looking at every concept.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "measures/concept_features.h"
#include "measures/feature_sets.h"
#include "ontology/draft.h"
#include "semveil/mapping.h"
#include "semveil/statistics.h"
#include "support/columns.h"
#include "support/slow_features.h"

namespace semveil::test {
namespace {

constexpr const char* kMeasures[] = {"tversky", "rodriguez-egenhofer", "x-similarity",
                                     "gloss-vector"};
constexpr double kFeatureTolerance = 1e-12;

std::unique_ptr<const Measure> chosen(const std::string& name, const Domain& domain,
                                      const Names& names, const FeatureWeights& weights = {}) {
  const MeasureOptions options =
      value_or_throw(choose_measure({.name = name, .weights = weights}, domain, names));
  return value_or_throw(make_measure(domain.taxonomy(), options));
}

// Levels are in the order of distances, and break exactly where the next distance is farther than a
// tie from the one before it.
void expect_levels(const Measure& measure, std::span<const double> distances,
                   const Levels& levels) {
  ASSERT_EQ(levels.of.size(), distances.size());
  std::vector<ConceptId> order(distances.size());
  std::iota(order.begin(), order.end(), ConceptId{0});
  std::ranges::sort(order, {}, [&](ConceptId c) { return distances[c]; });
  std::uint32_t level = 0;
  double first = distances[order[0]];
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double here = distances[order[i]];
    if (i > 0 && here - distances[order[i - 1]] > measure.tie()) {
      ++level;
      first = here;
    }
    ASSERT_EQ(levels.of[order[i]], level) << i;
    ASSERT_GE(levels.distance[level], first) << i;
    ASSERT_LE(levels.distance[level], here) << i;
  }
  ASSERT_EQ(levels.distance.size(), level + 1);
  ASSERT_TRUE(std::ranges::is_sorted(levels.distance));
}

// One pair, one to all and lists give the same bits.
void expect_same_bits_and_levels(const Measure& measure, const std::vector<ConceptId>& list) {
  std::vector<double> all(measure.taxonomy().size(), -1);
  for (const ConceptId source : list) {
    measure.from(source, all);
    for (ConceptId c = 0; c < all.size(); ++c) {
      ASSERT_EQ(all[c], measure.distance(source, c)) << source << ", " << c;
      ASSERT_EQ(all[c], measure.distance(c, source)) << source << ", " << c;
      ASSERT_EQ(all[c], measure.explain(source, c).distance) << source << ", " << c;
    }
  }
  measure.rows(list, list, [&](std::size_t i, std::span<const double> row) {
    for (std::size_t j = 0; j < list.size(); ++j) {
      ASSERT_EQ(row[j], measure.distance(list[i], list[j])) << list[i] << ", " << list[j];
    }
  });
  measure.levels(list, [&](std::size_t i, const Levels& levels) {
    measure.from(list[i], all);
    ASSERT_NO_FATAL_FAILURE(expect_levels(measure, all, levels));
  });
}

class FeaturesOnEveryShape : public testing::TestWithParam<Shape> {};

TEST_P(FeaturesOnEveryShape, AreTheirTwinsOnEveryPairAndInAllForms) {
  std::uint64_t seed = 1;
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    ++seed;
    const GeneratedTexts texts =
        with_texts(sample, seed, seed % 4 == 0 ? Definitions::kNone : Definitions::kShort);
    const Twins twins(texts.ontology, SlowTaxonomy(sample));
    const SlowFeatures slow(twins.slow, texts.of);
    const Domain whole = Domain::whole(twins.fast);
    for (const std::string name : kMeasures) {
      SCOPED_TRACE(name + ", " + std::to_string(twins.fast->size()) + " concepts");
      const auto measure = chosen(name, whole, *twins.names);
      ASSERT_EQ(measure->name(), name);
      std::vector<ConceptId> list;
      for (ConceptId a = 0; a < twins.fast->size(); ++a) {
        if (a % 3 == seed % 3) list.push_back(a);
        for (ConceptId b = 0; b < twins.fast->size(); ++b) {
          const double distance = measure->distance(a, b);
          ASSERT_NEAR(distance, slow.distance(name, twins.node[a], twins.node[b]),
                      kFeatureTolerance);
          ASSERT_NEAR(measure->directed(a, b), slow.directed(name, twins.node[a], twins.node[b]),
                      kFeatureTolerance);
          ASSERT_GE(distance, 0);
          ASSERT_LE(distance, 1);
          if (a == b) {
            ASSERT_EQ(distance, 0);
          }
          if (!measure->is_symmetrised()) {
            ASSERT_EQ(measure->directed(a, b), distance);
          }
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_same_bits_and_levels(*measure, list));
    }
  }
}

TEST_P(FeaturesOnEveryShape, AreTheirTwinsWithAnyWeights) {
  std::uint64_t seed = 1;
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    ++seed;
    const GeneratedTexts texts =
        with_texts(sample, seed, seed % 4 == 0 ? Definitions::kNone : Definitions::kShort);
    const Twins twins(texts.ontology, SlowTaxonomy(sample));
    Random random(seed);
    for (const FeatureWeights& weights :
         {FeatureWeights{0.5, 0.2, 0.3}, FeatureWeights{0, 0.25, 0.75}, FeatureWeights{1, 0, 0}}) {
      const SlowFeatures slow(twins.slow, texts.of, weights);
      const auto measure =
          chosen("rodriguez-egenhofer", Domain::whole(twins.fast), *twins.names, weights);
      for (int i = 0; i < 50; ++i) {
        const auto a = static_cast<ConceptId>(random.below(twins.fast->size()));
        const auto b = static_cast<ConceptId>(random.below(twins.fast->size()));
        ASSERT_NEAR(measure->distance(a, b),
                    slow.distance("rodriguez-egenhofer", twins.node[a], twins.node[b]),
                    kFeatureTolerance);
      }
    }
  }
}

// Names and definitions are those of the domain alone.
TEST_P(FeaturesOnEveryShape, CountInsideTheDomain) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const GeneratedTexts texts = with_texts(sample, sample.ids.size());
    const Twins all(texts.ontology, SlowTaxonomy(sample));
    Random random(sample.ids.size());
    const auto root = static_cast<ConceptId>(random.below(all.fast->size()));
    const Domain domain = Domain::subtree(all.fast, root);
    const Twins twins(domain, *all.names, all.slow.subtree(all.node[root]));
    const SlowFeatures slow(twins.slow, texts.of);
    for (const std::string name : kMeasures) {
      SCOPED_TRACE(name);
      const auto measure = chosen(name, domain, *all.names);
      for (int i = 0; i < 50; ++i) {
        const auto a = static_cast<ConceptId>(random.below(twins.fast->size()));
        const auto b = static_cast<ConceptId>(random.below(twins.fast->size()));
        ASSERT_NEAR(measure->distance(a, b), slow.distance(name, twins.node[a], twins.node[b]),
                    kFeatureTolerance);
      }
    }
  }
}

TEST_P(FeaturesOnEveryShape, HaveTheMeanOfAllConcepts) {
  std::uint64_t seed = 1;
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const GeneratedTexts texts = with_texts(sample, ++seed);
    const auto taxonomy = value_or_throw(texts.ontology.taxonomy());
    const auto names = value_or_throw(texts.ontology.names());
    const std::vector<GeneratedColumn> columns = columns_over(*taxonomy, seed);
    for (const std::string name : kMeasures) {
      const auto measure = chosen(name, Domain::whole(taxonomy), *names);
      for (const GeneratedColumn& column : columns) {
        SCOPED_TRACE(name + ", " + column.title);
        const ValueCounts counts = column.counts();
        const auto mean = semantic_mean(*measure, counts);
        ASSERT_TRUE(mean);
        for (ConceptId c = 0; c < taxonomy->size(); ++c) {
          if (taxonomy->is_virtual(c)) continue;
          const double sum = marginality(*measure, c, counts);
          ASSERT_GE(sum, mean->marginality - 1e-9 * static_cast<double>(counts.total()))
              << c << " is nearer than " << mean->concept_id;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FeaturesOnEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

// Definitions of more words than count.
TEST(FeatureMeasures, AreTheirTwinsWhereDefinitionsAreTooLong) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const GeneratedTaxonomy sample = generate(Shape::kDag, 14, seed);
    const GeneratedTexts texts = with_texts(sample, seed, Definitions::kSomeTooLong);
    const Twins twins(texts.ontology, SlowTaxonomy(sample));
    const SlowFeatures slow(twins.slow, texts.of);
    for (const std::string name : kMeasures) {
      SCOPED_TRACE(name);
      const auto measure = chosen(name, Domain::whole(twins.fast), *twins.names);
      std::vector<ConceptId> list;
      for (ConceptId a = 0; a < twins.fast->size(); ++a) {
        list.push_back(a);
        for (ConceptId b = 0; b < twins.fast->size(); ++b) {
          ASSERT_NEAR(measure->distance(a, b), slow.distance(name, twins.node[a], twins.node[b]),
                      kFeatureTolerance);
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_same_bits_and_levels(*measure, list));
    }
  }
}

// A word that stands only in tails which do not count does not count in a name either.
TEST(FeatureMeasures, LeaveOutTheWordsOfTails) {
  std::string gloss;
  for (int i = 0; i < 255; ++i) gloss += "head" + std::to_string(i) + " ";
  OntologyDraft draft;
  const auto add = [&](const char* id, const char* name, const std::string& definition) {
    const auto c = draft.add_concept(id);
    draft.add_term(c, TermKind::kLabel, name);
    draft.set_definition(c, definition);
    if (c > 0) draft.add_link(c, 0);
  };
  add("0", "thing", "");
  add("1", "one", gloss + "tail and more tail");
  add("2", "two", gloss + "tail");
  add("3", "tail", "");
  add("4", "head7", "");
  const Ontology ontology = value_or_throw(std::move(draft).finish("tails"));
  const Mapper mapper = value_or_throw(Mapper::create(ontology));
  const auto measure =
      chosen("gloss-vector", Domain::whole(value_or_throw(ontology.taxonomy())), mapper.names());
  const auto at = [&](const char* name) { return value_or_throw(mapper.only(name)); };
  EXPECT_EQ(measure->distance(at("one"), at("tail")), 1);
  EXPECT_EQ(measure->distance(at("one"), at("two")), 0);
  EXPECT_EQ(measure->distance(at("one"), at("head7")), 0);  // in the company of all others
  expect_same_bits_and_levels(*measure, {0, 1, 2, 3, 4});
}

// Inherited sets that may not be stored are collected by walking up.
TEST(InheritedSets, AreTheSameStoredOrWalked) {
  for (const Shape shape : {Shape::kDag, Shape::kLadder, Shape::kChain, Shape::kSeveralRoots}) {
    const GeneratedTexts texts = with_texts(generate(shape, 60, 3), 3);
    const auto taxonomy = value_or_throw(texts.ontology.taxonomy());
    const auto names = value_or_throw(texts.ontology.names());
    const ConceptFeatures features = ConceptFeatures::of(Domain::whole(taxonomy), *names);
    const auto stored = inherited_sets(taxonomy, features.names);
    const auto walked = inherited_sets(taxonomy, features.names, 1);
    std::vector<std::uint32_t> out(taxonomy->size());
    for (ConceptId a = 0; a < taxonomy->size(); ++a) {
      ASSERT_EQ(stored->size(a), walked->size(a));
      std::vector<ConceptId> some = {a};
      walked->complete(some);
      for (ConceptId b = 0; b < taxonomy->size(); ++b) {
        ASSERT_EQ(stored->common(a, b), walked->common(a, b)) << a << ", " << b;
        walked->common_with(b, some, out);
        ASSERT_EQ(out[a], stored->common(a, b)) << a << ", " << b;
      }
    }
  }
}

// thing > vehicle > {car = auto, bus}, worked by hand.
class Vehicles : public testing::Test {
 protected:
  Vehicles() {
    OntologyDraft draft;
    const auto add = [&](const char* id, std::vector<const char*> names, const char* gloss) {
      const auto c = draft.add_concept(id);
      for (std::size_t i = 0; i < names.size(); ++i) {
        draft.add_term(c, i == 0 ? TermKind::kLabel : TermKind::kExactSynonym, names[i]);
      }
      draft.set_definition(c, gloss);
      return c;
    };
    const auto thing = add("1", {"thing"}, "");
    const auto vehicle = add("2", {"vehicle"}, "moves people");
    const auto car = add("3", {"car", "auto"}, "a vehicle with wheels");
    const auto bus = add("4", {"bus"}, "a large vehicle with wheels");
    draft.add_link(vehicle, thing);
    draft.add_link(car, vehicle);
    draft.add_link(bus, vehicle);
    ontology = value_or_throw(std::move(draft).finish("vehicles"));
    mapper = std::make_unique<Mapper>(value_or_throw(Mapper::create(*ontology)));
  }
  std::unique_ptr<const Measure> measure(const std::string& name,
                                         const FeatureWeights& weights = {}) const {
    const Domain whole = Domain::whole(value_or_throw(ontology->taxonomy()));
    return chosen(name, whole, mapper->names(), weights);
  }
  ConceptId at(const char* name) const { return value_or_throw(mapper->only(name)); }

  std::optional<Ontology> ontology;
  std::unique_ptr<Mapper> mapper;
};

TEST_F(Vehicles, BySanchez) {  // {1,2,3} and {1,2,4}: 2 of 4 shared
  EXPECT_NEAR(measure("sanchez")->distance(at("car"), at("bus")), 0.584962500721156, 1e-15);
}

TEST_F(Vehicles, ByTversky) {
  const auto tversky = measure("tversky");
  // {thing, vehicle, car, auto} and {thing, vehicle, bus}, equal depths: 2 / (2 + 1/2·2 + 1/2·1).
  EXPECT_NEAR(tversky->distance(at("car"), at("bus")), 1 - 2 / 3.5, 1e-15);
  EXPECT_NEAR(tversky->directed(at("car"), at("bus")), 1 - 2 / 3.5, 1e-15);
  // {thing} and car's, γ = 1/4: 1 / (1 + 3/4·3) and, the other way, 1 / (1 + 1/4·3).
  EXPECT_TRUE(tversky->is_symmetrised());
  EXPECT_NEAR(tversky->directed(at("thing"), at("car")), 1 - 1 / 3.25, 1e-15);
  EXPECT_NEAR(tversky->directed(at("car"), at("thing")), 1 - 1 / 1.75, 1e-15);
  EXPECT_NEAR(tversky->distance(at("car"), at("thing")), 1 - (1 / 3.25 + 1 / 1.75) / 2, 1e-15);
}

TEST_F(Vehicles, ByRodriguezAndEgenhofer) {
  // Names 0; words {vehicle, wheels} of {vehicle, wheels} and {large, vehicle, wheels}: 2/2.5;
  // around {car, auto, vehicle} and {bus, vehicle}: 1/2.5.
  EXPECT_NEAR(measure("rodriguez-egenhofer")->distance(at("car"), at("bus")),
              1 - (2 / 2.5 + 1 / 2.5) / 3, 1e-15);
}

TEST_F(Vehicles, ByRodriguezAndEgenhoferWithWeights) {
  EXPECT_NEAR(measure("rodriguez-egenhofer", {0, 1, 0})->distance(at("car"), at("bus")),
              1 - 2 / 2.5, 1e-15);
  EXPECT_NEAR(measure("rodriguez-egenhofer", {0.25, 0, 0.75})->distance(at("car"), at("bus")),
              1 - 0.75 / 2.5, 1e-15);
}

TEST_F(Vehicles, ByXSimilarity) {
  // Above 2/5, below nothing, words 2/3.
  EXPECT_NEAR(measure("x-similarity")->distance(at("car"), at("bus")), 1 - 2.0 / 3, 1e-15);
  EXPECT_FALSE(measure("x-similarity")->is_symmetrised());
}

TEST_F(Vehicles, ByGlossVector) {
  // Words of two glosses: vehicle and wheels, each twice with itself and the other: all vectors
  // that there are point the same way. Vehicle has the word of its name. Thing has none.
  EXPECT_EQ(measure("gloss-vector")->distance(at("car"), at("bus")), 0);
  EXPECT_EQ(measure("gloss-vector")->distance(at("car"), at("vehicle")), 0);
  EXPECT_EQ(measure("gloss-vector")->distance(at("car"), at("thing")), 1);
}

// thing > {car, bus, wheel > tyre}: a wheel is a part of a car and of a bus, a tyre of a bus.
TEST(FeatureMeasures, CountPartsAndWholes) {
  OntologyDraft draft;
  const auto thing = draft.add_concept("thing");
  const auto car = draft.add_concept("car");
  const auto bus = draft.add_concept("bus");
  const auto wheel = draft.add_concept("wheel");
  const auto tyre = draft.add_concept("tyre");
  for (const auto c : {car, bus, wheel}) draft.add_link(c, thing);
  draft.add_link(tyre, wheel);
  draft.add_part(wheel, car);
  draft.add_part(wheel, car);  // counts once
  draft.add_part(wheel, bus);
  draft.add_part(tyre, bus);
  const Ontology ontology = value_or_throw(std::move(draft).finish("parts"));
  const Mapper mapper = value_or_throw(Mapper::create(ontology));
  const Domain whole = Domain::whole(value_or_throw(ontology.taxonomy()));
  const auto at = [&](const char* name) { return value_or_throw(mapper.only(name)); };
  // Names 0; parts {wheel} and {wheel, tyre}: 1/1.5; around {car, thing, wheel} and {bus, thing,
  // wheel, tyre}: 2/(2 + 1/2 + 2/2).
  const auto rodriguez = chosen("rodriguez-egenhofer", whole, mapper.names());
  EXPECT_NEAR(rodriguez->distance(at("car"), at("bus")), 1 - (1 / 1.5 + 2 / 3.5) / 3, 1e-15);
  // Above 1/3, below nothing, parts 1/2, wholes nothing.
  const auto x = chosen("x-similarity", whole, mapper.names());
  EXPECT_NEAR(x->distance(at("car"), at("bus")), 0.5, 1e-15);
  // A wheel's wholes {car, bus}, a tyre's {bus}; above {thing, wheel} of {thing, wheel, tyre}.
  EXPECT_NEAR(x->distance(at("wheel"), at("tyre")), 1 - 2.0 / 3, 1e-15);
  // Nothing else moves: these links are none of the taxonomy.
  const auto wu_palmer = value_or_throw(make_measure(whole.taxonomy()));
  EXPECT_EQ(wu_palmer->distance(at("wheel"), at("car")), 0.5);
  EXPECT_EQ(whole.taxonomy()->depth(at("wheel")), 2U);
}

TEST(FeatureMeasures, RefuseWeightsThatMeanNothing) {
  for (const std::vector<double>& wrong :
       {std::vector<double>{0.5, 0.5}, {0.5, 0.5, 0.5}, {1.5, -0.5, 0}, {0.3, 0.3, 0.3}, {}}) {
    EXPECT_FALSE(feature_weights(wrong));
  }
  EXPECT_EQ(value_or_throw(feature_weights(std::vector{0.0, 0.25, 0.75})),
            (FeatureWeights{0, 0.25, 0.75}));
  EXPECT_TRUE(feature_weights(std::vector{0.333333, 0.333333, 0.333334}));
  const Twins twins(generate(Shape::kTree, 10, 1));
  EXPECT_FALSE(make_measure(twins.fast, {.name = "path", .weights = {1, 0, 0}}));
  // The ids are names, and there is nothing else to compare.
  const MeasureOptions options =
      value_or_throw(choose_measure({.name = "rodriguez-egenhofer", .weights = {0, 1, 0}},
                                    Domain::whole(twins.fast), *twins.names));
  EXPECT_FALSE(check_features(options));
}

TEST(FeatureMeasures, NeedTheirFeatures) {
  const Twins twins(generate(Shape::kTree, 10, 1));
  const auto without = make_measure(twins.fast, {.name = "tversky"});
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::kUsage);
  const Domain part = Domain::subtree(twins.fast, 1);
  const auto options = value_or_throw(choose_measure({"tversky"}, part, *twins.names));
  EXPECT_FALSE(make_measure(twins.fast, options)) << "features of another domain";
  const auto mica = make_measure(twins.fast, {.name = "sanchez", .lcs = LcsRule::kMica});
  ASSERT_FALSE(mica);
  EXPECT_EQ(mica.error().code, ErrorCode::kUsage);
}

// Without names a concept is called by its id.
TEST(FeatureMeasures, CallAConceptWithoutNamesByItsId) {
  const Twins twins(generate(Shape::kTree, 10, 1));
  const auto tversky = chosen("tversky", Domain::whole(twins.fast), *twins.names);
  EXPECT_LT(tversky->distance(0, 1), 1);
}

}  // namespace
}  // namespace semveil::test
