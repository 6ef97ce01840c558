#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "ontology/loaders.h"
#include "support/loaded.h"
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

Result<OntologyDraft> claml_draft(std::string_view text, const std::string& language = "") {
  return read_claml({InputStream::over(text), "c.xml"}, language);
}
Loaded loaded_claml(std::string_view text, const std::string& language = "") {
  return test::finished(claml_draft(text, language));
}
Error claml_error(std::string_view text, const std::string& language = "") {
  const auto draft = claml_draft(text, language);
  EXPECT_FALSE(draft) << text.substr(0, 300);
  return draft ? Error() : draft.error();
}
std::vector<std::string> ids(const Loaded& claml) {
  std::vector<std::string> all;
  for (ConceptId c = 0; c < claml.taxonomy->size(); ++c) {
    if (!claml.taxonomy->is_virtual(c)) all.emplace_back(claml.names->id(c));
  }
  std::ranges::sort(all);
  return all;
}
std::string label(const Loaded& claml, std::string_view id) {
  return std::string(claml.names->label(claml.find(id)));
}

std::string claml(const std::string& inside) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE ClaML SYSTEM \"ClaML.dtd\">\n"
         "<ClaML version=\"2.0.0\">\n"
         "<Title name=\"ICD-10\" version=\"2019\" date=\"2018-09-01\">A title</Title>\n" +
         inside + "</ClaML>\n";
}
std::string rubric(const std::string& kind, const std::string& label_text,
                   const std::string& lang = "en") {
  return "<Rubric kind=\"" + kind + "\"><Label xml:lang=\"" + lang + "\" xml:space=\"default\">" +
         label_text + "</Label></Rubric>\n";
}
// A class below `above` with a preferred rubric.
std::string category(const std::string& code, const std::string& above, const std::string& name,
                     const std::string& more = "", const std::string& kind = "category") {
  return "<Class code=\"" + code + "\" kind=\"" + kind + "\">" +
         (above.empty() ? "" : "<SuperClass code=\"" + above + "\"/>") + more +
         rubric("preferred", name) + "</Class>\n";
}
std::string modifier_class(const std::string& modifier, const std::string& code,
                           const std::string& name, const std::string& more = "") {
  return "<ModifierClass code=\"" + code + "\" modifier=\"" + modifier + "\"><SuperClass code=\"" +
         modifier + "\"/>" + more + rubric("preferred", name) + "</ModifierClass>\n";
}

const std::string kChapter =
    category("IV", "", "Metabolic diseases",
             "<Meta name=\"a\" value=\"b\"/><SubClass code=\"E10-E14\"/>", "chapter");
const std::string kBlock = category("E10-E14", "IV", "Diabetes",
                                    "<SubClass code=\"E10\"/><SubClass code=\"E15\"/>", "block");
const std::string kSmallClaml = claml(
    kChapter + kBlock + category("E10", "E10-E14", "Type 1 diabetes") +
    "<Class code=\"E15\" kind=\"category\" usage=\"dagger\">\n<SuperClass code=\"E10-E14\"/>\n"
    "<SubClass code=\"E15.0\"/>\n" +
    rubric("preferredLong", "Coma without diabetes, of any cause") +
    rubric("preferred", "Coma without diabetes") + rubric("synonym", "Low sugar coma") +
    rubric("inclusion", "Insulin coma") + rubric("definition", "A loss of consciousness.") +
    rubric("exclusion", "newborn <Reference code=\"P70.4\">P70.4</Reference>") +
    rubric("exclusion", "another") + rubric("coding-hint", "Use more codes.") + "</Class>\n" +
    category("E15.0", "E15", "With fits"));

TEST(ClamlLoader, ClassesBecomeConcepts) {
  const Loaded icd = loaded_claml(kSmallClaml);
  EXPECT_THAT(ids(icd), ElementsAre("E10", "E10-E14", "E15", "E15.0", "IV"));
  EXPECT_FALSE(icd.taxonomy->has_virtual_root());
  EXPECT_THAT(icd.parents("E10-E14"), ElementsAre("IV"));
  EXPECT_THAT(icd.parents("E10"), ElementsAre("E10-E14"));
  EXPECT_THAT(icd.parents("E15.0"), ElementsAre("E15"));
  EXPECT_THAT(icd.terms("E15"),
              ElementsAre(Pair(TermKind::kLabel, "Coma without diabetes"),
                          Pair(TermKind::kExactSynonym, "Coma without diabetes, of any cause"),
                          Pair(TermKind::kExactSynonym, "Low sugar coma"),
                          Pair(TermKind::kNarrowSynonym, "Insulin coma")));
  EXPECT_EQ(icd.names->definition(icd.find("E15")), "A loss of consciousness.");
}

TEST(ClamlLoader, InfoTellsWhatIsInItAndWhatIsNot) {
  const auto draft = claml_draft(kSmallClaml);
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->info.format, "claml");
  EXPECT_EQ(draft->info.version, "2019");
  EXPECT_TRUE(draft->info.has_icd_codes);
  EXPECT_THAT(draft->info.headings, ElementsAre("E10-E14", "IV"));
  EXPECT_THAT(draft->info.contents,
              ElementsAre(Counted{"chapters", 1}, Counted{"blocks", 1}, Counted{"categories", 3}));
  EXPECT_THAT(draft->info.left_out, ElementsAre(Counted{"rubrics of the kind 'coding-hint'", 1},
                                                Counted{"rubrics of the kind 'exclusion'", 2}));
  EXPECT_EQ(claml_draft("<ClaML><Title date=\"2020-01-01\"/><Class code=\"A\" kind=\"x\"/></ClaML>")
                ->info.version,
            "2020-01-01");
  EXPECT_THAT(
      claml_draft("<ClaML version=\"3.0\"><Class code=\"A\" kind=\"x\"/></ClaML>")->info.contents,
      ElementsAre(Counted{"classes of other kinds", 1}));
  // Where nothing is called a category, nothing is known to be a heading.
  EXPECT_THAT(
      claml_draft("<ClaML version=\"3.0\"><Class code=\"A\" kind=\"x\"/></ClaML>")->info.headings,
      IsEmpty());
}

TEST(ClamlLoader, LinksOfEitherDirectionCount) {
  const Loaded both = loaded_claml(
      "<ClaML><Class code=\"A\"><SubClass code=\"C\"/></Class><Class code=\"B\"/>"
      "<Class code=\"C\"><SuperClass code=\"B\"/><SuperClass code=\"B\"/></Class></ClaML>");
  EXPECT_THAT(both.parents("C"), UnorderedElementsAre("A", "B"));
  EXPECT_EQ(label(both, "C"), "C");
}

std::string text_of(const std::string& inside) {
  return label(loaded_claml(claml(category("A", "", inside))), "A");
}

TEST(ClamlLoader, LabelsAreTheirTextWithoutReferences) {
  EXPECT_EQ(text_of("Vitamin B<Term class=\"subscript\">12</Term>\n   deficiency"),
            "Vitamin B12 deficiency");
  EXPECT_EQ(text_of("<Fragment type=\"item\">Fever</Fragment><Fragment>of cats</Fragment>"),
            "Fever of cats");
  EXPECT_EQ(text_of("<Para>One.</Para><Para>Two.</Para>"), "One. Two.");
  EXPECT_EQ(text_of("Meningitis (<Reference code=\"G01\">G01*</Reference>)"), "Meningitis");
  EXPECT_EQ(text_of("Meningitis <Reference class=\"in brackets\">G01*</Reference>"), "Meningitis");
  EXPECT_EQ(text_of("Rash (<Reference>A1</Reference>, <Reference>A2</Reference>) of (old) age"),
            "Rash of (old) age");
  EXPECT_EQ(text_of("Rash (see <Reference>A<b>1</b></Reference>)"), "Rash (see )");
  EXPECT_EQ(text_of("Rash () ] ("), "Rash () ] (");
}

TEST(ClamlLoader, TheLanguageIsTheFirstOrTheOneAskedFor) {
  const std::string two =
      claml("<Class code=\"A\" kind=\"category\">\n" + rubric("preferred", "Fever", "en") +
            rubric("preferred", "Fieber", "de-AT") + "</Class>\n" +
            "<Class code=\"B\" kind=\"category\">" +
            "<Rubric kind=\"preferred\"><Label>neither</Label></Rubric></Class>");
  EXPECT_THAT(loaded_claml(two).terms("A"), ElementsAre(Pair(TermKind::kLabel, "Fever")));
  EXPECT_THAT(claml_draft(two)->info.left_out,
              ElementsAre(Counted{"labels in other languages", 1}));
  for (const std::string language : {"de", "DE", "de-at"}) {
    EXPECT_THAT(loaded_claml(two, language).terms("A"),
                ElementsAre(Pair(TermKind::kLabel, "Fieber")));
    EXPECT_EQ(label(loaded_claml(two, language), "B"), "neither");
  }
  std::string title = two;
  title.replace(title.find("<Title"), 6, "<Title xml:lang=\"de\"");
  EXPECT_EQ(label(loaded_claml(title), "A"), "Fieber");
  const std::string only = claml(category("A", "", "Fever"));
  const Error error = claml_error(only, "fr");
  EXPECT_THAT(error.message, HasSubstr("lang=fr; the file has en"));
  EXPECT_THAT(claml_error(only, "e").message, HasSubstr("lang=e;"));
  EXPECT_THAT(claml_error(only, "fr-CH").message, HasSubstr("lang=fr-ch; the file has en"));
  EXPECT_EQ(label(loaded_claml(only, "en-AU"), "A"), "Fever");
  const std::string both =
      claml("<Class code=\"A\" kind=\"category\">\n" + rubric("preferred", "Januar", "de") +
            rubric("preferred", "Jänner", "de-AT") + "</Class>\n");
  EXPECT_EQ(label(loaded_claml(both, "de-AT"), "A"), "Jänner");
  EXPECT_EQ(label(loaded_claml(both, "de-CH"), "A"), "Januar");
}

const std::string kFourth = "<Modifier code=\"S4\"><SubClass code=\".0\"/><SubClass code=\".1\"/>" +
                            rubric("text", "which") + "</Modifier>\n" +
                            modifier_class("S4", ".0", "With coma", rubric("inclusion", "Coma")) +
                            modifier_class("S4", ".1", "With ketoacidosis");
const std::string kFifth =
    modifier_class("S_5", "0", "Controlled",
                   "<Meta name=\"excludeOnPrecedingModifier\" value=\"S4 .1\"/>") +
    modifier_class("S_5", "1", "Not controlled");

TEST(ClamlModifiers, MakeTheFourthCharacterOfDiabetes) {
  const std::string text =
      claml(kChapter + category("E10-E14", "IV", "Diabetes", "", "block") +
            category("E10", "E10-E14", "Type 1", "<ModifiedBy code=\"S4\"/>") +
            category("E11", "E10-E14", "Type 2", "<ModifiedBy code=\"S4\"/>") + kFourth);
  const Loaded icd = loaded_claml(text);
  EXPECT_THAT(ids(icd),
              ElementsAre("E10", "E10-E14", "E10.0", "E10.1", "E11", "E11.0", "E11.1", "IV"));
  EXPECT_THAT(icd.parents("E10.0"), ElementsAre("E10"));
  EXPECT_THAT(icd.terms("E11.0"), ElementsAre(Pair(TermKind::kLabel, "Type 2: With coma"),
                                              Pair(TermKind::kNarrowSynonym, "Type 2: Coma")));
  EXPECT_THAT(icd.ontology.info().contents,
              ElementsAre(Counted{"chapters", 1}, Counted{"blocks", 1}, Counted{"categories", 2},
                          Counted{"codes made from modifiers", 4}));
}

TEST(ClamlModifiers, WorkOneAfterTheOther) {
  // In either order: the position decides.
  for (const std::string by : {"<ModifiedBy code=\"S4\"/><ModifiedBy code=\"S_5\"/>",
                               "<ModifiedBy code=\"S_5\"/><ModifiedBy code=\"S4\"/>"}) {
    const Loaded icd = loaded_claml(claml(category("E10", "", "Type 1", by) + kFourth + kFifth));
    EXPECT_THAT(ids(icd), ElementsAre("E10", "E10.0", "E10.00", "E10.01", "E10.1", "E10.11"));
    EXPECT_THAT(icd.parents("E10.01"), ElementsAre("E10.0"));
    EXPECT_EQ(label(icd, "E10.01"), "Type 1: With coma: Not controlled");
  }
}

TEST(ClamlModifiers, AreHandedDownUntilExcluded) {
  const std::string by = "<ModifiedBy code=\"S_5\" position=\"5\"/>";
  const Loaded icd =
      loaded_claml(claml(category("M00-M01", "", "Joints", by, "block") +
                         category("M00", "M00-M01", "Pus") + category("M00.0", "M00", "Staph") +
                         category("M00.1", "M00", "Strep", "<ExcludeModifier code=\"S_5\"/>") +
                         category("M01", "M00-M01", "Other", "<ExcludeModifier code=\"S_5\"/>") +
                         category("M01.0", "M01", "Excluded too") +
                         category("M01.1", "M01", "Taken back", by) + kFifth));
  EXPECT_THAT(ids(icd), ElementsAre("M00", "M00-M01", "M00.0", "M00.00", "M00.01", "M00.1", "M01",
                                    "M01.0", "M01.1", "M01.10", "M01.11"));
  EXPECT_EQ(label(icd, "M00.01"), "Staph: Not controlled");
}

TEST(ClamlModifiers, CodesAreWrittenAsIcdWritesThem) {
  const std::string bare = modifier_class("S20_4", "0", "Home") + kFourth + kFifth;
  const auto made = [&](const std::string& code, const std::string& modifier) {
    return ids(loaded_claml(
        claml(category(code, "", "x", "<ModifiedBy code=\"" + modifier + "\"/>") + bare)));
  };
  EXPECT_THAT(made("W00", "S20_4"), ElementsAre("W00", "W00.0"));
  EXPECT_THAT(made("M45", "S_5"), ElementsAre("M45", "M45.X0", "M45.X1"));
  EXPECT_THAT(made("I70.0", "S20_4"), ElementsAre("I70.0", "I70.00"));
  EXPECT_THAT(made("E14.2", "S4"), ElementsAre("E14.2"));  // the place is taken
  EXPECT_THAT(made("5-870.2", "S_5"), ElementsAre("5-870.2", "5-870.20", "5-870.21"));
  EXPECT_THAT(made("5-870", "S4"), ElementsAre("5-870", "5-870.0", "5-870.1"));
}

TEST(ClamlModifiers, OnlyValidClassesAreUsed) {
  const auto made = [](const std::string& by) {
    return ids(loaded_claml(claml(category("E10", "", "x", by) + kFourth)));
  };
  EXPECT_THAT(made("<ModifiedBy all=\"false\" code=\"S4\"><ValidModifierClass code=\".1\"/>"
                   "</ModifiedBy>"),
              ElementsAre("E10", "E10.1"));
  EXPECT_THAT(made("<ModifiedBy code=\"S4\"><ValidModifierClass code=\".1\"/></ModifiedBy>"),
              ElementsAre("E10", "E10.1"));
  EXPECT_THAT(made("<ModifiedBy all=\"false\" code=\"S4\"/>"), ElementsAre("E10"));
  EXPECT_THAT(made("<ModifiedBy all=\"true\" code=\"S4\"/>"), ElementsAre("E10", "E10.0", "E10.1"));
}

TEST(ClamlModifiers, DeclaredCodesStayAsTheyAre) {
  const Loaded icd = loaded_claml(claml(category("E10", "", "Type 1", "<ModifiedBy code=\"S4\"/>") +
                                        category("E10.0", "", "Its own") + kFourth));
  EXPECT_EQ(label(icd, "E10.0"), "Its own");
  EXPECT_EQ(label(icd, "E10.1"), "Type 1: With ketoacidosis");
  EXPECT_THAT(icd.ontology.info().left_out,
              ElementsAre(Counted{"codes made from modifiers that are declared as well", 1}));
}

TEST(ClamlModifiers, ClassesMayStandBelowEachOther) {
  const std::string nested =
      "<ModifierClass code=\".01\" modifier=\"S4\"><SuperClass code=\".0\"/></ModifierClass>\n" +
      kFourth;
  const Loaded icd = loaded_claml(
      claml(category("E10", "", "x", "<ModifiedBy code=\"S4\"/><ModifiedBy code=\"S_5\"/>") +
            nested + modifier_class("S_5", "9", "y")));
  // Another character is put behind the innermost classes only.
  EXPECT_THAT(ids(icd), ElementsAre("E10", "E10.0", "E10.01", "E10.019", "E10.1", "E10.19"));
  EXPECT_THAT(icd.parents("E10.01"), ElementsAre("E10.0"));
  EXPECT_EQ(label(icd, "E10.01"), "x: .01");
}

TEST(ClamlLoader, CyclesAreReported) {
  auto draft = claml_draft(claml(category("A", "B", "a", "<ModifiedBy code=\"S4\"/>") +
                                 category("B", "A", "b") + kFourth));
  ASSERT_TRUE(draft);
  const auto ontology = std::move(*draft).finish("c.xml");
  ASSERT_FALSE(ontology);
  EXPECT_THAT(ontology.error().message, HasSubstr("cycle"));
}

struct WrongClaml {
  std::string text, message;
  std::uint64_t line;
};

TEST(ClamlLoader, ErrorsTellFileLineAndRemedy) {
  const std::string a = category("A", "", "a");  // line 5, and its rubric's end makes line 6
  const std::vector<WrongClaml> cases{
      {"<a/>", "<ClaML>", 1},
      {"<ClaML/>", "no <Class>", 0},
      {"", "well-formed", 1},
      {claml(a).substr(0, 250), "well-formed", 5},
      {claml(a + "<Class kind=\"category\"/>"), "<Class> without the attribute code", 7},
      {claml(a + "<ModifierClass code=\".0\"/>"), "without the attribute modifier", 7},
      {claml(a + "<Modifier/>"), "<Modifier> without the attribute code", 7},
      {claml("<Class code=\"A\">\r\n<SuperClass/></Class>"), "<SuperClass> without", 6},
      {claml("<Class code=\"A\">\r\n<Class code=\"B\"/></Class>"), "inside another", 6},
      {claml("<Class code=\"" + std::string(300, 'x') + "\"/>"), "more than 200 bytes", 5},
      {claml(a + a), "already declared on line 5", 7},
      {claml(a + "<Class code=\"B\">\n<SuperClass code=\"X\"/></Class>"), "<SuperClass> names", 8},
      {claml(a + "<Class code=\"B\">\n<SubClass code=\"X\"/></Class>"), "<SubClass> names", 8},
      {claml("<Class code=\"A\">\n<SuperClass code=\"A\"/></Class>"), "below itself", 6},
      {claml("<Class code=\"A\">\n<ModifiedBy code=\"S\"/></Class>"), "no <Modifier>", 6},
      {claml(a + kFourth + modifier_class("S4", ".1", "again")), "already declared on line 12", 14},
      {claml(a + "<ModifierClass code=\"0\" modifier=\"S\">\n<SuperClass code=\"7\"/>"
                 "</ModifierClass>"),
       "no class of this modifier", 8},
      {claml(a + "<ModifierClass code=\"0\" modifier=\"S\"><SuperClass code=\"1\"/>"
                 "</ModifierClass>\n<ModifierClass code=\"1\" modifier=\"S\">"
                 "<SuperClass code=\"0\"/></ModifierClass>"),
       "in a circle", 7},
  };
  for (const WrongClaml& wrong : cases) {
    const Error error = claml_error(wrong.text);
    EXPECT_THAT(error.message, HasSubstr(wrong.message)) << wrong.text;
    EXPECT_EQ(error.place.line, wrong.line) << wrong.text << "\n" << error.message;
    EXPECT_EQ(error.place.file, "c.xml");
    EXPECT_EQ(error.code, ErrorCode::kData);
  }
}

TEST(ClamlLoader, HostileFilesAreRefused) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() + "/canary") << "canary";
  for (const std::string& entity :
       {"\"" + std::string(100, 'a') + "\"", "SYSTEM \"file://" + folder.path() + "/canary\""}) {
    const Error error = claml_error("<!DOCTYPE ClaML [\n<!ENTITY e " + entity + ">]><ClaML>" +
                                    category("A", "", "&e;") + "</ClaML>");
    EXPECT_THAT(error.message, HasSubstr("entity"));
    EXPECT_EQ(error.place.line, 2U);
  }
  EXPECT_THAT(claml_error(claml("<Class code=\"" + std::string(20'000'000, 'x') + "\"/>")).message,
              HasSubstr("16 MiB"));
  std::string fragments;
  for (int i = 0; i < 3000; ++i) fragments += "<Fragment>" + std::string(1000, 'x') + "</Fragment>";
  EXPECT_THAT(claml_error(claml(category("A", "", fragments))).message,
              HasSubstr("a million bytes"));
}

// A few lines could ask for 10^12 codes.
TEST(ClamlModifiers, CannotFillTheMemory) {
  std::string by, classes;
  for (int m = 0; m < 12; ++m) {
    const std::string name = "S" + std::to_string(m);
    by += "<ModifiedBy code=\"" + name + "\" position=\"" + std::to_string(4 + m) + "\"/>\n";
    for (int c = 0; c < 10; ++c) classes += modifier_class(name, std::to_string(c), "x");
  }
  EXPECT_THAT(claml_error(claml(category("A00", "", "a", by) + classes)).message,
              HasSubstr("more codes than a classification has"));
  const Error labels =
      claml_error(claml(category("A00", "", std::string(1'000'000, 'x'), by) + classes));
  EXPECT_THAT(labels.message, HasSubstr("more codes"));
  for (int m = 12; m < 17; ++m) {
    const std::string name = "S" + std::to_string(m);
    by += "<ModifiedBy code=\"" + name + "\"/>\n";
    classes += modifier_class(name, "0", "x");
  }
  EXPECT_THAT(claml_error(claml(category("A00", "", "a", by) + classes)).message,
              HasSubstr("more than 16 modifiers"));
}

TEST(ClamlLoader, OtherEncodingsAndArchivesAreRead) {
  EXPECT_EQ(label(loaded_claml("<?xml version='1.0' encoding='ISO-8859-1'?><ClaML>" +
                               category("A", "",
                                        "Hitzsch\xE4"
                                        "den") +
                               "</ClaML>"),
                  "A"),
            "Hitzsch\xC3\xA4"
            "den");
  std::string wide = "\xFE\xFF";
  for (const char c : "<ClaML>" + category("A", "", "Fever") + "</ClaML>") wide += {'\0', c};
  EXPECT_EQ(label(loaded_claml(wide), "A"), "Fever");
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/icd.zip";
  test::write_zip(path, {{"ClaML.dtd", "<!ELEMENT ClaML ANY>"}, {"Klassi/icd.xml", kSmallClaml}});
  EXPECT_EQ(test::finished(load_claml(path, "")).taxonomy->size(), 5U);
  EXPECT_FALSE(load_claml(folder.path() + "/absent.xml", ""));
}

TEST(ClamlLoader, ATitleInALanguageWithoutLabelsLeavesTheChoiceToTheFirstLabel) {
  const auto text = [](const std::string& more) {
    return "<ClaML><Title xml:lang=\"de\"/><Class code=\"A\" kind=\"category\">" +
           rubric("preferred", "Rage", "fr") + rubric("synonym", "Hydrophobie", "fr") +
           rubric("preferred", "Rabies", "en") + more + "</Class></ClaML>";
  };
  const Loaded french = loaded_claml(text(""));
  EXPECT_THAT(french.terms("A"), ElementsAre(Pair(TermKind::kLabel, "Rage"),
                                             Pair(TermKind::kExactSynonym, "Hydrophobie")));
  EXPECT_THAT(french.ontology.info().left_out,
              ElementsAre(Counted{"labels in other languages", 1}));
  const Loaded german = loaded_claml(text(rubric("preferred", "Tollwut", "de")));
  EXPECT_THAT(german.terms("A"), ElementsAre(Pair(TermKind::kLabel, "Tollwut")));
  EXPECT_THAT(german.ontology.info().left_out,
              ElementsAre(Counted{"labels in other languages", 3}));
}

}  // namespace
}  // namespace semveil
