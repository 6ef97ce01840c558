#include "statistics/information_loss.h"

#include <gtest/gtest.h>

#include <array>

#include "base/interval_text.h"
#include "statistics/cell_generality.h"
#include "support/generated_table.h"
#include "support/slow_figures.h"

namespace semveil::test {
namespace {

constexpr std::array<double, 0> kNoLosses{};

TEST(InformationLoss, OfASetGrowsWithIt) {
  EXPECT_EQ(information_loss(1), 0);
  EXPECT_EQ(information_loss(2), 0.5);
  EXPECT_EQ(information_loss(5), 0.8);
}

// EAN, figure 4: 7 quasi-identifiers as they are.
TEST(InformationLoss, OfUnchangedQuasiIdentifiersIsThePrintedOne) {
  const std::array<double, 7> as_they_were{};
  const std::pair<unsigned, double> printed[] = {{3, 0.083}, {5, 0.1}, {7, 0.107}, {10, 0.1125}};
  for (const auto& [l, loss] : printed) {
    const std::array<double, 1> set{information_loss(l)};
    EXPECT_NEAR(information_loss(as_they_were, set), loss, 0.0005) << l;
  }
}

TEST(InformationLoss, OfARecordIsTheMeanOverItsColumns) {
  const std::array<double, 1> one{information_loss(5)};
  EXPECT_DOUBLE_EQ(information_loss(kNoLosses, one), 0.8);
  const std::array<double, 2> two{information_loss(2), information_loss(4)};
  const std::array<double, 3> three{};
  EXPECT_DOUBLE_EQ(information_loss(three, two), 0.25);
  EXPECT_EQ(information_loss(three, kNoLosses), 0);
  // One of seven lifted to the root, one half way.
  const std::array<double, 7> lifted{1, 0.5, 0, 0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(information_loss(lifted, one), 2.3 / 8);
}

TEST(ValueGenerality, IsTheShareOfTheOtherLeaves) {
  for (const Shape shape : {Shape::kTree, Shape::kDag}) {
    const TwinDomain domain(generate(shape, 40, 5));
    const auto attribute = make_attribute("a", domain, {"wu-palmer"});
    const Taxonomy& taxonomy = attribute->taxonomy();
    const ValueGenerality generality(*attribute);
    const auto leaves = [&](ConceptId top) {
      double count = 0;
      for (ConceptId c = 0; c < taxonomy.size(); ++c) {
        if (!taxonomy.is_leaf(c)) continue;
        for (const Ancestor& up : taxonomy.ancestors(c)) count += up.concept_id == top ? 1 : 0;
      }
      return count;
    };
    const double all = leaves(Taxonomy::root());
    for (ConceptId c = 0; c < taxonomy.size(); ++c) {
      EXPECT_DOUBLE_EQ(generality.of(c).lm, (leaves(c) - 1) / (all - 1)) << c;
    }
    EXPECT_EQ(generality.of(Taxonomy::root()).lm, 1);
  }
}

TEST(ValueGenerality, OfTextsIsNone) {
  const Attribute texts = text_attribute("a", {"x", "y"});
  const ValueGenerality generality(texts);
  EXPECT_EQ(generality.of(0).lm, 0);
  EXPECT_EQ(generality.of(1).lm, 0);
}

TEST(IntervalText, IsTwoNumbers) {
  for (const char* text : {"[20, 30)", "20-30", "]20;30]", " 20 – 30 ", "20..30", "(20,30)"}) {
    const auto found = interval_of(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(found->low, 20) << text;
    EXPECT_EQ(found->high, 30) << text;
  }
  EXPECT_TRUE(interval_of("20-30")->contains(20) && interval_of("20-30")->contains(30));
  EXPECT_TRUE(interval_of("[20, 30)")->contains(20));
  EXPECT_FALSE(interval_of("[20, 30)")->contains(30));
  EXPECT_FALSE(interval_of("]20;30]")->contains(20));
  EXPECT_TRUE(interval_of("[20, 30)")->contains(*interval_of("[20, 30)")));
  EXPECT_FALSE(interval_of("[20, 30)")->contains(*interval_of("20-30")));
  EXPECT_TRUE(interval_of("20-30")->contains(*interval_of("(20, 30)")));
  EXPECT_EQ(interval_of("-5--3")->low, -5);
  EXPECT_EQ(interval_of("-5--3")->high, -3);
  EXPECT_EQ(interval_of("1e-3-2")->low, 1e-3);
  for (const char* text : {"", "20", "-20", "30-20", "*", "a-b", "20-", "1990-01-02", "[]"}) {
    EXPECT_FALSE(interval_of(text)) << text;
  }
}

}  // namespace
}  // namespace semveil::test
