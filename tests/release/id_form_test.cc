// The form of a column's ids, on columns made for it.
#include "release/id_form.h"

#include <gtest/gtest.h>

#include "ontology/loaders.h"
#include "support/loaded.h"
#include "support/rdf_text.h"

namespace semveil {
namespace {

using test::Loaded;

Loaded icd9() {
  return test::finished(
      read_icd9cm({InputStream::over(
                       "node_id,parent_id,label\nICD9CM,,all\nCH01,ICD9CM,chapter\n"
                       "250,CH01,diabetes\n2500,250,a\n25000,2500,b\n001,CH01,cholera\n0011,001,c\n"
                       "E800,CH01,railway\nE8001,E800,d\nV01,CH01,contact\nV0179,V01,e\n"),
                   "t.csv"}));
}
Loaded people() {
  static const std::string text = std::string(test::kRdfPrefixes) +
                                  "ex:Gender a owl:Class .\nex:Male a ex:Gender .\nex:Female a "
                                  "ex:Gender ; rdfs:label \"woman\" .\n"
                                  "<http://purl.obolibrary.org/obo/DOID_4> a owl:Class .\n";
  return test::finished(read_owl(test::rdf_stream(text, "o.ttl"), ""));
}

struct Text {
  std::string_view text, id;
  std::uint64_t count;
};
std::optional<IdForm> form_of(const Loaded& loaded, const std::vector<Text>& texts) {
  std::vector<IdForm::Cell> cells;
  for (const Text& text : texts) cells.push_back({text.text, loaded.find(text.id), text.count});
  return IdForm::of(cells, loaded.ontology.info(), *loaded.names);
}

TEST(IdForm, DotsAreWrittenWhereMostCellsHaveThem) {
  const Loaded icd = icd9();
  const auto form = form_of(icd, {{"250.00", "25000", 3}, {"0011", "0011", 2}, {"250", "250", 9}});
  ASSERT_TRUE(form);
  EXPECT_EQ(form->written(icd.find("25000"), *icd.names), "250.00");
  EXPECT_EQ(form->written(icd.find("0011"), *icd.names), "001.1");
  EXPECT_EQ(form->written(icd.find("250"), *icd.names), "250");
  EXPECT_EQ(form->written(icd.find("E8001"), *icd.names),
            "E800.1");  // ICD-9's categories under E have four characters
  EXPECT_EQ(form->written(icd.find("V0179"), *icd.names), "V01.79");
  EXPECT_EQ(form->written(icd.find("CH01"), *icd.names), "CH01");  // no code
  EXPECT_EQ(form->written(icd.find("ICD9CM"), *icd.names), "ICD9CM");
}

TEST(IdForm, FewCellsWithADotDoNotDecide) {
  const Loaded icd = icd9();
  const auto form = form_of(icd, {{"250.00", "25000", 2}, {"0011", "0011", 3}});
  ASSERT_TRUE(form);
  EXPECT_EQ(form->written(icd.find("25000"), *icd.names), "25000");
  EXPECT_EQ(form->written(icd.find("E8001"), *icd.names), "E8001");
}

TEST(IdForm, OfAsManyTheOntologysOwnFormStays) {
  const Loaded icd = icd9();
  const auto form = form_of(icd, {{"250.00", "25000", 3}, {"0011", "0011", 3}});
  ASSERT_TRUE(form);
  EXPECT_EQ(form->written(icd.find("25000"), *icd.names), "25000");
}

TEST(IdForm, SmallLettersAreWrittenWhereMostCellsWithLettersHaveThem) {
  const Loaded icd = icd9();
  const auto form =
      form_of(icd, {{"e800.1", "E8001", 2}, {"V01.79", "V0179", 1}, {"250.00", "25000", 9}});
  ASSERT_TRUE(form);
  EXPECT_EQ(form->written(icd.find("E8001"), *icd.names), "e800.1");
  EXPECT_EQ(form->written(icd.find("V01"), *icd.names), "v01");
}

TEST(IdForm, LostZerosAreStillACode) {
  const Loaded icd = icd9();
  const auto form = form_of(icd, {{"1.1", "0011", 3}, {"diabetes", "250", 2}});
  ASSERT_TRUE(form);
  EXPECT_EQ(form->written(icd.find("0011"), *icd.names), "001.1");
}

TEST(IdForm, AColumnOfWordsHasNone) {
  const Loaded icd = icd9();
  EXPECT_FALSE(form_of(icd, {{"diabetes", "250", 3}, {"250.00", "25000", 3}}));
  EXPECT_FALSE(form_of(icd, {}));
  const Loaded owl = people();
  EXPECT_FALSE(form_of(owl, {{"woman", "http://x/o#Female", 3}, {"Male", "http://x/o#Male", 2}}));
}

TEST(IdForm, IrisAreWrittenAsMostCellsWriteThem) {
  const Loaded owl = people();
  const auto local =
      form_of(owl, {{"Male", "http://x/o#Male", 3}, {"http://x/o#Female", "http://x/o#Female", 2}});
  ASSERT_TRUE(local);
  EXPECT_EQ(local->written(owl.find("http://x/o#Female"), *owl.names), "Female");
  const auto whole =
      form_of(owl, {{"Male", "http://x/o#Male", 2}, {"http://x/o#Female", "http://x/o#Female", 3}});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->written(owl.find("http://x/o#Male"), *owl.names), "http://x/o#Male");
  const auto obo = form_of(owl, {{"DOID:4", "http://purl.obolibrary.org/obo/DOID_4", 1}});
  ASSERT_TRUE(obo);
  EXPECT_EQ(obo->written(owl.find("http://purl.obolibrary.org/obo/DOID_4"), *owl.names), "DOID:4");
  EXPECT_EQ(obo->written(owl.find("http://x/o#Male"), *owl.names), "Male");
}

TEST(IdForm, NotationsAreWrittenWhereMostCellsAreThose) {
  const std::string text = std::string(test::kRdfPrefixes) +
                           "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
                           "ex:c1 a skos:Concept ; skos:notation \"A01\" .\n"
                           "ex:c2 a skos:Concept ; skos:notation \"A02\" ; skos:broader ex:c1 .\n"
                           "ex:c3 a skos:Concept ; skos:broader ex:c1 .\n";
  const Loaded nace = test::finished(read_skos(test::rdf_stream(text, "o.ttl"), ""));
  const auto form = form_of(nace, {{"A01", "http://x/o#c1", 1}});
  ASSERT_TRUE(form);
  EXPECT_EQ(form->written(nace.find("http://x/o#c2"), *nace.names), "A02");
  EXPECT_EQ(form->written(nace.find("http://x/o#c3"), *nace.names), "c3");
}

TEST(IsWrittenFor, TakesACodeAndNothingElse) {
  EXPECT_TRUE(is_written_for("250.00", "25000"));
  EXPECT_TRUE(is_written_for("1.1", "0011"));
  EXPECT_TRUE(is_written_for("e11.9", "E11.9"));
  EXPECT_FALSE(is_written_for("11", "0110"));
  EXPECT_FALSE(is_written_for("5000", "25000"));
  EXPECT_FALSE(is_written_for("", "25000"));
  EXPECT_FALSE(is_written_for("cholera", "001"));
}

}  // namespace
}  // namespace semveil
