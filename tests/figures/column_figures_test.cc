// Figures of a column against the definitions, record by record.
#include "figures/column_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "figures/utility.h"
#include "support/slow_figures.h"

namespace semveil::test {
namespace {

template <class Check>
void for_mixed_pairs(const Check& check) {
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      check(mixed_pairs(domain, 40, seed));
    }
  }
}

AuditedColumn audited(const Paired& pairs, std::size_t j) {
  AuditedColumn out;
  audit_changes(pairs, j, out);
  audit_distribution(*pairs.attributes[j], column_counts(classes_of(pairs, Side::kBefore), j),
                     column_counts(classes_of(pairs, Side::kAfter), j), 1, out);
  return out;
}

// a, a, b, b becomes a, a, a, c.
TEST(ColumnFigures, OfTexts) {
  Paired pairs;
  pairs.attributes = {std::make_shared<Attribute>(text_attribute("t", {"a", "b", "c"}))};
  pairs.before = {0, 1, 1};
  pairs.after = {0, 0, 2};
  pairs.counts = {2, 1, 1};
  const AuditedColumn found = audited(pairs, 0);
  EXPECT_DOUBLE_EQ(*found.total_variation, 0.5);
  EXPECT_NEAR(*found.hellinger, std::sqrt(1 - std::sqrt(0.5 * 0.75)), 1e-12);
  EXPECT_NEAR(*found.ic_loss, std::log(2) - 0.75 * std::log(4.0 / 3) - 0.25 * std::log(4), 1e-12);
  EXPECT_DOUBLE_EQ(*found.rmse, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(*found.mean_distance, 0.5);
  EXPECT_DOUBLE_EQ(*found.unchanged, 0.5);
  EXPECT_DOUBLE_EQ(*found.semantic_quality, 0.5);
  EXPECT_EQ(found.distances.size(), kDistanceBins);
  EXPECT_EQ(found.distances.front(), 2U);
  EXPECT_EQ(found.distances.back(), 2U);
  EXPECT_EQ(found.original_distinct, 2U);
  EXPECT_EQ(found.masked_distinct, 2U);
  EXPECT_FALSE(found.mean_original || found.number_mean.original || found.variance.original);
}

// 0, 10, –, – becomes 4, –, 4, –: moved by 0.4; emptied; filled in; no cell at all.
TEST(ColumnFigures, OfNumbersAndMissingCells) {
  Paired pairs;
  pairs.attributes = {std::make_shared<Attribute>(numeric_attribute("n", {0, 4, 10}, 10))};
  pairs.before = {0, 2, 3, 3};
  pairs.after = {1, 3, 1, 3};
  pairs.counts = {1, 1, 1, 1};
  const AuditedColumn found = audited(pairs, 0);
  EXPECT_DOUBLE_EQ(*found.mean_distance, 2.4 / 3);
  EXPECT_DOUBLE_EQ(*found.rmse, std::sqrt((0.16 + 2) / 3));
  EXPECT_DOUBLE_EQ(*found.unchanged, 0);
  EXPECT_DOUBLE_EQ(*found.semantic_quality, 1 - 2.4 / 4);
  EXPECT_EQ(found.distances[8], 1U);
  EXPECT_EQ(found.distances[19], 2U);
  EXPECT_EQ(found.original_missing, 2U);
  EXPECT_EQ(found.masked_missing, 2U);
  EXPECT_EQ(found.original_distinct, 2U);
  EXPECT_EQ(found.masked_distinct, 1U);
  EXPECT_DOUBLE_EQ(*found.number_mean.original, 5);
  EXPECT_DOUBLE_EQ(*found.number_mean.masked, 4);
  EXPECT_DOUBLE_EQ(*found.mean_shift, 0.1);
  EXPECT_DOUBLE_EQ(*found.variance.original, 25);
  EXPECT_DOUBLE_EQ(*found.variance.masked, 0);
  EXPECT_DOUBLE_EQ(*found.total_variation, 1);
  EXPECT_DOUBLE_EQ(*found.hellinger, 1);
}

// One record each: missing in both, emptied, filled, kept. Missing in both takes no part, missing
// in one is at distance 1: √(2/3), whether the method takes missing as a value or not.
TEST(ColumnFigures, OfCellsThatAreMissing) {
  for (const bool is_value : {false, true}) {
    Paired pairs;
    Attribute attribute = numeric_attribute("n", {0, 4, 10}, 10);
    attribute.missing_is_value = is_value;
    pairs.attributes = {std::make_shared<Attribute>(attribute)};
    pairs.before = {3, 0, 3, 2};
    pairs.after = {3, 3, 1, 2};
    pairs.counts = {1, 1, 1, 1};
    const AuditedColumn found = audited(pairs, 0);
    EXPECT_DOUBLE_EQ(*found.rmse, std::sqrt(2.0 / 3));
    EXPECT_DOUBLE_EQ(*found.mean_distance, 2.0 / 3);
    EXPECT_DOUBLE_EQ(*found.unchanged, 1.0 / 3);
  }
}

TEST(ColumnFigures, OfNothing) {
  Paired pairs;
  pairs.attributes = {std::make_shared<Attribute>(text_attribute("t", {"a"}))};
  const AuditedColumn none = audited(pairs, 0);
  EXPECT_FALSE(none.rmse || none.semantic_quality || none.total_variation || none.ic_loss);
  EXPECT_TRUE(none.distances.empty());
  pairs.before = pairs.after = {1};  // missing
  pairs.counts = {3};
  const AuditedColumn missing = audited(pairs, 0);
  EXPECT_FALSE(missing.rmse || missing.unchanged || missing.hellinger);
  EXPECT_EQ(missing.semantic_quality, 1);
  EXPECT_EQ(missing.original_missing, 3U);
}

TEST(ColumnFigures, OfChangesAreThoseOfEveryRecord) {
  for_mixed_pairs([](const Paired& pairs) {
    double quality = 0;
    for (std::size_t j = 0; j < pairs.width(); ++j) {
      const AuditedColumn found = audited(pairs, j);
      const SlowChanges slow = slow_changes(pairs, j);
      EXPECT_NEAR(*found.rmse, *slow.rmse, 1e-12);
      EXPECT_NEAR(*found.mean_distance, *slow.mean_distance, 1e-12);
      EXPECT_NEAR(*found.unchanged, *slow.unchanged, 1e-12);
      EXPECT_NEAR(*found.semantic_quality, slow.quality, 1e-12);
      EXPECT_EQ(found.distances, slow.distances);
      quality += *found.semantic_quality / static_cast<double>(pairs.width());
    }
    EXPECT_NEAR(semantic_quality(pairs), quality, 1e-12);
  });
}

TEST(ColumnFigures, OfDistributionsAreThoseOfEveryRecord) {
  for_mixed_pairs([](const Paired& pairs) {
    for (std::size_t j = 0; j < pairs.width(); ++j) {
      const AuditedColumn found = audited(pairs, j);
      const SlowDistribution slow = slow_distribution(pairs, j);
      EXPECT_NEAR(*found.total_variation, slow.total_variation, 1e-12);
      EXPECT_NEAR(*found.hellinger, slow.hellinger, 1e-7);  // the twin takes a root of a difference
      EXPECT_NEAR(*found.ic_loss, slow.ic_loss, 1e-12);
      if (!pairs.attributes[j]->is_numeric()) continue;
      EXPECT_NEAR(*found.number_mean.original, slow.mean_original, 1e-12);
      EXPECT_NEAR(*found.number_mean.masked, slow.mean_masked, 1e-12);
      EXPECT_NEAR(*found.variance.original, slow.variance_original, 1e-12);
      EXPECT_NEAR(*found.variance.masked, slow.variance_masked, 1e-12);
      EXPECT_NEAR(*found.mean_shift, std::abs(slow.mean_original - slow.mean_masked) / 8, 1e-12);
    }
  });
}

// Missing cells and texts that mean nothing have no part in it.
TEST(ColumnFigures, MeansAreTheConceptsOfLeastDistance) {
  for_mixed_pairs([](const Paired& pairs) {
    const AuditedColumn found = audited(pairs, 0);
    const Attribute& attribute = *pairs.attributes[0];
    const auto check = [&](Side side, const std::optional<NamedConcept>& mean,
                           std::optional<double> variance) {
      std::vector<ConceptId> cells;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const ConceptId value = pairs.tuple(i, side)[0];
        if (value < attribute.size()) cells.insert(cells.end(), pairs.counts[i], value);
      }
      const auto sum = [&](ConceptId c) {
        double out = 0;
        for (const ConceptId v : cells) out += attribute.distance(c, v);
        return out;
      };
      ASSERT_TRUE(mean && mean->id);
      ConceptId at = 0;
      while (attribute.id(at) != *mean->id) ++at;
      EXPECT_EQ(mean->label, attribute.names->label(attribute.domain->in_ontology(at)));
      for (ConceptId c = 0; c < attribute.size(); ++c) {
        if (attribute.taxonomy().is_virtual(c)) continue;
        EXPECT_GE(sum(c), sum(at) - 1e-9 * static_cast<double>(cells.size()));
      }
      double squares = 0;
      for (const ConceptId v : cells) squares += std::pow(attribute.distance(at, v), 2);
      EXPECT_NEAR(*variance, squares / static_cast<double>(cells.size()), 1e-12);
    };
    check(Side::kBefore, found.mean_original, found.variance.original);
    check(Side::kAfter, found.mean_masked, found.variance.masked);
    EXPECT_GE(*found.mean_shift, 0);
    EXPECT_EQ(*found.mean_shift == 0, found.mean_original->id == found.mean_masked->id);
  });
}

}  // namespace
}  // namespace semveil::test
