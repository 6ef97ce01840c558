// Every measure against its twin on 2,000 pairs of WordNet's nouns: half of them anywhere, half
// near each other, where the LCS is deep and has rivals.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "semveil/measure.h"
#include "support/data.h"
#include "support/generate.h"
#include "support/slow_measures.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

constexpr std::size_t kPairs = 2000;
constexpr std::size_t kNearSteps = 4;

// A few links up from a concept and a few down again.
ConceptId neighbour(const Taxonomy& t, ConceptId c, Random& random) {
  for (std::size_t up = 1 + random.below(kNearSteps); up > 0 && c != Taxonomy::root(); --up) {
    c = t.parents(c)[random.below(t.parents(c).size())];
  }
  for (std::size_t down = random.below(2 * kNearSteps); down > 0 && !t.is_leaf(c); --down) {
    c = t.children(c)[random.below(t.children(c).size())];
  }
  return c;
}

TEST(MeasureOnWordNet, IsItsTwinOnTwoThousandPairs) {
  const std::optional<Ontology> wordnet = installed_wordnet();
  if (!wordnet) SEMVEIL_SKIP_WITHOUT("WordNet");
  const Twins twins = Twins::of(*wordnet);
  const Taxonomy& t = *twins.fast;

  Random random(82115);
  std::vector<std::pair<ConceptId, ConceptId>> pairs;
  std::vector<SlowTaxonomy::Pair> slow_pairs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const auto a = static_cast<ConceptId>(random.below(t.size()));
    const ConceptId b =
        i % 2 == 0 ? static_cast<ConceptId>(random.below(t.size())) : neighbour(t, a, random);
    pairs.emplace_back(a, b);
    slow_pairs.push_back(twins.slow.pair(twins.node[a], twins.node[b]));
  }
  std::vector<ConceptId> list;  // with a repetition
  for (std::size_t i = 0; i < 40; ++i) list.push_back(pairs[i].second);
  list.push_back(list.front());

  for (const SlowMeasure& slow : slow_measures(twins.slow)) {
    SCOPED_TRACE(slow.which().title());
    const auto measure = engine_measure(twins.fast, slow.which());
    for (std::size_t i = 0; i < kPairs; ++i) {
      const auto [a, b] = pairs[i];
      const double distance = measure->distance(a, b);
      ASSERT_NEAR(distance, slow.distance(slow_pairs[i]), slow.tolerance(slow_pairs[i]))
          << twins.names->id(a) << " and " << twins.names->id(b);
      ASSERT_EQ(distance, measure->distance(b, a));
      const Explanation why = measure->explain(a, b);
      ASSERT_EQ(distance, why.distance);
      const SlowTaxonomy::Common expected = slow.subsumer(slow_pairs[i]);
      ASSERT_EQ(why.subsumer.path_a + why.subsumer.path_b, expected.path_a + expected.path_b);
      if (slow.which().name != "path" && slow.which().name != "leacock-chodorow") {
        ASSERT_EQ(twins.node[why.subsumer.concept_id], expected.node);
      }
    }
    measure->rows(list, [&](std::size_t i, std::span<const double> row) {
      for (std::size_t j = 0; j < list.size(); ++j) {
        ASSERT_EQ(row[j], measure->distance(list[i], list[j]));
      }
    });
    std::vector<double> from(t.size());
    for (const ConceptId source : {list[0], list[1], list[2], Taxonomy::root()}) {
      measure->from(source, from);
      for (ConceptId c = 0; c < t.size(); ++c) {
        ASSERT_EQ(from[c], measure->distance(source, c)) << source << ", " << c;
      }
    }
  }
}

// The semantics page counts them: 82,115 synsets, 84,427 links, 2,213 with several parents, one
// root, 64,958 leaves, depth 20, at most 35 ancestors.
TEST(WordNetTaxonomy, HasTheCountsOfVersionThree) {
  const std::optional<Ontology> wordnet = installed_wordnet();
  if (!wordnet) SEMVEIL_SKIP_WITHOUT("WordNet");
  const auto taxonomy = value_or_throw(wordnet->taxonomy());
  if (taxonomy->size() != 82115) SEMVEIL_SKIP_WITHOUT("WordNet 3.0");
  std::size_t links = 0, several = 0, leaves = 0, most_ancestors = 0;
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    links += taxonomy->parents(c).size();
    several += taxonomy->parents(c).size() > 1 ? 1 : 0;
    leaves += taxonomy->is_leaf(c) ? 1 : 0;
    most_ancestors = std::max(most_ancestors, taxonomy->ancestors(c).size());
  }
  EXPECT_FALSE(taxonomy->has_virtual_root());
  EXPECT_EQ(links, 84427U);
  EXPECT_EQ(several, 2213U);
  EXPECT_EQ(leaves, 64958U);
  EXPECT_EQ(taxonomy->max_depth(), 20U);
  EXPECT_EQ(most_ancestors, 35U);
}

}  // namespace
}  // namespace semveil::test
