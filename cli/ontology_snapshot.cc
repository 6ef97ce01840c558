#include <fmt/format.h>

#include "semveil/json.h"
#include "verb.h"

namespace semveil::cli {
namespace {

struct OntologySnapshotArguments {
  Common common;
  std::string source, output;
};

Status run_ontology_snapshot(const OntologySnapshotArguments& options) {
  if (options.output == "-") {
    return fail(usage_error("a snapshot cannot go to standard output: name a file with -o"));
  }
  if (const Status status = refuse_overwriting(options.output, {}, options.source); !status) {
    return status;
  }
  const Result<Ontology> ontology =
      open_ontology(options.source, {.use_cache = !options.common.no_cache});
  if (!ontology) return fail(ontology.error());
  Result<PendingFile> pending = prepare_snapshot(*ontology, options.output);
  if (!pending) return fail(pending.error());
  // Said before it is committed: if it cannot be printed, no file appears.
  Status said;
  if (options.common.json) {
    said = print_json(snapshot_json(options.output, pending->size()));
  } else if (!options.common.quiet) {
    said = print_text(fmt::format("{}: {} bytes; use it wherever an ontology is asked for\n",
                                  options.output, grouped(pending->size())));
  }
  return said ? pending->commit(options.common.sync) : said;
}

}  // namespace

void add_ontology_snapshot(CLI::App& ontology, Action& chosen) {
  const auto options = std::make_shared<OntologySnapshotArguments>();
  CLI::App* verb =
      add_verb(ontology, "snapshot", "Write an ontology as one file that opens at once",
               "  semveil ontology snapshot wordnet -o wordnet.svo\n"
               "  semveil ontology info wordnet.svo");
  verb->add_option("SRC", options->source, "The ontology")->required();
  verb->add_option("-o,--output", options->output, "The file to write, usually FILE.svo")
      ->required();
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback(
      [options, &chosen] { chosen = [options] { return run_ontology_snapshot(*options); }; });
}

}  // namespace semveil::cli
