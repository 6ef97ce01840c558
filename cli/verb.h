// What the verbs share: how a verb is declared, its common options, and how it prints.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "semveil/domain.h"
#include "semveil/files.h"
#include "semveil/mapping.h"
#include "semveil/measure.h"
#include "semveil/ontology.h"
#include "semveil/result.h"
#include "semveil/work_limits.h"

namespace semveil::cli {

// Options that every verb has.
struct Common {
  bool json = false;
  bool quiet = false;
  bool no_cache = false;
  bool verbose = false;    // of verbs that tell of many columns
  Sync sync = Sync::kYes;  // of verbs that write files
};

// Options of verbs that work on data. None but the seed ever changes a byte of a result, and the
// seed only where something is drawn.
struct Work {
  unsigned threads = 1;
  std::uint64_t batch_rows = 0;     // 0: as the reader likes
  std::optional<std::string> seed;  // a secret: shown nowhere
  bool no_progress = false;
  double max_work = kUsualHours;  // of verbs that fit
};

// The verb that was chosen; main runs it after the command line has been understood.
using Action = std::function<Status()>;

void add_common(CLI::App& verb, Common& common);
void add_verbose(CLI::App& verb, Common& common);
void add_no_sync(CLI::App& verb, Common& common);
void add_threads(CLI::App& verb, Work& work);  // --threads, --no-progress
void add_work(CLI::App& verb, Work& work);     // these and --batch-rows, --seed
void add_max_work(CLI::App& verb, Work& work);
// A verb whose examples, and what else is to be known, stand at the end of its help.
CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& description,
                   const std::string& examples);

// One function per verb, each in a file of its own.
void add_ontology(CLI::App& app, Action& chosen);
void add_ontology_info(CLI::App& ontology, Action& chosen);
void add_ontology_search(CLI::App& ontology, Action& chosen);
void add_ontology_tree(CLI::App& ontology, Action& chosen);
void add_ontology_snapshot(CLI::App& ontology, Action& chosen);
void add_ontology_convert(CLI::App& ontology, Action& chosen);
void add_ontology_diff(CLI::App& ontology, Action& chosen);
void add_distance(CLI::App& app, Action& chosen);
void add_map(CLI::App& app, Action& chosen);
void add_plan(CLI::App& app, Action& chosen);
void add_describe(CLI::App& app, Action& chosen);
void add_advise(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_mask(CLI::App& app, Action& chosen);
void add_audit(CLI::App& app, Action& chosen);
void add_fit(CLI::App& app, Action& chosen);
void add_apply(CLI::App& app, Action& chosen);
void add_reproduce(CLI::App& app, Action& chosen);
void add_completions(CLI::App& app, Action& chosen);
void add_man(CLI::App& app, Action& chosen);

// An error where `output` is one of the inputs or a file of the ontology, which would be lost.
Status refuse_overwriting(const std::string& output, std::vector<std::string> inputs,
                          const std::string& ontology);

// Standard output, checked: a full disk must not look like success. A reader that has seen enough
// and closed the pipe (`| head`) is no failure: nothing more is printed, and the verb goes on.
Status print(std::string_view text);
Status print_text(std::string_view text);    // for people: control characters are disarmed
Status print_json(const std::string& json);  // one object
Status finish_printing();                    // once, at the end
// For people, when files have their names: what is done is done, so it is no failure that standard
// output cannot be written to or that the work was asked to stop. Standard error tells the former.
void print_afterwards(std::string_view text);
// For people, where standard output belongs to a table. A closed standard error is no failure:
// there is nobody to tell.
void print_aside(std::string_view text);

std::string grouped(std::uint64_t number);                          // 82,115
std::string shortened(std::string_view text, std::size_t columns);  // cut at a character, with …
std::size_t width(std::string_view text);                           // code points
std::string padded(std::string_view text, std::size_t columns);

}  // namespace semveil::cli
