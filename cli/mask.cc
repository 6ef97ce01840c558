#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "findings.h"
#include "plan_options.h"
#include "progress.h"
#include "report_facts.h"
#include "summary.h"

namespace semveil::cli {
namespace {

struct MaskArguments {
  Common common;
  std::optional<Severity> fail_on;
  Work work;
  PlanOptions plan;
  ReportOptions report;
  std::string table, output, trace, row_map, temp, seed_file, release;
};

// The command that repeats the work, with everything but its secrets.
std::string command_of(const MaskArguments& options, bool seeded) {
  const Edition edition = edition_of(options.report);
  std::string out =
      "semveil mask " + file_word(options.table, edition) + plan_arguments(options.plan, edition);
  if (seeded) out += " --seed '<secret>'";
  if (!options.release.empty()) out += " --release " + shell_word(options.release);
  return out + " -o " + file_word(options.output, edition);
}

// The report of a release that has no name yet; it gets its own together with it.
Status add_report(const MaskArguments& options, const PlanFile& plan, const Table& table,
                  const Survey& survey, const Model& model, const WorkOptions& work,
                  const ReleaseFacts& release, PendingRelease& pending) {
  const std::optional<TableSink::Written> written = pending.written();
  TableOptions how = completed(table_options(plan), options.work, options.temp, options.output);
  how.separator = written->separator;
  how.quote = written->quote;
  const Result<Table> masked = Table::open(written->path, how);
  if (!masked) return fail(masked.error());
  PairOptions pairing;
  pairing.work = work;
  pairing.rows = &pending.input_rows();
  pairing.survey = &survey;
  pairing.model = &model;
  const Result<TablePair> pair = pair_tables(table, *masked, plan, pairing);
  if (!pair) return fail(pair.error());
  AuditOptions auditing;
  auditing.work = work;
  Result<Audit> found = audit(*pair, auditing);
  if (!found) return fail(found.error());
  add_findings_of_masking(findings_of(pending.result(), release), *found);
  const bool seeded = release.key == KeyOrigin::kSeed;
  const Edition edition = edition_of(options.report);
  const ReportFiles files{.original = options.table,
                          .masked = options.output,
                          .masked_bytes = written->path,
                          .version = SEMVEIL_VERSION,
                          .command = command_of(options, seeded),
                          .seeded = seeded,
                          .is_audit = false};
  const Result<ReportFacts> facts =
      report_facts(plan, files, edition, found->method, found->parameters);
  if (!facts) return fail(facts.error());
  Result<PendingFile> file = prepare_report(
      options.report.file, report_html(shown_to(*found, edition, plan), *facts), edition);
  if (!file) return fail(file.error());
  pending.add(*std::move(file));
  return {};
}

Result<PendingRelease> mask(const MaskArguments& options, const PlanFile& plan,
                            const KeyChoice& choice, const WorkOptions& work, ReleaseFacts& facts) {
  const Result<Table> table = Table::open(
      options.table, completed(table_options(plan), options.work, options.temp, options.output));
  if (!table) return fail(table.error());
  const Result<Survey> surveyed = survey(*table, plan, work);
  if (!surveyed) return fail(surveyed.error());
  const Result<Key> key = choice.make();
  if (!key) return fail(key.error());
  const Result<Model> model = Model::fit(*surveyed, plan, *key, work);
  if (!model) return fail(model.error());
  facts = facts_of(*model);
  facts.key = choice.origin();
  ApplyOptions apply_options;
  apply_options.work = work;
  apply_options.output = options.output;
  apply_options.trace = options.trace;
  apply_options.row_map = options.row_map;
  apply_options.keep_rows = !options.report.file.empty();
  apply_options.describe = work.figures;
  apply_options.survey = &*surveyed;
  Result<PendingRelease> pending = apply(*model, *table, apply_options);
  if (!pending || options.report.file.empty()) return pending;
  const Status reported =
      add_report(options, plan, *table, *surveyed, *model, work, facts, *pending);
  if (!reported) return fail(reported.error());
  return pending;
}

Status run_mask(const MaskArguments& options) {
  if (options.common.json && options.output == "-") {
    return fail(usage_error("--json and -o - both want standard output: leave one out"));
  }
  for (const std::string& file : {options.trace, options.row_map, options.report.file}) {
    if (file == "-") {
      return fail(
          usage_error("traces, row maps and reports cannot go to standard output: name a "
                      "file"));
    }
  }
  if (!options.report.file.empty() && !is_file(options.output)) {
    return fail(usage_error("--report needs a table that can be read again: name a file with -o"));
  }
  Result<PlanFile> plan = read_masking_plan(options.plan);
  if (!plan) return fail(plan.error());
  if (!options.release.empty()) plan->release = options.release;
  if (const Status status =
          keep_apart({options.output, options.trace, options.row_map, options.report.file},
                     {options.table, options.seed_file}, &*plan);
      !status) {
    return status;
  }
  const Result<KeyChoice> key = choose_key(options.work, options.seed_file, *plan);
  if (!key) return fail(key.error());
  const auto began = std::chrono::steady_clock::now();
  ProgressLine progress(options.common, options.work);
  WorkOptions work = work_options(options.common, options.work, progress);
  work.figures = work.figures || options.fail_on;  // some findings need them
  work.traced = !options.trace.empty();
  ReleaseFacts facts;
  Result<PendingRelease> pending = mask(options, *plan, *key, work, facts);
  progress.clear();
  if (!pending) return fail(pending.error());
  facts.table = options.table;
  facts.output = options.output;
  facts.trace = options.trace;
  for (const auto& [name, source] : plan->ontologies) {
    facts.ontologies.push_back(name + ": " + source);
  }
  facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return publish(*pending, facts, options.common, options.fail_on);
}

}  // namespace

void add_mask(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<MaskArguments>();
  CLI::App* verb = add_verb(
      app, "mask", "Mask a table; tell what was done, what it cost and what risk is left",
      "  semveil mask survey.csv --plan survey.toml -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml --alpha 0.5 --correlated -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml --method swap --k 10 -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml --method fuse --k 5 -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml --method ean --categories jobs.categories \\\n"
      "      -o released.csv\n"
      "  semveil mask survey.csv --plan survey.toml -o released.csv --report report.html\n"
      "  semveil mask survey.parquet --plan survey.toml --seed-file seed.txt -o released.parquet\n"
      "  zcat survey.csv.gz | semveil mask - --plan survey.toml -o - | gzip > released.csv.gz\n"
      "Everything else than the masked cells keeps its bytes. With -o - the summary goes to\n"
      "standard error. Memory: the ontologies, the distinct values of the plan's columns, the\n"
      "distinct tuples of the quasi-identifiers, and a few batches; swapping and its trace: some\n"
      "words more for every record; --row-map and --report: 8 bytes more; shuffled rows go\n"
      "through temporary files. --report takes as long as `semveil audit` of the two tables.");
  add_table_argument(*verb, options->table);
  add_plan_options(*verb, options->plan);
  verb->add_option("-o,--output", options->output,
                   "The masked table. Its ending tells the format; - is standard output")
      ->type_name("FILE")
      ->required();
  add_trace_option(*verb, options->trace);
  verb->add_option("--row-map", options->row_map,
                   "Write which record became which row (CSV). It undoes a shuffling: keep it "
                   "secret")
      ->type_name("FILE");
  add_report_options(*verb, options->report);
  add_release_option(*verb, options->release);
  add_seed_file_option(*verb, options->seed_file);
  add_temp_option(*verb, options->temp);
  add_mask_options(*verb, options->plan);
  add_fail_on_option(*verb, options->fail_on, "Nothing is written then");
  add_work(*verb, options->work);
  add_max_work(*verb, options->work);
  add_verbose(*verb, options->common);
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_mask(*options); }; });
}

}  // namespace semveil::cli
