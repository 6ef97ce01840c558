#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "ontology/loaders.h"
#include "semveil/measure.h"
#include "support/data.h"
#include "support/loaded.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

using test::Loaded;

Result<OntologyDraft> icd9_draft(std::string_view text) {
  return read_icd9cm({InputStream::over(text), "t.csv"});
}
Loaded loaded_icd9(std::string_view text) { return test::finished(icd9_draft(text)); }

void expect_icd9_error(std::string_view text, const char* place, const char* message) {
  test::expect_refused(icd9_draft(text), text, place, message);
}

// Every id with its label and its parent.
using Icd9Nodes = std::map<std::string, std::pair<std::string, std::string>>;
Icd9Nodes icd9_nodes(const Loaded& icd) {
  Icd9Nodes all;
  for (ConceptId c = 0; c < icd.taxonomy->size(); ++c) {
    if (icd.taxonomy->is_virtual(c)) continue;
    std::string above;
    for (const ConceptId p : icd.taxonomy->parents(c)) above += icd.names->id(p);
    all[std::string(icd.names->id(c))] = {std::string(icd.names->label(c)), above};
  }
  return all;
}

constexpr std::string_view kIcd9Tree =
    "node_id,parent_id,level,label\n"
    "0010,001,subcategory,Cholera due to vibrio\n"
    "ICD9CM,,root,ICD-9-CM diagnoses\n"
    "CH01,ICD9CM,chapter,Infections\n"
    "SC001,CH01,sub_chapter,Intestinal\n"
    "001,SC001,category,Cholera\n"
    "CH02,ICD9CM,chapter,Causes\n"
    "SC002,CH02,sub_chapter,Causes\n"
    "E800,SC002,category,\"Railway, all\"\n"
    "E8000,E800,subcategory,Employee\n"
    "E80001,E8000,subclassification,Deeper\n";
constexpr std::string_view kList =
    "code,billable,short_desc,long_desc,three_digit,major,sub_chapter,chapter\n"
    "0010,1,Cholera d/t vib,Cholera due to vibrio,001,Cholera,Intestinal,Infections\n"
    "001,0,Cholera,Cholera,001,Cholera,Intestinal,Infections\n"
    "E800,0,\"Railway, all\",\"Railway, all\",E800,\"Railway, all\",Causes,Causes\n"
    "E80001,1,Deeper,Deeper,E800,\"Railway, all\",Causes,Causes\n"
    "E8000,0,Employee,Employee,E800,\"Railway, all\",Causes,Causes\n";

TEST(Icd9cm, BothFormsGiveTheSameTaxonomy) {
  const Loaded tree = loaded_icd9(kIcd9Tree);
  EXPECT_EQ(icd9_nodes(tree), (Icd9Nodes{{"ICD9CM", {"ICD-9-CM diagnoses", ""}},
                                         {"CH01", {"Infections", "ICD9CM"}},
                                         {"SC001", {"Intestinal", "CH01"}},
                                         {"001", {"Cholera", "SC001"}},
                                         {"0010", {"Cholera due to vibrio", "001"}},
                                         {"CH02", {"Causes", "ICD9CM"}},
                                         {"SC002", {"Causes", "CH02"}},
                                         {"E800", {"Railway, all", "SC002"}},
                                         {"E8000", {"Employee", "E800"}},
                                         {"E80001", {"Deeper", "E8000"}}}));
  const Loaded list = loaded_icd9(kList);
  EXPECT_EQ(icd9_nodes(list), icd9_nodes(tree));
  for (const Loaded* icd : {&tree, &list}) {
    EXPECT_EQ(icd->ontology.info().format, "icd9cm");
    EXPECT_TRUE(icd->ontology.info().has_icd_codes);
    EXPECT_THAT(icd->ontology.info().left_out, IsEmpty());
    EXPECT_THAT(icd->ontology.info().headings,
                ElementsAre("CH01", "CH02", "ICD9CM", "SC001", "SC002"));
  }
  std::vector<Counted> counted{{"chapters", 2},
                               {"sub-chapters", 2},
                               {"categories", 2},
                               {"subcategories", 2},
                               {"subclassifications", 1}};
  EXPECT_EQ(tree.ontology.info().contents, counted);
  counted.push_back({"billable codes", 2});
  EXPECT_EQ(list.ontology.info().contents, counted);
  EXPECT_THAT(list.terms("0010"), ElementsAre(Pair(TermKind::kLabel, "Cholera due to vibrio"),
                                              Pair(TermKind::kExactSynonym, "Cholera d/t vib")));
  EXPECT_THAT(list.terms("001"), ElementsAre(Pair(TermKind::kLabel, "Cholera")));
}

TEST(Icd9cm, ColumnsAreToldByTheirNames) {
  EXPECT_EQ(icd9_nodes(loaded_icd9(
                "label;more;node_id;parent_id\r\nCholera;x; 001 ;\r\nVibrio;y;0010;001\r\n")),
            (Icd9Nodes{{"001", {"Cholera", ""}}, {"0010", {"Vibrio", "001"}}}));
  EXPECT_EQ(icd9_nodes(loaded_icd9("chapter,sub_chapter,code,long_desc\nC,,001,Cholera\n,,002,\n")),
            (Icd9Nodes{{"ICD9CM", {"ICD-9-CM diagnoses", ""}},
                       {"CH01", {"C", "ICD9CM"}},
                       {"001", {"Cholera", "CH01"}},
                       {"002", {"002", "ICD9CM"}}}));
}

TEST(Icd9cm, HeadingsAreWhatIsNotBuiltLikeACode) {
  const Loaded icd = loaded_icd9(
      "node_id,parent_id,label\n001-139,,a\n001,001-139,b\n001.1,001,c\nV01,001-139,d\nV01.79,V01,"
      "e\n"
      "E800,001-139,f\nE800.1,E800,g\nV1,001-139,h\n12,001-139,i\n");
  EXPECT_THAT(icd.ontology.info().headings, ElementsAre("001-139", "12", "V1"));
  const auto part = part_of(icd.ontology, icd.find("V01"));
  ASSERT_TRUE(part);
  EXPECT_THAT(part->info().headings, IsEmpty());
}

TEST(Icd9cm, SubChaptersOfTheSameNameInTwoChaptersAreTwo) {
  const Loaded icd =
      loaded_icd9("chapter,sub_chapter,code,long_desc\nA,Other,001,a\nB,Other,002,b\n");
  EXPECT_EQ(icd.parents("002"), std::vector<std::string>{"SC002"});
  EXPECT_EQ(icd.parents("SC002"), std::vector<std::string>{"CH02"});
}

TEST(Icd9cm, WhatIsWrongIsToldWithItsLine) {
  const std::string tree = "node_id,parent_id,level,label\n";
  const std::string list = "code,long_desc,sub_chapter,chapter\n";
  expect_icd9_error("", "t.csv: ", "empty");
  expect_icd9_error("code,label\n", "t.csv:1: ", "expected a header line");
  expect_icd9_error("0010 Cholera\n", "t.csv:1: ", "expected a header line");
  expect_icd9_error(tree, "t.csv: ", "no code");
  expect_icd9_error(list, "t.csv: ", "no code");
  expect_icd9_error(tree + "001,,c,Cholera\n0010,002,s,x\n", "t.csv:3: \"002\"", "of no line");
  expect_icd9_error(tree + "001,,c,Cholera\n001,,c,x\n", "t.csv:3: \"001\"", "line 2");
  expect_icd9_error(tree + "001,001,c,Cholera\n", "t.csv:2: \"001\"", "above itself");
  expect_icd9_error(tree + ",001,c,Cholera\n", "t.csv:2: ", "no code");
  expect_icd9_error(tree + "001,,c\n", "t.csv:2: ", "field");
  expect_icd9_error(list + "001,a,b,c\n\n001,a,b,c\n", "t.csv:4: \"001\"", "line 2");
  expect_icd9_error(list + " ,a,b,c\n", "t.csv:2: ", "no code");
  expect_icd9_error(list + "001,a,b,c\nCH01,a,b,c\n", "t.csv:3: \"CH01\"", "line 2");
  expect_icd9_error(list + "001,\xFF,b,c\n", "t.csv:2: ", "UTF-8");
  EXPECT_THAT(load_icd9cm("absent.csv").error().message, HasSubstr("no such file"));
}

TEST(Icd9cm, ACycleIsFoundWhenTheOntologyIsFinished) {
  auto draft = icd9_draft("node_id,parent_id,label\n001,002,a\n002,001,b\n");
  ASSERT_TRUE(draft);
  const auto ontology = std::move(*draft).finish("t.csv");
  ASSERT_FALSE(ontology);
  EXPECT_THAT(ontology.error().message, HasSubstr("cycle"));
}

TEST(Icd9cm, BothFormsOfVersion32AreAlike) {
  const auto tree_file = test::data_file("icd9cm/icd9cm_tree.csv.gz");
  const auto list_file = test::data_file("icd9cm/icd9cm_hierarchy.csv.gz");
  if (!tree_file || !list_file) SEMVEIL_SKIP_WITHOUT("icd9cm");
  const Loaded tree = test::finished(load_icd9cm(*tree_file));
  const Loaded list = test::finished(load_icd9cm(*list_file));
  std::vector<Counted> counted{{"chapters", 19},
                               {"sub-chapters", 150},
                               {"categories", 1234},
                               {"subcategories", 7473},
                               {"subclassifications", 8854}};
  EXPECT_EQ(tree.ontology.info().contents, counted);
  counted.push_back({"billable codes", 14567});
  EXPECT_EQ(list.ontology.info().contents, counted);
  EXPECT_EQ(tree.taxonomy->size(), 17731U);
  EXPECT_FALSE(tree.taxonomy->has_virtual_root());
  EXPECT_TRUE(icd9_nodes(tree) == icd9_nodes(list));

  const auto first = make_measure(tree.taxonomy, {});
  const auto second = make_measure(list.taxonomy, {});
  ASSERT_TRUE(first && second);
  std::vector<double> from_tree(tree.taxonomy->size()), from_list(list.taxonomy->size());
  for (const char* code : {"25000", "E8000", "V011", "042"}) {
    (*first)->from(tree.find(code), from_tree);
    (*second)->from(list.find(code), from_list);
    EXPECT_EQ(from_tree, from_list) << code;
  }
  // Siblings at depth 6 below 250.0 at depth 5: 1 - 2·5 / (2·5 + 2).
  EXPECT_DOUBLE_EQ((*first)->distance(tree.find("25000"), tree.find("25001")), 1 - 10.0 / 12.0);
}

TEST(Icd9cmLoader, LongCodesAreRefused) {
  const std::string header = "code,long_desc,sub_chapter,chapter\n001,a,s,c\n";
  loaded_icd9(header + "0010123456789012,b,s,c\n");
  expect_icd9_error(header + "00101234567890123,b,s,c\n", "t.csv:3: ", "more than 16 bytes");
}

}  // namespace
}  // namespace semveil
