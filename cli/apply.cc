#include <fmt/format.h>

#include <chrono>

#include "findings.h"
#include "plan_options.h"
#include "progress.h"
#include "summary.h"

namespace semveil::cli {
namespace {

struct ApplyArguments {
  Common common;
  std::optional<Severity> fail_on;
  Work work;
  std::string table, model, output, trace, temp, seed_file, key_file, release;
  std::uint64_t first_row = 0;
  bool recheck = false, again = false;
};

struct GivenKey {
  std::optional<Key> key;
  KeyOrigin origin = KeyOrigin::kModel;
};

Result<GivenKey> given_key(const ApplyArguments& options) {
  const Result<std::optional<std::string>> seed = given_seed(options.work, options.seed_file);
  if (!seed) return fail(seed.error());
  if (*seed && !options.key_file.empty()) {
    return fail(usage_error("--key-file and a seed: give one of them"));
  }
  if (*seed) {
    const Result<Key> key = Key::from_seed(**seed);
    if (!key) return fail(key.error());
    return GivenKey{*key, KeyOrigin::kSeed};
  }
  if (options.key_file.empty()) return GivenKey{};
  const Result<Key> key = Key::read(options.key_file);
  if (!key) return fail(key.error());
  return GivenKey{*key, KeyOrigin::kKeyFile};
}

Status check(const ApplyArguments& options) {
  if (options.output.empty()) {
    return fail(usage_error("name the masked table: -o FILE, or -o - for standard output"));
  }
  if (options.common.json && options.output == "-") {
    return fail(usage_error("--json and -o - both want standard output: give -o FILE"));
  }
  if (options.trace == "-") {
    return fail(usage_error("a trace cannot go to standard output: name a file"));
  }
  return keep_apart({options.output, options.trace},
                    {options.table, options.model, releases_beside(options.model), options.key_file,
                     options.seed_file},
                    nullptr);
}

Result<PendingRelease> release_of(const ApplyArguments& options, const Model& model,
                                  const WorkOptions& work) {
  const bool streamed = options.table == "-";
  const TableOptions how =
      completed(model.table_options(), options.work, options.temp, options.output);
  const Result<Table> table =
      streamed ? Table::stream(options.table, how) : Table::open(options.table, how);
  if (!table) return fail(table.error());
  ApplyOptions apply_options;
  apply_options.work = work;
  apply_options.output = options.output;
  apply_options.trace = options.trace;
  apply_options.release = options.release;
  apply_options.first_row = options.first_row;
  apply_options.flush = streamed;
  apply_options.model_file = options.model;
  apply_options.again = options.again;
  apply_options.recheck = options.recheck;
  apply_options.describe = work.figures;
  return apply(model, *table, apply_options);
}

Status run_apply(ApplyArguments options) {
  if (options.output.empty() && options.table == "-") options.output = "-";
  if (const Status status = check(options); !status) return status;
  const Result<GivenKey> key = given_key(options);
  if (!key) return fail(key.error());
  const auto began = std::chrono::steady_clock::now();
  ProgressLine progress(options.common, options.work);
  WorkOptions work = work_options(options.common, options.work, progress);
  work.figures = work.figures || options.fail_on;  // some findings need them
  const Result<Model> model = Model::read(options.model, key->key, work);
  if (!model) return fail(model.error());
  Result<PendingRelease> pending = release_of(options, *model, work);
  progress.clear();
  if (!pending) return fail(pending.error());
  ReleaseFacts facts = facts_of(*model);
  facts.table = options.table == "-" ? "standard input" : options.table;
  facts.output = options.output;
  facts.trace = options.trace;
  facts.releases = releases_beside(options.model);
  facts.key = key->origin;
  if (!options.release.empty()) facts.release = options.release;
  facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return publish(*pending, facts, options.common, options.fail_on);
}

}  // namespace

void add_apply(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<ApplyArguments>();
  CLI::App* verb = add_verb(
      app, "apply", "The second half of mask: mask a table, or a stream line by line, by a model",
      "  semveil apply survey.csv --model survey.model -o released.csv\n"
      "  semveil apply later.csv --model survey.model --release 2026-Q4 -o later-released.csv\n"
      "  tail -f visits.csv | semveil apply - --model survey.model --release visits\n"
      "  semveil apply part2.csv --model survey.model --release 2026-Q4 --first-row 1000000 -o "
      "p2.csv\n"
      "Another table than the fitted one, or a stream, needs --release: two releases must not "
      "share\n"
      "their errors. Which rows had which name is recorded in MODEL.releases; a name whose rows "
      "another\n"
      "table has is refused. A stream stops at the first bad batch; what was written stays. "
      "Swapping "
      "masks\n"
      "the fitted table alone; so do fuse, recode, generalize and microaggregate without "
      "--recheck.\n"
      "Memory: the model, the distinct values seen, and a few batches; swapping:\n"
      "some words more for every record.");
  add_table_argument(*verb, options->table);
  verb->add_option("--model", options->model, "What `semveil fit` wrote")
      ->type_name("FILE")
      ->required();
  verb->add_option("-o,--output", options->output,
                   "The masked table. Its ending tells the format; - is standard output, which "
                   "is the default where the table comes from standard input")
      ->type_name("FILE");
  verb->add_option("--key-file", options->key_file,
                   "The key, where the model was written with --no-key")
      ->type_name("FILE");
  add_release_option(*verb, options->release);
  verb->add_option("--first-row", options->first_row,
                   "Number of the table's first record, where a table comes in parts")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  verb->add_flag(
      "--recheck", options->recheck,
      "Mask another table than the fitted one, if what was promised holds for it, too. For fuse, "
      "recode, generalize, microaggregate");
  verb->add_flag("--again", options->again,
                 "Rows that a release of this name had may have it again: they are known to be the "
                 "same");
  add_trace_option(*verb, options->trace);
  add_seed_file_option(*verb, options->seed_file);
  add_temp_option(*verb, options->temp);
  add_fail_on_option(*verb, options->fail_on,
                     "No file is written then; what a stream has been answered stays");
  add_work(*verb, options->work);
  add_verbose(*verb, options->common);
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_apply(*options); }; });
}

}  // namespace semveil::cli
