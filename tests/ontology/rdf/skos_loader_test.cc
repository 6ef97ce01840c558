#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ontology/loaders.h"
#include "ontology/rdf/rdf_concepts.h"
#include "support/rdf_text.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using test::Loaded;

Result<OntologyDraft> skos_draft(const std::string& turtle, const std::string& language = "") {
  const std::string text = test::kRdfPrefixes + turtle;
  return read_skos(test::rdf_stream(text, "s.ttl"), language);
}
Loaded loaded_skos(const std::string& turtle, const std::string& language = "") {
  return test::finished(skos_draft(turtle, language));
}

constexpr const char* kSmallSkos =
    "ex:scheme a skos:ConceptScheme ; owl:versionInfo \"3\" ; skos:hasTopConcept ex:disease .\n"
    "ex:disease skos:prefLabel \"disease\"@en , \"Krankheit\"@de ; skos:narrower ex:flu .\n"
    "ex:flu a skos:Concept ; skos:prefLabel \"flu\"@en , \"Grippe\"@de ;\n"
    "  skos:altLabel \"influenza\"@en , \"Influenza\"@de ; skos:hiddenLabel \"flue\"@en ;\n"
    "  skos:notation \"J11\" ; skos:exactMatch <http://y/1> ; skos:closeMatch <http://y/2> ;\n"
    "  skos:scopeNote \"note\"@en ; skos:definition \"An infection.\"@en ;\n"
    "  skos:broader ex:disease ; skos:related ex:cold .\n";

TEST(SkosLoader, ConceptsAndTheirNames) {
  const Loaded skos = loaded_skos(kSmallSkos);
  ASSERT_EQ(skos.taxonomy->size(), 2U);
  EXPECT_EQ(skos.names->label(0), "disease");
  EXPECT_THAT(skos.parents("http://x/o#flu"), ElementsAre("http://x/o#disease"));
  EXPECT_THAT(skos.terms("http://x/o#flu"),
              ElementsAre(Pair(TermKind::kLabel, "flu"), Pair(TermKind::kExactSynonym, "influenza"),
                          Pair(TermKind::kRelatedSynonym, "flue"), Pair(TermKind::kAltId, "J11"),
                          Pair(TermKind::kXref, "http://y/1"), Pair(TermKind::kAltId, "flu")));
  EXPECT_EQ(skos.names->definition(1), "An infection.");
  const OntologyInfo& info = skos.ontology.info();
  EXPECT_EQ(info.format, "skos");
  EXPECT_EQ(info.version, "3");
  EXPECT_THAT(info.contents,
              ElementsAre(Counted{"concepts", 2}, Counted{"concepts that only links name", 1},
                          Counted{"concept schemes", 1}));
  EXPECT_THAT(info.left_out,
              ElementsAre(Counted{"names in other languages", 3}, Counted{"related links", 1},
                          Counted{"matches that are not exact", 1}));
}

TEST(SkosLoader, TheLanguageAskedForNamesConcepts) {
  const Loaded skos = loaded_skos(kSmallSkos, "de");
  EXPECT_THAT(skos.terms("http://x/o#flu"),
              ElementsAre(Pair(TermKind::kLabel, "Grippe"),
                          Pair(TermKind::kExactSynonym, "Influenza"), Pair(TermKind::kAltId, "J11"),
                          Pair(TermKind::kXref, "http://y/1"), Pair(TermKind::kAltId, "flu")));
}

TEST(SkosLoader, ADefinitionIsChosenByLanguageThenByKind) {
  const std::string text =
      "ex:a a skos:Concept ; skos:scopeNote \"note\"@en , \"Notiz\"@de ; skos:definition \"d\"@en "
      ".\n";
  EXPECT_EQ(loaded_skos(text).names->definition(0), "d");
  EXPECT_EQ(loaded_skos(text, "de").names->definition(0), "Notiz");
  EXPECT_EQ(loaded_skos(text, "fr").names->definition(0), "d");
}

TEST(SkosLoader, BothDirectionsAndAllKindsOfIsAAreLinks) {
  const Loaded skos = loaded_skos(
      "ex:a skos:broader ex:top . ex:top skos:narrower ex:a , ex:b . ex:c iso:broaderGeneric "
      "ex:top .\n"
      "ex:top iso:narrowerGeneric ex:d . ex:e iso:broaderInstantial ex:top .\n"
      "ex:top skos:topConceptOf ex:s . ex:a skos:topConceptOf ex:s .\n");
  EXPECT_EQ(test::roots(skos), 1U);
  for (const char* child : {"a", "b", "c", "d", "e"}) {
    EXPECT_THAT(skos.parents("http://x/o#" + std::string(child)), ElementsAre("http://x/o#top"));
  }
}

TEST(SkosLoader, PartWholeAndOtherLinksAreLeftOut) {
  const Loaded skos = loaded_skos(
      "ex:a a skos:Concept . ex:b iso:broaderPartitive ex:a ; skos:broader ex:a .\n"
      "ex:a iso:narrowerPartitive ex:c . ex:d skos:broader ex:d ; skos:broaderTransitive ex:a .\n"
      "ex:k a skos:Collection ; skos:member ex:a . ex:k2 a skos:OrderedCollection .\n"
      "ex:a skos:broader ex:k .\n");
  EXPECT_THAT(skos.parents("http://x/o#b"), ElementsAre(""));
  EXPECT_EQ(test::roots(skos), 4U);
  EXPECT_THAT(skos.ontology.info().left_out,
              ElementsAre(Counted{"links of concepts to themselves", 1},
                          Counted{"links to what is none of the concepts", 1},
                          Counted{"part-whole links", 2}, Counted{"transitive links", 1},
                          Counted{"collections", 2}));
}

TEST(SkosLoader, LabelsMayBeNodesOfTheirOwn) {
  const Loaded skos = loaded_skos(
      "ex:a a skos:Concept ; xl:prefLabel ex:l1 , [ xl:literalForm \"deutsch\"@de ] ;\n"
      "  xl:altLabel ex:l2 ; xl:hiddenLabel ex:l3 .\n"
      "ex:l1 a xl:Label ; xl:literalForm \"label\"@en . ex:l2 xl:literalForm \"other\"@en .\n"
      "ex:l3 xl:literalForm \"hiden\" .\n");
  EXPECT_EQ(skos.taxonomy->size(), 1U);
  EXPECT_THAT(skos.terms("http://x/o#a"),
              ElementsAre(Pair(TermKind::kLabel, "label"), Pair(TermKind::kExactSynonym, "other"),
                          Pair(TermKind::kRelatedSynonym, "hiden"), Pair(TermKind::kAltId, "a")));
}

// Many concepts times many texts of one label: a small file must not become a large ontology.
TEST(SkosLoader, WhatLabelNodesMultiplyIsBounded) {
  const auto forms = [](std::size_t count) {
    std::string text = "ex:a a skos:Concept ; xl:altLabel ex:l .\n";
    for (std::size_t i = 0; i < count; ++i) {
      text += "ex:l xl:literalForm \"form " + std::to_string(i) + "\" .\n";
    }
    return text;
  };
  EXPECT_EQ(loaded_skos(forms(RdfConcepts::kMostForms)).terms("http://x/o#a").size(),
            2 + RdfConcepts::kMostForms);
  const auto too_many = skos_draft(forms(RdfConcepts::kMostForms + 1));
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().place.file, "s.ttl");
  EXPECT_EQ(too_many.error().value, "http://x/o#l");
  std::string text = "ex:l xl:literalForm \"" + std::string(1 << 20, 'x') + "\" .\n";
  for (int i = 0; i < 2100; ++i) text += "ex:c" + std::to_string(i) + " xl:altLabel ex:l .\n";
  const auto too_large = skos_draft(text);
  ASSERT_FALSE(too_large);
  EXPECT_THAT(too_large.error().message, HasSubstr("2 GiB"));
  EXPECT_EQ(too_large.error().place.file, "s.ttl");
}

TEST(SkosLoader, DeprecatedConceptsLeadToTheirReplacement) {
  const Loaded skos = loaded_skos(
      "ex:a a skos:Concept . ex:b a skos:Concept ; owl:deprecated true ; skos:notation \"B\" ;\n"
      "  skos:broader ex:a ; dct:isReplacedBy ex:a .\n");
  EXPECT_THAT(skos.terms("http://x/o#a"),
              ElementsAre(Pair(TermKind::kLabel, "a"), Pair(TermKind::kAltId, "a"),
                          Pair(TermKind::kAltId, "http://x/o#b"), Pair(TermKind::kAltId, "B"),
                          Pair(TermKind::kAltId, "b")));
}

TEST(SkosLoader, TheSameGraphInAnyOrderGivesTheSameSnapshot) {
  const std::string skos = "> <http://www.w3.org/2004/02/skos/core#";
  const std::string xl = "> <http://www.w3.org/2008/05/skos-xl#";
  std::string text;
  for (int i = 0; i < 60; ++i) {
    const std::string c = "<http://x/" + std::to_string(i);
    const std::string parent = "<http://x/" + std::to_string(i / 3);
    if (i > 0)
      text += i % 2 == 0 ? c + skos + "broader> " + parent + "> .\n"
                         : parent + skos + "narrower> " + c + "> .\n";
    text += c + skos + "prefLabel> \"c" + std::to_string(i % 7) + "\"@en .\n";
    text += c + skos + "prefLabel> \"b" + std::to_string(i % 5) + "\"@en .\n";
    text += c + skos + "altLabel> \"d" + std::to_string(i % 5) + "\"@fr .\n";
    text += c + skos + "definition> \"d" + std::to_string(i % 5) + "\"@fr .\n";
    text += c + skos + "definition> \"e" + std::to_string(i % 5) + "\"@fr .\n";
    text += c + xl + "altLabel> _:l" + std::to_string(i % 4) + " .\n";
    text += "_:l" + std::to_string(i % 4) +
            " <http://www.w3.org/2008/05/skos-xl#literalForm> \"x\" .\n";
    if (i % 10 == 9)
      text += c + "> <http://www.w3.org/2002/07/owl#deprecated> \"true\" .\n" + c +
              "> <http://purl.org/dc/terms/isReplacedBy> " + parent + "> .\n";
  }
  const auto bytes = [](const std::string& t, const char* name) {
    return test::snapshot_of(test::finished(read_skos(test::rdf_stream(t, name), "")).ontology);
  };
  const std::string expected = bytes(text, "s.nt");
  EXPECT_EQ(bytes(text, "s.ttl"), expected);
  for (unsigned seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(bytes(test::shuffled_lines(text, seed), "s.nt"), expected);
  }
}

TEST(SkosLoader, FilesWithoutConceptsAreErrors) {
  EXPECT_THAT(skos_draft("ex:a a owl:Class .\n").error().message, HasSubstr("owl:"));
  EXPECT_THAT(skos_draft("ex:a a skos:Concept ; owl:deprecated true .\n").error().message,
              HasSubstr("deprecated"));
  EXPECT_THAT(skos_draft("").error().message, HasSubstr("skos:Concept"));
  EXPECT_EQ(skos_draft("").error().place.file, "s.ttl");
}

TEST(SkosLoader, CyclesAreErrors) {
  auto draft =
      skos_draft("ex:a skos:broader ex:b . ex:b skos:broader ex:c . ex:a skos:narrower ex:c .\n");
  ASSERT_TRUE(draft);
  const auto ontology = std::move(*draft).finish("s.ttl");
  ASSERT_FALSE(ontology);
  EXPECT_THAT(ontology.error().message, HasSubstr("cycle"));
}

}  // namespace
}  // namespace semveil
