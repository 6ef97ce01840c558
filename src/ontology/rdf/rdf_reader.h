// RDF as a stream of triples: RDF/XML (expat), Turtle (serd), N-Triples by our own line parser.
//
//   ex:Flu rdfs:subClassOf ex:Disease .      →  {ex:Flu, rdfs:subClassOf, ex:Disease}
//
// The syntax is told by the first bytes, then by the file's ending (.nt; a .gz or .zst behind it is
// passed over). Nothing is ever read but the stream: no entity, no DTD, no owl:imports, no @import,
// whatever the file asks for. Relative IRIs are resolved against kRdfBase where the file names no
// base of its own, so that they do not depend on where the file lies.
//
// Refused with file and line: invalid UTF-8 and NUL bytes, entity declarations, elements or
// brackets nested more than 1000 deep, a statement, tag or text of more than 16 MiB (N-Triples: a
// line of more than 1 MiB), prefixes of more than 256 KiB, IRIs with control characters, and what
// is wrong by the syntax. Memory: one piece of the file, and one statement or tag.
//
// Why N-Triples are not left to serd: a line of three terms is read many times as fast directly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ontology/source_files.h"
#include "semveil/result.h"

namespace semveil {

struct RdfTerm {
  enum class Kind : std::uint8_t { kIri, kBlank, kLiteral };
  Kind kind = Kind::kIri;
  std::string_view text;      // valid UTF-8; of an IRI without control characters
  std::string_view language;  // of a literal, as the file spells it

  bool is_iri() const { return kind == Kind::kIri; }
  bool is_blank() const { return kind == Kind::kBlank; }
  bool is_literal() const { return kind == Kind::kLiteral; }
};

struct RdfTriple {
  RdfTerm subject;  // an IRI or a blank node
  std::string_view predicate;
  RdfTerm object;
};

class RdfEvents {
 public:
  virtual ~RdfEvents() = default;
  // The views live until it returns. An error gets file and line by the reader.
  virtual Status triple(const RdfTriple& triple) = 0;
};

enum class RdfSyntax : std::uint8_t { kXml, kTurtle, kNTriples };

constexpr std::string_view kRdfBase = "relative:///";

// Without the blanks and line ends around it: XML is indented.
inline std::string_view without_margin(std::string_view text) {
  constexpr std::string_view kMargin = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kMargin);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kMargin) - first + 1);
}

// By the first bytes of the file and its name; an error where they show another format.
Result<RdfSyntax> rdf_syntax(std::string_view first_bytes, const std::string& name);

// What the syntaxes have in common: no control character in an IRI, no NUL in a text, no escape
// that stands for no character (\uD800); a base or a prefix's IRI of at most 32 KiB, since each
// name may become as long.
Status check_iri(std::string_view iri);
Status check_literal(std::string_view text);
Status check_space(std::string_view iri);

// To the end of the file, or to the first error.
Status read_rdf(NamedStream input, RdfEvents& events);

// What the three syntaxes are read by.
Status read_ntriples(NamedStream input, RdfEvents& events);
Status read_turtle(InputStream& stream, const std::string& name, RdfEvents& events);
Status read_rdf_xml(InputStream& stream, const std::string& name, RdfEvents& events);

}  // namespace semveil
