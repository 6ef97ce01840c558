// Every measure × IC model × LCS rule against its slow twin, in all its forms.
//
// The twin gives the same bits for the measures without logarithms and agrees to 1e-12 for the
// others. Over all shapes: 66 taxonomies and 73,000 ordered pairs, each with 16 measures.
#include "semveil/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/generate.h"
#include "support/slow_measures.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

using Pair = SlowTaxonomy::Pair;

// One measure of the engine beside its twin.
struct Measures {
  MeasureCase which;
  SlowMeasure slow;
  std::unique_ptr<const Measure> fast;
};

std::vector<Measures> all_measures(const Twins& twins) {
  std::vector<Measures> out;
  for (SlowMeasure& slow : slow_measures(twins.slow)) {
    out.push_back({slow.which(), slow, engine_measure(twins.fast, slow.which())});
  }
  return out;
}

std::string title(const Twins& twins, const Pair& pair) {
  return "\"" + twins.slow.id(pair.a) + "\" and \"" + twins.slow.id(pair.b) + "\"";
}

// distance() and explain() are the twin's, and the subsumer named accounts for the value.
void expect_as_twin(const Twins& twins, const std::vector<Measures>& measures, ConceptId a,
                    ConceptId b) {
  const Pair pair = twins.slow.pair(twins.node[a], twins.node[b]);
  for (const Measures& m : measures) {
    SCOPED_TRACE(m.which.title() + " of " + title(twins, pair));
    const double distance = m.fast->distance(a, b);
    ASSERT_NEAR(distance, m.slow.distance(pair), m.slow.tolerance(pair));
    ASSERT_GE(distance, 0);
    ASSERT_LE(distance, 1);
    if (a == b) {
      ASSERT_EQ(distance, 0);
    }

    const Explanation why = m.fast->explain(a, b);
    ASSERT_EQ(why.distance, distance);
    const SlowTaxonomy::Node node = twins.node[why.subsumer.concept_id];
    const auto common = std::find_if(pair.common.begin(), pair.common.end(),
                                     [&](const auto& c) { return c.node == node; });
    ASSERT_NE(common, pair.common.end()) << twins.slow.id(node) << " does not subsume both";
    ASSERT_EQ(why.subsumer.path_a, common->path_a);
    ASSERT_EQ(why.subsumer.path_b, common->path_b);
    ASSERT_NEAR(distance, m.slow.distance_through(pair, *common), m.slow.tolerance(pair));
    const SlowTaxonomy::Common expected = m.slow.subsumer(pair);
    if (m.which.name == "path" || m.which.name == "leacock-chodorow") {
      ASSERT_EQ(common->path_a + common->path_b, expected.path_a + expected.path_b);
    } else {
      ASSERT_EQ(twins.slow.id(node), twins.slow.id(expected.node));
    }
  }
}

// from(), rows() and among() give the bits of distance(), for lists that may repeat concepts.
void expect_same_bits(const Measure& measure, const std::vector<ConceptId>& list) {
  const DistanceMatrix among = measure.among(list);
  ASSERT_EQ(among.size(), list.size());
  std::vector<double> all(measure.taxonomy().size(), -1);
  std::size_t visited = 0;
  measure.rows(list, [&](std::size_t i, std::span<const double> row) {
    ASSERT_EQ(i, visited++);
    ASSERT_EQ(row.size(), list.size());
    for (std::size_t j = 0; j < list.size(); ++j) {
      ASSERT_EQ(row[j], measure.distance(list[i], list[j])) << i << ", " << j;
      ASSERT_EQ(row[j], measure.distance(list[j], list[i])) << "not symmetric: " << i << ", " << j;
      ASSERT_EQ(row[j], among(i, j)) << i << ", " << j;
      ASSERT_EQ(row[j], among.row(i)[j]) << i << ", " << j;
    }
  });
  ASSERT_EQ(visited, list.size());
  // On a chain of n concepts distance() takes n steps: of large taxonomies look at a sample.
  constexpr std::size_t kSample = 60;
  const std::size_t stride = std::max<std::size_t>(1, all.size() / kSample);
  for (const ConceptId source : list) {
    std::fill(all.begin(), all.end(), -1);
    measure.from(source, all);
    ASSERT_GE(*std::min_element(all.begin(), all.end()), 0);
    ASSERT_LE(*std::max_element(all.begin(), all.end()), 1);
    for (const ConceptId c : list) ASSERT_EQ(all[c], measure.distance(source, c));
    for (std::size_t k = source % stride; k < all.size(); k += stride) {
      const auto c = static_cast<ConceptId>(k);
      ASSERT_EQ(all[c], measure.distance(source, c)) << source << ", " << c;
    }
  }
}

std::vector<ConceptId> random_list(std::size_t length, std::size_t size, Random& random) {
  std::vector<ConceptId> list;
  while (list.size() < length) list.push_back(static_cast<ConceptId>(random.below(size)));
  return list;
}

TEST(GeneratedPairs, AreMoreThanTenThousandOverFiftyTaxonomies) {
  std::size_t taxonomies = 0, pairs = 0;
  for (const Shape shape : kShapes) {
    for (const GeneratedTaxonomy& sample : samples_of(shape)) {
      ++taxonomies;
      pairs += sample.ids.size() * sample.ids.size();
    }
  }
  EXPECT_GE(taxonomies, 50U);
  EXPECT_GE(pairs, 10'000U);
}

class MeasureOnEveryShape : public testing::TestWithParam<Shape> {};

TEST_P(MeasureOnEveryShape, IsItsTwinOnEveryPair) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    const std::vector<Measures> measures = all_measures(twins);
    for (ConceptId a = 0; a < twins.fast->size(); ++a) {
      for (ConceptId b = 0; b < twins.fast->size(); ++b) {
        ASSERT_NO_FATAL_FAILURE(expect_as_twin(twins, measures, a, b));
      }
    }
  }
}

TEST_P(MeasureOnEveryShape, GivesTheSameBitsInAllItsForms) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    const std::size_t size = twins.fast->size();
    Random random(size);
    std::vector<ConceptId> everything(size);
    for (ConceptId c = 0; c < size; ++c) everything[c] = c;
    // Lengths around the widths of vectors, with repetitions; the empty list; and every concept:
    // root, inner nodes and leaves as sources.
    std::vector<std::vector<ConceptId>> lists = {{}, {0}, {0, 0}, everything};
    for (const std::size_t length : {2, 7, 8, 9, 15, 16, 17, 33}) {
      lists.push_back(random_list(length, size, random));
    }
    for (const MeasureCase& which : measure_cases()) {
      const auto measure = engine_measure(twins.fast, which);
      for (const std::vector<ConceptId>& list : lists) {
        SCOPED_TRACE(which.title() + ", a list of " + std::to_string(list.size()));
        ASSERT_NO_FATAL_FAILURE(expect_same_bits(*measure, list));
      }
    }
  }
}

TEST_P(MeasureOnEveryShape, GivesTheSameBitsFromOneListToAnother) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    Random random(sample.ids.size() + 1);
    for (const MeasureCase& which : measure_cases()) {
      const auto measure = engine_measure(twins.fast, which);
      for (const auto& [from, to] : {std::pair(1, 5), std::pair(19, 1), std::pair(33, 4)}) {
        const auto sources = random_list(from, twins.fast->size(), random);
        const auto targets = random_list(to, twins.fast->size(), random);
        std::size_t visited = 0;
        measure->rows(sources, targets, [&](std::size_t i, std::span<const double> row) {
          ASSERT_EQ(i, visited++);
          ASSERT_EQ(row.size(), targets.size());
          for (std::size_t j = 0; j < targets.size(); ++j) {
            ASSERT_EQ(row[j], measure->distance(sources[i], targets[j])) << which.title();
          }
        });
        ASSERT_EQ(visited, sources.size());
      }
    }
  }
}

TEST_P(MeasureOnEveryShape, CountsInsideTheDomain) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins all(sample);
    Random random(sample.ids.size());
    for (int i = 0; i < 3; ++i) {
      const auto root = static_cast<ConceptId>(random.below(all.fast->size()));
      const Twins twins(Domain::subtree(all.fast, root), *all.names,
                        all.slow.subtree(all.node[root]));
      const std::vector<Measures> measures = all_measures(twins);
      for (int k = 0; k < 50; ++k) {
        const std::vector<ConceptId> ab = random_list(2, twins.fast->size(), random);
        ASSERT_NO_FATAL_FAILURE(expect_as_twin(twins, measures, ab[0], ab[1]));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, MeasureOnEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

// Depth or path sum just below and beyond what one or two bytes hold.
struct Deep {
  Shape shape;
  std::size_t size;
};

class MeasureOnDeepTaxonomies : public testing::TestWithParam<Deep> {};

TEST_P(MeasureOnDeepTaxonomies, IsItsTwinAndGivesTheSameBitsInAllItsForms) {
  const auto [shape, size] = GetParam();
  const Twins twins(generate(shape, size, size));
  Random random(size);
  const std::vector<Measures> measures = all_measures(twins);
  const auto last = static_cast<ConceptId>(twins.fast->size() - 1);
  std::vector<std::pair<ConceptId, ConceptId>> pairs = {
      {last, last}, {last, last - 1}, {last - 1, last - 2}, {0, last}, {last, 0}, {last / 2, last}};
  for (int i = 0; i < 60; ++i) {
    const std::vector<ConceptId> ab = random_list(2, twins.fast->size(), random);
    pairs.emplace_back(ab[0], ab[1]);
  }
  for (const auto& [a, b] : pairs) {
    ASSERT_NO_FATAL_FAILURE(expect_as_twin(twins, measures, a, b));
  }
  std::vector<ConceptId> list = random_list(12, twins.fast->size(), random);
  list.insert(list.end(), {0, last, last - 1, last, last / 2});
  for (const Measures& m : measures) {
    SCOPED_TRACE(m.which.title());
    ASSERT_NO_FATAL_FAILURE(expect_same_bits(*m.fast, list));
  }
}

INSTANTIATE_TEST_SUITE_P(
    AtTheEdges, MeasureOnDeepTaxonomies,
    testing::Values(Deep{Shape::kChain, 126}, Deep{Shape::kChain, 127}, Deep{Shape::kChain, 128},
                    Deep{Shape::kChain, 129}, Deep{Shape::kChain, 255}, Deep{Shape::kChain, 256},
                    Deep{Shape::kChain, 257}, Deep{Shape::kChain, 300}, Deep{Shape::kChain, 2000},
                    Deep{Shape::kFork, 200}, Deep{Shape::kFork, 254}, Deep{Shape::kFork, 255},
                    Deep{Shape::kFork, 256}, Deep{Shape::kFork, 257}, Deep{Shape::kFork, 258},
                    Deep{Shape::kFork, 300}, Deep{Shape::kFork, 2000}, Deep{Shape::kSkips, 300},
                    Deep{Shape::kSkips, 2000}, Deep{Shape::kLadder, 1000}, Deep{Shape::kStar, 2000},
                    Deep{Shape::kTree, 2000}, Deep{Shape::kDag, 2000},
                    Deep{Shape::kSeveralRoots, 2000}),
    [](const auto& test) { return to_string(test.param.shape) + std::to_string(test.param.size); });

// Two arms of equal length from the root: the path sum runs through every value there is.
TEST(Measure, HoldsForEveryPathSumUpToSixHundred) {
  GeneratedTaxonomy arms{{"root"}, {}};
  for (std::size_t c = 1; c <= 600; ++c) {
    arms.ids.push_back("c" + std::to_string(c));
    arms.links.emplace_back(c, c <= 2 ? 0 : c - 2);
  }
  const Twins twins(arms);
  const auto wu_palmer = engine_measure(twins.fast, {"wu-palmer"});
  const auto path = engine_measure(twins.fast, {"path"});
  std::vector<double> from(twins.fast->size());
  const ConceptId end = twins.concept_id[599];
  for (const bool whole : {false, true}) {
    for (std::size_t c = 2; c <= 600; c += 2) {  // the other arm
      const double sum = 300.0 + static_cast<double>(c) / 2;
      const ConceptId other = twins.concept_id[c];
      if (!whole) {
        ASSERT_EQ(wu_palmer->distance(end, other), 1 - 2.0 / (2 + sum)) << sum;
        ASSERT_EQ(path->distance(end, other), sum / 600) << sum;
        continue;
      }
      wu_palmer->from(end, from);
      ASSERT_EQ(from[other], 1 - 2.0 / (2 + sum)) << sum;
      path->from(end, from);
      ASSERT_EQ(from[other], sum / 600) << sum;
    }
  }
}

TEST(Measure, TiesOnlyEqualDoublesWhereQuotientsOfIntegersAreCompared) {
  const Twins twins(generate(Shape::kDag, 30, 1));
  for (const MeasureCase& which : measure_cases()) {
    EXPECT_EQ(engine_measure(twins.fast, which)->tie(), which.is_exact() ? 0 : 1e-9);
  }
}

TEST(Measure, IsWuPalmerUnlessChosenOtherwise) {
  const Twins twins(generate(Shape::kDag, 30, 1));
  const auto measure = value_or_throw(make_measure(twins.fast));
  EXPECT_EQ(measure->name(), "wu-palmer");
  EXPECT_EQ(&measure->taxonomy(), twins.fast.get());
}

TEST(Measure, IsFoundByEveryNameItIsListedUnder) {
  const Twins twins(generate(Shape::kDag, 30, 1));
  EXPECT_THAT(measure_names(),
              testing::IsSupersetOf({"wu-palmer", "wu-palmer-edges", "path", "leacock-chodorow",
                                     "resnik", "lin", "jiang-conrath", "sanchez", "tversky",
                                     "rodriguez-egenhofer", "x-similarity", "gloss-vector"}));
  for (const std::string_view name : measure_names()) {
    const MeasureOptions options = value_or_throw(
        choose_measure({std::string(name)}, Domain::whole(twins.fast), *twins.names));
    EXPECT_EQ(value_or_throw(make_measure(twins.fast, options))->name(), name);
  }
}

TEST(Measure, WithAnUnknownNameIsAUsageErrorThatListsTheKnownOnes) {
  const Twins twins(generate(Shape::kTwo, 2, 1));
  MeasureOptions options;
  options.name = "wu-plamer";
  const auto measure = make_measure(twins.fast, options);
  ASSERT_FALSE(measure);
  EXPECT_EQ(measure.error().code, ErrorCode::kUsage);
  for (const std::string_view name : measure_names()) {
    EXPECT_THAT(measure.error().message, testing::HasSubstr(std::string(name)));
  }
}

TEST(Measure, OnInformationContentTakesSecoUnlessGivenAnother) {
  const Twins twins(generate(Shape::kDag, 40, 2));
  for (const char* name : {"resnik", "lin", "jiang-conrath"}) {
    MeasureOptions options;
    options.name = name;
    const auto measure = value_or_throw(make_measure(twins.fast, options));
    const auto seco = engine_measure(twins.fast, {name, IcModel::kSeco});
    for (ConceptId a = 0; a < twins.fast->size(); ++a) {
      ASSERT_EQ(measure->distance(a, 5), seco->distance(a, 5));
    }
  }
}

}  // namespace
}  // namespace semveil::test
