#include "mechanisms/generalize/hierarchy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mechanisms/generalize/level_table.h"
#include "ontology/loaders.h"
#include "support/loaded.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

using ::testing::ElementsAre;

struct Column {
  Attribute attribute;
  Loaded loaded;

  // What a concept is on each level, "?" for missing.
  std::vector<std::string> levels(const Hierarchy& hierarchy, Code place) const {
    std::vector<std::string> out;
    for (unsigned level = 0; level < hierarchy.levels(); ++level) {
      const ConceptId c = hierarchy.concept_of(hierarchy.node(place, level));
      out.emplace_back(c == attribute.missing_value() ? "?" : attribute.id(c));
    }
    return out;
  }
};
Column column_of(Loaded loaded) {
  Column out{{}, std::move(loaded)};
  out.attribute.domain = std::make_shared<const Domain>(Domain::whole(out.loaded.taxonomy));
  out.attribute.names = out.loaded.names;
  return out;
}
Column edges(std::string_view text) { return column_of(finished(parse_edges(text, "e.csv"))); }
Column vgh(std::string_view text) {
  Column out = column_of(finished(parse_vgh(text, "v.csv")));
  out.attribute.levels = value_or_throw(level_table(value_or_throw(parse_vgh_levels(text, "v.csv")),
                                                    *out.loaded.names, *out.attribute.domain));
  return out;
}
Hierarchy hierarchy(const Column& column, const std::vector<std::string>& ids,
                    Hierarchy::By by = Hierarchy::By::kLevels) {
  std::vector<ConceptId> values;
  for (const std::string& id : ids) {
    values.push_back(id == "?" ? column.attribute.missing_value() : column.loaded.find(id));
  }
  return value_or_throw(Hierarchy::of(column.attribute, values, by));
}
std::uint64_t leaves(const Column& column, const Hierarchy& hierarchy, const std::string& id) {
  for (Code node = 0; node < hierarchy.nodes(); ++node) {
    if (hierarchy.concept_of(node) == column.loaded.find(id)) return hierarchy.leaves(node);
  }
  ADD_FAILURE() << "no node " << id;
  return 0;
}

// d hangs below b and c, both at depth 2, and also directly below the root.
constexpr const char* kDiamond = "child,parent\nb,a\nc,a\nd,b\nd,c\nd,a\ne,c\nf,d\ng,d\n";

TEST(Hierarchy, GoesUpByDepthThroughTheSmallestId) {
  const Column column = edges(kDiamond);
  const Hierarchy found = hierarchy(column, {"f", "e", "b"});
  EXPECT_EQ(found.levels(), 4U);
  EXPECT_THAT(column.levels(found, 0), ElementsAre("f", "d", "b", "a"));
  EXPECT_THAT(column.levels(found, 1), ElementsAre("e", "e", "c", "a"));  // deeper ones are lifted
  EXPECT_THAT(column.levels(found, 2), ElementsAre("b", "b", "b", "a"));
  EXPECT_TRUE(found.is_nested());
  EXPECT_EQ(found.meet(0, 2), 2U);
  EXPECT_EQ(found.meet(0, 1), 3U);
  EXPECT_EQ(found.meet(1, 1), 0U);
}

TEST(Hierarchy, CountsEachLeafOnce) {
  const Column column = edges(kDiamond);
  const Hierarchy found = hierarchy(column, {"f", "e", "b"});
  EXPECT_EQ(found.all_leaves(), 3U);  // f and g by three ways, e
  EXPECT_EQ(leaves(column, found, "a"), 3U);
  EXPECT_EQ(leaves(column, found, "b"), 2U);
  EXPECT_EQ(leaves(column, found, "c"), 3U);
  EXPECT_EQ(leaves(column, found, "f"), 1U);
}

TEST(Hierarchy, LevelsAreCountedFromTheDeepestValue) {
  const Column column = edges(kDiamond);
  EXPECT_THAT(column.levels(hierarchy(column, {"e"}), 0), ElementsAre("e", "c", "a"));
  EXPECT_THAT(column.levels(hierarchy(column, {"a"}), 0), ElementsAre("a"));
}

TEST(Hierarchy, MissingStaysItselfBelowTheRoot) {
  const Column column = edges(kDiamond);
  EXPECT_THAT(column.levels(hierarchy(column, {"f", "?"}), 1), ElementsAre("?", "?", "?", "a"));
  EXPECT_THAT(column.levels(hierarchy(column, {"a", "?"}), 1), ElementsAre("?", "a"));
  EXPECT_THAT(column.levels(hierarchy(column, {"?"}), 0), ElementsAre("?", "a"));
  const Column file = vgh("1;x;*\n2;y;*\n");
  EXPECT_THAT(file.levels(hierarchy(file, {"1", "?"}), 1), ElementsAre("?", "?", "*"));
  const Column roots = vgh("1;x\n2;y\n");  // there is no one root on the last level
  EXPECT_THAT(roots.levels(hierarchy(roots, {"1", "?"}), 1), ElementsAre("?", "?"));
  EXPECT_THAT(roots.levels(hierarchy(roots, {"1", "?"}, Hierarchy::By::kDepths), 1),
              ElementsAre("?", "?", ""));
}

TEST(Hierarchy, OfAVghHasItsColumns) {
  const Column column = vgh("1;low;low;*\n2;low;low;*\n3;high;top;*\n");
  const Hierarchy found = hierarchy(column, {"1", "3"});
  EXPECT_THAT(column.levels(found, 0), ElementsAre("1", "low", "low", "*"));
  EXPECT_THAT(column.levels(found, 1), ElementsAre("3", "high", "top", "*"));
}

TEST(Hierarchy, KnowsThatRowsMayPartAgain) {
  const Column column = vgh("1;x;p;*\n2;x;q;*\n");
  const Hierarchy found = hierarchy(column, {"1", "2", "x"});
  EXPECT_FALSE(found.is_nested());
  EXPECT_THAT(column.levels(found, 0), ElementsAre("1", "x", "p", "*"));
  EXPECT_THAT(column.levels(found, 1), ElementsAre("2", "x", "q", "*"));
  EXPECT_THAT(column.levels(found, 2), ElementsAre("x", "x", "p", "*"));  // the smaller id
  EXPECT_TRUE(hierarchy(column, {"1", "2"}, Hierarchy::By::kDepths).is_nested());
}

TEST(LevelTable, EndsAtTheRootOfTheDomain) {
  const std::string text = "1;low;*\n2;low;*\n3;high;*\n";
  Column column = vgh(text);
  const Domain part = Domain::subtree(column.loaded.taxonomy, column.loaded.find("low"));
  const auto table = value_or_throw(
      level_table(value_or_throw(parse_vgh_levels(text, "v.csv")), *column.loaded.names, part));
  const ConceptId one = part.in_domain(column.loaded.find("1")).value();
  EXPECT_EQ(table->levels, 3U);
  EXPECT_EQ(table->at(one, 0), one);
  EXPECT_EQ(table->at(one, 1), Taxonomy::root());
  EXPECT_EQ(table->at(one, 2), Taxonomy::root());
}

TEST(LevelTable, SaysThatTheFileHasChanged) {
  const Column column = vgh("1;low;*\n2;low;*\n");
  const auto other = value_or_throw(parse_vgh_levels("1;low;*\n3;low;*\n", "v.csv"));
  const auto table = level_table(other, *column.loaded.names, *column.attribute.domain);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kData);
  EXPECT_FALSE(read_levels("/nowhere/v.csv", *column.loaded.names, *column.attribute.domain));
}

}  // namespace
}  // namespace semveil::test
