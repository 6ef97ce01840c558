#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "ontology/loaders.h"
#include "ontology/rdf/rdf_concepts.h"
#include "support/rdf_text.h"

namespace semveil {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

using test::Loaded;

Result<OntologyDraft> owl_draft(const std::string& turtle, const std::string& language = "") {
  const std::string text = test::kRdfPrefixes + turtle;
  return read_owl(test::rdf_stream(text, "o.ttl"), language);
}
Loaded loaded_owl(const std::string& turtle, const std::string& language = "") {
  return test::finished(owl_draft(turtle, language));
}
std::vector<Counted> left_out(const std::string& turtle, const std::string& language = "") {
  return owl_draft(turtle, language)->info.left_out;
}

constexpr const char* kTurtle =
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix obo: <http://purl.obolibrary.org/obo/> .\n"
    "@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .\n"
    "<http://x/doid.owl> a owl:Ontology ; owl:versionIRI <http://x/2024/doid.owl> ;\n"
    "  owl:versionInfo \"2024\" .\n"
    "obo:DOID_4 a owl:Class ; rdfs:label \"disease\"@en ;\n"
    "  obo:IAO_0000115 \"A disposition.\" .\n"
    "obo:DOID_9351 a owl:Class ;\n"
    "  rdfs:subClassOf obo:DOID_4 , [ a owl:Restriction ; owl:onProperty obo:RO_1 ] ;\n"
    "  rdfs:label \"diabetes mellitus\" ; oio:id \"DOID:9351\" ;\n"
    "  oio:hasExactSynonym \"diabetes\" ; oio:hasDbXref \"MESH:D003920\" .\n";

constexpr const char* kOwlXml =
    "<?xml version=\"1.0\"?>\n"
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n"
    "  xmlns:rdfs=\"http://www.w3.org/2000/01/rdf-schema#\"\n"
    "  xmlns:owl=\"http://www.w3.org/2002/07/owl#\" xmlns:obo=\"http://purl.obolibrary.org/obo/\"\n"
    "  xmlns:oio=\"http://www.geneontology.org/formats/oboInOwl#\">\n"
    "<owl:Ontology rdf:about=\"http://x/doid.owl\">\n"
    "  <owl:versionIRI rdf:resource=\"http://x/2024/doid.owl\"/>\n"
    "  <owl:versionInfo>2024</owl:versionInfo>\n"
    "</owl:Ontology>\n"
    "<owl:Class rdf:about=\"http://purl.obolibrary.org/obo/DOID_9351\">\n"
    "  <rdfs:subClassOf rdf:resource=\"http://purl.obolibrary.org/obo/DOID_4\"/>\n"
    "  <rdfs:subClassOf><owl:Restriction>\n"
    "    <owl:onProperty rdf:resource=\"http://purl.obolibrary.org/obo/RO_1\"/>\n"
    "  </owl:Restriction></rdfs:subClassOf>\n"
    "  <rdfs:label>diabetes mellitus</rdfs:label>\n"
    "  <oio:hasDbXref>MESH:D003920</oio:hasDbXref>\n"
    "  <oio:hasExactSynonym>diabetes</oio:hasExactSynonym>\n"
    "  <oio:id>DOID:9351</oio:id>\n"
    "</owl:Class>\n"
    "<owl:Class rdf:about=\"http://purl.obolibrary.org/obo/DOID_4\">\n"
    "  <rdfs:label xml:lang=\"en\">disease</rdfs:label>\n"
    "  <obo:IAO_0000115>A disposition.</obo:IAO_0000115>\n"
    "</owl:Class>\n"
    "</rdf:RDF>\n";

std::string ntriples() {
  const std::string type =
      "> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#";
  const std::string rdfs = "> <http://www.w3.org/2000/01/rdf-schema#";
  const std::string oio = "> <http://www.geneontology.org/formats/oboInOwl#";
  const std::string d = "<http://purl.obolibrary.org/obo/DOID_9351";
  const std::string r = "<http://purl.obolibrary.org/obo/DOID_4";
  const std::string o = "<http://x/doid.owl";
  return o + type + "Ontology> .\n" + o +
         "> <http://www.w3.org/2002/07/owl#versionIRI> <http://x/2024/doid.owl> .\n" + o +
         "> <http://www.w3.org/2002/07/owl#versionInfo> \"2024\" .\n" + r + type + "Class> .\n" +
         r + rdfs + "label> \"disease\"@en .\n" + r +
         "> <http://purl.obolibrary.org/obo/IAO_0000115> \"A disposition.\" .\n" + d + type +
         "Class> .\n" + d + rdfs + "subClassOf> " + r + "> .\n" + d + rdfs + "subClassOf> _:r .\n" +
         d + rdfs + "label> \"diabetes mellitus\" .\n" + d + oio + "id> \"DOID:9351\" .\n" + d +
         oio + "hasExactSynonym> \"diabetes\" .\n" + d + oio + "hasDbXref> \"MESH:D003920\" .\n";
}

TEST(OwlLoader, ClassesBecomeConcepts) {
  const Loaded owl = test::finished(read_owl(test::rdf_stream(kTurtle, "o.ttl"), ""));
  ASSERT_EQ(owl.taxonomy->size(), 2U);
  EXPECT_EQ(owl.names->id(0), "http://purl.obolibrary.org/obo/DOID_4");
  EXPECT_EQ(owl.names->label(0), "disease");
  EXPECT_EQ(owl.names->definition(0), "A disposition.");
  EXPECT_THAT(owl.parents("http://purl.obolibrary.org/obo/DOID_9351"),
              ElementsAre("http://purl.obolibrary.org/obo/DOID_4"));
  EXPECT_THAT(
      owl.terms("http://purl.obolibrary.org/obo/DOID_9351"),
      ElementsAre(Pair(TermKind::kLabel, "diabetes mellitus"),
                  Pair(TermKind::kExactSynonym, "diabetes"), Pair(TermKind::kAltId, "DOID:9351"),
                  Pair(TermKind::kXref, "MESH:D003920"), Pair(TermKind::kAltId, "DOID_9351")));
  const OntologyInfo& info = owl.ontology.info();
  EXPECT_EQ(info.format, "owl");
  EXPECT_EQ(info.version, "http://x/2024/doid.owl");
  EXPECT_THAT(info.contents, ElementsAre(Counted{"classes", 2}));
  EXPECT_THAT(info.left_out, ElementsAre(Counted{"superclasses without a name", 1}));
}

TEST(OwlLoader, TheSameGraphGivesTheSameSnapshotInEverySyntaxAndOrder) {
  const auto bytes = [](const std::string& text, const char* name) {
    return test::snapshot_of(test::finished(read_owl(test::rdf_stream(text, name), "")).ontology);
  };
  const std::string expected = bytes(kTurtle, "o.ttl");
  EXPECT_EQ(bytes(kOwlXml, "o.owl"), expected);
  EXPECT_EQ(bytes(ntriples(), "o.nt"), expected);
  EXPECT_EQ(bytes(ntriples(), "o.ttl"), expected);  // N-Triples are Turtle
  for (unsigned seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(bytes(test::shuffled_lines(ntriples(), seed), "o.nt"), expected);
  }
  EXPECT_EQ(bytes(ntriples() + ntriples().substr(0, ntriples().find('\n') + 1), "o.nt"), expected);
}

TEST(OwlLoader, ThingIsNoClassOfItsOwn) {
  const Loaded owl = loaded_owl(
      "ex:a a owl:Class ; rdfs:subClassOf owl:Thing .\nex:b a rdfs:Class .\n"
      "owl:Thing a owl:Class .\nowl:Nothing rdfs:subClassOf ex:b .\n");
  EXPECT_EQ(test::roots(owl), 2U);
  EXPECT_THAT(owl.ontology.info().left_out, IsEmpty());
}

TEST(OwlLoader, AClassThatOnlyLinksNameIsLabelledByItsLocalPart) {
  const Loaded owl = loaded_owl("ex:a a owl:Class ; rdfs:subClassOf <http://y/Imported> .\n");
  EXPECT_EQ(owl.names->label(owl.find("http://y/Imported")), "Imported");
  EXPECT_EQ(owl.names->label(owl.find("http://x/o#a")), "a");
  EXPECT_THAT(owl.ontology.info().contents,
              ElementsAre(Counted{"classes", 2}, Counted{"classes that only links name", 1}));
}

TEST(OwlLoader, LocalPartsAreUnderstoodWhereTheyAreUnique) {
  const Loaded owl =
      loaded_owl("ex:a a owl:Class . <http://y/a> a owl:Class . <http://y/b/> a owl:Class .\n");
  EXPECT_THAT(owl.terms("http://x/o#a"), Not(Contains(Pair(TermKind::kAltId, "a"))));
  EXPECT_THAT(owl.terms("http://y/a"), Not(Contains(Pair(TermKind::kAltId, "a"))));
  EXPECT_THAT(owl.terms("http://y/b/"), Contains(Pair(TermKind::kAltId, "b")));
}

TEST(OwlLoader, SynonymsOfEveryVocabulary) {
  const Loaded owl = loaded_owl(
      "ex:a a owl:Class ; rdfs:label \"l\" ; skos:prefLabel \"p\" ; skos:altLabel \"alt\" ;\n"
      "  oio:hasExactSynonym \"ex\" ; oio:hasNarrowSynonym \"na\" ; oio:hasBroadSynonym \"br\" ;\n"
      "  oio:hasRelatedSynonym \"re\" ; obo:IAO_0000118 \"iao\" ;\n"
      "  <http://www.ebi.ac.uk/efo/alternative_term> \"efo\" ;\n"
      "  <http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#P90> \"  p90 \" ;\n"
      "  oio:hasAlternativeId \"X:1\" ; skos:exactMatch <http://y/1> ; skos:definition \"d\" .\n");
  EXPECT_THAT(
      owl.terms("http://x/o#a"),
      ElementsAre(Pair(TermKind::kLabel, "l"), Pair(TermKind::kExactSynonym, "p"),
                  Pair(TermKind::kExactSynonym, "alt"), Pair(TermKind::kExactSynonym, "efo"),
                  Pair(TermKind::kExactSynonym, "ex"), Pair(TermKind::kExactSynonym, "iao"),
                  Pair(TermKind::kExactSynonym, "p90"), Pair(TermKind::kNarrowSynonym, "na"),
                  Pair(TermKind::kBroadSynonym, "br"), Pair(TermKind::kRelatedSynonym, "re"),
                  Pair(TermKind::kAltId, "X:1"), Pair(TermKind::kXref, "http://y/1"),
                  Pair(TermKind::kAltId, "a")));
  EXPECT_EQ(owl.names->definition(0), "d");
}

TEST(OwlLoader, DeprecatedClassesLeaveTheirIdsToTheirReplacement) {
  const std::string text =
      "obo:A_1 a owl:Class ; rdfs:label \"one\" .\n"
      "obo:A_2 a owl:Class ; rdfs:subClassOf obo:A_1 ; owl:deprecated true ;\n"
      "  oio:id \"A:2\" ; oio:hasAlternativeId \"OLD:2\" ; obo:IAO_0100001 obo:A_1 .\n"
      "obo:A_3 a owl:Class ; owl:deprecated \"true\" ; obo:IAO_0100001 \"A:1\" .\n"
      "obo:A_4 a owl:Class ; owl:deprecated true ; obo:IAO_0100001 obo:A_1 , obo:A_5 .\n"
      "obo:A_5 a owl:Class ; rdfs:subClassOf obo:A_3 ; owl:deprecated false .\n"
      "obo:A_6 a owl:Class ; owl:deprecated true ; obo:IAO_0100001 obo:A_2 .\n";
  const Loaded owl = loaded_owl(text);
  EXPECT_EQ(owl.taxonomy->size() - (owl.taxonomy->has_virtual_root() ? 1 : 0), 2U);
  EXPECT_THAT(owl.terms("http://purl.obolibrary.org/obo/A_1"),
              ElementsAre(Pair(TermKind::kLabel, "one"), Pair(TermKind::kAltId, "A_1"),
                          Pair(TermKind::kAltId, "A:1"),
                          Pair(TermKind::kAltId, "http://purl.obolibrary.org/obo/A_2"),
                          Pair(TermKind::kAltId, "A:2"), Pair(TermKind::kAltId, "OLD:2"),
                          Pair(TermKind::kAltId, "A_2"),
                          Pair(TermKind::kAltId, "http://purl.obolibrary.org/obo/A_3"),
                          Pair(TermKind::kAltId, "A_3"), Pair(TermKind::kAltId, "A:3"),
                          Pair(TermKind::kAltId, "http://purl.obolibrary.org/obo/A_4"),
                          Pair(TermKind::kAltId, "A_4"), Pair(TermKind::kAltId, "A:4"),
                          Pair(TermKind::kAltId, "http://purl.obolibrary.org/obo/A_6"),
                          Pair(TermKind::kAltId, "A_6"), Pair(TermKind::kAltId, "A:6")));
  EXPECT_THAT(owl.terms("http://purl.obolibrary.org/obo/A_5"),
              ElementsAre(Pair(TermKind::kLabel, "A_5"), Pair(TermKind::kAltId, "A_5"),
                          Pair(TermKind::kAltId, "A:5"),
                          Pair(TermKind::kAltId, "http://purl.obolibrary.org/obo/A_4"),
                          Pair(TermKind::kAltId, "A_4"), Pair(TermKind::kAltId, "A:4")));
  EXPECT_THAT(left_out(text),
              ElementsAre(Counted{"deprecated classes", 4},
                          Counted{"deprecated ids that lead to their replacement", 4},
                          Counted{"links from or to deprecated classes", 2}));
}

TEST(OwlLoader, ReplacementsAreFollowedOverManyStepsAndCyclesLeadNowhere) {
  std::string text = "ex:live a owl:Class .\n";
  const auto add = [&text](const std::string& old, const std::string& by) {
    text += "ex:" + old + " a owl:Class ; owl:deprecated true ; obo:IAO_0100001 ex:" + by + " .\n";
  };
  for (int i = 0; i < 100; ++i) {
    add("c" + std::to_string(i), i == 99 ? "live" : "c" + std::to_string(i + 1));
  }
  add("g", "h");
  add("h", "g");
  add("s", "s");
  add("t", "h , ex:live");  // the cycle does not hide the other way
  for (int i = 0; i < 1000; ++i) {
    add("far" + std::to_string(i), i == 999 ? "live" : "far" + std::to_string(i + 1));
  }
  const Loaded owl = loaded_owl(text);
  for (const char* old : {"c0", "c99", "t", "far999", "far800"}) {
    EXPECT_THAT(owl.terms("http://x/o#live"),
                Contains(Pair(TermKind::kAltId, "http://x/o#" + std::string(old))));
  }
  for (const char* old : {"g", "h", "s", "far0"}) {
    EXPECT_THAT(owl.terms("http://x/o#live"),
                Not(Contains(Pair(TermKind::kAltId, "http://x/o#" + std::string(old)))));
  }
  EXPECT_THAT(left_out(text),
              Contains(Counted{"deprecated ids that lead to their replacement", 100 + 1 + 255}));
}

// An IRI of a conversion is what it stands for, unless the file has that as well.
TEST(OwlLoader, TwoIrisNeverBecomeOneId) {
  const auto ids = [](std::initializer_list<const char*> iris) {
    std::string text;
    for (const char* iri : iris) text += "<" + std::string(iri) + "> a owl:Class .\n";
    const Loaded owl = loaded_owl(text);
    std::set<std::string> out;
    for (ConceptId c = owl.taxonomy->has_virtual_root() ? 1 : 0; c < owl.taxonomy->size(); ++c) {
      out.emplace(owl.names->id(c));
    }
    return out;
  };
  EXPECT_THAT(ids({"urn:semveil:doid:4"}), ElementsAre("doid:4"));
  EXPECT_THAT(ids({"urn:semveil:doid:4", "doid:4"}), ElementsAre("doid:4", "urn:semveil:doid:4"));
  // As `ontology convert` writes the ids a and urn:semveil:a.
  EXPECT_THAT(ids({"urn:semveil:a:1", "urn:semveil:urn:semveil:a:1"}),
              ElementsAre("a:1", "urn:semveil:a:1"));
  EXPECT_THAT(ids({"a:1", "urn:semveil:a:1", "urn:semveil:urn:semveil:a:1"}),
              ElementsAre("a:1", "urn:semveil:a:1", "urn:semveil:urn:semveil:a:1"));
}

TEST(OwlLoader, WhatIsTooLargeIsToldWhileItIsRead) {
  RdfConcepts concepts("o.nt", "", 100);
  const auto iri = [](const std::string& text) { return RdfTerm{RdfTerm::Kind::kIri, text, {}}; };
  const std::string half(40, 'x'), other(41, 'y'), more(20, 'z');
  const auto a = concepts.node(iri(half));
  concepts.node(iri(other));
  EXPECT_TRUE(concepts.check_size());
  EXPECT_EQ(concepts.node(iri(half)), a);  // known already
  EXPECT_TRUE(concepts.check_size());
  concepts.add_name(a, RdfName::kExact, {RdfTerm::Kind::kLiteral, more, {}});
  ASSERT_FALSE(concepts.check_size());
  EXPECT_THAT(concepts.check_size().error().message, HasSubstr("2 GiB"));
  RdfConcepts many("o.nt", "", 100);
  const auto b = many.node(iri("b"));
  for (int i = 0; i < 99; ++i) many.add_link(b, b);
  EXPECT_TRUE(many.check_size());
  many.add_link(b, b);
  EXPECT_FALSE(many.check_size());
}

TEST(OwlLoader, WhatIsLeftOutIsCounted) {
  EXPECT_THAT(
      left_out("<http://x/o> a owl:Ontology ; owl:imports <file:///etc/passwd> , <http://y/> .\n"
               "ex:a a owl:Class ; rdfs:subClassOf ex:a ; owl:equivalentClass ex:b .\n"
               "ex:i a owl:NamedIndividual , owl:Thing ; rdfs:label \"i\" .\n"),
      ElementsAre(Counted{"links of classes to themselves", 1}, Counted{"equivalent classes", 1},
                  Counted{"individuals of no class", 1}, Counted{"imported ontologies", 2}));
}

// As an ontology that somebody made for a table has it: no label anywhere, values as individuals.
TEST(OwlLoader, IndividualsAreConceptsBelowTheirClasses) {
  const Loaded loaded = loaded_owl(
      "ex:Male a ex:Gender , owl:NamedIndividual .\n"  // before its class
      "ex:Gender a owl:Class ; rdfs:subClassOf ex:Person .\n"
      "ex:Person a owl:Class .\n"
      "ex:Female a ex:Gender .\n"  // of a class of the file: it need not be declared
      "ex:Flu a owl:NamedIndividual , ex:Illness , ex:Cause ; rdfs:label \"influenza\" .\n");
  EXPECT_THAT(loaded.parents("http://x/o#Male"), ElementsAre("http://x/o#Gender"));
  EXPECT_THAT(loaded.parents("http://x/o#Female"), ElementsAre("http://x/o#Gender"));
  EXPECT_EQ(loaded.parents("http://x/o#Flu").size(), 2U);
  EXPECT_EQ(loaded.names->label(loaded.find("http://x/o#Male")), "Male");
  EXPECT_EQ(loaded.names->label(loaded.find("http://x/o#Flu")), "influenza");
  EXPECT_THAT(loaded.terms("http://x/o#Male"), Contains(Pair(TermKind::kAltId, "Male")));
  EXPECT_THAT(loaded.ontology.info().contents,
              ElementsAre(Counted{"classes", 4}, Counted{"individuals", 3},
                          Counted{"classes that only links name", 2}));
  EXPECT_THAT(loaded.ontology.info().left_out, IsEmpty());
}

TEST(OwlLoader, WhatIsAClassOrOfNoneIsNoIndividual) {
  const Loaded loaded = loaded_owl(
      "ex:A a owl:Class .\n"
      "ex:B a owl:Class , owl:NamedIndividual , ex:A .\n"  // a class stays where it was
      "ex:p a owl:ObjectProperty .\n"
      "ex:x a ex:Unknown .\n"  // neither is declared
      "ex:i a owl:NamedIndividual , [ a owl:Restriction ] .\n"
      "ex:C a owl:Class ; rdfs:subClassOf ex:j .\n"
      "ex:j a owl:NamedIndividual , ex:C .\n");  // nothing lies below an individual: no cycle
  EXPECT_EQ(test::roots(loaded), 3U);
  EXPECT_EQ(loaded.taxonomy->size(), 5U);  // A, B, C, j and the virtual root
  EXPECT_THAT(loaded.parents("http://x/o#j"), ElementsAre("http://x/o#C"));
  EXPECT_THAT(loaded.ontology.info().left_out, Contains(Counted{"individuals of no class", 1}));
}

TEST(OwlLoader, ADeprecatedIndividualIsLeftOut) {
  const Loaded loaded = loaded_owl(
      "ex:A a owl:Class .\n"
      "ex:i a owl:NamedIndividual , ex:A ; owl:deprecated true .\n");
  EXPECT_EQ(loaded.taxonomy->size(), 1U);
}

// The order of preference: the language asked for, English, none, the others by tag.
TEST(OwlLoader, TheLabelIsChosenByLanguage) {
  const std::string text =
      "ex:a a owl:Class ; rdfs:label \"Leber\"@de , \"foie\"@fr , \"liver\"@en-GB , \"hepar\" ;\n"
      "  oio:hasExactSynonym \"Lebern\"@de-AT , \"jecur\" , \"livers\"@en .\n"
      "ex:b a owl:Class ; rdfs:label \"herz\"@de , \"cor\" .\n"
      "ex:c a owl:Class ; rdfs:label \"z\"@fr , \"a\"@it ; oio:hasExactSynonym \"zz\"@fr-CH .\n";
  const Loaded any = loaded_owl(text);
  EXPECT_EQ(any.names->label(any.find("http://x/o#a")), "liver");
  EXPECT_EQ(any.names->label(any.find("http://x/o#b")), "cor");
  EXPECT_EQ(any.names->label(any.find("http://x/o#c")), "z");
  EXPECT_THAT(any.terms("http://x/o#a"),
              ElementsAre(Pair(TermKind::kLabel, "liver"), Pair(TermKind::kExactSynonym, "livers"),
                          Pair(TermKind::kExactSynonym, "hepar"),
                          Pair(TermKind::kExactSynonym, "jecur"), Pair(TermKind::kAltId, "a")));
  EXPECT_THAT(any.terms("http://x/o#c"),
              ElementsAre(Pair(TermKind::kLabel, "z"), Pair(TermKind::kExactSynonym, "zz"),
                          Pair(TermKind::kAltId, "c")));
  EXPECT_THAT(left_out(text), ElementsAre(Counted{"names in other languages", 5}));
  const Loaded german = loaded_owl(text, "DE");
  EXPECT_EQ(german.names->label(german.find("http://x/o#a")), "Leber");
  EXPECT_THAT(german.terms("http://x/o#a"),
              ElementsAre(Pair(TermKind::kLabel, "Leber"), Pair(TermKind::kExactSynonym, "Lebern"),
                          Pair(TermKind::kExactSynonym, "hepar"),
                          Pair(TermKind::kExactSynonym, "jecur"), Pair(TermKind::kAltId, "a")));
  EXPECT_EQ(german.names->label(german.find("http://x/o#c")), "z");
  EXPECT_THAT(
      left_out(text, "de"),
      ElementsAre(Counted{"names in other languages", 5},
                  Counted{"labels in the language asked for: these classes have another", 1}));
}

TEST(OwlLoader, WhereNothingIsInTheRegionsLanguageTheLanguageItselfComesBeforeEnglish) {
  const std::string text =
      "ex:a a owl:Class ; rdfs:label \"Jänner\"@de-AT , \"Januar\"@de , \"January\"@en .\n"
      "ex:b a owl:Class ; rdfs:label \"Hornung\"@de-CH , \"Februar\"@de , \"February\"@en .\n"
      "ex:c a owl:Class ; rdfs:label \"March\"@en .\n";
  const Loaded austrian = loaded_owl(text, "de-AT");
  EXPECT_THAT(austrian.terms("http://x/o#a"),
              ElementsAre(Pair(TermKind::kLabel, "Jänner"), Pair(TermKind::kExactSynonym, "Januar"),
                          Pair(TermKind::kAltId, "a")));
  EXPECT_EQ(austrian.names->label(austrian.find("http://x/o#b")), "Februar");
  EXPECT_EQ(austrian.names->label(austrian.find("http://x/o#c")), "March");
  EXPECT_EQ(loaded_owl(text, "de-LI").names->label(austrian.find("http://x/o#a")), "Januar");
  EXPECT_THAT(owl_draft(text, "fr-CH").error().message,
              HasSubstr("lang=fr-ch; the file has de, de-at"));
}

TEST(OwlLoader, ALanguageThatNoLabelIsInIsAnError) {
  const std::string text =
      "ex:a a owl:Class ; rdfs:label \"Leber\"@de , \"liver\"@en . ex:b a owl:Class ; rdfs:label "
      "\"foie\"@fr .\n";
  const auto spanish = owl_draft(text, "es");
  ASSERT_FALSE(spanish);
  EXPECT_THAT(spanish.error().message, HasSubstr("lang=es; the file has de, en, fr"));
  EXPECT_EQ(spanish.error().place.file, "o.ttl");
  EXPECT_TRUE(owl_draft(
      "ex:a a owl:Class ; rdfs:label \"hepar\" ; oio:hasExactSynonym \"foie\"@fr .\n", "es"))
      << "labels in no language fit any";
  std::string many;
  for (char a = 'a'; a <= 'z'; ++a) {
    many += std::string("ex:") + a + " a owl:Class ; rdfs:label \"x\"@q" + a + " .\n";
  }
  const auto none = owl_draft(many, "es");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("qt, …"));
  EXPECT_LT(none.error().message.size(), 200U) << "a long list is cut";
}

TEST(OwlLoader, FilesWithoutClassesAreErrors) {
  EXPECT_THAT(owl_draft("ex:a a skos:Concept .\n").error().message, HasSubstr("skos:"));
  EXPECT_THAT(owl_draft("ex:a a owl:Class ; owl:deprecated true .\n").error().message,
              HasSubstr("deprecated"));
  EXPECT_THAT(owl_draft("").error().message, HasSubstr("no class"));
  EXPECT_EQ(owl_draft("").error().place.file, "o.ttl");
  EXPECT_FALSE(read_owl(test::rdf_stream("", "o.owl"), ""));
}

TEST(OwlLoader, CyclesAreErrors) {
  auto draft = owl_draft("ex:a a owl:Class ; rdfs:subClassOf ex:b . ex:b rdfs:subClassOf ex:a .\n");
  ASSERT_TRUE(draft);
  const auto ontology = std::move(*draft).finish("o.ttl");
  ASSERT_FALSE(ontology);
  EXPECT_THAT(ontology.error().message, HasSubstr("cycle"));
}

TEST(OwlLoader, ManyBlankNodesAreNoConcepts) {
  std::string text = "ex:a a owl:Class .\n";
  for (int i = 0; i < 20000; ++i) {
    text +=
        "ex:a rdfs:subClassOf [ a owl:Class ; rdfs:label \"x\" ; owl:intersectionOf ( ex:b [ a "
        "owl:Restriction ] ) ] .\n";
  }
  const Loaded owl = loaded_owl(text);
  EXPECT_EQ(owl.taxonomy->size(), 1U);
  EXPECT_THAT(owl.ontology.info().left_out,
              ElementsAre(Counted{"superclasses without a name", 20000}));
}

TEST(OwlLoader, IrisMayBeStrange) {
  const Loaded owl = loaded_owl(
      "<javascript:alert(1)> a owl:Class . <urn:x> a owl:Class . <http://> a owl:Class .\n"
      "<http://x/\\u00e9#> a owl:Class . <x:#/#> a owl:Class .\n");
  EXPECT_EQ(owl.names->label(owl.find("javascript:alert(1)")), "javascript:alert(1)");
  EXPECT_EQ(owl.names->label(owl.find("http://x/é#")), "é");
}

}  // namespace
}  // namespace semveil
