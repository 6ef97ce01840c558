#include "base/xml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "support/small_pieces.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::SmallPieces;
using ::testing::HasSubstr;

// Writes down what it is told: "<a x=1>text</a>", with the line of each tag.
class Recorder : public XmlEvents {
 public:
  Status begin(std::string_view element, const XmlAttributes& attributes) override {
    seen += "<" + std::string(element);
    if (const auto x = attributes.find("x")) seen += " x=" + std::string(*x);
    seen += ">";
    lines.push_back(reader->line());
    if (element == "refused") return fail(reader->error("refused by the events", "value"));
    return {};
  }
  Status end(std::string_view element) override {
    seen += "</" + std::string(element) + ">";
    return {};
  }
  Status text(std::string_view piece) override {
    seen += piece;
    return {};
  }
  XmlReader* reader = nullptr;
  std::string seen;
  std::vector<std::uint64_t> lines;
};

struct Read {
  Status status;
  std::string seen;
  std::vector<std::uint64_t> lines;
};
Read read_xml(std::string text, std::size_t piece = 1 << 20) {
  SmallPieces stream(std::move(text), piece);
  XmlReader reader(stream, "f.xml");
  Recorder recorder;
  recorder.reader = &reader;
  Status status = reader.read(recorder);
  return {std::move(status), std::move(recorder.seen), std::move(recorder.lines)};
}
Error xml_error(std::string text) {
  const Read got = read_xml(std::move(text));
  EXPECT_FALSE(got.status);
  return got.status ? Error() : got.status.error();
}
std::string utf16(std::string_view ascii, bool big) {
  std::string bytes = big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : ascii) {
    if (big) bytes += '\0';
    bytes += c;
    if (!big) bytes += '\0';
  }
  return bytes;
}

TEST(XmlReader, TellsTagsAttributesAndText) {
  const Read got = read_xml(
      "<?xml version=\"1.0\"?><!-- c --><a x='1&amp;2'>t&lt;<b/>\r\n"
      "<![CDATA[<raw>]]></a>");
  ASSERT_TRUE(got.status) << describe(got.status.error(), Quote::kShow);
  EXPECT_EQ(got.seen, "<a x=1&2>t<<b></b>\n<raw></a>");
}

TEST(XmlReader, KnowsItsLinesAlsoBehindCrLf) {
  for (const std::string end : {"\n", "\r\n"}) {
    const Read got = read_xml("<a>" + end + "<b/>" + end + end + "<c" + end + "/></a>");
    EXPECT_THAT(got.lines, ::testing::ElementsAre(1, 2, 4)) << end.size();
    const Error refused = xml_error("<a>" + end + end + "<refused/></a>");
    EXPECT_EQ(refused.place.file, "f.xml");
    EXPECT_EQ(refused.place.line, 3U);
    EXPECT_EQ(refused.value, "value");
    EXPECT_EQ(xml_error("<a>" + end + "<b>" + end + "</a>").place.line, 3U);
  }
}

TEST(XmlReader, ReadsAlikeHoweverTheStreamIsCut) {
  const std::string text = "<a x='\xC3\xA4'>zw\xC3\xB6lf<b/>&#228;</a>";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EXPECT_EQ(read_xml(text, piece).seen, "<a x=\xC3\xA4>zw\xC3\xB6lf<b></b>\xC3\xA4</a>");
  }
}

TEST(XmlReader, OtherEncodingsComeAsUtf8) {
  EXPECT_EQ(read_xml("<?xml version='1.0' encoding='ISO-8859-1'?><a x='\xE4'>\xF6</a>").seen,
            "<a x=\xC3\xA4>\xC3\xB6</a>");
  for (const bool big : {false, true}) {
    EXPECT_EQ(read_xml(utf16("<?xml version='1.0'?><a x='1'>t</a>", big)).seen, "<a x=1>t</a>");
  }
  EXPECT_THAT(xml_error("<?xml version='1.0' encoding='EBCDIC-7'?><a/>").message,
              HasSubstr("save the file as UTF-8"));
  EXPECT_EQ(xml_error("<a>\n\xFF</a>").place.line, 2U);
}

TEST(XmlReader, DeclaredEntitiesAreRefusedWhereTheyAreDeclared) {
  std::string laughs = "<!DOCTYPE a [\n<!ENTITY l0 \"ha\">\n";
  for (int i = 1; i < 10; ++i) {
    laughs += "<!ENTITY l" + std::to_string(i) + " \"";
    for (int j = 0; j < 10; ++j) laughs += "&l" + std::to_string(i - 1) + ";";
    laughs += "\">\n";
  }
  laughs += "]>\n<a>&l9;</a>";
  for (const std::string& text :
       {laughs, std::string("<!DOCTYPE a [\n<!ENTITY % p \"x\">]><a/>")}) {
    const Error error = xml_error(text);
    EXPECT_THAT(error.message, HasSubstr("declares an entity"));
    EXPECT_EQ(error.place.line, 2U);
  }
}

TEST(XmlReader, NothingButTheFileIsEverRead) {
  const test::TemporaryFolder folder;
  const std::string canary = folder.path() + "/canary.txt";
  std::ofstream(canary) << "canary";
  const Read external =
      read_xml("<!DOCTYPE a [<!ENTITY e SYSTEM \"file://" + canary + "\">]><a>&e;</a>");
  EXPECT_FALSE(external.status);
  EXPECT_EQ(external.seen, "");
  const std::string dtd = folder.path() + "/a.dtd";
  std::ofstream(dtd) << "<!ENTITY e \"canary\">";
  const Read with_dtd = read_xml("<!DOCTYPE a SYSTEM \"" + dtd + "\"><a>b</a>");
  EXPECT_TRUE(with_dtd.status);
  EXPECT_EQ(with_dtd.seen, "<a>b</a>");
}

// The parser by itself passes over them silently where a DTD might have declared them.
TEST(XmlReader, UnknownEntitiesAreRefusedWithAndWithoutADtd) {
  for (const std::string before : {"", "<!DOCTYPE a SYSTEM 'a.dtd'>"}) {
    const Error error = xml_error(before + "\n<a>x&eacute;y</a>");
    EXPECT_THAT(error.message, HasSubstr("entity"));
    EXPECT_EQ(error.place.line, 2U);
  }
}

TEST(XmlReader, DepthIsBounded) {
  const auto nested = [](unsigned depth) {
    std::string text;
    for (unsigned i = 0; i < depth; ++i) text += "<a>";
    for (unsigned i = 0; i < depth; ++i) text += "</a>";
    return text;
  };
  EXPECT_TRUE(read_xml(nested(XmlReader::kDeepest)).status);
  EXPECT_THAT(xml_error("\n" + nested(XmlReader::kDeepest + 1)).message, HasSubstr("deep"));
}

TEST(XmlReader, TextsAreBounded) {
  const std::string longest(XmlReader::kLongest, 'x');
  EXPECT_TRUE(read_xml("<a>" + longest + "</a>").status);
  EXPECT_THAT(xml_error("<a>x" + longest + "</a>").message, HasSubstr("16 MiB"));
  EXPECT_TRUE(read_xml("<a>x<b/>" + longest + "</a>").status);  // counted from tag to tag
}

TEST(XmlReader, TagsAndCommentsAreBounded) {
  const auto expect_refused = [](const std::string& text) {
    const Error error = xml_error("<a>\n" + text + "</a>");
    EXPECT_THAT(error.message, HasSubstr("16 MiB"));
    EXPECT_EQ(error.place.line, 2U);
  };
  const std::string value(XmlReader::kLongest - 10, 'x');
  EXPECT_TRUE(read_xml("<a x='" + value + "'/>").status);
  expect_refused("<b x='x" + value + "xx'/>");
  const std::string more(20'000'000, 'x');
  expect_refused("<b x='" + more + "'/>");
  expect_refused("<b" + more + "/>");
  expect_refused("<!-- " + more + more + " -->");
  expect_refused("<b x='" + more + more + more);  // never ends
}

TEST(XmlReader, WhatIsNotWellFormedIsAnErrorWithItsLine) {
  for (const std::string text : {"", "a", "<a>\n", "<a>\n<b></a>", "<a/>\n<b/>", "<a x=1/>"}) {
    const Error error = xml_error(text);
    EXPECT_THAT(error.message, HasSubstr("well-formed")) << text;
    EXPECT_GE(error.place.line, 1U) << text;
  }
  EXPECT_EQ(xml_error("<a>\n<b>\n").place.line, 3U);  // ends too early
}

TEST(XmlReader, PassesOnErrorsOfTheStream) {
  SmallPieces stream("<a>", 1, SmallPieces::End::kError);
  XmlReader reader(stream, "f.xml");
  Recorder recorder;
  recorder.reader = &reader;
  const Status status = reader.read(recorder);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "broken stream");
}

// 4,000 declared attributes and 4,000 tags would be sixteen million attributes.
TEST(XmlReader, DeclaredAttributesAreRefusedWhereTheyAreDeclared) {
  const Error error =
      xml_error("<!DOCTYPE a [\n<!ELEMENT a ANY>\n<!ATTLIST a x CDATA \"1\">]>\n<a/>");
  EXPECT_THAT(error.message, HasSubstr("declares attributes"));
  EXPECT_EQ(error.place.line, 3U);
  EXPECT_EQ(read_xml("<!DOCTYPE a [<!ELEMENT a ANY>]><a/>").seen, "<a></a>");
}

}  // namespace
}  // namespace semveil
