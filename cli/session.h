// An opened ontology with what the verbs ask of it: names, a mapper, a domain, a measure.
#pragma once

#include "semveil/json.h"
#include "verb.h"

namespace semveil::cli {

struct OntologyOptions {
  std::string source;
  std::string root;
};

void add_ontology_option(CLI::App& verb, OntologyOptions& options);  // --ontology, --root
void add_root_option(CLI::App& verb, std::string& root);             // --root
void add_measure_options(CLI::App& verb,
                         MeasureChoice& choice);              // --measure, --ic, --lcs, --weights
void add_senses_option(CLI::App& verb, std::string& senses);  // --senses

class Session {
 public:
  static Result<Session> open(const std::string& source, const Common& common);

  const Ontology& ontology() const { return ontology_; }
  const std::shared_ptr<const Taxonomy>& taxonomy() const { return taxonomy_; }
  const Names& names() const { return *names_; }
  const Mapper& mapper() const { return *mapper_; }

  // The whole ontology, or what lies below the one concept that `root` means.
  Result<Domain> domain(const std::string& root) const;

  NamedOntology named() const { return {taxonomy_.get(), names_.get()}; }

 private:
  Session(Ontology ontology, std::shared_ptr<const Taxonomy> taxonomy,
          std::shared_ptr<const Names> names, Mapper mapper);

  Ontology ontology_;
  std::shared_ptr<const Taxonomy> taxonomy_;
  std::shared_ptr<const Names> names_;
  std::unique_ptr<const Mapper> mapper_;
};

}  // namespace semveil::cli
