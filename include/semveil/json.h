// What the verbs tell machines: one JSON object each, in one line. docs/json/ has a schema of every
// one, with a description of every key.
//
// What is undefined is null. Texts that are not UTF-8 are mended. Exact figures have as many digits
// as bring back the same number.
#pragma once

#include <span>

#include "semveil/audit.h"
#include "semveil/convert.h"
#include "semveil/ontology_diff.h"
#include "semveil/release_findings.h"
#include "semveil/reproduce.h"
#include "semveil/search.h"
#include "semveil/term_distance.h"
#include "semveil/why_unmapped.h"

namespace [[gnu::visibility("default")]] semveil {

// ---- Tables -------------------------------------------------------------------------------------

std::string to_json(const Description& description, const std::vector<Finding>& findings);
std::string to_json(const MaskResult& result, const ReleaseFacts& facts);
std::string to_json(const Audit& audit, std::string_view edition);  // public | steward
std::string to_json(std::span<const FigureExplanation* const> figures);

struct FittedModel {
  std::string path;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> records;  // nothing: fitted on declared statistics
  std::vector<Survey::PassedThrough> telling;
  FitFacts facts;
};
std::string to_json(const Model& model, const FittedModel& file);

struct ExportedPlan {
  std::size_t row = 0;  // in Comparison::releases
  std::string file, why;
};
std::string to_json(const Comparison& comparison, const std::string& table,
                    const std::optional<ExportedPlan>& exported);
std::string to_json(const Proposals& proposals, std::string_view keep);
std::string to_json(const Search& search, const std::optional<Advice>& found);
struct PlanProposal;  // propose.h
struct PlanSentence;
// `plan`: its text; `file`: where it was written, empty: nowhere.
std::string to_json(const PlanProposal& proposal, const std::string& plan, const std::string& file);
std::string to_json(std::span<const PlanSentence> sentences, const std::string& plan);
// [mask] to paste into a plan.
std::string mask_block(const Advice& advice);

// What anybody may see of the JSON of describe, mask, apply, audit or compare: what is declared
// public (src/report/public_figures.cc), with three digits where it tells of the original.
std::string public_json(std::string_view verb, std::string_view json);

// ---- Ontologies ---------------------------------------------------------------------------------

struct NamedOntology {
  const Taxonomy* taxonomy = nullptr;
  const Names* names = nullptr;
  NamedConcept named(ConceptId c) const;  // without an id where it is the virtual root
};

std::string to_json(const ColumnMapping& mapping, const WhyUnmapped& why,
                    const NamedOntology& ontology);

struct OntologyFigures {  // the virtual root is in none of them
  std::size_t concepts = 0, links = 0, roots = 0, multi_parent = 0, leaves = 0;
  std::size_t labels = 0, synonyms = 0, xrefs = 0;
  unsigned max_depth = 0;
};
std::string to_json(const OntologyInfo& info, const OntologyFigures& figures, double load_ms);
std::string to_json(std::string_view text, std::span<const Hit> hits,
                    const NamedOntology& ontology);

struct ConceptFacts {
  ConceptId concept_id = 0;
  std::vector<std::string_view> synonyms;
  std::vector<ConceptId> children;  // in the order they are shown in
};
// Children by label, as people look for them.
ConceptFacts concept_facts(ConceptId c, const NamedOntology& ontology);
std::string to_json(const ConceptFacts& facts, const NamedOntology& ontology);
std::string snapshot_json(const std::string& path, std::uint64_t bytes);
std::string to_json(const Converted& converted, const std::string& path, std::uint64_t bytes);
std::string to_json(const OntologyDiff& changes, const std::vector<TouchedValue>* touched);

struct ConceptDistance {
  NamedConcept a, b;
  std::string measure;
  double distance = 1;
  struct BothWays {
    double ab = 0, ba = 0;
  };
  std::optional<BothWays> symmetrised;  // where the distance is the mean of both directions
  struct Common {
    NamedConcept named;
    unsigned depth = 0, path_a = 0, path_b = 0;
  };
  std::optional<Common> subsumer;       // nothing: no ontology knows both
  bool of_several = false;              // several ontologies were asked
  std::optional<std::string> ontology;  // that they are closest in
};
ConceptDistance told(const TermDistance& distance, const TermDistance::Answer& answer);
std::string to_json(const ConceptDistance& distance);

// ---- Reproductions ------------------------------------------------------------------------------

std::string to_json(const std::vector<Reproduction>& reproductions);  // one stands alone
struct DataFileFacts {
  std::string path, state, published, sha256;  // state: there | missing | other
};
std::string to_json(std::span<const ExperimentInfo> experiments, const std::string& data_folder,
                    const std::vector<DataFileFacts>& data);

}  // namespace semveil
