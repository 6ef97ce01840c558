#include <fmt/format.h>

#include <chrono>

#include "plan_options.h"
#include "progress.h"
#include "summary.h"

namespace semveil::cli {
namespace {

struct Options {
  Common common;
  Work work;
  PlanOptions plan;
  std::string table, output, trace, temp, seed_file, release;
};

Result<PendingRelease> mask(const Options& options, const PlanFile& plan, const Key& key,
                            const WorkOptions& work, ReleaseFacts& facts) {
  const Result<Table> table = Table::open(
      options.table, completed(table_options(plan), options.work, options.temp, options.output));
  if (!table) return fail(table.error());
  const Result<Survey> surveyed = survey(*table, plan, work);
  if (!surveyed) return fail(surveyed.error());
  const Result<Model> model = Model::fit(*surveyed, plan, key, work);
  if (!model) return fail(model.error());
  facts = facts_of(*model);
  ApplyOptions apply_options;
  apply_options.work = work;
  apply_options.output = options.output;
  apply_options.trace = options.trace;
  apply_options.describe = work.figures;
  apply_options.survey = &*surveyed;
  return apply(*model, *table, apply_options);
}

Status run(const Options& options) {
  if (options.common.json && options.output == "-") {
    return fail(usage_error("--json and -o - both want standard output: leave one out"));
  }
  if (options.trace == "-") {
    return fail(usage_error("a trace cannot go to standard output: name a file"));
  }
  Result<PlanFile> plan = read_masking_plan(options.plan);
  if (!plan) return fail(plan.error());
  if (!options.release.empty()) plan->release = options.release;
  if (const Status status =
          keep_apart({options.output, options.trace}, {options.table, options.seed_file}, &*plan);
      !status) {
    return status;
  }
  const Result<ChosenKey> key = choose_key(options.work, options.seed_file, *plan);
  if (!key) return fail(key.error());
  const auto began = std::chrono::steady_clock::now();
  ProgressLine progress(options.common, options.work);
  WorkOptions work = work_options(options.common, options.work, progress);
  work.traced = !options.trace.empty();
  ReleaseFacts facts;
  Result<PendingRelease> pending = mask(options, *plan, key->key, work, facts);
  progress.clear();
  if (!pending) return fail(pending.error());
  facts.table = options.table;
  facts.output = options.output;
  facts.trace = options.trace;
  for (const auto& [name, source] : plan->ontologies) {
    facts.ontologies.push_back(name + ": " + source);
  }
  facts.key = key->origin;
  facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return publish(*pending, facts, options.common);
}

}  // namespace

void add_mask(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      app, "mask", "Mask a table; tell what was done, what it cost and what risk is left",
      "  semveil mask survey.csv --plan survey.toml -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml --alpha 0.5 --correlated -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml --method swap --k 10 -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml --method fuse --k 5 -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml --method ean --categories jobs.categories \\\n"
      "      -o released.csv\n"
      "  semveil mask survey.parquet --plan survey.toml --seed-file seed.txt -o released.parquet\n"
      "  zcat survey.csv.gz | semveil mask - --plan survey.toml -o - | gzip > released.csv.gz\n"
      "Everything else than the masked cells keeps its bytes. With -o - the summary goes to\n"
      "standard error. Memory: the ontologies, the distinct values of the plan's columns, the\n"
      "distinct tuples of the quasi-identifiers, and a few batches; swapping and its trace: some\n"
      "words more for every record; shuffled rows go through temporary files.");
  add_table_argument(*verb, options->table);
  add_plan_options(*verb, options->plan);
  verb->add_option("-o,--output", options->output,
                   "The masked table; its ending tells the format, - is standard output")
      ->type_name("FILE")
      ->required();
  add_trace_option(*verb, options->trace);
  add_release_option(*verb, options->release);
  add_seed_file_option(*verb, options->seed_file);
  add_temp_option(*verb, options->temp);
  add_mask_options(*verb, options->plan);
  add_work(*verb, options->work);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace semveil::cli
