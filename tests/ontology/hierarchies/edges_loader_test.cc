#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ontology/loaders.h"
#include "support/loaded.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using test::LabelledNodes;

LabelledNodes edge_nodes(std::string_view text) {
  auto draft = parse_edges(text, "e.csv");
  EXPECT_TRUE(draft) << describe(draft.error(), Quote::kShow);
  if (!draft) return {};
  EXPECT_EQ(draft->info.format, "edges");
  const auto ontology = std::move(*draft).finish("e.csv");
  EXPECT_TRUE(ontology) << describe(ontology.error(), Quote::kShow);
  return ontology ? test::nodes_of(*ontology) : LabelledNodes();
}

void expect_edges_error(std::string_view text, const char* place, const char* message) {
  test::expect_refused(parse_edges(text, "e.csv"), text, place, message);
}

TEST(EdgesLoader, LinesAreLinksBelowAHeader) {
  const LabelledNodes expected = {
      {"sport", {"Sports", {}}}, {"ski", {"Skiing", {"sport"}}}, {"golf", {"golf", {"sport"}}}};
  EXPECT_EQ(edge_nodes("child,parent,label\nsport,,Sports\nski,sport,Skiing\ngolf,sport\n"),
            expected);
  EXPECT_EQ(
      edge_nodes("Child; PARENT\r\nsport;;Sports\r\nski; sport ;Skiing\r\n\r\ngolf;sport;\r\n"),
      expected);
  EXPECT_EQ(edge_nodes("child,parent,label\ngolf,sport\nski,sport,Skiing\nsport,,Sports"),
            expected);
}

TEST(EdgesLoader, ColumnsAreToldByTheirNames) {
  const LabelledNodes expected = {{"sport", {"sport", {}}}, {"ski", {"Skiing", {"sport"}}}};
  EXPECT_EQ(edge_nodes("parent,child,name\nsport,ski,Skiing\n"), expected);
  EXPECT_EQ(edge_nodes("label,child,parent\nSkiing,ski,sport\n"), expected);
  for (const char* text :
       {"ski,sport\ngolf,sport\n", "child,elder\nski,sport\n", "a,parent\nb,c\n"}) {
    const auto draft = parse_edges(text, "e.csv");
    ASSERT_FALSE(draft) << text;
    EXPECT_EQ(draft.error().place.line, 1U);
    EXPECT_THAT(draft.error().message, HasSubstr("child,parent[,label]"));
  }
}

TEST(EdgesLoader, AParentThatIsNowhereAChildIsARoot) {
  EXPECT_EQ(edge_nodes("child,parent\nski,sport\n"),
            (LabelledNodes{{"sport", {"sport", {}}}, {"ski", {"ski", {"sport"}}}}));
}

TEST(EdgesLoader, AChildMayHaveSeveralParentsAndRootsMayBeSeveral) {
  EXPECT_EQ(edge_nodes("child,parent\nski,sport\nski,winter\n"),
            (LabelledNodes{{"sport", {"sport", {""}}},
                           {"winter", {"winter", {""}}},
                           {"ski", {"ski", {"sport", "winter"}}}}));
}

TEST(EdgesLoader, TheLabelMayStandOnAnyLineOfTheChild) {
  EXPECT_EQ(
      edge_nodes("child,parent,label\nski,sport,\nski,sport,Skiing\nski,sport,Skiing\n").at("ski"),
      (test::LabelledNode{"Skiing", {"sport"}}));
}

TEST(EdgesLoader, QuotedTextsMayHoldCommas) {
  EXPECT_EQ(edge_nodes("child,parent\n\"a, b\",\"c \"\"d\"\"\"\n").at("a, b"),
            (test::LabelledNode{"a, b", {"c \"d\""}}));
}

TEST(EdgesLoader, RepeatedLinksCountOnce) {
  const auto draft = parse_edges("child,parent\na,b\na,b\na,c\na,b\n", "e.csv");
  ASSERT_TRUE(draft);
  EXPECT_THAT(draft->info.left_out, ElementsAre(Counted{"repeated links", 2}));
  EXPECT_THAT(parse_edges("child,parent\na,b\n", "e.csv")->info.left_out, IsEmpty());
}

TEST(EdgesLoader, WhatIsWrongIsToldWithItsLine) {
  expect_edges_error("", "e.csv: ", "no link");
  expect_edges_error("child,parent\n", "e.csv: ", "no link");
  expect_edges_error("child\n", "e.csv:1: ", "1 field where 2 or 3");
  expect_edges_error("child,parent\na,b\na,b,c,d\n", "e.csv:3: ", "4 fields where 2 or 3");
  expect_edges_error("child,parent\na\n", "e.csv:2: ", "1 field where 2 or 3");
  expect_edges_error("child,parent\n,b\n", "e.csv:2: ", "the child is empty");
  expect_edges_error("child,parent\n ,\n", "e.csv:2: ", "the child is empty");
  expect_edges_error("child,parent\na,b\nc, c\n", "e.csv:3: \"c\"", "its own parent");
  expect_edges_error("child,parent,label\na,b,A\nx,b\na,c,B\n", "e.csv:4: \"B\"", "line 2");
  expect_edges_error("child,parent\na,\"b\n", "e.csv:2: ", "never ends");
  expect_edges_error("child,parent\na,\xFF\n", "e.csv:2: ", "UTF-8");
}

TEST(EdgesLoader, ACycleIsFoundWhenTheOntologyIsFinished) {
  auto draft = parse_edges("child,parent\na,b\nb,c\nc,a\n", "e.csv");
  ASSERT_TRUE(draft);
  const auto ontology = std::move(*draft).finish("e.csv");
  ASSERT_FALSE(ontology);
  EXPECT_THAT(ontology.error().message, HasSubstr("cycle"));
}

TEST(EdgesLoader, AMissingFileIsTold) {
  EXPECT_THAT(load_edges("absent.csv").error().message, HasSubstr("no such file"));
}

}  // namespace
}  // namespace semveil
