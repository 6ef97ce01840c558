// The classifier against one that counts every record anew for each guess.
#include "figures/downstream.h"

#include <gtest/gtest.h>

#include <array>

#include "support/slow_figures.h"

namespace semveil::test {
namespace {

std::shared_ptr<const Attribute> lettered_column(const char* name) {
  return std::make_shared<Attribute>(text_attribute(name, {"a", "b", "c", "d"}));
}

constexpr std::array<std::size_t, 1> kFirst{0};

// Both halves are alike.
TEST(Downstream, LearnsWhatGoesTogether) {
  Paired pairs;
  pairs.attributes = {lettered_column("evidence"), lettered_column("target")};
  pairs.before = {0, 0, 1, 1};
  pairs.after = pairs.before;
  pairs.counts = {6, 4};
  const auto kept = downstream(pairs, 1, kFirst);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->target, "target");
  EXPECT_EQ(kept->tested, 10U);
  EXPECT_EQ(kept->original, 1);
  EXPECT_EQ(kept->masked, 1);
  EXPECT_EQ(kept->majority, 0.6);
  // All evidence alike: the release teaches the majority.
  pairs.after = {2, 0, 2, 1};
  EXPECT_EQ(downstream(pairs, 1, kFirst)->masked, 0.6);
  // Turned around, it teaches the opposite.
  pairs.after = {1, 0, 0, 1};
  EXPECT_EQ(downstream(pairs, 1, kFirst)->masked, 0);
}

// (a, x) twice, (a, y), (b, y): the halves are (a, x), (a, y) and (a, x), (b, y).
TEST(Downstream, SmoothsAndBreaksTiesByTheSmallestValue) {
  Paired pairs;
  pairs.attributes = {lettered_column("evidence"), lettered_column("target")};
  pairs.before = {0, 0, 0, 1, 1, 1};
  pairs.after = pairs.before;
  pairs.counts = {2, 1, 1};
  // From (a, x), (a, y): a is x or y alike, so x; b was not seen and is no evidence, so x: one
  // right of two. From (a, x), (b, y): a is x by 2/3 against 1/3; x is right, y is not.
  const auto found = downstream(pairs, 1, kFirst);
  EXPECT_EQ(found->original, 0.5);
  // Both halves have x and y once: x is the majority, right for two of four.
  EXPECT_EQ(found->majority, 0.5);
}

TEST(Downstream, KnowsAValueByWhatIsAboveIt) {
  // r over p and q, p over p1; the release has p and q.
  GeneratedTaxonomy tree;
  tree.ids = {"r", "p", "q", "p1", "q1"};
  tree.links = {{1, 0}, {2, 0}, {3, 1}, {4, 2}};
  const TwinDomain domain(tree);
  Paired pairs;
  pairs.attributes = {make_attribute("e", domain, {"wu-palmer"}), lettered_column("target")};
  const auto concept_of = [&](std::string_view id) {
    ConceptId c = 0;
    while (pairs.attributes[0]->id(c) != id) ++c;
    return c;
  };
  pairs.before = {concept_of("p1"), 0, concept_of("q1"), 1};
  pairs.after = {concept_of("p"), 0, concept_of("q"), 1};
  pairs.counts = {6, 4};
  EXPECT_EQ(downstream(pairs, 1, kFirst)->masked, 1);
}

TEST(Downstream, OfNothingToLearn) {
  Paired pairs;
  pairs.attributes = {lettered_column("evidence"), lettered_column("target")};
  EXPECT_FALSE(downstream(pairs, 1, kFirst));
  pairs.before = {0, 0};
  pairs.after = {0, 4};  // the release has no target
  pairs.counts = {5};
  EXPECT_FALSE(downstream(pairs, 1, kFirst));
}

TEST(Downstream, IsThatOfEveryRecord) {
  std::size_t better = 0;
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      const Paired all = mixed_pairs(domain, 40, seed);
      for (const std::vector<std::size_t>& columns :
           {std::vector<std::size_t>{0, 1, 2, 3}, {2, 3, 1}, {0, 3}, {3}}) {
        const Paired pairs = all.over(columns);
        const std::vector<std::size_t> evidence(columns.begin(), columns.end() - 1);
        const auto found = downstream(all, columns.back(), evidence);
        const auto slow = slow_downstream(pairs);
        ASSERT_EQ(found.has_value(), slow.has_value());
        EXPECT_EQ(found->tested, slow->tested);
        EXPECT_DOUBLE_EQ(found->original, slow->original);
        EXPECT_DOUBLE_EQ(found->masked, slow->masked);
        EXPECT_DOUBLE_EQ(found->majority, slow->majority);
        better += found->original != found->masked ? 1 : 0;
      }
    }
  }
  EXPECT_GT(better, 30U);
}

}  // namespace
}  // namespace semveil::test
