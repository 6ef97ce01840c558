// One taxonomy written in every format: the same distances, to the last bit.
#include "support/every_format.h"

#include <gtest/gtest.h>

#include <map>

#include "ontology/loaders.h"
#include "semveil/convert.h"
#include "semveil/information_content.h"
#include "semveil/measure.h"
#include "support/temporary_folder.h"

namespace semveil::test {
namespace {

Ontology finished_ontology(Result<OntologyDraft> draft) {
  return *std::move(*draft).finish("source");
}

NamedStream stream(const std::string& text, const std::string& name) {
  return {InputStream::over(text), name};
}

// Every distance by every measure, rows and columns in the order of t.ids.
std::vector<double> all_distances(const Ontology& ontology, const Numbered& t,
                                  const std::string& prefix) {
  const auto taxonomy = *ontology.taxonomy();
  const auto names = *ontology.names();
  EXPECT_EQ(taxonomy->size() - (taxonomy->has_virtual_root() ? 1 : 0), t.ids.size());
  std::map<std::string_view, ConceptId> place;
  for (ConceptId c = 0; c < taxonomy->size(); ++c) place[names->id(c)] = c;
  std::vector<ConceptId> concepts;
  for (const std::string& id : t.ids) {
    EXPECT_TRUE(place.contains(prefix + id)) << prefix + id;
    concepts.push_back(place[prefix + id]);
  }
  std::vector<double> out;
  for (const std::string_view name : {"wu-palmer", "wu-palmer-edges", "path", "leacock-chodorow",
                                      "resnik", "lin", "jiang-conrath", "sanchez"}) {
    for (const bool sanchez_ic : {false, true}) {
      MeasureOptions options;
      options.name = name;
      if (sanchez_ic) {
        options.ic =
            std::make_shared<const InformationContent>(InformationContent::sanchez(*taxonomy));
      }
      const auto measure = make_measure(taxonomy, options);
      EXPECT_TRUE(measure) << name;
      if (!measure) continue;
      const DistanceMatrix matrix = (*measure)->among(concepts);
      for (std::size_t i = 0; i < concepts.size(); ++i) {
        out.insert(out.end(), matrix.row(i).begin(), matrix.row(i).end());
      }
    }
  }
  return out;
}

class EveryFormat : public testing::TestWithParam<Shape> {
 protected:
  void check(Result<OntologyDraft> draft, const std::string& prefix = "") {
    ASSERT_TRUE(draft) << describe(draft.error(), Quote::kShow);
    check(std::move(*draft).finish("source"), prefix);
  }
  void check(const Result<Ontology>& ontology, const std::string& prefix = "") {
    ASSERT_TRUE(ontology) << describe(ontology.error(), Quote::kShow);
    EXPECT_EQ(all_distances(*ontology, t_, prefix), expected_);
    const auto names = *ontology->names();
    for (std::size_t c = 0; c < t_.ids.size(); ++c) {
      for (ConceptId at = 0; at < (*ontology->taxonomy())->size(); ++at) {
        if (names->id(at) == prefix + t_.ids[c]) {
          EXPECT_EQ(names->label(at), t_.label(c));
        }
      }
    }
  }

  Numbered t_ = Numbered::of(GetParam(), 40, 5);
  Ontology edges_ = finished_ontology(parse_edges(as_edges(t_), "edges.csv"));
  std::vector<double> expected_ = all_distances(edges_, t_, "");
  TemporaryFolder folder_;
};

TEST_P(EveryFormat, LoadsToTheSameDistances) {
  const std::string iris = "http://x.org/";
  {
    SCOPED_TRACE("obo");
    check(parse_obo(as_obo(t_), "x.obo"));
  }
  {
    SCOPED_TRACE("skos");
    check(read_skos(stream(as_skos(t_), "x.ttl"), ""), iris);
  }
  {
    SCOPED_TRACE("owl, N-Triples and Turtle");
    check(read_owl(stream(as_owl_triples(t_), "x.nt"), ""), iris);
    check(read_owl(stream(as_owl_triples(t_), "x.ttl"), ""), iris);
  }
  {
    SCOPED_TRACE("owl, RDF/XML");
    check(read_owl(stream(as_owl_xml(t_), "x.owl"), ""), iris);
  }
  {
    SCOPED_TRACE("claml");
    check(read_claml(stream(as_claml(t_), "x.xml"), ""));
  }
  {
    SCOPED_TRACE("mesh, tree file");
    check(read_mesh(stream(as_mesh_tree(t_), "tree.txt")));
  }
  {
    SCOPED_TRACE("mesh, XML");
    check(read_mesh(stream(as_mesh_xml(t_), "desc.xml")));
  }
  {
    SCOPED_TRACE("mesh, ASCII");
    check(read_mesh(stream(as_mesh_ascii(t_), "d2026.bin")));
  }
  {
    SCOPED_TRACE("rf2");
    write_rf2(t_, folder_.path());
    check(load_rf2(folder_.path(), ""));
  }
  if (t_.is_tree) {
    SCOPED_TRACE("icd9cm");
    check(read_icd9cm(stream(as_icd9_tree(t_), "tree.csv")));
  }
}

TEST_P(EveryFormat, ComesBackFromEveryConversion) {
  const auto reload = [](OntologyFormat format, const std::string& text) {
    switch (format) {
      case OntologyFormat::kEdges:
        return parse_edges(text, "x.csv");
      case OntologyFormat::kObo:
        return parse_obo(text, "x.obo");
      case OntologyFormat::kSkosTurtle:
        return read_skos(stream(text, "x.ttl"), "");
      case OntologyFormat::kSkosNTriples:
        return read_skos(stream(text, "x.nt"), "");
      case OntologyFormat::kSkosXml:
        return read_skos(stream(text, "x.rdf"), "");
    }
    return Result<OntologyDraft>(fail(usage_error("no such format")));
  };
  for (const OntologyFormat format :
       {OntologyFormat::kEdges, OntologyFormat::kObo, OntologyFormat::kSkosTurtle,
        OntologyFormat::kSkosNTriples, OntologyFormat::kSkosXml}) {
    SCOPED_TRACE(static_cast<int>(format));
    const Result<Converted> converted = convert(edges_, format);
    ASSERT_TRUE(converted);
    check(reload(format, converted->text));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryFormat, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return to_string(shape.param); });

// Whatever characters ids, names and definitions are made of, conversions keep them.
TEST(Conversions, KeepHardTexts) {
  const std::vector<std::string> hard{"a b",
                                      "x,y",
                                      "say \"so\"",
                                      "{brace=1}",
                                      "not! this",
                                      "ü–ß",
                                      "back\\slash",
                                      "50 % + <b>&amp;",
                                      "colon: here",
                                      "https://x.org/a#b",
                                      "urn:semveil:own",
                                      "own",
                                      "scheme",
                                      "concept/scheme",
                                      "urn:semveil:concept/scheme",
                                      "tab\there"};
  OntologyDraft draft;
  draft.info.format = "edges";
  for (const std::string& text : hard) {
    const auto c = draft.add_concept(text);
    draft.add_term(c, TermKind::kLabel, "label of " + text);
    draft.add_term(c, TermKind::kExactSynonym, text + " again");
    draft.set_definition(c, "first " + text + "\nsecond");
    if (c > 0) draft.add_link(c, c / 2);
  }
  const Ontology ontology = *std::move(draft).finish("hard");
  const auto told = [](const Ontology& of) {
    std::map<std::string, std::vector<std::string>> out;
    const auto names = *of.names();
    const auto taxonomy = *of.taxonomy();
    for (ConceptId c = 0; c < taxonomy->size(); ++c) {
      std::vector<std::string>& all = out[std::string(names->id(c))];
      all.emplace_back(names->label(c));
      all.emplace_back(names->definition(c));
      for (TermId t = names->first_term(c); t < names->last_term(c); ++t) {
        if (names->term(t).kind == TermKind::kExactSynonym) all.emplace_back(names->term(t).text);
      }
      for (const ConceptId p : taxonomy->parents(c)) all.emplace_back(names->id(p));
    }
    return out;
  };
  const auto expected = told(ontology);
  const Converted obo = *convert(ontology, OntologyFormat::kObo);
  EXPECT_EQ(told(finished_ontology(parse_obo(obo.text, "x.obo"))), expected);
  for (const auto& [format, name] : {std::pair(OntologyFormat::kSkosTurtle, "x.ttl"),
                                     {OntologyFormat::kSkosNTriples, "x.nt"},
                                     {OntologyFormat::kSkosXml, "x.rdf"}}) {
    SCOPED_TRACE(name);
    const Converted skos = *convert(ontology, format);
    auto again = read_skos(stream(skos.text, name), "");
    ASSERT_TRUE(again) << describe(again.error(), Quote::kShow);
    EXPECT_EQ(again->info.contents.back(), (Counted{"concept schemes", 1}));
    EXPECT_EQ(told(finished_ontology(std::move(again))), expected);
  }
}

TEST(Conversions, TellThatTheVersionAndTheOtherSpellingsOfCodesAreLost) {
  OntologyDraft draft;
  draft.info.version = "2019";
  draft.info.has_icd_codes = true;
  draft.add_link(draft.add_concept("A00.0"), draft.add_concept("A00"));
  const Ontology icd = *std::move(draft).finish("source");
  const Counted version{"the version", 1};
  const Counted codes{"codes known in other spellings (e10.9, E109): now matched exactly", 2};
  using All = std::vector<Counted>;
  EXPECT_EQ(convert(icd, OntologyFormat::kEdges)->left_out, (All{version, codes}));
  EXPECT_EQ(convert(icd, OntologyFormat::kObo)->left_out, All{codes});
  EXPECT_EQ(convert(icd, OntologyFormat::kSkosTurtle)->left_out, (All{version, codes}));
}

// Only control characters have no sign in XML; U+FFFF has none either.
TEST(Conversions, KeepSpecialCharactersInSkos) {
  const std::string label = "a \"b\" 'c' \\u0041\n\t<d>&amp;]]>\r\xC3\xA9\xF0\x9F\x98\x80.";
  const std::string name =
      "a\x01"
      "b\x7F\xEF\xBF\xBF"
      "c";
  OntologyDraft draft;
  draft.add_term(draft.add_concept("http://x/?a&b'c"), TermKind::kLabel, label);
  draft.add_term(0, TermKind::kExactSynonym, name);
  const Ontology ontology = *std::move(draft).finish("signs");
  for (const auto& [format, file, same] :
       {std::tuple(OntologyFormat::kSkosTurtle, "x.ttl", name),
        {OntologyFormat::kSkosNTriples, "x.nt", name},
        {OntologyFormat::kSkosXml, "x.rdf", std::string("a b\x7F c")}}) {
    SCOPED_TRACE(file);
    const Converted skos = *convert(ontology, format);
    auto again = read_skos(stream(skos.text, file), "");
    ASSERT_TRUE(again) << describe(again.error(), Quote::kShow);
    const Ontology loaded = finished_ontology(std::move(again));
    const auto names = *loaded.names();
    EXPECT_EQ(names->id(0), "http://x/?a&b'c");
    EXPECT_EQ(names->label(0), label);
    std::vector<std::string> others;
    for (TermId t = names->first_term(0); t < names->last_term(0); ++t) {
      if (names->term(t).kind == TermKind::kExactSynonym) others.emplace_back(names->term(t).text);
    }
    EXPECT_EQ(others, std::vector<std::string>{same});
  }
}

// OBO takes the blanks around a text for none of it, unless they are written as such.
TEST(Conversions, KeepBlanksAtTheEdgesInObo) {
  OntologyDraft draft;
  draft.add_term(draft.add_concept("a"), TermKind::kLabel, " before and behind ");
  draft.add_term(0, TermKind::kExactSynonym, " again ");
  const Converted obo = *convert(*std::move(draft).finish("blanks"), OntologyFormat::kObo);
  const Ontology again = finished_ontology(parse_obo(obo.text, "x.obo"));
  const auto names = *again.names();
  EXPECT_EQ(names->label(0), " before and behind ");
  EXPECT_EQ(names->term(names->last_term(0) - 1).text, " again ");
}

}  // namespace
}  // namespace semveil::test
