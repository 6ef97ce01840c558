// An ontology written in a format that other programs read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/ontology.h"

namespace [[gnu::visibility("default")]] semveil {

enum class OntologyFormat : std::uint8_t {
  kEdges,         // CSV: child,parent,label
  kObo,           // OBO 1.2
  kSkosTurtle,    // SKOS as Turtle,
  kSkosNTriples,  // N-Triples
  kSkosXml,       // or RDF/XML
};

// By a file's ending (.csv, .obo, .ttl, .nt, .rdf; .gz and .zst behind it do not count).
std::optional<OntologyFormat> format_of(std::string_view path);

struct Converted {
  std::string text;
  std::vector<Counted> left_out;  // what the format has no place for
};

// Writes it beside its target, packed as the ending says; the caller commits.
Result<PendingFile> prepare_conversion(const Converted& converted, const std::string& path);

// Ids and links come back as they were when the text is loaded, so distances do too; labels as
// well, in OBO all names, definitions and cross-references. Ids that are no IRIs stand in SKOS
// behind urn:semveil:, which the loader takes away again. Cost: memory for the text.
Result<Converted> convert(const Ontology& ontology, OntologyFormat format);

}  // namespace semveil
