// Utility and linkage against the definitions, record by record.
#include "figures/utility.h"

#include <gtest/gtest.h>

#include "figures/record_linkage.h"
#include "support/generated_pairs.h"
#include "support/slow_audit.h"

namespace semveil::test {
namespace {

template <class Check>
void for_generated_pairs(const Check& check) {
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      check(generated_pairs(domain, 40, seed));
    }
  }
}

TEST(Classes, AreTheDistinctTuplesById) {
  for_generated_pairs([](const Paired& pairs) {
    for (const Side side : {Side::kBefore, Side::kAfter}) {
      const Classes classes = classes_of(pairs, side);
      EXPECT_EQ(classes.records(), pairs.records());
      std::uint64_t smallest = pairs.records();
      for (const std::uint64_t count : classes.counts) smallest = std::min(smallest, count);
      EXPECT_EQ(classes.smallest(), smallest);
      std::vector<std::uint64_t> counts(classes.size());
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_TRUE(std::ranges::equal(classes.tuple(classes.of[i]), pairs.tuple(i, side)));
        counts[classes.of[i]] += pairs.counts[i];
      }
      EXPECT_EQ(counts, classes.counts);
      // "" is the id of missing cells, which come last, and of a virtual root, which none has.
      const auto id = [&](std::size_t c, std::size_t j) {
        const std::string_view text = pairs.attributes[j]->id(classes.tuple(c)[j]);
        return text.empty() ? std::string(1, '\xff') : std::string(text);
      };
      for (std::size_t c = 1; c < classes.size(); ++c) {
        EXPECT_LT(std::pair(id(c - 1, 0), id(c - 1, 1)), std::pair(id(c, 0), id(c, 1)));
      }
    }
  });
}

TEST(SemanticQuality, IsTheMeanSimilarityOfCells) {
  for_generated_pairs([](const Paired& pairs) {
    EXPECT_NEAR(semantic_quality(pairs), slow_quality(pairs), 1e-12);
  });
}

TEST(SemanticQuality, IsOneWhereNothingChanged) {
  const TwinDomain domain(generate(Shape::kDag, 25, 1));
  Paired pairs = generated_pairs(domain, 40, 1);
  EXPECT_LT(semantic_quality(pairs), 0.95);
  pairs.after = pairs.before;
  EXPECT_EQ(semantic_quality(pairs), 1);
}

TEST(Discernibility, AddsUpTheClassesOfRecords) {
  for_generated_pairs([](const Paired& pairs) {
    const Classes released = classes_of(pairs, Side::kAfter);
    EXPECT_EQ(discernibility(released), slow_discernibility(pairs));
    EXPECT_DOUBLE_EQ(c_avg(released, 3), slow_c_avg(pairs, 3));
  });
}

TEST(Generality, IsTheShareOfLeaves) {
  for_generated_pairs([](const Paired& pairs) {
    const Generality found = generality(pairs);
    EXPECT_NEAR(found.lm, slow_lm(pairs), 1e-12);
    EXPECT_NEAR(found.ncp, slow_ncp(pairs), 1e-12);
  });
}

TEST(LinkedByEquality, IsOneGuessAmongTheOriginalsAlike) {
  for_generated_pairs([](const Paired& pairs) {
    EXPECT_NEAR(linked_by_equality(pairs), slow_linkage(pairs), 1e-12);
  });
}

TEST(LinkedByEquality, CountsTheTuplesWhereNothingChanged) {
  const TwinDomain domain(generate(Shape::kDag, 25, 1));
  Paired pairs = generated_pairs(domain, 40, 1);
  pairs.after = pairs.before;
  const Classes classes = classes_of(pairs, Side::kBefore);
  EXPECT_NEAR(linked_by_equality(pairs),
              static_cast<double>(classes.size()) / static_cast<double>(classes.records()), 1e-12);
}

}  // namespace
}  // namespace semveil::test
