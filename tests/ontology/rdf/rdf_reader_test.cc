#include "ontology/rdf/rdf_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "ontology/rdf/resolve_iri.h"
#include "ontology/rdf/utf8_stream.h"
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

// A statement may begin right behind the dot of the one before, and a comment as well.
TEST(Turtle, StatementsMayFollowEachOtherWithoutABlank) {
  const std::string object = "<http://x/" + std::string(1000, 'o') + ">";
  for (const std::string next :
       {"<http://x/s>", "@prefix y: <http://y/>.<http://x/s>", "#c. \n<http://x/s>", "[]", "(1)"}) {
    std::string text = "@prefix x: <http://x/>.";
    std::ptrdiff_t count = 0;
    for (; text.size() < 2 * Utf8Stream::kPiece; ++count)
      text += next + "x:p x:o.1," + object + ".";
    EXPECT_EQ(std::ranges::count_if(triples(text, "o.ttl"),
                                    [](const std::string& t) { return t.ends_with("x/o.1>"); }),
              count)
        << next;
  }
}

// The mark is skipped, and no character is cut in two, however few bytes come at a time.
TEST(Utf8Stream, GivesWholeCharactersOfPieces) {
  const std::string text = "a\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\n";
  const std::string name = "o.ttl";
  for (const std::string& mark : {std::string(), std::string("\xEF\xBB\xBF")}) {
    for (const std::size_t bytes : {1U, 2U, 3U, 5U, 100U}) {
      test::SmallPieces small(mark + text, bytes);
      Utf8Stream stream(small, name);
      std::string joined;
      for (;;) {
        const auto piece = stream.next();
        ASSERT_TRUE(piece) << describe(piece.error(), Quote::kShow);
        if (piece->empty()) break;
        joined += *piece;
      }
      EXPECT_EQ(joined, text);
    }
  }
  for (const char* bad : {"\n\xC3", "\n\xE2\x82", "\n\xF0\x9F\x98", "\n\x80", "\n\xC3("}) {
    test::SmallPieces small(bad, 1);
    Utf8Stream stream(small, name);
    auto piece = stream.next();
    while (piece && !piece->empty()) piece = stream.next();
    ASSERT_FALSE(piece);
    EXPECT_EQ(piece.error().place.line, 2U);
  }
}

// RFC 3986, sections 5.4.1 and 5.4.2.
TEST(ResolveIri, TheExamplesOfTheStandard) {
  for (const auto& [reference, expected] :
       std::initializer_list<std::pair<const char*, const char*>>{
           {"g:h", "g:h"},
           {"g", "http://a/b/c/g"},
           {"./g", "http://a/b/c/g"},
           {"g/", "http://a/b/c/g/"},
           {"/g", "http://a/g"},
           {"//g", "http://g"},
           {"?y", "http://a/b/c/d;p?y"},
           {"g?y", "http://a/b/c/g?y"},
           {"#s", "http://a/b/c/d;p?q#s"},
           {"g#s", "http://a/b/c/g#s"},
           {"g?y#s", "http://a/b/c/g?y#s"},
           {";x", "http://a/b/c/;x"},
           {"g;x", "http://a/b/c/g;x"},
           {"g;x?y#s", "http://a/b/c/g;x?y#s"},
           {"", "http://a/b/c/d;p?q"},
           {".", "http://a/b/c/"},
           {"./", "http://a/b/c/"},
           {"..", "http://a/b/"},
           {"../", "http://a/b/"},
           {"../g", "http://a/b/g"},
           {"../..", "http://a/"},
           {"../../", "http://a/"},
           {"../../g", "http://a/g"},
           {"../../../g", "http://a/g"},
           {"../../../../g", "http://a/g"},
           {"/./g", "http://a/g"},
           {"/../g", "http://a/g"},
           {"g.", "http://a/b/c/g."},
           {".g", "http://a/b/c/.g"},
           {"g..", "http://a/b/c/g.."},
           {"..g", "http://a/b/c/..g"},
           {"./../g", "http://a/b/g"},
           {"./g/.", "http://a/b/c/g/"},
           {"g/./h", "http://a/b/c/g/h"},
           {"g/../h", "http://a/b/c/h"},
           {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
           {"g;x=1/../y", "http://a/b/c/y"},
           {"g?y/./x", "http://a/b/c/g?y/./x"},
           {"g?y/../x", "http://a/b/c/g?y/../x"},
           {"g#s/./x", "http://a/b/c/g#s/./x"},
           {"g#s/../x", "http://a/b/c/g#s/../x"},
           {"http:g", "http:g"}}) {
    std::string found;
    resolve_iri(reference, "http://a/b/c/d;p?q", found);
    EXPECT_EQ(found, expected) << reference;
  }
}

TEST(ResolveIri, AgainstBasesOfOtherShapes) {
  for (const auto& [base, reference, expected] :
       std::initializer_list<std::tuple<const char*, const char*, const char*>>{
           {"http://a", "b", "http://a/b"},
           {"http://a?q#f", "", "http://a?q"},
           {"urn:a:b", "#c", "urn:a:b#c"},
           {"urn:a:b", "c", "urn:c"},
           {"relative:///", "../a", "relative:///a"},
           {"http://a/b/../c", "#d", "http://a/b/../c#d"},
           {"http://a/b", "c:d", "c:d"},
           {"http://a/b", "1:d", "http://a/1:d"}}) {
    std::string found;
    resolve_iri(reference, base, found);
    EXPECT_EQ(found, expected) << base << " " << reference;
  }
}

TEST(Turtle, OfManyPiecesGivesEveryTripleOnce) {
  std::string text = "@prefix x: <http://x/> .\n";
  std::size_t count = 0;
  while (text.size() < 4 * Utf8Stream::kPiece) {
    text += "x:a" + std::to_string(count) +
            " x:p \"\"\"one. two\n\"three\". \"\"\" ;\n  x:q ( [ x:r 1 ] x:b ) .\n";
    ++count;
  }
  EXPECT_EQ(triples(text, "o.ttl").size(), count * (1 + 1 + 4 + 1));
}

// Directives hold for all that follows, until they are given anew; so do names of blank nodes.
TEST(Turtle, DirectivesHoldInLaterPieces) {
  const std::string filler =
      "# " + std::string(Utf8Stream::kPiece, 'x') + ".\n<urn:f> <urn:f> <urn:f> .\n";
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
      "# " + std::string(Utf8Stream::kPiece, 'x') + "\n<urn:f> <urn:f> <urn:f> .\n";
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
    if (t.object.is_blank()) objects.emplace_back(t.object.text);
    return {};
  }
  std::vector<std::string> nodes, objects;
};

TEST(Turtle, BlankNodesAreTheSameByNameAlone) {
  const std::string filler =
      "# " + std::string(Utf8Stream::kPiece, 'x') + ".\n<urn:f> <urn:f> <urn:f> .\n";
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

// The parser calls the first node without a name b1, and the file's b1 B1 then.
TEST(Turtle, NamesOfBlankNodesThatWouldBecomeOneAreRefused) {
  const Error error = rdf_error("_:B1 <urn:p> 1 .\n_:b1 <urn:p> 1 .\n", "o.ttl");
  EXPECT_THAT(error.message, HasSubstr("_:b1"));
  EXPECT_EQ(error.place.line, 2U);
  // None of these has both.
  EXPECT_EQ(triples("@prefix x_: <http://x/> .\n@prefix x: <http://x/> .\n"
                    "x_:B1 x_:p \"_:B1\" , '''\n_:B1''' , <urn:_:B1> , x:_:B1 . # _:B1\n"
                    "_:b1 x:p x:\\__:B1 , _:b , _:B , _:c1 , _:C1 .\n",
                    "o.ttl")
                .size(),
            4U + 5U);
  BlankNodes events;
  ASSERT_TRUE(read_rdf(test::rdf_stream("_:b1 <urn:p> 1 .\n[] <urn:p> 1 .\n_:b2 <urn:p> 1 .\n"
                                        "[] <urn:p> 1 .\n_:b1 <urn:p> 1 .",
                                        "o.ttl"),
                       events));
  ASSERT_EQ(events.nodes.size(), 5U);
  EXPECT_EQ(events.nodes[0], events.nodes[4]);
  EXPECT_EQ(std::set<std::string>(events.nodes.begin(), events.nodes.end()).size(), 4U);
  // A name at the very end does not keep the dot.
  BlankNodes others;
  ASSERT_TRUE(read_rdf(test::rdf_stream("_:c <urn:p> 1 . [] <urn:p> _:c.", "o.ttl"), others));
  EXPECT_EQ(others.objects, std::vector<std::string>{others.nodes[0]});
}

TEST(Turtle, AllOfTheSyntaxIsRead) {
  const std::string rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
  EXPECT_THAT(
      triples("@prefix x: <http://x/> .\nPREFIX : <http://y/>\n"
              ":a x:p 1 , -2.5 , .5e3 , true , false ; a :c ; ; .\n"
              "x:a.b x:\\(p\\) x:%20 , x:c:d , : .\n"
              "<\\u00e9> x:p '''it's \\'''' , \"\"\"a \"\"b\\\"\"\"\" , '' , \"\" , "
              "\"\\t\\u00E9\\U0001F600\" .\n"
              "x:a x:p \"a\"@en-GB , \"1\"^^x:int , \"2\"^^<http://x/int> .\n"
              "x:a x:p () , ( 1 ) , [ x:q \"#\" ; x:r [] ] , _:z.\n"
              "[ x:q 2 ] . [ x:q 3 ] x:r 4 .\n( 5 ) x:p _:z.",
              "o.ttl"),
      ElementsAre(
          "<http://y/a> <http://x/p> \"1\"", "<http://y/a> <http://x/p> \"-2.5\"",
          "<http://y/a> <http://x/p> \".5e3\"", "<http://y/a> <http://x/p> \"true\"",
          "<http://y/a> <http://x/p> \"false\"", "<http://y/a> <" + rdf + "type> <http://y/c>",
          "<http://x/a.b> <http://x/(p)> <http://x/%20>",
          "<http://x/a.b> <http://x/(p)> <http://x/c:d>",
          "<http://x/a.b> <http://x/(p)> <http://y/>", "<relative:///é> <http://x/p> \"it's '\"",
          "<relative:///é> <http://x/p> \"a \"\"b\"\"", "<relative:///é> <http://x/p> \"\"",
          "<relative:///é> <http://x/p> \"\"", "<relative:///é> <http://x/p> \"\té😀\"",
          "<http://x/a> <http://x/p> \"a\"@en-GB", "<http://x/a> <http://x/p> \"1\"",
          "<http://x/a> <http://x/p> \"2\"", "<http://x/a> <http://x/p> <" + rdf + "nil>",
          "<http://x/a> <http://x/p> _:", "_: <" + rdf + "first> \"1\"",
          "_: <" + rdf + "rest> <" + rdf + "nil>",
          "<http://x/a> <http://x/p> _:", "_: <http://x/q> \"#\"",
          "_: <http://x/r> _:", "<http://x/a> <http://x/p> _:", "_: <http://x/q> \"2\"",
          "_: <http://x/q> \"3\"", "_: <http://x/r> \"4\"", "_: <" + rdf + "first> \"5\"",
          "_: <" + rdf + "rest> <" + rdf + "nil>", "_: <http://x/p> _:"));
}

// What is no bracket and no brace: in texts, IRIs, comments and escaped in names.
TEST(Turtle, BracketsCountWhereTheyAreBrackets) {
  std::string text = "@prefix x: <http://x/> .\n";
  for (int i = 0; i < 1100; ++i) {
    text += "<http://x/(> x:\\( '[', \"\"\" [ \" [ \\\"\"\" [ \"\"\" , '''{''' . # ([{ \" \n";
  }
  EXPECT_EQ(triples(text, "o.ttl").size(), 3300U);
  std::string open;
  for (int i = 0; i < 1100; ++i) open += "( [ <http://x/p> ";
  const Error error = rdf_error("<http://x/a> <http://x/p> '[' , \"\" ,\n" + open, "o.ttl");
  EXPECT_THAT(error.message, HasSubstr("1000"));
  EXPECT_EQ(error.place.line, 2U);
  EXPECT_THAT(rdf_error(std::string(1 << 20, '('), "o.ttl").message, HasSubstr("1000"));
}

TEST(Turtle, BracesAreOfAnotherSyntax) {
  const Error error =
      rdf_error("# {\n<urn:a> <urn:p> \"}\" .\n<urn:g> { <urn:a> <urn:p> 1 . }\n", "o.ttl");
  EXPECT_THAT(error.message, HasSubstr("TriG"));
  EXPECT_EQ(error.place.line, 3U);
}

TEST(Turtle, TooManyDirectivesAreRefused) {
  std::string text;
  for (int i = 0; text.size() < 4 * Utf8Stream::kPiece; ++i) {
    text += "@prefix x" + std::to_string(i) + ": <http://x/> .\n";
  }
  const Error error = rdf_error(text, "o.ttl");
  EXPECT_THAT(error.message, HasSubstr("@prefix"));
  EXPECT_GT(error.place.line, 1U);
}

TEST(Turtle, ATooLongBaseOrPrefixIsRefused) {
  const std::string iri = "<http://x/" + std::string(1 << 15, 'x') + ">";
  for (const std::string first : {"\n@prefix x: ", "\n@base "}) {
    const Error error = rdf_error(first + iri + " .\n<http://x/a> <http://x/p> 1 .\n", "o.ttl");
    EXPECT_THAT(error.message, HasSubstr("32 KiB"));
    EXPECT_EQ(error.place.line, 2U);
  }
  // One that is declared anew takes no more room.
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "@prefix x: <http://x/> .\n";
  EXPECT_EQ(triples(text + "x:a x:b x:c .\n", "o.ttl").size(), 1U);
}

TEST(Turtle, ErrorsNameFileAndLine) {
  std::string long_text = "@prefix x: <http://x/> .\n";
  std::uint64_t lines = 1;
  while (long_text.size() < 2 * Utf8Stream::kPiece) {
    long_text += "x:a x:p \"\"\"a\nb\"\"\" ;\n  x:p 1 .\n";
    lines += 3;
  }
  for (const char* bad : {"x:a x:p ;;; ] .\n", "y:a x:p 1 .\n", "x:a x:p", "x<#c>:a a x:a .\n",
                          "x:a x:p \"\\~\" .\n"}) {
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

TEST(RdfReader, AnErrorOfTheReceiverGetsFileAndLine) {
  for (const auto& [text, name, line] :
       {std::tuple{std::string("<http://x/a> <http://x/p> 1 .\n\n<http://x/a> <http://x/p> 2 .\n"),
                   "o.ttl", 3U},
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
    const std::string long_text = std::string(Utf8Stream::kPiece / 2 + shift, 'a') + [] {
      std::string s;
      while (s.size() < Utf8Stream::kPiece) s += "€";
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

const std::string kRdfSpace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

// www.w3.org/TR/rdf-syntax-grammar, sections 2 and 7.
TEST(RdfXml, AllOfTheSyntaxIsRead) {
  const std::string a = "<http://x/a> <http://x/p> ";
  const auto is = [](const std::string& inside, const std::vector<std::string>& expected) {
    EXPECT_EQ(triples(described(inside), "o.owl"), expected) << inside;
  };
  is("<ex:p/>", {a + "\"\""});
  is("<ex:p></ex:p>", {a + "\"\""});
  is("<ex:p> a&lt;<!-- c --><![CDATA[&]]> </ex:p>", {a + "\" a<& \""});
  is("<ex:p rdf:resource='b'/>", {a + "<relative:///b>"});
  is("<ex:p rdf:nodeID='b'/>", {a + "_:"});
  is("<ex:p>\n<rdf:Description/>\n</ex:p>", {a + "_:"});
  is("<ex:p>\n<ex:C rdf:about='http://x/b'><ex:q>1</ex:q></ex:C>\n</ex:p>",
     {a + "<http://x/b>", "<http://x/b> <" + kRdfSpace + "type> <http://x/C>",
      "<http://x/b> <http://x/q> \"1\""});
  is("<ex:p ex:q='1' ex:r='2'/>", {a + "_:", "_: <http://x/q> \"1\"", "_: <http://x/r> \"2\""});
  is("<ex:p rdf:resource='http://x/b' rdf:type='http://x/C'> </ex:p>",
     {a + "<http://x/b>", "<http://x/b> <" + kRdfSpace + "type> <http://x/C>"});
  is("<ex:p rdf:parseType='Resource'><ex:q>1</ex:q></ex:p><ex:p>2</ex:p>",
     {a + "_:", "_: <http://x/q> \"1\"", a + "\"2\""});
  is("<ex:p rdf:parseType='Collection'/>", {a + "<" + kRdfSpace + "nil>"});
  is("<ex:p rdf:parseType='Collection'><rdf:Description rdf:about='http://x/b'/> <ex:C/></ex:p>",
     {a + "_:", "_: <" + kRdfSpace + "first> <http://x/b>", "_: <" + kRdfSpace + "rest> _:",
      "_: <" + kRdfSpace + "first> _:", "_: <" + kRdfSpace + "type> <http://x/C>",
      "_: <" + kRdfSpace + "rest> <" + kRdfSpace + "nil>"});
  is("<rdf:li>1</rdf:li><rdf:li>2</rdf:li><rdf:_7>7</rdf:_7><rdf:li>3</rdf:li>",
     {"<http://x/a> <" + kRdfSpace + "_1> \"1\"", "<http://x/a> <" + kRdfSpace + "_2> \"2\"",
      "<http://x/a> <" + kRdfSpace + "_7> \"7\"", "<http://x/a> <" + kRdfSpace + "_3> \"3\""});
  is("<ex:p rdf:ID='s'>1</ex:p>",
     {a + "\"1\"", "<relative:///#s> <" + kRdfSpace + "type> <" + kRdfSpace + "Statement>",
      "<relative:///#s> <" + kRdfSpace + "subject> <http://x/a>",
      "<relative:///#s> <" + kRdfSpace + "predicate> <http://x/p>",
      "<relative:///#s> <" + kRdfSpace + "object> \"1\""});
  is("<ex:p rdf:datatype='http://x/int' xml:lang='en'>1</ex:p>", {a + "\"1\""});
  is("<ex:p xml:lang='en'><rdf:Description rdf:about='http://x/b' ex:q='b'><ex:q>c</ex:q>"
     "<ex:q xml:lang=''>d</ex:q></rdf:Description></ex:p><ex:p>e</ex:p>",
     {a + "<http://x/b>", "<http://x/b> <http://x/q> \"b\"@en",
      "<http://x/b> <http://x/q> \"c\"@en", "<http://x/b> <http://x/q> \"d\"", a + "\"e\""});
  is("<ex:p xml:base='http://b/c/d#e' rdf:resource='f'/><ex:p rdf:resource='#f'/>",
     {a + "<http://b/c/f>", a + "<relative:///#f>"});
  is("<p xmlns='http://y/'/><ex:p xmlns:ex='http://z/'/><ex:p/>",
     {"<http://x/a> <http://y/p> \"\"", "<http://x/a> <http://z/p> \"\"", a + "\"\""});
  EXPECT_THAT(triples("<?xml version='1.0'?><C xmlns='http://x/' xmlns:rdf='" + kRdfSpace +
                          "' rdf:ID='i' xml:base='http://b/'  rdf:type='T' xml:space='preserve'/>",
                      "o.owl"),
              ElementsAre("<http://b/#i> <" + kRdfSpace + "type> <http://x/C>",
                          "<http://b/#i> <" + kRdfSpace + "type> <http://b/T>"));
  // As people wrote it before 2004.
  EXPECT_THAT(
      triples(rdf_xml("<ex:C about='http://x/a'><ex:p resource='http://x/b'/></ex:C>"), "o.owl"),
      ElementsAre("<http://x/a> <" + kRdfSpace + "type> <http://x/C>", a + "<http://x/b>"));
}

TEST(RdfXml, BlankNodesAreTheSameByNameAlone) {
  BlankNodes events;
  const std::string text =
      rdf_xml("<ex:C rdf:nodeID='node'/><ex:C/><ex:C/><ex:C rdf:nodeID='node'/>");
  ASSERT_TRUE(read_rdf(test::rdf_stream(text, "o.owl"), events));
  ASSERT_EQ(events.nodes.size(), 4U);
  EXPECT_EQ(events.nodes[0], events.nodes[3]);
  EXPECT_EQ(std::set<std::string>(events.nodes.begin(), events.nodes.end()).size(), 3U);
}

TEST(RdfXml, WhatTheSyntaxForbidsIsRefusedWithItsLine) {
  for (const auto& [inside, why] : std::initializer_list<std::pair<const char*, const char*>>{
           {"<rdf:RDF/>", "rdf:RDF"},
           {"<rdf:Description/>", "rdf:Description"},
           {"<rdf:about>1</rdf:about>", "rdf:about"},
           {"<ex:p rdf:bagID='b'/>", "rdf:bagID"},
           {"<ex:p rdf:aboutEach='b'/>", "rdf:aboutEach"},
           {"<ex:p rdf:li='b'/>", "rdf:li"},
           {"<ex:p rdf:resource='b' rdf:nodeID='c'/>", "exclude"},
           {"<ex:p rdf:resource='b' rdf:datatype='c'/>", "exclude"},
           {"<ex:p rdf:parseType='Resource' ex:q='1'/>", "exclude"},
           {"<ex:p rdf:parseType='Literal' rdf:resource='b'/>", "exclude"},
           {"<ex:p rdf:resource='b'>text</ex:p>", "text"},
           {"<ex:p rdf:resource='b'><ex:C/></ex:p>", "element"},
           {"<ex:p>text<ex:C/></ex:p>", "more than"},
           {"<ex:p><ex:C/>text</ex:p>", "text"},
           {"<ex:p><ex:C/><ex:C/></ex:p>", "more than"},
           {"text", "text"},
           {"<ex:p rdf:parseType='Collection'>text</ex:p>", "text"},
           {"<ex:p><ex:C rdf:about='a' rdf:nodeID='b'/></ex:p>", "keep one"},
           {"<ex:p><ex:C rdf:about='' rdf:ID='b'/></ex:p>", "keep one"},
           {"<ex:p><rdf:li/></ex:p>", "rdf:li"},
           {"<ex:p><ex:C rdf:ID='1'/></ex:p>", "rdf:ID"},
           {"<ex:p rdf:ID='a b'/>", "rdf:ID"},
           {"<ex:p rdf:nodeID='node 1'/>", "rdf:nodeID"},
           {"<ex:p rdf:nodeID=''/>", "rdf:nodeID"},
           {"<p/>", "namespace"},
           {"<y:p/>", "prefix y"},
           {"<ex:p y:q='1'/>", "prefix y"},
           {"<ex:p q='1'/>", "the attribute q"},
           {"<ex:p:q/>", "ex:p:q"},
           {"<:p/>", "name"},
           {"<ex:p xmlns:ex=''/>", "prefix ex"},
           {"<ex:p rdf:parseType='Literal'><y:b/></ex:p>", "prefix y"},
           {"<ex:p rdf:resource='http://x/&#10;'/>", "control character"},
           {"<ex:p><ex:C rdf:about='http://x/&#x7F;'/></ex:p>", "control character"},
           {"<ex:p xmlns:y='http://x/&#10;'/>", "control character"}}) {
    const Error error = rdf_error(described("\n" + std::string(inside)), "o.owl");
    EXPECT_THAT(error.message, HasSubstr(why)) << inside;
    EXPECT_EQ(error.place.file, "o.owl") << inside;
    EXPECT_EQ(error.place.line, 4U) << inside;
  }
}

// Exclusive XML Canonicalization: namespaces where they are first used, attributes in their order.
TEST(RdfXml, LiteralsOfXmlAreCanonical) {
  const auto literal = [](const std::string& inside) {
    const auto found = triples(
        described("<ex:p xmlns:y='http://y/' rdf:parseType='Literal'>" + inside + "</ex:p>"),
        "o.owl");
    const std::string before = "<http://x/a> <http://x/p> \"";
    return found.size() == 1 ? found[0].substr(before.size(), found[0].size() - before.size() - 1)
                             : "";
  };
  EXPECT_EQ(literal(""), "");
  EXPECT_EQ(literal(" a &lt; &amp; &gt; ' \" <![CDATA[<]]>&#13;<!-- c -->"),
            " a &lt; &amp; &gt; ' \" &lt;&#xD;");
  EXPECT_EQ(literal("<b/><c d='&quot;&lt;&#10;>' a='1'/>"),
            "<b></b><c a=\"1\" d=\"&quot;&lt;&#xA;>\"></c>");
  EXPECT_EQ(literal("<ex:b><ex:c y:a='1' xml:lang='en'><y:d/></ex:c><y:e/></ex:b><ex:f/>"),
            "<ex:b xmlns:ex=\"http://x/\"><ex:c xmlns:y=\"http://y/\" xml:lang=\"en\" y:a=\"1\">"
            "<y:d></y:d></ex:c><y:e xmlns:y=\"http://y/\"></y:e></ex:b>"
            "<ex:f xmlns:ex=\"http://x/\"></ex:f>");
  EXPECT_EQ(literal("<b xmlns='http://b/'><c><ex:d xmlns:ex='http://z/'/></c></b><b/>"),
            "<b xmlns=\"http://b/\"><c><ex:d xmlns:ex=\"http://z/\"></ex:d></c></b><b></b>");
  // A second literal, deeper in the file, writes its namespaces out again.
  const std::string again = "<ex:p rdf:parseType='Literal'><ex:b/></ex:p>";
  EXPECT_THAT(
      triples(described(again + "<ex:p><ex:C rdf:about='http://x/b'>" + again + "</ex:C></ex:p>"),
              "o.owl"),
      ::testing::Contains("<http://x/b> <http://x/p> \"<ex:b xmlns:ex=\"http://x/\"></ex:b>\""));
}

TEST(RdfXml, NamespacesAreBounded) {
  std::string many, one = "<ex:p";
  for (int i = 0; i < 20000; ++i) {
    const std::string declaration = " xmlns:x" + std::to_string(i) + "='http://x/'";
    many += "<ex:p" + declaration + "/>\n";
    one += declaration;
  }
  EXPECT_EQ(triples(described(many), "o.owl").size(), 20000U);  // not at once
  EXPECT_THAT(rdf_error(described(one + "/>"), "o.owl").message, HasSubstr("256 KiB"));
  const std::string longest(1 << 15, 'x');
  for (const char* name : {"xmlns:y", "xml:base"}) {
    const std::string tag = "<ex:p " + std::string(name) + "='http://" + longest + "'/>";
    EXPECT_THAT(rdf_error(described(tag), "o.owl").message, HasSubstr("32 KiB"));
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

TEST(RdfXml, AFileThatNamesAnEntityIsRefused) {
  const std::string inside = "<ex:A rdf:about=\"http://x/a\"><ex:p>text</ex:p></ex:A>\n";
  for (const std::string& text :
       {rdf_xml(inside, "<!DOCTYPE r [\n<!ENTITY harmless \"x\">\n]>\n"),
        // A reference to one that an outer DTD might declare.
        rdf_xml(inside + inside + "<ex:A><ex:p>&harmless;</ex:p></ex:A>", "")}) {
    const Error error = rdf_error(text, "o.owl");
    EXPECT_THAT(error.message, HasSubstr("entit"));
    EXPECT_EQ(error.place.file, "o.owl");
    EXPECT_GE(error.place.line, 3U);
  }
}

// A file of a few namespaces and many tags could become a large text.
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
