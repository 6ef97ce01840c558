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
