// Options of the verbs that work with a plan, and what they come to: a plan, a key, a table.
#pragma once

#include <map>

#include "semveil/plan_table.h"
#include "semveil/release_findings.h"
#include "verb.h"

namespace semveil::cli {

struct PlanOptions {
  std::string plan;
  std::string ontology;                          // instead of the plan's only one
  std::map<std::string, std::string> overrides;  // of [mask], as TOML values by key
};
void add_plan_options(CLI::App& verb, PlanOptions& options);  // --plan, --ontology
void add_mask_options(CLI::App& verb, PlanOptions& options);  // every key of [mask]
std::string methods_help();  // what each method promises, and its options
Result<PlanFile> read_plan(const PlanOptions& options);
// The same; an error where it does not say how to mask.
Result<PlanFile> read_masking_plan(const PlanOptions& options);

CLI::Option* add_table_argument(CLI::App& verb, std::string& table);  // required
void add_temp_option(CLI::App& verb, std::string& folder);            // --temp-dir
void add_seed_file_option(CLI::App& verb, std::string& path);         // --seed-file
void add_trace_option(CLI::App& verb, std::string& path);             // --trace
void add_release_option(CLI::App& verb, std::string& release);        // --release

// --seed or the text of --seed-file, one line end at its end left out; nothing without either.
Result<std::optional<std::string>> given_seed(const Work& work, const std::string& seed_file);

// From the seed given, else the plan's, else from the operating system.
struct KeyChoice {
  std::optional<std::string> seed;
  KeyOrigin origin() const { return seed ? KeyOrigin::kSeed : KeyOrigin::kFresh; }
  // Once. A seed takes a second to stretch: what may be wrong is to be found out before.
  Result<Key> make() const;
};
Result<KeyChoice> choose_key(const Work& work, const std::string& seed_file, const PlanFile& plan);

// Whether what is written there can be read again: neither standard output nor a device or pipe.
bool is_file(const std::string& output);

// `how`, completed by what the command line says.
TableOptions completed(TableOptions how, const Work& work, const std::string& temp,
                       const std::string& output);
// An error where an output would replace an input (the plan's files and ontologies among them), or
// another output. "" and "-" are no files.
Status keep_apart(const std::vector<std::string>& outputs, std::vector<std::string> inputs,
                  const PlanFile* plan);

}  // namespace semveil::cli
