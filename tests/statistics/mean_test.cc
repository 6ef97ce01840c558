// Mean, marginality and variance against their twins, which look at every concept there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/cpu.h"
#include "semveil/statistics.h"
#include "statistics/mean_candidates.h"
#include "support/columns.h"
#include "support/generate.h"
#include "support/slow_statistics.h"

namespace semveil::test {
namespace {

class MeanOnEveryShape : public testing::TestWithParam<Shape> {};

TEST_P(MeanOnEveryShape, IsThatOfAllConcepts) {
  std::uint64_t seed = 1;
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    const auto pairs = slow_pairs(twins.slow);
    const std::vector<GeneratedColumn> columns = columns_over(*twins.fast, seed++);
    for (const SlowMeasure& slow_measure : slow_measures(twins.slow)) {
      const auto measure = engine_measure(twins.fast, slow_measure.which());
      const SlowStatistics slow(twins.slow, slow_measure, pairs);
      for (const GeneratedColumn& column : columns) {
        SCOPED_TRACE(slow_measure.which().title() + ", " + column.title + ", " +
                     std::to_string(twins.fast->size()) + " concepts");
        const ValueCounts counts = column.counts();
        const SlowColumn records = column.slow(twins);
        const auto mean = semantic_mean(*measure, counts);
        const auto expected = slow.mean(records);
        ASSERT_TRUE(mean && expected);
        ASSERT_EQ(twins.slow.id(twins.node[mean->concept_id]), twins.slow.id(*expected));
        ASSERT_NEAR(mean->marginality, slow.marginality(*expected, records), 1e-10);
        ASSERT_EQ(mean->marginality, marginality(*measure, mean->concept_id, counts));
        ASSERT_NEAR(semantic_variance(*measure, counts, mean->concept_id),
                    slow.variance(records, *expected), 1e-12);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, MeanOnEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

TEST(Mean, OfNothingButMissingCellsIsNone) {
  const Twins twins(generate(Shape::kDag, 20, 1));
  const auto measure = value_or_throw(make_measure(twins.fast));
  EXPECT_FALSE(semantic_mean(*measure, {}));
  EXPECT_FALSE(semantic_mean(*measure, {{missing_value(*measure)}, {5}}));
  EXPECT_EQ(semantic_variance(*measure, {}, 0), 0);
}

TEST(Mean, MissingCellsAddTheirNumberToEverySumAndMoveNothing) {
  const Twins twins(generate(Shape::kDag, 40, 1));
  const auto measure = value_or_throw(make_measure(twins.fast));
  const ValueCounts without{{3, 7, 20}, {4, 5, 6}};
  const ValueCounts with{{3, 7, 20, missing_value(*measure)}, {4, 5, 6, 10}};
  const auto expected = semantic_mean(*measure, without);
  const auto mean = semantic_mean(*measure, with);
  EXPECT_EQ(mean->concept_id, expected->concept_id);
  EXPECT_EQ(mean->marginality, expected->marginality + 10);
  EXPECT_EQ(marginality(*measure, missing_value(*measure), with), 15);
}

// Three arms from the root, and one concept below the ends of all of them.
GeneratedTaxonomy joined_arms() {
  GeneratedTaxonomy out{{"root"}, {}};
  for (std::size_t c = 1; c <= 12; ++c) {
    out.ids.push_back("c" + std::to_string(c));
    out.links.emplace_back(c, c <= 3 ? 0 : c - 3);
  }
  out.ids.push_back("join");
  for (const std::size_t end : {10, 11, 12}) out.links.emplace_back(13, end);
  return out;
}

TEST(Mean, MayHaveSeveralParentsAndNoRecordAtOrBelowIt) {
  const Twins twins(joined_arms());
  const ConceptId join = twins.concept_id[13];
  GeneratedColumn column{"ends", {}};
  for (const std::size_t end : {10, 11, 12}) {
    column.records.insert(column.records.end(), 2, twins.concept_id[end]);
  }
  ASSERT_EQ(twins.fast->parents(join).size(), 3U);
  for (const ConceptId d : twins.fast->descendants(join)) {
    ASSERT_THAT(column.records, testing::Not(testing::Contains(d)));
  }
  const auto pairs = slow_pairs(twins.slow);
  for (const SlowMeasure& slow_measure : slow_measures(twins.slow)) {
    if (slow_measure.which().name != "wu-palmer" && slow_measure.which().name != "path") continue;
    const auto measure = engine_measure(twins.fast, slow_measure.which());
    const SlowStatistics slow(twins.slow, slow_measure, pairs);
    ASSERT_EQ(slow.mean(column.slow(twins)), twins.node[join]);
    EXPECT_EQ(semantic_mean(*measure, column.counts())->concept_id, join);
  }
}

// Answers as another measure does, but promises too much of a step down.
class TooSure final : public Measure {
 public:
  TooSure(const Measure& honest, double factor) : honest_(honest), factor_(factor) {}
  std::string_view name() const override { return honest_.name(); }
  const Taxonomy& taxonomy() const override { return honest_.taxonomy(); }
  double distance(ConceptId a, ConceptId b) const override { return honest_.distance(a, b); }
  Explanation explain(ConceptId a, ConceptId b) const override { return honest_.explain(a, b); }
  void from(ConceptId source, std::span<double> out) const override { honest_.from(source, out); }
  void rows(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
            const VisitRow& visit) const override {
    honest_.rows(sources, targets, visit);
  }
  double tie() const override { return honest_.tie(); }
  StepDown step_down(ConceptId c) const override {
    const StepDown step = honest_.step_down(c);
    return {step.least_loss * factor_, step.greatest_gain};
  }

 private:
  const Measure& honest_;
  double factor_;
};

// Six records here, five there: the mean is where the six are, by the width of one link.
TEST(MeanCandidates, AreAllNeeded) {
  const Twins twins(GeneratedTaxonomy{{"root", "six", "five"}, {{1, 0}, {2, 0}}});
  const auto path = engine_measure(twins.fast, {"path"});
  const ConceptId six = twins.concept_id[1];
  ValueCounts column{{1, 2}, {5, 5}};
  column.counts[six - 1] = 6;
  EXPECT_EQ(semantic_mean(*path, column)->concept_id, six);
  EXPECT_THAT(mean_candidates(*path, column), testing::ElementsAre(Taxonomy::root(), six));
  const TooSure wrong(*path, 1.25);
  EXPECT_THAT(mean_candidates(wrong, column), testing::ElementsAre(Taxonomy::root()));
  EXPECT_EQ(semantic_mean(wrong, column)->concept_id, Taxonomy::root());

  column.counts = {6, 6};  // all three are tied, and the root is in no record
  EXPECT_THAT(mean_candidates(*path, column), testing::ElementsAre(0, 1, 2));
  const ConceptId first = twins.fast->id_rank(1) < twins.fast->id_rank(2) ? 1 : 2;
  EXPECT_EQ(semantic_mean(*path, column)->concept_id, first);
}

TEST(MeanCandidates, AreFewAndHoldEveryConceptThatIsTiedWithTheMean) {
  const Twins twins(generate(Shape::kTree, 2000, 1));
  Random random(5);
  GeneratedColumn column{"", {}};
  for (int i = 0; i < 2000; ++i)
    column.records.push_back(static_cast<ConceptId>(random.below(2000)));
  const ValueCounts counts = column.counts();
  std::vector<std::size_t> sizes;
  for (const char* name : {"wu-palmer", "path", "leacock-chodorow", "wu-palmer-edges"}) {
    const auto measure = engine_measure(twins.fast, {name});
    const std::vector<ConceptId> candidates = mean_candidates(*measure, counts);
    sizes.push_back(candidates.size());
    std::vector<double> sums;
    for (ConceptId c = 0; c < 2000; ++c) sums.push_back(marginality(*measure, c, counts));
    const double least = *std::min_element(sums.begin(), sums.end());
    const auto mean = semantic_mean(*measure, counts);
    EXPECT_NEAR(mean->marginality, least, 2e-6);
    for (ConceptId c = 0; c < 2000; ++c) {
      if (sums[c] == least) {
        EXPECT_THAT(candidates, testing::Contains(c)) << name;
      }
    }
  }
  EXPECT_LT(sizes[0], 60U);    // wu-palmer
  EXPECT_LT(sizes[1], 10U);    // path: only what more than half of the records are below
  EXPECT_LT(sizes[2], 400U);   // leacock-chodorow
  EXPECT_LT(sizes[3], 1900U);  // nothing but the plain rule
  EXPECT_GT(sizes[3], sizes[0]);
}

TEST(MeanCandidates, OfInformationContentThatFallsAlongALinkIncludeWhatLiesBelowIt) {
  // A file's frequencies may say that a child is met more often than its only parent.
  const Twins twins(GeneratedTaxonomy{{"root", "p", "c", "v"}, {{1, 0}, {2, 1}, {3, 1}}});
  const ConceptId p = twins.concept_id[1];
  const ConceptId c = twins.concept_id[2];
  const ConceptId v = twins.concept_id[3];
  InformationContent ic{std::vector<double>(4), 4};
  ic.of[p] = 3;
  ic.of[c] = 1;
  ic.of[v] = 4;
  MeasureOptions options;
  options.name = "jiang-conrath";
  options.ic = std::make_shared<const InformationContent>(ic);
  const auto measure = value_or_throw(make_measure(twins.fast, options));
  EXPECT_LT(measure->distance(c, v), measure->distance(p, v));
  EXPECT_THAT(mean_candidates(*measure, {{v}, {1}}), testing::Contains(c));
}

TEST(Mean, HasTheSameBitsForAnyNumberOfThreadsAndAnyWidthOfVectors) {
  const Twins twins(generate(Shape::kDag, 3000, 2));
  Random random(9);
  GeneratedColumn column{"", {}};
  for (int i = 0; i < 5000; ++i)
    column.records.push_back(static_cast<ConceptId>(random.below(3000)));
  const ValueCounts counts = column.counts();
  for (const MeasureCase& which : measure_cases()) {
    const auto measure = engine_measure(twins.fast, which);
    const auto expected = semantic_mean(*measure, counts);
    for (const bool avx2 : {true, false}) {
      allow_avx2() = avx2;
      for (const unsigned threads : {1U, 2U, 7U}) {
        const auto mean = semantic_mean(*measure, counts, threads);
        EXPECT_EQ(mean->concept_id, expected->concept_id) << which.title();
        EXPECT_EQ(mean->marginality, expected->marginality) << which.title();
      }
    }
    allow_avx2() = true;
  }
}

}  // namespace
}  // namespace semveil::test
