#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "ontology/loaders.h"
#include "support/data.h"
#include "support/loaded.h"
#include "support/slow_mesh.h"
#include "support/temporary_folder.h"
#include "support/written_zip.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

using test::Loaded;

Result<OntologyDraft> mesh_draft(std::string_view text) {
  return read_mesh({InputStream::over(text), "m"});
}
Loaded loaded_mesh(std::string_view text) { return test::finished(mesh_draft(text)); }
Error mesh_error(std::string_view text) {
  const auto draft = mesh_draft(text);
  EXPECT_FALSE(draft) << text.substr(0, 200);
  return draft ? Error() : draft.error();
}

// One small MeSH in all three forms: eyes stand at two positions and have two parents.
const std::string kMeshTree =
    "\xEF\xBB\xBF"
    "Tree Number\tDesc Ui\tTerm\r\n"
    "A01\tD000001\tBody\r\n"
    "A01.1\tD000002\tHead\r\n"
    "A01.1.5\tD000003\tEyes\r\n"
    "A09\tD000004\tSense Organs\r\n"
    "A09.3\tD000003\tEyes\r\n";

const std::string kAscii =
    "*NEWRECORD\nRECTYPE = D\nMH = Body\nMN = A01\nMS = The whole of it.\nUI = D000001\n\n"
    "*NEWRECORD\nRECTYPE = D\nMH = Head\nMN = A01.1\nUI = D000002\n\n"
    "*NEWRECORD\nRECTYPE = D\nMH = Eyes\nAQ = AB AH\n"
    "PRINT ENTRY = Eye|T023|NON|EQV|NLM (1992)|900101|abcdef\n"
    "ENTRY = Iris Parts|T023|T024|NON|NRW|NLM (1992)|900101|abbcdef\n"
    "ENTRY = Face|T023|NON|BRD|NLM (1992)|900101|abcdef\n"
    "ENTRY = Sight|T023|NON|REL|NLM (1992)|900101|abcdef\n"
    "ENTRY = Eyeballs\n"
    "MN = A01.1.5\nMN = A09.3\nMS = What one sees with = eyes.\nUI = D000003\n\n"
    "*NEWRECORD\nRECTYPE = D\nMH = Sense Organs\nMN = A09\nUI = D000004\n\n"
    "*NEWRECORD\nRECTYPE = D\nMH = Male\nUI = D000005\n\n"
    "*NEWRECORD\nRECTYPE = Q\nSH = anatomy\nUI = Q000033\n";

std::string record(const std::string& ui, const std::string& name,
                   const std::vector<std::string>& numbers, const std::string& more = "") {
  std::string text = "<DescriptorRecord>\n<DescriptorUI>" + ui + "</DescriptorUI>\n" +
                     "<DescriptorName><String>" + name + "</String></DescriptorName>\n" +
                     "<SeeRelatedList><SeeRelatedDescriptor><DescriptorReferredTo>"
                     "<DescriptorUI>D999999</DescriptorUI><DescriptorName><String>Other"
                     "</String></DescriptorName></DescriptorReferredTo></SeeRelatedDescriptor>"
                     "</SeeRelatedList>\n";
  if (!numbers.empty()) text += "<TreeNumberList>\n";
  for (const std::string& n : numbers) text += "<TreeNumber>" + n + "</TreeNumber>\n";
  if (!numbers.empty()) text += "</TreeNumberList>\n";
  return text + more + "</DescriptorRecord>\n";
}
std::string concept_of(const std::string& ui, bool preferred, const std::string& relations,
                       const std::vector<std::string>& terms, const std::string& note = "") {
  std::string text = "<Concept PreferredConceptYN=\"" + std::string(preferred ? "Y" : "N") +
                     "\"><ConceptUI>" + ui + "</ConceptUI><ConceptName><String>not read</String>" +
                     "</ConceptName>" + note + "<ConceptRelationList>" + relations +
                     "</ConceptRelationList><TermList>";
  for (const std::string& t : terms) {
    text += "<Term><TermUI>T1</TermUI><String>" + t + "</String></Term>";
  }
  return text + "</TermList></Concept>\n";
}
std::string relation(const std::string& name, const std::string& a, const std::string& b) {
  return "<ConceptRelation RelationName=\"" + name + "\"><Concept1UI>" + a +
         "</Concept1UI><Concept2UI>" + b + "</Concept2UI></ConceptRelation>";
}
std::string mesh_xml(const std::string& records) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE DescriptorRecordSet SYSTEM "
         "\"https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20170101.dtd\">\n"
         "<DescriptorRecordSet LanguageCode = \"eng\">\n" +
         records + "</DescriptorRecordSet>\n";
}
const std::string kMeshXml =
    mesh_xml(record("D000001", "Body", {"A01"},
                    "<ConceptList>" +
                        concept_of("M1", true, "", {"Body"},
                                   "<ScopeNote>The whole\n    of it.\n    </ScopeNote>") +
                        "</ConceptList>") +
             record("D000002", "Head", {"A01.1"}) +
             record("D000003", "Eyes", {"A01.1.5", "A09.3"},
                    "<ConceptList>" +
                        concept_of("M3", true, relation("NRW", "M3", "M4"), {"Eyes", "Eye"},
                                   "<ScopeNote>What one sees with = eyes.</ScopeNote>") +
                        concept_of("M4", false, relation("NRW", "M3", "M4"), {"Iris Parts"},
                                   "<ScopeNote>not the descriptor's</ScopeNote>") +
                        concept_of("M5", false, relation("NRW", "M5", "M3"), {"Face"}) +
                        concept_of("M6", false, "", {"Sight"}) + "</ConceptList>") +
             record("D000004", "Sense Organs", {"A09"}) + record("D000005", "Male", {}));

TEST(MeshLoader, AllFormsGiveTheSameTaxonomy) {
  for (const std::string& text : {kMeshTree, kAscii, kMeshXml}) {
    const Loaded mesh = loaded_mesh(text);
    ASSERT_EQ(mesh.taxonomy->size(), 5U);  // with the virtual root
    EXPECT_TRUE(mesh.taxonomy->has_virtual_root());
    EXPECT_THAT(mesh.parents("D000002"), ElementsAre("D000001"));
    EXPECT_THAT(mesh.parents("D000003"), UnorderedElementsAre("D000002", "D000004"));
    EXPECT_EQ(mesh.names->label(mesh.find("D000004")), "Sense Organs");
    const OntologyInfo& info = mesh.ontology.info();
    EXPECT_EQ(info.format, "mesh");
    EXPECT_FALSE(info.has_icd_codes);
    EXPECT_THAT(info.contents, ElementsAre(Counted{"tree positions", 5}));
  }
}

TEST(MeshLoader, EntryTermsHaveTheirRelation) {
  EXPECT_THAT(
      loaded_mesh(kAscii).terms("D000003"),
      ElementsAre(Pair(TermKind::kLabel, "Eyes"), Pair(TermKind::kExactSynonym, "Eye"),
                  Pair(TermKind::kNarrowSynonym, "Iris Parts"),
                  Pair(TermKind::kBroadSynonym, "Face"), Pair(TermKind::kRelatedSynonym, "Sight"),
                  Pair(TermKind::kExactSynonym, "Eyeballs")));
  EXPECT_THAT(
      loaded_mesh(kMeshXml).terms("D000003"),
      ElementsAre(Pair(TermKind::kLabel, "Eyes"), Pair(TermKind::kExactSynonym, "Eye"),
                  Pair(TermKind::kNarrowSynonym, "Iris Parts"),
                  Pair(TermKind::kBroadSynonym, "Face"), Pair(TermKind::kRelatedSynonym, "Sight")));
  EXPECT_THAT(loaded_mesh(kMeshTree).terms("D000003"), ElementsAre(Pair(TermKind::kLabel, "Eyes")));
}

TEST(MeshLoader, ScopeNotesAreDefinitions) {
  for (const std::string& text : {kAscii, kMeshXml}) {
    const Loaded mesh = loaded_mesh(text);
    EXPECT_EQ(mesh.names->definition(mesh.find("D000001")), "The whole of it.");
    EXPECT_EQ(mesh.names->definition(mesh.find("D000002")), "");
    EXPECT_EQ(mesh.names->definition(mesh.find("D000003")), "What one sees with = eyes.");
  }
}

TEST(MeshLoader, WhatHasNoPlaceIsLeftOutAndCounted) {
  EXPECT_THAT(mesh_draft(kMeshTree)->info.left_out, IsEmpty());
  EXPECT_THAT(mesh_draft(kMeshXml)->info.left_out,
              ElementsAre(Counted{"descriptors without a tree number", 1}));
  EXPECT_THAT(mesh_draft(kAscii)->info.left_out,
              ElementsAre(Counted{"records other than descriptors", 1},
                          Counted{"descriptors without a tree number", 1}));
  const auto itself =
      mesh_draft("Tree Number\tDesc Ui\tTerm\nA\tD1\tx\nA.1\tD1\tx\nA.1.2\tD2\ty\n");
  EXPECT_THAT(itself->info.left_out,
              ElementsAre(Counted{"positions of a descriptor below itself", 1}));
  EXPECT_THAT(itself->info.contents, ElementsAre(Counted{"tree positions", 3}));
}

TEST(MeshLoader, TheTreesColumnsAreFoundByName) {
  const Loaded mesh =
      loaded_mesh("TERM\tTree_Number\tnote\tDesc UI\nx\tA\t?\tD1\n\ny\tA.1\t!\tD2\n");
  EXPECT_THAT(mesh.parents("D2"), ElementsAre("D1"));
}

TEST(MeshLoader, CyclesAreReported) {
  auto draft =
      mesh_draft("Tree Number\tDesc Ui\tTerm\nA\tD1\tx\nA.1\tD2\ty\nB\tD2\ty\nB.1\tD1\tx\n");
  ASSERT_TRUE(draft);
  const auto ontology = std::move(*draft).finish("m");
  ASSERT_FALSE(ontology);
  EXPECT_THAT(ontology.error().message, HasSubstr("cycle"));
}

struct WrongMesh {
  std::string text, message;
  std::uint64_t line;
};

TEST(MeshLoader, ErrorsTellFileLineAndRemedy) {
  const std::string head = "Tree Number\tDesc Ui\tTerm\n";
  const std::string rec = "*NEWRECORD\nRECTYPE = D\n";
  const std::vector<WrongMesh> cases{
      {"", "no form of MeSH", 1},
      {"Body Regions;A01\n", "no form of MeSH", 1},
      {"Tree Number\tTerm\nA\tx\n", "no column 'desc ui'", 1},
      {head, "no position", 0},
      {head + "A\tD1\n", "2 fields where the header has 3", 2},
      {head + "A\tD1\tx\ty\n", "4 fields", 2},
      {head + "A\t\tx\n", "UI", 2},
      {head + "A\tD1\t\n", "name", 2},
      {head + "\tD1\tx\n", "tree number is empty", 2},
      {head + "A\tD1\tx\r\nA\tD2\ty\r\n", "already given on line 2", 3},
      {head + "A\tD1\tx\nB\tD1\ty\n", "line 2 named differently", 3},
      {head + "A\tD1\tx\nA.1.2\tD2\ty\n", "position above", 3},
      {head + "A\tD1\tx\nB\tD2\t\xFF\n", "UTF-8", 3},
      {rec + "MH = x\nUI = D1\nMN = A\n" + rec + "MH = y\nUI = D1\nMN = B\n",
       "already declared on line 1", 6},
      {rec + "MH = x\nMN = A\n", "without its UI", 1},
      {rec + "UI = D1\nMN = A\n", "without a name", 1},
      {rec + "MH = x\nUI = D1\nMN = A.1\n", "position above", 5},
      {rec + "MH = x\nUI = D1\nMN = \n", "tree number is empty", 5},
      {rec + "MH = x\nnonsense\n", "no =", 4},
      {rec + "MH = x\nUI = D1\n", "none of its descriptors", 0},
      {"*NEWRECORD\nMH = x\n", "without its type", 1},
      {"*NEWRECORDS\nMH = x\n", "before anything else", 1},
      {"*NEWRECORD\nRECTYPE = Q\n", "no record of a descriptor", 0},
      {"<a/>", "<DescriptorRecordSet>", 1},
      {"<?xml version='1.0'?>\n<QualifierRecordSet/>", "descYYYY.xml", 2},
      {"<DescriptorRecordSet/>", "no <DescriptorRecord>", 0},
      {mesh_xml(record("", "x", {"A"})), "without its UI", 4},
      {mesh_xml(record("D1", " ", {"A"})), "without a name", 4},
      {mesh_xml(record("D1", "x", {"A", "A.2.3"})), "position above", 10},
      {mesh_xml(record("D1", "x", {"A"}) + record("D1", "y", {"B"})), "already declared on line 4",
       12},
      {mesh_xml(record("D1", "x", {"A"})).substr(0, 400), "well-formed", 7},
  };
  for (const WrongMesh& wrong : cases) {
    const Error error = mesh_error(wrong.text);
    EXPECT_THAT(error.message, HasSubstr(wrong.message)) << wrong.text;
    EXPECT_EQ(error.place.line, wrong.line) << wrong.text << "\n" << error.message;
    EXPECT_EQ(error.place.file, "m");
    EXPECT_EQ(error.code, ErrorCode::kData);
  }
}

TEST(MeshLoader, OtherEncodingsOfXmlAreRead) {
  std::string latin =
      "<?xml version='1.0' encoding='ISO-8859-1'?>" + kMeshXml.substr(kMeshXml.find('\n'));
  latin.replace(latin.find("Sense Organs"), 5, "S\xEFnne");
  EXPECT_EQ(loaded_mesh(latin).names->label(loaded_mesh(latin).find("D000004")),
            "S\xC3\xAFnne Organs");
  std::string wide = "\xFF\xFE";
  for (const char c : kMeshXml) wide += {c, '\0'};
  EXPECT_EQ(loaded_mesh(wide).taxonomy->size(), 5U);
  EXPECT_THAT(loaded_mesh(wide).parents("D000003"), UnorderedElementsAre("D000002", "D000004"));
}

TEST(MeshLoader, HostileXmlIsRefused) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() + "/canary") << "canary";
  std::string laughs = "<!DOCTYPE DescriptorRecordSet [\n<!ENTITY a \"aaaaaaaaaa\">\n";
  for (char c = 'b'; c < 'k'; ++c) {
    laughs += std::string("<!ENTITY ") + c + " \"";
    for (int i = 0; i < 10; ++i) laughs += std::string("&") + static_cast<char>(c - 1) + ";";
    laughs += "\">\n";
  }
  const std::string record_of_j = record("D1", "&j;", {"A"});
  const std::string external =
      "<!DOCTYPE DescriptorRecordSet [\n<!ENTITY j SYSTEM \"file://" + folder.path() + "/canary\">";
  for (const std::string& before : {laughs, external}) {
    const Error error =
        mesh_error(before + "]><DescriptorRecordSet>" + record_of_j + "</DescriptorRecordSet>");
    EXPECT_THAT(error.message, HasSubstr("entity"));
    EXPECT_EQ(error.place.line, 2U);
    EXPECT_EQ(error.message.find("canary"), std::string::npos);
  }
  EXPECT_THAT(mesh_error(mesh_xml("<DescriptorRecord DescriptorClass=\"" +
                                  std::string(20'000'000, 'x') + "\"/>"))
                  .message,
              HasSubstr("16 MiB"));
  std::string pieces;  // no piece of the text is long, all together are
  for (int i = 0; i < 3000; ++i) pieces += std::string(1000, 'x') + "<b/>";
  EXPECT_THAT(mesh_error(mesh_xml(record("D1", pieces, {"A"}))).message,
              HasSubstr("a million bytes"));
}

TEST(MeshLoader, ReadsPackedFilesAndArchives) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/desc.zip";
  test::write_zip(path, {{"README.md", "read me"}, {"desc2017.xml", kMeshXml}});
  EXPECT_EQ(test::finished(load_mesh(path)).taxonomy->size(), 5U);
  test::write_zip(path, {{"desc2017.xml", kMeshXml.substr(0, kMeshXml.size() - 30)}});
  const auto cut = load_mesh(path);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().place.file, path + "/desc2017.xml");
  EXPECT_FALSE(load_mesh(folder.path() + "/absent.xml"));
}

// The README beside the file: 28,470 descriptors, 57,840 positions, 113 roots, 8,308 descriptors
// with several parents, no cycle.
TEST(MeshLoader, TheTreeOf2017HasItsKnownFiguresAndTheSlowReadersLinks) {
  const auto path = test::data_file("mesh/2017MeshTree.txt.gz");
  if (!path) SEMVEIL_SKIP_WITHOUT("mesh/2017MeshTree.txt.gz");
  const Loaded mesh = test::finished(load_mesh(*path));
  EXPECT_THAT(mesh.ontology.info().contents, ElementsAre(Counted{"tree positions", 57840}));
  EXPECT_THAT(mesh.ontology.info().left_out, IsEmpty());
  ASSERT_EQ(mesh.taxonomy->size(), 28471U);

  const auto bytes = FileBytes::read(*path);
  const test::SlowMesh slow = test::slow_mesh_tree(std::string(bytes->view()));
  ASSERT_EQ(slow.names.size(), 28470U);
  std::size_t roots = 0, with_several = 0;
  for (ConceptId c = 1; c < mesh.taxonomy->size(); ++c) {
    const std::string id(mesh.names->id(c));
    std::set<std::string> parents;
    for (const ConceptId p : mesh.taxonomy->parents(c)) {
      if (!mesh.taxonomy->is_virtual(p)) parents.emplace(mesh.names->id(p));
    }
    ASSERT_EQ(parents, slow.parents.at(id)) << id;
    ASSERT_EQ(mesh.names->label(c), slow.names.at(id));
    roots += parents.empty() ? 1 : 0;
    with_several += parents.size() > 1 ? 1 : 0;
  }
  EXPECT_EQ(roots, 113U);
  EXPECT_EQ(with_several, 8308U);
}

}  // namespace
}  // namespace semveil
