// One small ontology in the three syntaxes of RDF, and what a loader's tests ask of a text.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/loaders.h"
#include "ontology/snapshot/snapshot.h"
#include "support/loaded.h"

namespace semveil::test {

constexpr const char* kRdfPrefixes =
    "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    "@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .\n"
    "@prefix iso: <http://purl.org/iso25964/skos-thes#> .\n"
    "@prefix dct: <http://purl.org/dc/terms/> .\n"
    "@prefix obo: <http://purl.obolibrary.org/obo/> .\n"
    "@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .\n"
    "@prefix ex: <http://x/o#> .\n";
constexpr std::uint64_t kRdfPrefixLines = 10;

// Streams over texts that outlive them.
inline NamedStream rdf_stream(std::string_view text, std::string name) {
  return {InputStream::over(text), std::move(name)};
}

inline std::string snapshot_of(const Ontology& ontology) {
  std::string scratch, bytes;
  const auto pieces = *snapshot_pieces(ontology, scratch);
  for (const std::string_view piece : pieces) bytes += piece;
  return bytes;
}

inline std::string shuffled_lines(const std::string& text, unsigned seed) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at + 1));
    at = end + 1;
  }
  std::shuffle(lines.begin(), lines.end(), std::mt19937(seed));
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

}  // namespace semveil::test
