#include "session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "help.h"

namespace semveil::cli {

void add_ontology_option(CLI::App& verb, OntologyOptions& options) {
  verb.add_option("--ontology", options.source, "The ontology: wordnet, obo:FILE, FILE.svo, …")
      ->type_name("SRC")
      ->required();
  add_root_option(verb, options.root);
}

void add_root_option(CLI::App& verb, std::string& root) {
  verb.add_option("--root", root,
                  "Concept (id, or a label with one meaning) whose subtree is the domain. "
                  "Default: the whole ontology")
      ->type_name("CONCEPT");
}

void add_measure_options(CLI::App& verb, MeasureChoice& choice) {
  verb.add_option("--measure", choice.name,
                  fmt::format("How distances are measured: {}", fmt::join(measure_names(), ", ")))
      ->type_name("NAME")
      ->capture_default_str();
  verb.add_option(
          "--ic", choice.ic,
          "Information content for resnik, lin, jiang-conrath: seco, sanchez, corpus:FILE (a text "
          "whose terms are counted), or a file of frequencies")
      ->type_name("NAME|FILE")
      ->capture_default_str();
  static constexpr std::array<std::string_view, 2> kSubsumers{"deepest", "mica"};
  add_choice(verb, "--lcs", choice.lcs,
             "Which common subsumer counts for these, the deepest or that of the greatest content",
             kSubsumers);
  verb.add_option_function<std::vector<double>>(
          "--weights",
          [&choice](const std::vector<double>& w_u_v) {
            const Result<FeatureWeights> weights = feature_weights(w_u_v);
            if (!weights) throw CLI::ValidationError("--weights", weights.error().message);
            choice.weights = *weights;
          },
          "For rodriguez-egenhofer: what names, features and neighbourhood weigh, three numbers "
          "whose sum is 1; default: a third each")
      ->type_name("W U V")
      ->expected(3);
}

void add_senses_option(CLI::App& verb, std::string& senses) {
  static constexpr std::array<std::string_view, 2> kSenses{"closest", "first"};
  add_choice(verb, "--senses", senses, "Which sense of a word counts where it has several",
             kSenses);
}

Session::Session(Ontology ontology, std::shared_ptr<const Taxonomy> taxonomy,
                 std::shared_ptr<const Names> names, Mapper mapper)
    : ontology_(std::move(ontology)),
      taxonomy_(std::move(taxonomy)),
      names_(std::move(names)),
      mapper_(std::make_unique<const Mapper>(std::move(mapper))) {}

Result<Session> Session::open(const std::string& source, const Common& common) {
  Result<Ontology> ontology = open_ontology(source, {.use_cache = !common.no_cache});
  if (!ontology) return fail(ontology.error());
  Result<std::shared_ptr<const Taxonomy>> taxonomy = ontology->taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  Result<std::shared_ptr<const Names>> names = ontology->names();
  if (!names) return fail(names.error());
  Result<Mapper> mapper = Mapper::create(*ontology);
  if (!mapper) return fail(mapper.error());
  return Session(*std::move(ontology), *std::move(taxonomy), *std::move(names), *std::move(mapper));
}

Result<Domain> Session::domain(const std::string& root) const {
  if (root.empty()) return Domain::whole(taxonomy_);
  const Result<ConceptId> c = mapper_->only(root);
  if (!c) return fail(c.error());
  return Domain::subtree(taxonomy_, *c);
}

}  // namespace semveil::cli
