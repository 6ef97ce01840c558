// SKOS as RDF text (raptor2).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "semveil/result.h"

namespace semveil {

// Where ids that are no IRIs live; skos_iri() and skos_id() are each other's inverse.
inline constexpr std::string_view kOwnIris = "urn:semveil:";
// An IRI stays as it is; of other ids, what may not stand in one is written %NN.
std::string skos_iri(std::string_view id);
// The id of an IRI of ours; any other IRI is its own id.
std::string skos_id(std::string_view iri);

// One at a time, and none while RDF is read (raptor_world.h): a second one waits for the first.
class SkosWriter {
 public:
  // raptor's name of a syntax: turtle, ntriples, rdfxml.
  explicit SkosWriter(const char* syntax);
  ~SkosWriter();
  SkosWriter(const SkosWriter&) = delete;
  SkosWriter& operator=(const SkosWriter&) = delete;

  // The next concept. Top concepts are those of the one concept scheme.
  void begin(const std::string& iri, bool is_top);
  void text(const char* property, std::string_view value);
  void link(const char* property, const std::string& iri);
  Result<std::string> finish() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace semveil
