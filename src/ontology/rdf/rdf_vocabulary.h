// The namespaces the OWL and SKOS loaders know, and a table from properties to what they mean.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text_hash.h"

namespace semveil {

constexpr std::string_view kRdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
constexpr std::string_view kRdfs = "http://www.w3.org/2000/01/rdf-schema#";
constexpr std::string_view kOwlSpace = "http://www.w3.org/2002/07/owl#";
constexpr std::string_view kSkosSpace = "http://www.w3.org/2004/02/skos/core#";
constexpr std::string_view kSkosXl = "http://www.w3.org/2008/05/skos-xl#";
constexpr std::string_view kIsoThes = "http://purl.org/iso25964/skos-thes#";
constexpr std::string_view kDcTerms = "http://purl.org/dc/terms/";
constexpr std::string_view kOboSpace = "http://purl.obolibrary.org/obo/";
constexpr std::string_view kOboInOwl = "http://www.geneontology.org/formats/oboInOwl#";
constexpr std::string_view kEfo = "http://www.ebi.ac.uk/efo/";
constexpr std::string_view kNcit = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#";

inline bool is_iri(std::string_view iri, std::string_view space, std::string_view name) {
  return iri.size() == space.size() + name.size() && iri.ends_with(name) && iri.starts_with(space);
}

template <class Meaning>
class RdfProperties {
 public:
  struct Row {
    std::string_view space, name;
    Meaning meaning;
  };
  RdfProperties(std::initializer_list<Row> rows) {
    for (const Row& row : rows) {
      meanings_.emplace(std::string(row.space).append(row.name), row.meaning);
    }
  }
  const Meaning* find(std::string_view iri) const {
    const auto found = meanings_.find(iri);
    return found == meanings_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::string, Meaning, TextHash, std::equal_to<>> meanings_;
};

}  // namespace semveil
