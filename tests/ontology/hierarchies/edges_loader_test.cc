#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ontology/loaders.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Every concept's label and parents.
using Node = std::pair<std::string, std::set<std::string>>;
std::map<std::string, Node> nodes(std::string_view text) {
  std::map<std::string, Node> nodes;
  auto draft = parse_edges(text, "e.csv");
  EXPECT_TRUE(draft) << describe(draft.error(), Quote::kShow);
  if (!draft) return nodes;
  EXPECT_EQ(draft->info.format, "edges");
  const auto ontology = std::move(*draft).finish("e.csv");
  EXPECT_TRUE(ontology) << describe(ontology.error(), Quote::kShow);
  if (!ontology) return nodes;
  const auto taxonomy = *ontology->taxonomy();
  const auto names = *ontology->names();
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    Node node{std::string(names->label(c)), {}};
    for (const ConceptId p : taxonomy->parents(c)) node.second.emplace(names->id(p));
    if (!taxonomy->is_virtual(c)) nodes.emplace(names->id(c), node);
  }
  return nodes;
}

void expect_error(std::string_view text, const char* place, const char* message) {
  const auto draft = parse_edges(text, "e.csv");
  ASSERT_FALSE(draft) << text;
  EXPECT_EQ(draft.error().code, ErrorCode::kData);
  EXPECT_THAT(describe(draft.error(), Quote::kShow), ::testing::StartsWith(place));
  EXPECT_THAT(draft.error().message, HasSubstr(message));
}

TEST(EdgesLoader, LinesAreLinksBelowAHeader) {
  const std::map<std::string, Node> expected = {
      {"sport", {"Sports", {}}}, {"ski", {"Skiing", {"sport"}}}, {"golf", {"golf", {"sport"}}}};
  EXPECT_EQ(nodes("child,parent,label\nsport,,Sports\nski,sport,Skiing\ngolf,sport\n"), expected);
  EXPECT_EQ(nodes("Child; PARENT\r\nsport;;Sports\r\nski; sport ;Skiing\r\n\r\ngolf;sport;\r\n"),
            expected);
  EXPECT_EQ(nodes("child,parent,label\ngolf,sport\nski,sport,Skiing\nsport,,Sports"), expected);
}

TEST(EdgesLoader, ColumnsAreToldByTheirNames) {
  const std::map<std::string, Node> expected = {{"sport", {"sport", {}}},
                                                {"ski", {"Skiing", {"sport"}}}};
  EXPECT_EQ(nodes("parent,child,name\nsport,ski,Skiing\n"), expected);
  EXPECT_EQ(nodes("label,child,parent\nSkiing,ski,sport\n"), expected);
  for (const char* text :
       {"ski,sport\ngolf,sport\n", "child,elder\nski,sport\n", "a,parent\nb,c\n"}) {
    const auto draft = parse_edges(text, "e.csv");
    ASSERT_FALSE(draft) << text;
    EXPECT_EQ(draft.error().place.line, 1U);
    EXPECT_THAT(draft.error().message, HasSubstr("child,parent[,label]"));
  }
}

TEST(EdgesLoader, AParentThatIsNowhereAChildIsARoot) {
  EXPECT_EQ(nodes("child,parent\nski,sport\n"),
            (std::map<std::string, Node>{{"sport", {"sport", {}}}, {"ski", {"ski", {"sport"}}}}));
}

TEST(EdgesLoader, AChildMayHaveSeveralParentsAndRootsMayBeSeveral) {
  EXPECT_EQ(nodes("child,parent\nski,sport\nski,winter\n"),
            (std::map<std::string, Node>{{"sport", {"sport", {""}}},
                                         {"winter", {"winter", {""}}},
                                         {"ski", {"ski", {"sport", "winter"}}}}));
}

TEST(EdgesLoader, TheLabelMayStandOnAnyLineOfTheChild) {
  EXPECT_EQ(nodes("child,parent,label\nski,sport,\nski,sport,Skiing\nski,sport,Skiing\n").at("ski"),
            (Node{"Skiing", {"sport"}}));
}

TEST(EdgesLoader, QuotedTextsMayHoldCommas) {
  EXPECT_EQ(nodes("child,parent\n\"a, b\",\"c \"\"d\"\"\"\n").at("a, b"),
            (Node{"a, b", {"c \"d\""}}));
}

TEST(EdgesLoader, RepeatedLinksCountOnce) {
  const auto draft = parse_edges("child,parent\na,b\na,b\na,c\na,b\n", "e.csv");
  ASSERT_TRUE(draft);
  EXPECT_THAT(draft->info.left_out, ElementsAre(Counted{"repeated links", 2}));
  EXPECT_THAT(parse_edges("child,parent\na,b\n", "e.csv")->info.left_out, IsEmpty());
}

TEST(EdgesLoader, WhatIsWrongIsToldWithItsLine) {
  expect_error("", "e.csv: ", "no link");
  expect_error("child,parent\n", "e.csv: ", "no link");
  expect_error("child\n", "e.csv:1: ", "1 field where 2 or 3");
  expect_error("child,parent\na,b\na,b,c,d\n", "e.csv:3: ", "4 fields where 2 or 3");
  expect_error("child,parent\na\n", "e.csv:2: ", "1 field where 2 or 3");
  expect_error("child,parent\n,b\n", "e.csv:2: ", "the child is empty");
  expect_error("child,parent\n ,\n", "e.csv:2: ", "the child is empty");
  expect_error("child,parent\na,b\nc, c\n", "e.csv:3: \"c\"", "its own parent");
  expect_error("child,parent,label\na,b,A\nx,b\na,c,B\n", "e.csv:4: \"B\"", "line 2");
  expect_error("child,parent\na,\"b\n", "e.csv:2: ", "never ends");
  expect_error("child,parent\na,\xFF\n", "e.csv:2: ", "UTF-8");
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
