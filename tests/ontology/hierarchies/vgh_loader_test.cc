#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ontology/loaders.h"
#include "support/data.h"
#include "support/loaded.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;

using test::LabelledNodes;

LabelledNodes vgh_nodes(std::string_view text) {
  auto draft = parse_vgh(text, "v.csv");
  EXPECT_TRUE(draft) << describe(draft.error(), Quote::kShow);
  if (!draft) return {};
  EXPECT_EQ(draft->info.format, "vgh");
  const auto ontology = std::move(*draft).finish("v.csv");
  EXPECT_TRUE(ontology) << describe(ontology.error(), Quote::kShow);
  return ontology ? test::nodes_of(*ontology) : LabelledNodes();
}

void expect_vgh_error(std::string_view text, const char* place, const char* message) {
  test::expect_refused(parse_vgh(text, "v.csv"), text, place, message);
}

TEST(VghLoader, EachColumnLiesBelowTheNext) {
  const LabelledNodes expected = {{"*", {"*", {}}},        {"high", {"high", {"*"}}},
                                  {"low", {"low", {"*"}}}, {"1", {"1", {"low"}}},
                                  {"2", {"2", {"low"}}},   {"3", {"3", {"high"}}}};
  EXPECT_EQ(vgh_nodes("1;low;*\n2;low;*\n3;high;*\n"), expected);
  EXPECT_EQ(vgh_nodes("1,low,*\r\n2, low ,*\r\n\r\n3,high,*"), expected);
  EXPECT_EQ(vgh_nodes("\"1\"\tlow\t*\n2\tlow\t*\n3\thigh\t*\n"), expected);
}

TEST(VghLoader, ASemicolonWinsOverCommasInLabels) {
  EXPECT_EQ(vgh_nodes("1;[0, 2, 4[;*\n"), (LabelledNodes{{"*", {"*", {}}},
                                                         {"[0, 2, 4[", {"[0, 2, 4[", {"*"}}},
                                                         {"1", {"1", {"[0, 2, 4["}}}}));
}

TEST(VghLoader, ALabelRepeatedOnTheNextLevelIsOneNode) {
  EXPECT_EQ(vgh_nodes("?;?;*;*\na;b;*;*\n"),
            (LabelledNodes{
                {"*", {"*", {}}}, {"?", {"?", {"*"}}}, {"b", {"b", {"*"}}}, {"a", {"a", {"b"}}}}));
  // Whatever the order of the rows.
  const LabelledNodes expected = {{"*", {"*", {}}}, {"A", {"A", {"*"}}}, {"B", {"B", {"A"}}}};
  EXPECT_EQ(vgh_nodes("A;A;*\nB;A;*\n"), expected);
  EXPECT_EQ(vgh_nodes("B;A;*\nA;A;*\n"), expected);
}

TEST(VghLoader, OneLabelOnSeveralNodesGetsItsLevelIntoTheId) {
  EXPECT_EQ(vgh_nodes("A;B;*\nB;C;*\n"), (LabelledNodes{{"*", {"*", {}}},
                                                        {"A", {"A", {"B (level 1)"}}},
                                                        {"B", {"B", {"C"}}},
                                                        {"B (level 1)", {"B", {"*"}}},
                                                        {"C", {"C", {"*"}}}}));
  // Even if a label already reads like that.
  const LabelledNodes taken = vgh_nodes("A;B;*\nB;C;*\nB (level 1);C;*\n");
  EXPECT_EQ(taken.at("B (level 1) (level 1)"), (test::LabelledNode{"B", {"*"}}));
  EXPECT_EQ(taken.at("B (level 1)"), (test::LabelledNode{"B (level 1)", {"C"}}));
}

// Joined by label alone, A and B would lie below each other.
TEST(VghLoader, RepeatedLabelsMakeNoCycle) {
  const LabelledNodes crossed = vgh_nodes("w;A;A\nx;A;B\ny;B;A\nz;B;B\n");
  EXPECT_EQ(crossed.at("A"), (test::LabelledNode{"A", {"A (level 2)", "B (level 2)"}}));
  EXPECT_EQ(crossed.at("B"), (test::LabelledNode{"B", {"A (level 2)", "B (level 2)"}}));
  EXPECT_EQ(crossed.at("w"), (test::LabelledNode{"w", {"A"}}));
}

TEST(VghLoader, InnerNodesMayHaveSeveralParentsAndTopsMayBeSeveral) {
  const LabelledNodes dag = vgh_nodes("a;m;x\nb;m;y\n");
  EXPECT_EQ(dag.at("m"), (test::LabelledNode{"m", {"x", "y"}}));
  EXPECT_EQ(dag.size(), 5U);
}

TEST(VghLoader, RepeatedRowsCountOnce) {
  const auto draft = parse_vgh("a;m;*\nb;m;*\na;m;*\n", "v.csv");
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->concepts(), 4U);
  EXPECT_THAT(draft->info.left_out, ElementsAre(Counted{"repeated rows", 1}));
}

TEST(VghLoader, WhatIsWrongIsToldWithItsLine) {
  expect_vgh_error("", "v.csv: ", "no row");
  expect_vgh_error("a\n", "v.csv:1: ", "one column only");
  expect_vgh_error("a;*\nb;m;*\n", "v.csv:2: ", "3 fields where the first line has 2");
  expect_vgh_error("a;m;*\nb;*\n", "v.csv:2: ", "2 fields where the first line has 3");
  expect_vgh_error("a;m;*\nb;;*\n", "v.csv:2: ", "column 2 is empty");
  expect_vgh_error("a;m;*\nb;m;*\na;n;*\n", "v.csv:3: \"a\"", "line 1");
  expect_vgh_error("a;m;x\na;m;y\n", "v.csv:2: \"a\"", "line 1");
  expect_vgh_error("a;\"m\n", "v.csv:1: ", "never ends");
  expect_vgh_error("a;m;*\n\xFF;m;*\n", "v.csv:2: ", "UTF-8");
}

// Values and levels as the folder's README lists them.
struct ArxFile {
  const char* attribute;
  std::size_t values;
  unsigned levels;
};
class ArxHierarchy : public ::testing::TestWithParam<ArxFile> {};
TEST_P(ArxHierarchy, HasItsValuesBelowOneRoot) {
  const ArxFile& expected = GetParam();
  const std::string name =
      std::string("arx-hierarchies/adult_hierarchy_") + expected.attribute + ".csv";
  const auto file = test::data_file(name);
  if (!file) SEMVEIL_SKIP_WITHOUT(name + " in $SEMVEIL_DATA or ../shared/data");
  auto draft = load_vgh(*file);
  ASSERT_TRUE(draft) << describe(draft.error(), Quote::kShow);
  const auto ontology = std::move(*draft).finish(*file);
  ASSERT_TRUE(ontology) << describe(ontology.error(), Quote::kShow);
  const auto taxonomy = *ontology->taxonomy();
  EXPECT_FALSE(taxonomy->has_virtual_root());
  EXPECT_EQ((*ontology->names())->label(Taxonomy::root()), "*");
  EXPECT_EQ(taxonomy->max_depth(), expected.levels);
  std::size_t leaves = 0;
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    leaves += taxonomy->is_leaf(c) ? 1 : 0;
    EXPECT_EQ(taxonomy->parents(c).size(), c == Taxonomy::root() ? 0U : 1U);
  }
  EXPECT_EQ(leaves, expected.values);
}
INSTANTIATE_TEST_SUITE_P(, ArxHierarchy,
                         ::testing::Values(ArxFile{"age", 100, 5}, ArxFile{"education", 16, 4},
                                           ArxFile{"marital-status", 7, 3},
                                           ArxFile{"native-country", 41, 3},
                                           ArxFile{"occupation", 14, 3}, ArxFile{"race", 5, 2},
                                           ArxFile{"salary-class", 2, 2}, ArxFile{"sex", 2, 2},
                                           ArxFile{"workclass", 8, 3}),
                         [](const auto& test) {
                           std::string name = test.param.attribute;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace semveil
