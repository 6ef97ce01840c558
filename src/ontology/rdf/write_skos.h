// SKOS as RDF text in any of the three syntaxes; one concept behind the other.
//
// XML has no way to write most control characters: they become a blank there.
#pragma once

#include <string>
#include <string_view>

#include "ontology/rdf/rdf_reader.h"

namespace semveil {

// Where ids that are no IRIs live; skos_iri() and skos_id() are each other's inverse.
inline constexpr std::string_view kOwnIris = "urn:semveil:";
// An IRI stays as it is; of other ids, what may not stand in one is written %NN.
std::string skos_iri(std::string_view id);
// The id of an IRI of ours; any other IRI is its own id.
std::string skos_id(std::string_view iri);

class SkosWriter {
 public:
  explicit SkosWriter(RdfSyntax syntax);

  // The next concept. Top concepts are those of the one concept scheme.
  void begin(const std::string& iri, bool is_top);
  void text(std::string_view property, std::string_view value);
  void link(std::string_view property, std::string_view iri);
  std::string finish() &&;

 private:
  void begin_subject(std::string_view iri, std::string_view type);
  void end_subject();
  // Of Turtle and N-Triples.
  void begin_value(std::string_view property);
  void end_value();

  RdfSyntax syntax_;
  std::string out_;
  std::string subject_;  // N-Triples: as it is written; XML: its type
};

}  // namespace semveil
