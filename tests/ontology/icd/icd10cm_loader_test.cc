#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "ontology/icd/seventh_characters.h"
#include "ontology/loaders.h"
#include "support/data.h"
#include "support/loaded.h"

namespace semveil {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

using test::Loaded;

Result<OntologyDraft> icd10_draft(std::string_view text) {
  return read_icd10cm({InputStream::over(text), "t"});
}
Loaded loaded_icd10(std::string_view text) { return test::finished(icd10_draft(text)); }

void expect_icd10_error(std::string_view text, const char* place, const char* message) {
  test::expect_refused(icd10_draft(text), text, place, message);
}

// Every id with its parents.
std::map<std::string, std::set<std::string>> tree(const Loaded& icd) {
  std::map<std::string, std::set<std::string>> nodes;
  for (ConceptId c = 0; c < icd.taxonomy->size(); ++c) {
    if (icd.taxonomy->is_virtual(c)) continue;
    auto& parents = nodes[std::string(icd.names->id(c))];
    for (const ConceptId p : icd.taxonomy->parents(c)) {
      if (!icd.taxonomy->is_virtual(p)) parents.emplace(icd.names->id(p));
    }
  }
  return nodes;
}
using Tree = std::map<std::string, std::set<std::string>>;

std::string list(const std::string& chapters) {
  return "<?xml version=\"1.0\"?>\n<ICD10CM.tabular>\n<version>2021</version>\n" + chapters +
         "</ICD10CM.tabular>\n";
}
// In a chapter and a section; the diagnoses begin on line 6.
std::string with_diagnoses(const std::string& diagnoses) {
  return list("<chapter><name>1</name><desc>Injuries (S00-T88)</desc>\n<section id=\"S00-S09\">\n" +
              diagnoses + "</section></chapter>\n");
}
std::string diag(const std::string& code, const std::string& label, const std::string& rest = "") {
  return "<diag><name>" + code + "</name><desc>" + label + "</desc>" + rest + "</diag>\n";
}
const char* const kEncounters =
    "<sevenChrDef><extension char=\"A\">initial encounter</extension><note>x</note>"
    "<extension char=\"S\">sequela</extension></sevenChrDef>";

TEST(Icd10cmTabular, DiagnosesAreConceptsBelowSectionsAndChapters) {
  const Loaded icd =
      loaded_icd10(list("<introduction><introSection><note>n</note></introSection></introduction>\n"
                        "<chapter><name>1</name><desc>Infections "
                        "(A00-B99)</desc><includes><note>n</note></includes>\n"
                        "<section id=\"A00-A09\"><desc>Intestinal\n  infections (A00-A09)</desc>"
                        "<inclusionTerm><note>Of the gut</note></inclusionTerm>\n" +
                        diag("A00", "Cholera",
                             "<excludes1><note>n</note></excludes1>" +
                                 diag("A00.0", "Cholera due to Vibrio",
                                      "<inclusionTerm><note>Classical cholera</note>"
                                      "<note>Old &amp; new</note></inclusionTerm>")) +
                        "</section>\n<section id=\"B15-B19\"><desc>Heading</desc></section>\n"
                        "<section id=\"B20\">" +
                        diag("B20", "HIV") +
                        "</section></chapter>\n"
                        "<chapter><name>2</name><desc>Nothing</desc></chapter>\n"));
  EXPECT_EQ(tree(icd), (Tree{{"Chapter 1", {}},
                             {"A00-A09", {"Chapter 1"}},
                             {"A00", {"A00-A09"}},
                             {"A00.0", {"A00"}},
                             {"B20-B20", {"Chapter 1"}},
                             {"B20", {"B20-B20"}}}));
  EXPECT_THAT(icd.ontology.info().headings, ElementsAre("A00-A09", "B20-B20", "Chapter 1"));
  EXPECT_THAT(icd.terms("A00.0"), ElementsAre(Pair(TermKind::kLabel, "Cholera due to Vibrio"),
                                              Pair(TermKind::kNarrowSynonym, "Classical cholera"),
                                              Pair(TermKind::kNarrowSynonym, "Old & new")));
  EXPECT_THAT(icd.terms("A00-A09"),
              ElementsAre(Pair(TermKind::kLabel, "Intestinal infections (A00-A09)"),
                          Pair(TermKind::kExactSynonym, "Intestinal infections"),
                          Pair(TermKind::kNarrowSynonym, "Of the gut")));
  const OntologyInfo& info = icd.ontology.info();
  EXPECT_EQ(info.format, "icd10cm");
  EXPECT_EQ(info.version, "2021");
  EXPECT_TRUE(info.has_icd_codes);
  EXPECT_THAT(info.contents,
              ElementsAre(Counted{"chapters", 2}, Counted{"sections", 3}, Counted{"diagnoses", 3},
                          Counted{"seventh-character definitions", 0},
                          Counted{"seventh-character codes", 0}, Counted{"inclusion terms", 3}));
  EXPECT_THAT(info.left_out, ElementsAre(Counted{"empty chapters", 1}, Counted{"empty sections", 1},
                                         Counted{"includes, excludes and other notes", 2}));
}

TEST(Icd10cmTabular, SeventhCharactersGoBehindCodesWithoutChildren) {
  const Loaded icd = loaded_icd10(with_diagnoses(
      diag("S00", "Injury of head",
           kEncounters + diag("S00.0", "Injury of scalp", diag("S00.01", "Abrasion of scalp"))) +
      diag("T07", "Many injuries", kEncounters) + diag("T14", "Other injury")));
  EXPECT_EQ(tree(icd), (Tree{{"Chapter 1", {}},
                             {"S00-S09", {"Chapter 1"}},
                             {"S00", {"S00-S09"}},
                             {"S00.0", {"S00"}},
                             {"S00.01", {"S00.0"}},
                             {"S00.01XA", {"S00.01"}},
                             {"S00.01XS", {"S00.01"}},
                             {"T07", {"S00-S09"}},
                             {"T07.XXXA", {"T07"}},
                             {"T07.XXXS", {"T07"}},
                             {"T14", {"S00-S09"}}}));
  EXPECT_EQ(icd.names->label(icd.find("S00.01XA")), "Abrasion of scalp, initial encounter");
}

TEST(Icd10cmTabular, OfSeveralDefinitionsTheInnermostHolds) {
  const Loaded icd =
      loaded_icd10(with_diagnoses(diag("S12", "Fracture",
                                       kEncounters +
                                           diag("S12.8", "Other",
                                                "<sevenChrDef><extension char=\"D\">"
                                                "subsequent encounter</extension></sevenChrDef>") +
                                           diag("S12.9", "Neck"))));
  EXPECT_THAT(tree(icd), Contains(Pair("S12.8XXD", ElementsAre("S12.8"))));
  EXPECT_EQ(tree(icd).count("S12.8XXA"), 0U);
  EXPECT_EQ(tree(icd).count("S12.9XXA"), 1U);
  EXPECT_EQ(icd.names->label(icd.find("S12.8XXD")), "Other, subsequent encounter");
}

TEST(Icd10cmTabular, ADefinitionMayStandBehindTheCodesItIsFor) {
  EXPECT_EQ(tree(loaded_icd10(with_diagnoses(diag("S00", "a", diag("S00.0", "b") + kEncounters))))
                .count("S00.0XXA"),
            1U);
}

TEST(Icd10cmTabular, ANoteMayRuleSeventhCharactersOut) {
  const Loaded icd = loaded_icd10(with_diagnoses(
      diag("S06", "Brain injury",
           "<notes><note>7th characters D and S do not apply to codes in category S06 with 6th "
           "character 7 - death due to brain injury, or 8 - other death.</note></notes>" +
               std::string(kEncounters) + diag("S06.1X6", "six") + diag("S06.1X7", "seven") +
               diag("S06.1X8", "eight"))));
  const Tree nodes = tree(icd);
  EXPECT_EQ(nodes.count("S06.1X6A") + nodes.count("S06.1X7A") + nodes.count("S06.1X8A"), 3U);
  EXPECT_EQ(nodes.count("S06.1X6S"), 1U);
  EXPECT_EQ(nodes.count("S06.1X7S") + nodes.count("S06.1X8S"), 0U);
  EXPECT_THAT(icd.ontology.info().left_out,
              Contains(Counted{"seventh characters that a note rules out", 2}));
}

TEST(Icd10cmTabular, CodesOfSevenCharactersTakeNoFurtherOne) {
  const Loaded icd =
      loaded_icd10(with_diagnoses(diag("S00", "a", kEncounters + diag("S00.0XXA", "b"))));
  EXPECT_EQ(tree(icd).size(), 4U);
  EXPECT_THAT(icd.ontology.info().left_out,
              Contains(Counted{"seventh characters of codes that have seven", 2}));
}

TEST(SeventhCharacters, NotesOfOtherFormsAreNoRules) {
  const auto rule = SeventhException::from_note(
      "7th characters D, G and S do not apply to codes with 6th character 7 - a - b, or 8 - c");
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->seventh, "DGS");
  EXPECT_EQ(rule->sixth, "78");
  for (const char* note : {"", "7th character", "7th characters D do not apply ",
                           "One of the following 7th characters",
                           "7th characters do not apply to codes with 6th character 7 - x",
                           "7th characters D with 6th character 7 - x do not apply "}) {
    EXPECT_FALSE(SeventhException::from_note(note)) << note;
  }
}

TEST(Icd10cmTabular, WhatIsWrongIsToldWithItsLine) {
  expect_icd10_error("<a/>", "t:1: \"a\"", "its first element is <ICD10CM.tabular>");
  expect_icd10_error("\n<ICD10CM.tabular>\n<chapter>", "t:3: ", "not well-formed");
  expect_icd10_error(list(""), "t: ", "no diagnosis");
  expect_icd10_error(with_diagnoses(diag("S00", "a") + diag("S00", "b")), "t:7: \"S00\"", "line 6");
  expect_icd10_error(with_diagnoses(diag("S00", "a") + "<diag><desc>b</desc></diag>"),
                     "t:7: ", "before the code");
  expect_icd10_error(with_diagnoses("\n<diag></diag>"), "t:7: ", "without code");
  expect_icd10_error(with_diagnoses("\n<diag><diag><name>S00</name></diag></diag>"),
                     "t:7: ", "without code");
  expect_icd10_error(with_diagnoses("<diag><name> </name></diag>"), "t:6: ", "a code");
  expect_icd10_error(with_diagnoses("<diag><name>S 0</name></diag>"), "t:6: \"S 0\"", "a code");
  expect_icd10_error(with_diagnoses("<diag><name>S1</name><name>S2</name></diag>"), "t:6: \"S2\"",
                     "second <name>");
  expect_icd10_error(with_diagnoses("<diag><inclusionTerm><note>x</note></inclusionTerm></diag>"),
                     "t:6: ", "before the code");
  expect_icd10_error(
      with_diagnoses(diag("S00", "a", "<sevenChrDef><extension char=\"AB\"/></sevenChrDef>")),
      "t:6: \"AB\"", "one capital or digit");
  expect_icd10_error(with_diagnoses(diag("S00", "a", "<sevenChrDef><extension/></sevenChrDef>")),
                     "t:6: ", "one capital or digit");
  expect_icd10_error(with_diagnoses(diag("S00", "a", std::string(kEncounters) + kEncounters)),
                     "t:6: \"S00.XXXA\"", "line 6");
  expect_icd10_error(
      list("<chapter><name>1</name>\n<section>" + diag("A", "a") + "</section></chapter>"),
      "t:5: ", "without id");
  expect_icd10_error(
      list("<chapter>\n<section id=\"A-B\">" + diag("A", "a") + "</section></chapter>"),
      "t:4: ", "without number");
  expect_icd10_error("<!DOCTYPE a [<!ENTITY b \"c\">]>\n<ICD10CM.tabular/>", "t:1: ", "entity");
}

std::string line(std::string code, char flag, std::string short_title,
                 const std::string& long_title) {
  code.resize(7, ' ');
  short_title.resize(60, ' ');
  return "00001 " + code + " " + flag + " " + short_title + " " + long_title + "\r\n";
}

TEST(Icd10cmOrder, CodesBelongUnderTheLongestCodeTheyBeginWith) {
  const Loaded icd =
      loaded_icd10(line("A00", '0', "Cholera", "Cholera") +
                   line("A000", '1', "Cholera d/t Vibrio", "Cholera due to Vibrio") + "\n" +
                   line("T07XXXA", '1', "Inj, init", "Injuries, initial encounter") +
                   line("T07", '0', "Inj", "Injuries  "));
  EXPECT_EQ(tree(icd), (Tree{{"A00", {}}, {"A000", {"A00"}}, {"T07", {}}, {"T07XXXA", {"T07"}}}));
  EXPECT_THAT(icd.terms("A00"), ElementsAre(Pair(TermKind::kLabel, "Cholera")));
  EXPECT_THAT(icd.terms("A000"), ElementsAre(Pair(TermKind::kLabel, "Cholera due to Vibrio"),
                                             Pair(TermKind::kExactSynonym, "Cholera d/t Vibrio")));
  EXPECT_EQ(icd.names->label(icd.find("T07")), "Injuries");
  EXPECT_EQ(icd.ontology.info().format, "icd10cm");
  EXPECT_TRUE(icd.ontology.info().has_icd_codes);
  EXPECT_THAT(
      icd.ontology.info().contents,
      ElementsAre(Counted{"codes", 4}, Counted{"categories", 2}, Counted{"billable codes", 2}));
  EXPECT_THAT(icd.ontology.info().left_out, IsEmpty());
}

TEST(Icd10cmOrder, WhatIsWrongIsToldWithItsLine) {
  const std::string good = line("A00", '0', "Cholera", "Cholera");
  expect_icd10_error("", "t: ", "no code");
  expect_icd10_error("\n \n", "t: ", "no code");
  expect_icd10_error(good + "00002 A000    1 Cholera\n", "t:2: \"00002 A000    1 \"", "too short");
  expect_icd10_error(good + line("A00", '1', "x", "y"), "t:2: \"A00\"", "line 1");
  expect_icd10_error(line("A00", '2', "x", "y"), "t:1: ", "neither 0 nor 1 in column 15");
  expect_icd10_error(line("A0", '1', "x", "y"), "t:1: ", "no code of three to seven");
  expect_icd10_error(line("", '1', "x", "y"), "t:1: ", "no code of three to seven");
  expect_icd10_error(line("a00", '1', "x", "y"), "t:1: ", "no code of three to seven");
  expect_icd10_error("x" + good, "t:1: ", "no order number");
  expect_icd10_error(" " + good, "t:1: ", "no order number");
  std::string joined = good;
  joined[15] = '-';
  expect_icd10_error(joined, "t:1: ", "no blank between");
  expect_icd10_error(line("A00", '1', "x", "\xFF"), "t:1: ", "UTF-8");
}

TEST(Icd10cm, AMissingFileIsTold) {
  EXPECT_THAT(load_icd10cm("absent.xml").error().message, HasSubstr("no such file"));
}

std::string undotted(std::string code) {
  std::erase(code, '.');
  return code;
}

// The seventh-character codes that the XML implies are the ones the order file lists.
TEST(Icd10cm, BothFormsOf2021HaveTheSameCodes) {
  const auto tabular = test::data_file("icd10cm/icd10cm_tabular_2021.xml.gz");
  const auto order = test::data_file("icd10cm/icd10cm-order-Jan-2021.txt.gz");
  if (!tabular || !order) SEMVEIL_SKIP_WITHOUT("icd10cm");
  const Loaded xml = test::finished(load_icd10cm(*tabular));
  const Loaded flat = test::finished(load_icd10cm(*order));
  EXPECT_THAT(
      xml.ontology.info().contents,
      ElementsAre(Counted{"chapters", 22}, Counted{"sections", 296}, Counted{"diagnoses", 45017},
                  Counted{"seventh-character definitions", 507},
                  Counted{"seventh-character codes", 95358 - 45017},
                  Counted{"inclusion terms", 11617}));
  EXPECT_THAT(xml.ontology.info().left_out,
              ElementsAre(Counted{"empty sections", 12},
                          Counted{"includes, excludes and other notes", 11779},
                          Counted{"seventh characters that a note rules out", 72}));
  EXPECT_EQ(xml.ontology.info().version, "2021");
  EXPECT_THAT(flat.ontology.info().contents,
              ElementsAre(Counted{"codes", 95358}, Counted{"categories", 1911},
                          Counted{"billable codes", 72621}));

  Tree codes;
  std::size_t headings = 0;
  for (const auto& [id, parents] : tree(xml)) {
    const auto is_heading = [](const std::string& text) {
      return text.find('-') != text.npos || text.starts_with("Chapter");
    };
    if (is_heading(id)) {
      ++headings;
      continue;
    }
    auto& above = codes[undotted(id)];
    for (const std::string& p : parents) {
      if (!is_heading(p)) above.insert(undotted(p));
    }
  }
  EXPECT_EQ(headings, 22U + 284U);
  EXPECT_EQ(codes.size(), 95358U);
  // H54.511 is "category 1-2": no prefix tells that category 2, H54.512A, belongs there.
  EXPECT_THAT(codes["H54512A"], ElementsAre("H54511"));
  codes["H54512A"] = {"H5451"};
  EXPECT_TRUE(codes == tree(flat));

  // Titles are the same but for accents, which the order file does not have.
  std::map<std::string_view, std::string_view> titles;
  for (ConceptId c = 0; c < flat.taxonomy->size(); ++c) {
    titles[flat.names->id(c)] = flat.names->label(c);
  }
  std::size_t different = 0;
  for (ConceptId c = 0; c < xml.taxonomy->size(); ++c) {
    const auto title = titles.find(undotted(std::string(xml.names->id(c))));
    const std::string_view label = xml.names->label(c);
    if (title == titles.end() || title->second == label) continue;
    ++different;
    const bool is_ascii =
        std::all_of(label.begin(), label.end(), [](char b) { return (b & 0x80) == 0; });
    EXPECT_FALSE(is_ascii) << label << " / " << title->second;
  }
  EXPECT_EQ(different, 134U);
}

TEST(Icd10cmLoader, ATextOfManyPiecesIsBounded) {
  std::string pieces = "<ICD10CM.tabular><chapter><name>1</name>\n<desc>";
  for (int i = 0; i < 1100; ++i) pieces += std::string(1000, 'x') + "<b/>";
  expect_icd10_error(pieces, "t:2: ", "a million bytes");
}

}  // namespace
}  // namespace semveil
