// lm and ncp of single cells, worked by hand.
#include "statistics/cell_generality.h"

#include <gtest/gtest.h>

#include "support/generated_table.h"

namespace semveil::test {
namespace {

// A generated tree of 40 concepts.
struct Generated {
  TwinDomain domain{generate(Shape::kTree, 40, 3)};
  std::shared_ptr<const Attribute> attribute = make_attribute("a", domain, {"wu-palmer"});

  double leaves(ConceptId c) const {
    double out = 0;
    for (const ConceptId below : attribute->taxonomy().descendants(c)) {
      out += attribute->taxonomy().is_leaf(below) ? 1 : 0;
    }
    return out;
  }
  ConceptId leaf() const {
    for (ConceptId c = 0; c < attribute->size(); ++c) {
      if (attribute->taxonomy().is_leaf(c)) return c;
    }
    return 0;
  }
};

TEST(CellGenerality, CountsWhatWasThere) {
  const Generated tree;
  const ConceptId missing = tree.attribute->missing_value(), leaf = tree.leaf();
  ColumnGenerality column(*tree.attribute);
  column.add(leaf, leaf, 2);                 // 0
  column.add(leaf, Taxonomy::root(), 1);     // 1
  column.add(leaf, missing, 1);              // emptied: 1
  column.add(missing, missing, 5);           // no part
  column.add(missing, Taxonomy::root(), 3);  // nor what was nothing before
  ASSERT_TRUE(column.mean());
  EXPECT_DOUBLE_EQ(column.mean()->lm, 2.0 / 4);
  EXPECT_DOUBLE_EQ(column.mean()->ncp, 2.0 / 4);
}

TEST(CellGenerality, IsTheShareOfTheOtherLeaves) {
  const Generated tree;
  const double all = tree.leaves(Taxonomy::root());
  for (ConceptId c = 0; c < tree.attribute->size(); ++c) {
    ColumnGenerality column(*tree.attribute);
    column.add(tree.leaf(), c, 3);
    EXPECT_DOUBLE_EQ(column.mean()->lm, (tree.leaves(c) - 1) / (all - 1));
    EXPECT_DOUBLE_EQ(column.mean()->ncp, tree.leaves(c) == 1 ? 0 : tree.leaves(c) / all);
  }
}

// Those that take no part are records nevertheless; an interval lost its share of the range.
TEST(CellGenerality, OverAllRecordsAndOfIntervals) {
  const Attribute ages = numeric_attribute("age", {20, 80}, 1);
  const ConceptId missing = ages.missing_value();
  ColumnGenerality column(ages, {60, {{missing + 1, {20, 35}}, {missing + 2, {0, 100}}}});
  column.add(0, missing + 1, 2);    // 1/4
  column.add(0, missing + 2, 1);    // wider than what there is: 1
  column.add(0, missing + 3, 1);    // some text: 1
  column.add(1, 1, 1);              // 0
  column.add(missing, missing, 5);  // no part
  EXPECT_DOUBLE_EQ(column.mean()->lm, 2.5 / 5);
  EXPECT_DOUBLE_EQ(column.mean()->ncp, 2.5 / 5);
  EXPECT_DOUBLE_EQ(column.mean_of_records(10).lm, 2.5 / 10);
}

TEST(CellGenerality, OfAColumnThatHasNoCellsSaysNothing) {
  const Generated tree;
  ColumnGenerality column(*tree.attribute);
  column.add(tree.attribute->missing_value(), tree.leaf(), 7);
  EXPECT_FALSE(column.mean());
  const Generality one = mean_of({std::nullopt, Generality{0.5, 0.25}});
  EXPECT_DOUBLE_EQ(one.lm, 0.5);
  EXPECT_DOUBLE_EQ(one.ncp, 0.25);
}

}  // namespace
}  // namespace semveil::test
