// A small packed file may unpack to endless valid records. Every loader refuses where its draft is
// full, with file and line, however it keeps what it read until then.
#include <gtest/gtest.h>

#include <functional>

#include "ontology/loaders.h"
#include "support/lowered_limit.h"
#include "support/small_rf2.h"

namespace semveil::test {
namespace {

constexpr std::size_t kLimit = 20'000;
constexpr int kMany = 2000;

std::string many(const std::function<std::string(std::string)>& record) {
  std::string text;
  for (int i = 0; i < kMany; ++i) text += record(std::to_string(10'000 + i));
  return text;
}

template <class Read>
void expect_refused(const std::string& text, const Read& read) {
  const auto usual = read(NamedStream{InputStream::over(text), "f"});
  ASSERT_TRUE(usual) << describe(usual.error(), Quote::kShow);
  const LoweredLimit lowered(kLimit);
  const auto draft = read(NamedStream{InputStream::over(text), "f"});
  ASSERT_FALSE(draft) << text.substr(0, 200);
  EXPECT_EQ(draft.error().message, OntologyDraft::kFull);
  EXPECT_EQ(draft.error().place.file, "f");
  EXPECT_GT(draft.error().place.line, 1U);
  EXPECT_LT(draft.error().place.line, static_cast<unsigned>(kMany) / 2);
}

TEST(LoadLimits, OfADraft) {
  const LoweredLimit lowered(800);
  OntologyDraft draft;
  const auto c = draft.add_concept("c");
  EXPECT_FALSE(draft.is_full());
  for (const auto& fill : std::vector<std::function<void(OntologyDraft&)>>{
           [&](OntologyDraft& d) { d.add_term(c, TermKind::kLabel, std::string(800, 'x')); },
           [&](OntologyDraft& d) { d.set_definition(c, std::string(801, 'x')); },
           [&](OntologyDraft& d) { d.keep_beside(801); },
           [&](OntologyDraft& d) {
             for (int i = 0; i < 100; ++i) d.add_term(c, TermKind::kLabel, "");
           },
           [&](OntologyDraft& d) {
             for (int i = 0; i < 101; ++i) d.add_link(c, c);
           }}) {
    OntologyDraft filled = draft;
    fill(filled);
    EXPECT_TRUE(filled.is_full());
    const auto finished = std::move(filled).finish("f");
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error().message, OntologyDraft::kFull);
  }
}

TEST(LoadLimits, OfMesh) {
  const auto record = [](const std::string& n, const std::string& inside) {
    return "<DescriptorRecord><DescriptorUI>D" + n +
           "</DescriptorUI><DescriptorName><String>N</String></DescriptorName>" + inside +
           "</DescriptorRecord>\n";
  };
  const auto set = [](const std::string& records) {
    return "<DescriptorRecordSet>\n" + records + "</DescriptorRecordSet>\n";
  };
  const std::string placed = record("1",
                                    "<TreeNumberList><TreeNumber>A</TreeNumber>"
                                    "</TreeNumberList>");
  const auto nowhere = many([&](const std::string& n) { return record(n, ""); });
  expect_refused(set(placed + nowhere), read_mesh);
  const std::string terms =
      many([](const std::string& n) { return "<Term><String>t" + n + "</String></Term>\n"; });
  const std::string numbers = "<TreeNumberList><TreeNumber>A</TreeNumber></TreeNumberList>";
  expect_refused(set(record("1", numbers + "<ConceptList><Concept><TermList>" + terms +
                                     "</TermList></Concept></ConceptList>")),
                 read_mesh);
  expect_refused("*NEWRECORD\nRECTYPE = D\nMH = N\nUI = D1\nMN = A\n" +
                     many([](const std::string& n) { return "ENTRY = " + n + "\n"; }),
                 read_mesh);
  expect_refused("Tree Number\tDesc Ui\tTerm\n" +
                     many([](const std::string& n) { return n + "\tD" + n + "\tN\n"; }),
                 read_mesh);
}

TEST(LoadLimits, OfClaml) {
  const auto read = [](NamedStream in) { return read_claml(std::move(in), ""); };
  const auto file = [](const std::string& inside) {
    return "<ClaML><Class code=\"A\" kind=\"chapter\">\n<Rubric kind=\"preferred\"><Label>A</Label>"
           "</Rubric>" +
           inside + "</ClaML>\n";
  };
  expect_refused(file("</Class>" + many([](const std::string& n) {
                        return "<Class code=\"" + n + "\" kind=\"category\"/>\n";
                      })),
                 read);
  expect_refused(file(many([](const std::string& n) {
                        return "<Rubric kind=\"synonym\"><Label>" + n + "</Label></Rubric>\n";
                      }) +
                      "</Class>"),
                 read);
  expect_refused(file(many([](const std::string& n) { return "<Rubric kind=\"" + n + "\"/>\n"; }) +
                      "</Class>"),
                 read);
  expect_refused(file("<SuperClass code=\"B\"/>" +
                      many([](const std::string&) { return "<SuperClass code=\"B\"/>\n"; }) +
                      "</Class><Class code=\"B\" kind=\"chapter\"/>"),
                 read);
}

TEST(LoadLimits, OfIcd10cm) {
  expect_refused(
      "<ICD10CM.tabular><chapter><name>1</name><section id=\"A-B\">\n" +
          many([](const std::string& n) { return "<diag><name>A" + n + "</name></diag>\n"; }) +
          "</section></chapter></ICD10CM.tabular>",
      read_icd10cm);
  expect_refused(many([](const std::string& n) {
                   return n + " A" + n + "  1 " + std::string(60, 'x') + " long\n";
                 }),
                 read_icd10cm);
}

TEST(LoadLimits, OfIcd9cmEdgesAndObo) {
  expect_refused(
      "node_id,parent_id,label\n" + many([](const std::string& n) { return n + ",,N\n"; }),
      read_icd9cm);
  expect_refused("code,long_desc,sub_chapter,chapter\n" +
                     many([](const std::string& n) { return n + ",N,S,C\n"; }),
                 read_icd9cm);
  const auto over = [](auto parse) {
    return [parse](const NamedStream& in) {
      return parse(FileBytes::read_all(*in.stream, in.name)->view(), in.name);
    };
  };
  expect_refused("child,parent\n" + many([](const std::string& n) { return n + ",\n"; }),
                 over(parse_edges));
  expect_refused(many([](const std::string& n) { return n + ";*\n"; }), over(parse_vgh));
  expect_refused(
      "format-version: 1.2\n[Term]\nid: A\nname: " + std::string(kLimit, 'x') + "\n[Term]\nid: B\n",
      over(parse_obo));
}

TEST(LoadLimits, OfRowsOfARelease) {
  SmallRf2 release = two_concepts();
  for (int i = 0; i < 100; ++i) release.concept_row(138875105 + static_cast<unsigned>(i) * 10);
  ASSERT_TRUE(read_release(release.files()));
  const LoweredLimit lowered(400);  // 50 rows
  const auto draft = read_release(release.files());
  ASSERT_FALSE(draft);
  EXPECT_EQ(draft.error().place.line, 52U);  // the header, 50 rows
  EXPECT_NE(draft.error().message.find("more rows"), std::string::npos);
}

}  // namespace
}  // namespace semveil::test
