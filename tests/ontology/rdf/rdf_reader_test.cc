#include "ontology/rdf/rdf_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "ontology/rdf/rdf_pieces.h"
#include "support/rdf_text.h"
#include "support/small_pieces.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Collected final : public RdfEvents {
 public:
  Status triple(const RdfTriple& t) override {
    const auto written = [](const RdfTerm& term) {
      if (term.is_iri()) return "<" + std::string(term.text) + ">";
      if (term.is_blank()) return std::string("_:");
      return "\"" + std::string(term.text) + "\"" +
             (term.language.empty() ? "" : "@" + std::string(term.language));
    };
    triples.push_back(written(t.subject) + " <" + std::string(t.predicate) + "> " +
                      written(t.object));
    return stop_at == triples.size() ? Status(fail(data_error("enough"))) : Status();
  }
  std::vector<std::string> triples;
  std::size_t stop_at = 0;
};

std::vector<std::string> triples(std::string_view text, const std::string& name) {
  Collected events;
  const Status done = read_rdf(test::rdf_stream(text, name), events);
  EXPECT_TRUE(done) << describe(done.error(), Quote::kShow);
  return events.triples;
}

Error rdf_error(std::string_view text, const std::string& name) {
  Collected events;
  const Status done = read_rdf(test::rdf_stream(text, name), events);
  EXPECT_FALSE(done) << "no error in " << text.substr(0, 200);
  return done ? Error() : done.error();
}

std::string rdf_xml(const std::string& inside, const std::string& prolog = "") {
  return "<?xml version=\"1.0\"?>\n" + prolog +
         "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
         "xmlns:ex=\"http://x/\">\n" +
         inside + "</rdf:RDF>\n";
}
std::string described(const std::string& inside) {
  return rdf_xml("<rdf:Description rdf:about=\"http://x/a\">" + inside + "</rdf:Description>\n");
}

TEST(RdfSyntax, IsToldByTheFirstBytesThenByTheEnding) {
  EXPECT_EQ(*rdf_syntax("<?xml version='1.0'?>", "o.ttl"), RdfSyntax::kXml);
  EXPECT_EQ(*rdf_syntax("\xEF\xBB\xBF \n<rdf:RDF\n", "o"), RdfSyntax::kXml);
  EXPECT_EQ(*rdf_syntax("<!-- a comment -->", "o.owl"), RdfSyntax::kXml);
  EXPECT_EQ(*rdf_syntax("<http://x/a> <http://x/p> 1 .", "o.owl"), RdfSyntax::kTurtle);
  EXPECT_EQ(*rdf_syntax("<http://x/a> <http://x/p> 1 .", "o.NT.gz"), RdfSyntax::kNTriples);
  EXPECT_EQ(*rdf_syntax("<http://x/a>\n", "o.nt"), RdfSyntax::kNTriples);
  EXPECT_EQ(*rdf_syntax("# a comment\n_:a <http://x/p> 1 .", "o.nt"), RdfSyntax::kNTriples);
  EXPECT_EQ(*rdf_syntax("# a comment\n@prefix x: <http://x/> .", "o.nt"), RdfSyntax::kTurtle);
  EXPECT_EQ(*rdf_syntax("", "o.rdf"), RdfSyntax::kTurtle);
}

TEST(RdfSyntax, OtherFormatsAreNamed) {
  EXPECT_THAT(rdf_syntax("{\"@context\": 1}", "o.owl").error().message, HasSubstr("JSON"));
  EXPECT_THAT(rdf_syntax("Prefix(:=<http://x/>)", "o").error().message, HasSubstr("functional"));
  EXPECT_THAT(rdf_syntax("Prefix: : <http://x/>", "o").error().message, HasSubstr("Manchester"));
  EXPECT_THAT(rdf_syntax("format-version: 1.2", "o").error().message, HasSubstr("obo:"));
  EXPECT_THAT(rdf_syntax("\xFF\xFE<", "o").error().message, HasSubstr("UTF-8"));
  EXPECT_THAT(
      rdf_error("<?xml version=\"1.0\"?>\n<Ontology xmlns=\"http://www.w3.org/2002/07/owl#\">"
                "</Ontology>\n",
                "o.owl")
          .message,
      HasSubstr("OWL/XML"));
}

TEST(RdfReader, TheThreeSyntaxesGiveTheSameTriples) {
  const std::vector<std::string> expected = triples(
      "<http://x/a> <http://x/p> <http://x/b> .\n"
      "<http://x/a> <http://x/q> \"\\u00e9 \\\"x\\\"\"@en .\n",
      "o.nt");
  EXPECT_THAT(expected, ElementsAre("<http://x/a> <http://x/p> <http://x/b>",
                                    "<http://x/a> <http://x/q> \"é \"x\"\"@en"));
  EXPECT_EQ(triples("@prefix x: <http://x/> .\nx:a x:p x:b ; x:q \"é \\\"x\\\"\"@en .\n", "o.ttl"),
            expected);
  EXPECT_EQ(triples(described("<ex:p rdf:resource=\"http://x/b\"/>\n"
                              "<ex:q xml:lang=\"en\">é \"x\"</ex:q>"),
                    "o.owl"),
            expected);
}

TEST(NTriples, AllFormsOfALineAreRead) {
  EXPECT_THAT(triples("\xEF\xBB\xBF\n  # comment\n_:b1\t<http://x/p>\t\"1\"^^<http://x/int>.\r\n"
                      "<http://x/a><http://x/p>_:b2. # comment\n"
                      "<http://x/a> <http://x/p> \"\\t\\b\\n\\r\\f\\\"\\'\\\\\\U0001F600\"@en-GB .",
                      "o.nt"),
              ElementsAre("_: <http://x/p> \"1\"", "<http://x/a> <http://x/p> _:",
                          "<http://x/a> <http://x/p> \"\t\b\n\r\f\"'\\😀\"@en-GB"));
}

TEST(NTriples, ErrorsNameFileAndLine) {
  const std::string good = "<http://x/a> <http://x/p> <http://x/b> .\n";
  for (const char* bad : {"x",
                          "<http://x/a",
                          "<http://x/a> <http://x/p> <http://x/b>",
                          "\"a\" <http://x/p> \"b\" .",
                          "<http://x/a> _:p \"b\" .",
                          "<http://x/a> <http://x/p> \"b .",
                          "<http://x/a> <http://x/p> .",
                          "<http://x/a> <http://x/p> \"b\" . x",
                          "<http://x/a> <http://x/p> \"\\x\" .",
                          "<http://x/a> <http://x/p> \"\\u12\" .",
                          "<http://x/a> <http://x/p> \"\\uD800\" .",
                          "<http://x/a> <http://x/p> \"\\u0000\" .",
                          "<http://x/a> <http://x/p> \"\\U00110000\" .",
                          "<a> <http://x/p> \"b\" .",
                          "<http://x/a b> <http://x/p> \"b\" .",
                          "<http://x/\\u000A> <http://x/p> \"b\" .",
                          "_: <http://x/p> \"b\" .",
                          "<http://x/a> <http://x/p> \"b\"@ .",
                          "<http://x/a> <http://x/p> \"\\",
                          "<http://x/a> <http://x/p> \"\xFF\" ."}) {
    const Error error = rdf_error(good + bad, "o.nt");
    EXPECT_EQ(error.place.file, "o.nt") << bad;
    EXPECT_EQ(error.place.line, 2U) << bad;
    EXPECT_FALSE(error.message.empty());
  }
}

// Pieces end behind a statement wherever one ends; the statements come out as they went in.
TEST(RdfPieces, HoldWholeStatements) {
  std::string text;
  for (int i = 0; text.size() < 3 * RdfPieces::kPiece; ++i) {
    text += "<http://x/a.> ex:p." + std::to_string(i) +
            " \"a. \\\" \" , '''b. ' \n. \"''' , [ ex:q 1.5 ;\n ex:r ( 1 . ) ] .# . \n";
  }
  const auto stream = InputStream::over(text);
  const std::string name = "o.ttl";
  RdfPieces pieces(*stream, name, RdfPieces::Cut::kBehindStatements);
  std::string joined;
  int count = 0;
  for (;;) {
    const auto piece = pieces.next();
    ASSERT_TRUE(piece);
    if (piece->empty()) break;
    ++count;
    EXPECT_EQ(pieces.line(),
              1U + static_cast<std::uint64_t>(std::count(joined.begin(), joined.end(), '\n')));
    joined += *piece;
    // The comment behind the dot is no part of the statement, and no blank stands before it.
    if (joined.size() < text.size()) {
      EXPECT_TRUE(piece->ends_with("] .")) << piece->substr(piece->size() - 20);
    }
  }
  EXPECT_EQ(joined, text);
  EXPECT_GE(count, 3);
}

// A statement may begin right behind the dot of the one before, and a comment as well.
TEST(Turtle, StatementsMayFollowEachOtherWithoutABlank) {
  const std::string object = "<http://x/" + std::string(1000, 'o') + ">";
  for (const std::string next :
       {"<http://x/s>", "@prefix y: <http://y/>.<http://x/s>", "#c. \n<http://x/s>", "[]", "(1)"}) {
    std::string text = "@prefix x: <http://x/>.";
    std::ptrdiff_t count = 0;
    for (; text.size() < 2 * RdfPieces::kPiece; ++count) text += next + "x:p x:o.1," + object + ".";
    const auto stream = InputStream::over(text);
    const std::string name = "o.ttl";
    RdfPieces pieces(*stream, name, RdfPieces::Cut::kBehindStatements);
    std::size_t parts = 0;
    for (auto piece = pieces.next(); piece && !piece->empty(); piece = pieces.next()) ++parts;
    EXPECT_GE(parts, 2U) << next;
    EXPECT_EQ(std::ranges::count_if(triples(text, name),
                                    [](const std::string& t) { return t.ends_with("x/o.1>"); }),
              count)
        << next;
  }
}

TEST(Turtle, OfManyPiecesGivesEveryTripleOnce) {
  std::string text = "@prefix x: <http://x/> .\n";
  std::size_t count = 0;
  while (text.size() < 4 * RdfPieces::kPiece) {
    text += "x:a" + std::to_string(count) +
            " x:p \"\"\"one. two\n\"three\". \"\"\" ;\n  x:q ( [ x:r 1 ] x:b ) .\n";
    ++count;
  }
  EXPECT_EQ(triples(text, "o.ttl").size(), count * (1 + 1 + 4 + 1));
}

// Directives hold for all that follows, until they are given anew; so do names of blank nodes.
TEST(Turtle, DirectivesHoldInLaterPieces) {
  const std::string filler =
      "# " + std::string(RdfPieces::kPiece, 'x') + ".\n<urn:f> <urn:f> <urn:f> .\n";
  const std::string text =
      "@prefix x: # comment\n <http://x/> .\n@base <http://b/> .\nx:a x:p <c> .\n" + filler +
      "x:a x:p <c> .\nPREFIX x: <y/>\nbase <http://d/>\nx:a x:p <c> .\n" + filler +
      "x:a x:p <c> .\n@prefix x: <z/> .\n" + filler + "x:a <p> <c> .\n";
  std::vector<std::string> found = triples(text, "o.ttl");
  std::erase(found, "<urn:f> <urn:f> <urn:f>");
  EXPECT_THAT(found, ElementsAre("<http://x/a> <http://x/p> <http://b/c>",
                                 "<http://x/a> <http://x/p> <http://b/c>",
                                 "<http://b/y/a> <http://b/y/p> <http://d/c>",
                                 "<http://b/y/a> <http://b/y/p> <http://d/c>",
                                 "<http://d/z/a> <http://d/p> <http://d/c>"));
}

// The mark is no part of the first directive, however few bytes come at a time.
TEST(Turtle, ADirectiveBehindAByteOrderMarkHoldsInLaterPieces) {
  const std::string filler =
      "# " + std::string(RdfPieces::kPiece, 'x') + "\n<urn:f> <urn:f> <urn:f> .\n";
  for (const std::string first : {"@prefix x: <http://x/> .\n", "@base <http://x/> .\n"}) {
    const std::string triple = first.starts_with("@p") ? "x:a x:p x:b .\n" : "<a> <p> <b> .\n";
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 20}) {
      test::SmallPieces stream("\xEF\xBB\xBF" + first + filler + triple + filler + triple, bytes);
      Collected events;
      const Status done = read_turtle(stream, "o.ttl", events);
      ASSERT_TRUE(done) << describe(done.error(), Quote::kShow);
      std::erase(events.triples, "<urn:f> <urn:f> <urn:f>");
      EXPECT_THAT(events.triples, ElementsAre("<http://x/a> <http://x/p> <http://x/b>",
                                              "<http://x/a> <http://x/p> <http://x/b>"));
    }
  }
}

class BlankNodes final : public RdfEvents {
 public:
  Status triple(const RdfTriple& t) override {
    if (t.subject.is_blank()) nodes.emplace_back(t.subject.text);
    return {};
  }
  std::vector<std::string> nodes;
};

TEST(Turtle, BlankNodesAreTheSameByNameAlone) {
  const std::string filler =
      "# " + std::string(RdfPieces::kPiece, 'x') + ".\n<urn:f> <urn:f> <urn:f> .\n";
  const std::string some =
      "_:a <urn:p> 1 .\n[] <urn:p> 1 .\n_:genid1 <urn:p> 1 .\n[] <urn:p> 1 .\n_:genid2 <urn:p> 1 "
      ".\n";
  const std::string text = some + filler + some;
  BlankNodes events;
  ASSERT_TRUE(read_rdf(test::rdf_stream(text, "o.ttl"), events));
  ASSERT_EQ(events.nodes.size(), 10U);
  EXPECT_EQ(std::set<std::string>(events.nodes.begin(), events.nodes.end()).size(), 3U + 4U);
  EXPECT_EQ(events.nodes[0], events.nodes[5]);
}

TEST(Turtle, BracesAreOfAnotherSyntax) {
  const Error error =
      rdf_error("# {\n<urn:{> <urn:p> \"}\" .\n<urn:g> { <urn:a> <urn:p> 1 . }\n", "o.ttl");
  EXPECT_THAT(error.message, HasSubstr("TriG"));
  EXPECT_EQ(error.place.line, 3U);
}

TEST(Turtle, TooManyDirectivesAreRefused) {
  std::string text;
  for (int i = 0; text.size() < 4 * RdfPieces::kPiece; ++i) {
    text += "@prefix x" + std::to_string(i) + ": <http://x/> .\n";
  }
  const Error error = rdf_error(text, "o.ttl");
  EXPECT_THAT(error.message, HasSubstr("@prefix"));
  EXPECT_GT(error.place.line, 1U);
}

TEST(Turtle, ErrorsNameFileAndLine) {
  std::string long_text = "@prefix x: <http://x/> .\n";
  std::uint64_t lines = 1;
  while (long_text.size() < 2 * RdfPieces::kPiece) {
    long_text += "x:a x:p \"\"\"a\nb\"\"\" ;\n  x:p 1 .\n";
    lines += 3;
  }
  for (const char* bad : {"x:a x:p ;;; ] .\n", "y:a x:p 1 .\n", "x:a x:p"}) {
    const Error error = rdf_error(long_text + bad, "o.ttl");
    EXPECT_EQ(error.place.file, "o.ttl");
    EXPECT_NEAR(static_cast<double>(error.place.line), static_cast<double>(lines + 1), 1) << bad;
    EXPECT_THAT(error.message, HasSubstr("Turtle"));
  }
}

TEST(RdfXml, ErrorsNameFileAndLine) {
  Error error = rdf_error(rdf_xml("\n\n<rdf:Description>\n"), "o.owl");
  EXPECT_EQ(error.place.file, "o.owl");
  EXPECT_EQ(error.place.line, 6U);
  error = rdf_error(rdf_xml("\n\n<rdf:li rdf:about=\"http://x/a\"/>\n"), "o.owl");
  EXPECT_EQ(error.place.line, 5U) << error.message;
  EXPECT_THAT(error.message, HasSubstr("RDF/XML"));
}

// Raptor does not tell where in a piece of Turtle a triple stands: the piece's first line it is.
TEST(RdfReader, AnErrorOfTheReceiverGetsFileAndLine) {
  for (const auto& [text, name, line] :
       {std::tuple{std::string("<http://x/a> <http://x/p> 1 .\n\n<http://x/a> <http://x/p> 2 .\n"),
                   "o.ttl", 1U},
        std::tuple{
            std::string("\n<http://x/a> <http://x/p> \"1\" .\n<http://x/a> <http://x/p> \"2\" .\n"),
            "o.nt", 3U},
        std::tuple{described("<ex:p>1</ex:p>\n<ex:p>1</ex:p>\n"), "o.rdf", 4U}}) {
    Collected events;
    events.stop_at = 2;
    const Status done = read_rdf(test::rdf_stream(text, name), events);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "enough");
    EXPECT_EQ(done.error().place.file, name);
    EXPECT_EQ(done.error().place.line, line);
    EXPECT_EQ(events.triples.size(), 2U);
  }
}

TEST(RdfReader, WrongBytesAreRefusedWithTheirLine) {
  const std::string ttl = "<http://x/a> <http://x/p> \"\"\"a\n\n";
  for (const std::string& bad : {std::string("\xFF"), std::string("\xC3"), std::string(1, '\0')}) {
    Error error = rdf_error(ttl + bad + "\"\"\" .\n", "o.ttl");
    EXPECT_EQ(error.place.line, 3U);
    EXPECT_THAT(error.message, HasSubstr("UTF-8"));
    error = rdf_error(described("\n<ex:p>" + bad + "</ex:p>"), "o.owl");
    EXPECT_EQ(error.place.line, 4U);
    EXPECT_THAT(error.message, HasSubstr("UTF-8"));
  }
}

TEST(RdfReader, ACharacterMayLieAcrossPieces) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    const std::string long_text = std::string(RdfPieces::kPiece / 2 + shift, 'a') + [] {
      std::string s;
      while (s.size() < RdfPieces::kPiece) s += "€";
      return s;
    }();
    EXPECT_THAT(triples(described("<ex:p>" + long_text + "</ex:p>"), "o.owl"),
                ElementsAre("<http://x/a> <http://x/p> \"" + long_text + "\""));
  }
}

TEST(RdfReader, TooMuchOfOneIsRefusedInBoundedMemory) {
  const std::string huge(20 << 20, 'a');
  EXPECT_THAT(rdf_error("<http://x/a> <http://x/p> \"" + huge + "\" .\n", "o.ttl").message,
              HasSubstr("16 MiB"));
  EXPECT_THAT(rdf_error("<http://x/a> <http://x/p> \"" + huge + "\" .\n", "o.nt").message,
              HasSubstr("million bytes"));
  const Error text = rdf_error(described("<ex:p>" + huge + "</ex:p>"), "o.owl");
  EXPECT_THAT(text.message, HasSubstr("16 MiB"));
  EXPECT_EQ(text.place.file, "o.owl");
  const Error tag = rdf_error(described("<ex:p rdf:resource=\"" + huge + "\"/>"), "o.owl");
  EXPECT_EQ(tag.place.file, "o.owl");
  std::string deep, deep_xml;
  for (int i = 0; i < 1100; ++i) deep += "[ <http://x/p> ";
  EXPECT_THAT(rdf_error("<http://x/a> <http://x/p> " + deep, "o.ttl").message, HasSubstr("1000"));
  for (int i = 0; i < 600; ++i) deep_xml += "<ex:A><ex:p>";
  EXPECT_EQ(rdf_error(rdf_xml(deep_xml), "o.owl").place.file, "o.owl");
}

TEST(RdfReader, EscapesThatStandForNoCharacterAreRefused) {
  for (const char* bad : {"\"\\uD800\"", "\"\\u0000\"", "<http://x/\\u000A>", "<http://x/\\u0000>",
                          "<http://x/\t>", "<http://x/", "'\\U00110000'"}) {
    const Error error =
        rdf_error("\n<http://x/a> <http://x/p> " + std::string(bad) + "\n .\n", "o.ttl");
    EXPECT_EQ(error.place.file, "o.ttl") << bad;
    EXPECT_EQ(error.place.line, 2U) << bad;
  }
}

TEST(RdfReader, TruncatedFilesAreErrorsOrShorter) {
  const std::string ttl =
      "@prefix x: <http://x/> .\nx:a x:p \"\"\"b\"\"\"@en , [ x:q ( 1 2 ) ] .\n";
  for (std::size_t size = 0; size < ttl.size(); ++size) {
    Collected events;
    static_cast<void>(
        read_rdf(test::rdf_stream(std::string_view(ttl).substr(0, size), "o.ttl"), events));
  }
  const std::string owl = described("<ex:p xml:lang=\"en\">b</ex:p>");
  for (std::size_t size = 1; size + 2 < owl.size(); ++size) {
    if (!rdf_syntax(owl.substr(0, size), "o.owl") ||
        *rdf_syntax(owl.substr(0, size), "o.owl") != RdfSyntax::kXml) {
      continue;
    }
    EXPECT_EQ(rdf_error(owl.substr(0, size), "o.owl").place.file, "o.owl") << size;
  }
}

TEST(RdfXml, EntitiesAreRefusedBeforeTheyAreExpanded) {
  std::string laughs = "<!DOCTYPE r [\n<!ENTITY a0 \"ha\">\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "&a" + std::to_string(i - 1) + ";";
    laughs += "<!ENTITY a" + std::to_string(i) + " \"" + last + last + last + last + "\">\n";
  }
  const Error error =
      rdf_error(rdf_xml("<ex:A><ex:p>&a29;</ex:p></ex:A>\n", laughs + "]>\n"), "o.owl");
  EXPECT_THAT(error.message, HasSubstr("entity"));
  EXPECT_EQ(error.place.line, 3U);
}

// Not a byte of such a file reaches the parser that would expand it, small as the file may be.
TEST(RdfXml, AFileWithAnEntityGivesNoTripleAtAll) {
  const std::string inside = "<ex:A rdf:about=\"http://x/a\"><ex:p>text</ex:p></ex:A>\n";
  for (const std::string& text :
       {rdf_xml(inside, "<!DOCTYPE r [\n<!ENTITY harmless \"x\">\n]>\n"),
        // A reference to one that an outer DTD might declare.
        rdf_xml(inside + inside + "<ex:A><ex:p>&harmless;</ex:p></ex:A>", "")}) {
    Collected events;
    const Status done = read_rdf(test::rdf_stream(text, "o.owl"), events);
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, HasSubstr("entit"));
    EXPECT_EQ(done.error().place.file, "o.owl");
    EXPECT_GE(done.error().place.line, 3U);
    EXPECT_THAT(events.triples, ::testing::IsEmpty());
  }
}

// Raptor keeps as one text what stands inside, and writes each tag's namespaces out again.
TEST(RdfXml, LiteralsOfXmlAreBounded) {
  const auto literal = [](const std::string& inside, const std::string& kind = "Literal") {
    return described("\n<ex:p rdf:parseType=\"" + kind + "\">" + inside + "</ex:p>\n");
  };
  EXPECT_THAT(triples(literal("a<ex:b>c</ex:b>"), "o.owl"),
              ElementsAre("<http://x/a> <http://x/p> \"a<ex:b xmlns:ex=\"http://x/\">c</ex:b>\""));
  // 16 KiB a tag.
  const auto tags = [](int count) {
    std::string text = "<b xmlns:s=\"http://" + std::string(1 << 14, 's') + "\">";
    for (int i = 0; i < count; ++i) text += "<s:b/>";
    return text + "</b>";
  };
  for (const std::string& text : {literal(tags(64)), literal(tags(64), "other"),
                                  literal(tags(60) + std::string(1 << 16, 'x'))}) {
    const Error error = rdf_error(text, "o.owl");
    EXPECT_THAT(error.message, HasSubstr("Literal"));
    EXPECT_EQ(error.place.file, "o.owl");
    EXPECT_EQ(error.place.line, 4U);
  }
  // Each for itself may be long.
  const std::string one = "<ex:p rdf:parseType=\"Literal\">" + tags(40) + "</ex:p>";
  EXPECT_EQ(triples(described(one + one), "o.owl").size(), 2U);
}

TEST(RdfXml, NothingElseIsEverRead) {
  const test::TemporaryFolder folder;
  const std::string canary = folder.path() + "/canary";
  std::ofstream(canary + ".dtd") << "<!ENTITY bird \"chirp\">\n<!ATTLIST r a CDATA \"chirp\">\n";
  std::ofstream(canary + ".txt") << "chirp";
  const std::string file = "file://" + canary;
  // Declared outside.
  Collected events;
  const std::string outside = rdf_xml("<ex:A><ex:p>x&bird;</ex:p></ex:A>\n",
                                      "<!DOCTYPE rdf:RDF SYSTEM \"" + file + ".dtd\">\n");
  static_cast<void>(read_rdf(test::rdf_stream(outside, "o.owl"), events));
  for (const std::string& triple : events.triples) EXPECT_EQ(triple.find("chirp"), triple.npos);
  // Declared here, kept outside.
  EXPECT_THAT(rdf_error(rdf_xml("<ex:A><ex:p>&bird;</ex:p></ex:A>\n",
                                "<!DOCTYPE r [<!ENTITY bird SYSTEM \"" + file + ".txt\">]>\n"),
                        "o.owl")
                  .message,
              HasSubstr("entity"));
  EXPECT_FALSE(
      rdf_error(rdf_xml("", "<!DOCTYPE r [<!ENTITY % x SYSTEM \"" + file + ".dtd\"> %x;]>\n"),
                "o.owl")
          .message.empty());
  // A parameter entity that is not declared.
  Collected others;
  const std::string undeclared = rdf_xml("<ex:A/>\n", "<!DOCTYPE r [ %x; ]>\n");
  static_cast<void>(read_rdf(test::rdf_stream(undeclared, "o.owl"), others));
}

TEST(RdfReader, RelativeIrisDoNotDependOnTheFilesPlace) {
  EXPECT_THAT(triples("<#a> <p> <b/c> .\n", "/some/where/o.ttl"),
              ElementsAre("<relative:///#a> <relative:///p> <relative:///b/c>"));
}

}  // namespace
}  // namespace semveil
