// What a person must know before a release, a model or a table is used: findings of everything that
// is no audit. Audits hold their own (Audit::findings).
#pragma once

#include "semveil/compare.h"
#include "semveil/release.h"

namespace [[gnu::visibility("default")]] semveil {

// Where the key of a release came from.
enum class KeyOrigin : std::uint8_t { kFresh, kSeed, kModel, kKeyFile };

struct ReleaseFacts {  // what a MaskResult itself does not know
  std::string table, output, trace;
  std::string releases;  // where the release is recorded
  std::string method;
  std::map<std::string, std::string> parameters;  // as TOML values
  std::vector<std::string> ontologies;            // "disease: doid.obo"; empty: inside a model
  KeyOrigin key = KeyOrigin::kFresh;
  std::string release;
  std::string draw_by;
  std::vector<StepFacts> steps;  // recodings first
  bool shuffle = false;
  double seconds = 0;
};
ReleaseFacts facts_of(const Model& model);  // what it knows of them
// A number among the parameters.
std::optional<double> number_in(const std::map<std::string, std::string>& parameters,
                                const std::string& key);
// What each step did; of a result that does not say so, all of it as one.
std::vector<MaskResult::Step> steps_of(const MaskResult& result, const ReleaseFacts& facts);
// The columns that a step masked.
std::vector<const MaskedColumn*> columns_of(const MaskResult::Step& step, const MaskResult& result);

// All findings, the most severe first; those of the result are among them.
std::vector<Finding> findings_of(const MaskResult& result, const ReleaseFacts& facts);

// Columns that get pseudonyms.
std::vector<std::string> pseudonym_columns(const std::vector<StepFacts>& steps);

struct FitFacts {
  bool holds_key = true;
  KeyOrigin key = KeyOrigin::kFresh;
  std::vector<std::string> pseudonyms = {};  // columns that get some
};
std::vector<Finding> findings_of(const std::vector<Survey::PassedThrough>& telling,
                                 const FitFacts& facts);
std::vector<Finding> findings_of(const Description& description);
// And of a table that nobody has masked yet: who is alone, what means nothing, what the plan does
// not declare, what looks like an identifier.
std::vector<Finding> findings_of(const Survey& survey, const PlanFile& plan,
                                 const Description& description);
std::vector<Finding> findings_of(const Comparison& comparison);
std::vector<Finding> findings_of(const Proposals& proposals);
std::vector<Finding> findings_of(const Search& search);

}  // namespace semveil
