#include "mechanisms/swap/swap_space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "semveil/ontology.h"
#include "semveil/statistics.h"
#include "support/generate.h"

namespace semveil::test {
namespace {

std::uint32_t units(double distance) {
  return static_cast<std::uint32_t>(std::llround(distance * 16777216.0));
}

// Rows one by one, many at once and from a table, and sums, all against single distances.
void expect_consistent(const SwapSpace& space) {
  const SwapRows computed(space, SwapRows::Keep::kNone, 1);
  const SwapRows table(space, SwapRows::Keep::kAll, 2);
  std::vector<std::uint64_t> counts;
  for (std::size_t v = 0; v <= space.size(); ++v) counts.push_back(v % 5);
  const std::vector<std::uint64_t> sums = computed.sums(counts, 2);
  EXPECT_EQ(sums, table.sums(counts, 1));
  std::vector<std::uint32_t> row(space.size());
  SwapRows::Scratch scratch, other;
  for (std::uint32_t v = 0; v <= space.size(); ++v) {
    const std::uint32_t* const at = computed.row(v, scratch);
    const std::uint32_t* const kept = table.row(v, other);
    if (v < space.size()) space.row(v, row);
    std::uint64_t sum = 0;
    for (std::uint32_t w = 0; w <= space.size(); ++w) {
      const bool missing = v == space.size() || w == space.size();
      const std::uint32_t expected =
          missing ? (v == w ? 0 : kSwapUnit) : units(space.distance(v, w));
      ASSERT_EQ(at[w], expected);
      ASSERT_EQ(kept[w], expected);
      if (!missing) {
        ASSERT_EQ(row[w], expected);
      }
      sum += counts[w] * expected;
    }
    EXPECT_EQ(sums[v], sum);
  }
}

TEST(SwapSpace, OfWordsIsTheMeasureRounded) {
  for (const Shape shape : kShapes) {
    const Ontology ontology = to_ontology(generate(shape, 300, 3));
    const std::shared_ptr<const Taxonomy> taxonomy = *ontology.taxonomy();
    for (const std::string_view name : measure_names()) {
      const MeasureOptions options =
          *choose_measure({std::string(name)}, Domain::whole(taxonomy), **ontology.names());
      const std::shared_ptr<const Measure> measure = *make_measure(taxonomy, options);
      // Few values of many concepts are measured another way.
      if (taxonomy->size() > 1) {
        expect_consistent(SwapSpace::nominal(
            measure, {0, static_cast<ConceptId>(taxonomy->size() - 1), missing_value(*measure)}));
      }
      std::vector<ConceptId> values;
      for (ConceptId c = 0; c < taxonomy->size(); c += 2) values.push_back(c);
      const std::vector<ConceptId> words = values;
      const SwapSpace space = SwapSpace::nominal(measure, values);
      expect_consistent(space);
      values.push_back(missing_value(*measure));
      const SwapSpace with_missing = SwapSpace::nominal(measure, values);
      expect_consistent(with_missing);
      ASSERT_EQ(with_missing.size(), words.size() + 1);
      const auto last = static_cast<Code>(words.size());
      EXPECT_EQ(with_missing.distance(0, last), 1);
      EXPECT_EQ(with_missing.distance(last, last), 0);
      for (Code v = 0; v < words.size(); v += 7) {
        EXPECT_EQ(space.distance(v, last / 2), measure->distance(words[v], words[last / 2]));
      }
    }
  }
}

TEST(SwapSpace, OfNumbersIsTheDifferenceOverTheDivisor) {
  const SwapSpace space = SwapSpace::numeric({-1, 0, 2.5, 9}, 10);
  EXPECT_EQ(space.distance(0, 3), 1);
  EXPECT_EQ(space.distance(1, 2), 0.25);
  EXPECT_EQ(SwapSpace::numeric({0, 5}, 2).distance(0, 1), 1);  // at most 1
  EXPECT_EQ(SwapSpace::numeric({3}, 0).distance(0, 0), 0);
  std::vector<std::uint32_t> row(4);
  space.row(1, row);
  EXPECT_EQ(row, (std::vector<std::uint32_t>{1677722, 0, 4194304, 15099494}));
  expect_consistent(space);
  std::vector<double> many;
  for (int i = 0; i < 300; ++i) many.push_back(i * i / 7.0);
  expect_consistent(SwapSpace::numeric(many, many.back()));
}

}  // namespace
}  // namespace semveil::test
