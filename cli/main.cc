// semveil: the command line. Each verb lives in a file of its own; this one puts them together and
// turns results into messages and exit codes.
#include <execinfo.h>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "core_dumps.h"
#include "help.h"
#include "option_names.h"
#include "semveil/nearest_word.h"
#include "semveil/stop.h"
#include "signals.h"
#include "verb.h"

namespace {

using semveil::cli::Action;
using semveil::cli::Signals;

constexpr const char* kAbout =
    "Releases tables whose columns are words so that no person can be picked out and the meaning "
    "survives.";
constexpr const char* kFooter =
    "An ontology SRC is: wordnet | wordnet:DIR | obo:FILE | rf2:DIR (SNOMED CT) | mesh:FILE |\n"
    "claml:FILE | icd10cm:FILE | icd9cm:FILE | owl:FILE | skos:FILE | edges:FILE | vgh:FILE | "
    "FILE.svo\n"
    "(.gz, .zst and .zip are unpacked; a file ending in .obo, .owl, .claml or .svo needs no "
    "prefix);\n"
    "behind it '?lang=de' or '?root=ID', joined by &, in quotes.\n\n"
    "A TABLE is: .csv | .tsv (also .gz, .zst) | .parquet | .arrow | .feather | - for standard "
    "input.\n\n"
    "Exit codes: 0 done, 1 the data or plan is wrong, 2 the command line is wrong, 3 a demanded\n"
    "guarantee cannot be met, another table has the release's name or a finding stands that\n"
    "--fail-on refuses, 4 the system failed, 130 stopped by Ctrl-C (143 by SIGTERM, 129 by "
    "SIGHUP):\n"
    "nothing was written; a second Ctrl-C ends at once.\n\n"
    "Examples:\n"
    "  semveil distance dog cat --ontology wordnet\n"
    "  semveil map survey.csv --column hobby --ontology wordnet -o hobby.map.csv\n"
    "  semveil describe survey.csv --plan survey.toml\n"
    "  semveil mask survey.csv --plan survey.toml -o released.csv\n"
    "  semveil ontology info doid.obo.gz";

// Standard error may be closed or full: then there is nobody to tell.
void complain(const std::string& text) { std::fputs(text.c_str(), stderr); }

int fail_with(const semveil::Error& error, semveil::Quote values) {
  semveil::Error told = error;
  told.message = semveil::cli::naming_options(std::move(told.message));
  complain("semveil: " + semveil::describe(told, values) + "\n");
  return static_cast<int>(error.code);
}

bool asked_for_quiet(const CLI::App& app) {
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  const CLI::Option* quiet = verb->get_option_no_throw("--quiet");
  return quiet != nullptr && quiet->count() > 0;
}

// ": the nearest option is --suppression"; empty where no option was misspelt.
std::string meant_option(const CLI::App& verb) {
  for (const std::string& unknown : verb.remaining()) {
    if (!unknown.starts_with("--") || unknown.size() < 3) continue;
    const std::string word = unknown.substr(2, unknown.find('=') - 2);
    std::vector<std::string_view> names;
    for (const CLI::Option* option : verb.get_options()) {
      for (const std::string& name : option->get_lnames()) names.emplace_back(name);
    }
    if (!names.empty()) {
      return fmt::format("; the nearest option is --{}", semveil::nearest(word, names));
    }
  }
  return "";
}

int usage_failure(const CLI::App& app, const CLI::ParseError& e) {
  const CLI::App* verb = &app;
  std::string name = "semveil";
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    name += " " + verb->get_name();
  }
  // CLI11 says that a verb is required, also where one was misspelt.
  const std::vector<std::string> unknown = verb->remaining();
  const bool misspelt = verb->get_require_subcommand_min() > 0 && !unknown.empty() &&
                        !unknown.front().starts_with('-');
  const std::string message = misspelt
                                  ? fmt::format("there is no verb '{} {}'", name, unknown.front())
                                  : e.what() + meant_option(*verb);
  complain(fmt::format("semveil: {}\nTry '{} --help'.\n", message, name));
  return static_cast<int>(semveil::ErrorCode::kUsage);
}

int run(int argc, char** argv, const Signals& signals) {
  CLI::App app(kAbout, "semveil");
  app.footer(kFooter);
  app.formatter_fn([](const CLI::App* shown, const std::string& path, CLI::AppFormatMode) {
    return semveil::cli::help_text(*shown, path);
  });
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", "semveil " SEMVEIL_VERSION, "Print the version");
  bool allows_core = false;
  app.add_flag("--debug-core", allows_core,
               "Allow core dumps, which may hold keys and cells. Stands before the verb");
  app.require_subcommand(1);
  Action chosen;
  semveil::cli::add_ontology(app, chosen);
  semveil::cli::add_distance(app, chosen);
  semveil::cli::add_map(app, chosen);
  semveil::cli::add_plan(app, chosen);
  semveil::cli::add_describe(app, chosen);
  semveil::cli::add_advise(app, chosen);
  semveil::cli::add_compare(app, chosen);
  semveil::cli::add_mask(app, chosen);
  semveil::cli::add_audit(app, chosen);
  semveil::cli::add_fit(app, chosen);
  semveil::cli::add_apply(app, chosen);
  semveil::cli::add_reproduce(app, chosen);
  semveil::cli::add_completions(app, chosen);
  semveil::cli::add_man(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return usage_failure(app, e);
    std::ostringstream text;  // of --help, --version
    app.exit(e, text);
    chosen = [shown = text.str()] { return semveil::cli::print(shown); };
  }
  if (!allows_core) semveil::cli::forbid_core_dumps();
  const auto values = asked_for_quiet(app) ? semveil::Quote::kHide : semveil::Quote::kShow;
  semveil::Status status = semveil::stoppable(signals.token(), chosen);
  if (status) status = semveil::cli::finish_printing();
  if (status) return 0;
  const int code = fail_with(status.error(), values);
  return status.error().code == semveil::ErrorCode::kCancelled ? signals.exit_code() : code;
}

// Libraries that ran out of memory do not always survive their own clean-up at the program's end.
// Files are whole or gone by now.
int leave(int code) {
  if (code != static_cast<int>(semveil::ErrorCode::kSystem)) return code;
  std::fflush(nullptr);
  std::_Exit(code);
}

// The C library looks for its unwinder when an exception first passes through it (call_once), and
// ends the program if there is no memory by then.
void find_unwinder() {
  void* here = nullptr;
  ::backtrace(&here, 1);
}

}  // namespace

int main(int argc, char** argv) {
  find_unwinder();
  // A reader that goes away is not the end: files must be written, or cleaned up. Of a list it has
  // seen enough (verb.h); a table that is cut is an error like a full disk.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that grows beyond `ulimit -f` is an error of writing, too.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const Signals signals;
    return leave(run(argc, argv, signals));
  } catch (const std::bad_alloc&) {
    return leave(
        fail_with(semveil::system_error("not enough memory: close other programs, raise the limit "
                                        "(ulimit -v), give fewer --threads or --batch-rows, "
                                        "or use a machine with more"),
                  semveil::Quote::kHide));
  } catch (const std::exception& e) {
    return leave(fail_with(semveil::system_error(fmt::format("unexpected failure: {}", e.what())),
                           semveil::Quote::kHide));
  }
}
