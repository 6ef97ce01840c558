#include <fmt/format.h>

#include "column_table.h"
#include "description.h"
#include "findings.h"
#include "plan_options.h"
#include "progress.h"
#include "semveil/files.h"
#include "semveil/json.h"
#include "summary.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

struct FitArguments {
  Common common;
  std::optional<Severity> fail_on;
  Work work;
  PlanOptions plan;
  std::string table, output, temp, seed_file, key_out;
  bool no_key = false;
};

struct Fitted {
  Model model;
  Key key;
  std::uint64_t records;
  std::vector<Survey::PassedThrough> telling;
};

Result<Fitted> fit_on_statistics(const PlanFile& plan, const KeyChoice& choice,
                                 const WorkOptions& work) {
  const Result<Survey> declared = survey_of_statistics(plan, work);
  if (!declared) return fail(declared.error());
  const Result<Key> key = choice.make();
  if (!key) return fail(key.error());
  Result<Model> model = Model::fit(*declared, plan, *key, work);
  if (!model) return fail(model.error());
  return Fitted{*std::move(model), *key, 0, {}};
}

Result<Fitted> fit(const FitArguments& options, const PlanFile& plan, const KeyChoice& choice,
                   const WorkOptions& work) {
  if (options.table.empty()) return fit_on_statistics(plan, choice, work);
  const Result<Table> table = Table::open(
      options.table, completed(table_options(plan), options.work, options.temp, options.output));
  if (!table) return fail(table.error());
  const Result<Survey> surveyed = survey(*table, plan, work);
  if (!surveyed) return fail(surveyed.error());
  const Result<Key> key = choice.make();
  if (!key) return fail(key.error());
  Result<Model> model = Model::fit(*surveyed, plan, *key, work);
  if (!model) return fail(model.error());
  return Fitted{*std::move(model), *key, surveyed->records(), surveyed->telling()};
}

FittedModel file_facts(const FitArguments& options, const Fitted& fitted, std::uint64_t bytes,
                       KeyOrigin origin) {
  FittedModel out;
  out.path = options.output;
  out.bytes = bytes;
  if (!options.table.empty()) out.records = fitted.records;
  out.telling = fitted.telling;
  out.facts = {!options.no_key, origin};
  out.facts.pseudonyms = pseudonym_columns(fitted.model.steps());
  return out;
}

// What noise aims at: a row a column where there are many, or where it is asked for.
std::string learned_text(const Model& model, bool verbose) {
  const std::optional<Model::Statistics> learned = model.statistics();
  if (!learned || (learned->columns.size() < kManyColumns && !verbose)) return "";
  TextTable table({TextTable::Align::kLeft, TextTable::Align::kLeft, TextTable::Align::kRight});
  table.add({"column", "mean", "variance"});
  for (const Model::Statistics::Column& column : learned->columns) {
    table.add({name_cell(column.name), name_cell(column.mean), figure(column.variance)});
  }
  return "\nWhat the errors are drawn around\n" + table.text();
}

std::string fit_text(const FitArguments& options, const Fitted& fitted, const FittedModel& file) {
  std::string key = "in the model";
  if (options.no_key) {
    key = options.key_out.empty()
              ? "not in the model: `apply` needs the seed"
              : fmt::format("not in the model: `apply --key-file {}` needs it", options.key_out);
  }
  const std::vector<Finding> findings = findings_of(file.telling, file.facts);
  std::string out = warnings_text(findings);
  const bool has_table = !options.table.empty();
  out += fmt::format("{}: {} fitted on {}\n", options.output, fitted.model.method(),
                     has_table ? options.table : "the statistics that the plan declares");
  if (has_table) out += wrapped("  records      ", grouped(fitted.records));
  const std::vector<StepFacts> steps = fitted.model.steps();
  const std::vector<std::string> columns =
      steps.size() == 1 ? steps.front().columns : fitted.model.masked_columns();
  if (!columns.empty()) out += wrapped("  columns      ", listed(columns));
  out += steps_text(steps, fitted.model.parameters());
  out += wrapped("  key          ", key);
  out += wrapped("  size         ", counted(file.bytes, "byte", "bytes"));
  return out + learned_text(fitted.model, options.common.verbose) + notes_text(findings);
}

Status check(const FitArguments& options) {
  if (options.output == "-") {
    return fail(usage_error("a model is secret and cannot go to standard output: name a file"));
  }
  if (options.key_out == "-") {
    return fail(usage_error("a key is secret and cannot go to standard output: name a file"));
  }
  if (!options.key_out.empty() && !options.no_key) {
    return fail(usage_error("--key-out goes with --no-key: else the model holds the key"));
  }
  return {};
}

Status run_fit(const FitArguments& options) {
  if (const Status status = check(options); !status) return status;
  const Result<PlanFile> plan = read_masking_plan(options.plan);
  if (!plan) return fail(plan.error());
  if (const Status status =
          keep_apart({options.output, options.key_out}, {options.table, options.seed_file}, &*plan);
      !status) {
    return status;
  }
  const Result<KeyChoice> key = choose_key(options.work, options.seed_file, *plan);
  if (!key) return fail(key.error());
  if (options.no_key && options.key_out.empty() && key->origin() == KeyOrigin::kFresh) {
    return fail(usage_error("--no-key would lose the key: add --key-out FILE, or give a seed"));
  }
  ProgressLine progress(options.common, options.work);
  WorkOptions work = work_options(options.common, options.work, progress);
  work.figures = false;  // nothing is described
  const Result<Fitted> fitted = fit(options, *plan, *key, work);
  progress.clear();
  if (!fitted) return fail(fitted.error());
  Result<PendingFile> pending = fitted->model.prepare(
      options.output, options.no_key ? Model::KeyIn::kNo : Model::KeyIn::kYes);
  if (!pending) return fail(pending.error());
  std::vector<PendingFile> files;  // the key first: a model whose key is lost is of no use
  if (!options.key_out.empty()) {
    const std::string digits = fitted->key.hex() + "\n";
    const std::string_view piece = digits;
    Result<PendingFile> written = PendingFile::write(options.key_out, {&piece, 1}, 0600);
    if (!written) return fail(written.error());
    files.push_back(*std::move(written));
  }
  // Said before anything is committed: if it cannot be printed, no file appears.
  const FittedModel file = file_facts(options, *fitted, pending->size(), key->origin());
  Status said;
  if (options.common.json) {
    said = print_json(to_json(fitted->model, file));
  } else if (!options.common.quiet) {
    said = print_text(fit_text(options, *fitted, file));
  }
  if (!said) return said;
  Status refused = refuse_findings(findings_of(file.telling, file.facts), options.fail_on,
                                   "the model is not written");
  if (!refused) return refused;
  std::string written = "\nWritten to " + options.output;
  written += replaced_text(options.output, pending->in_place());
  if (!files.empty()) {
    written += "; the key to " + options.key_out;
    written += replaced_text(options.key_out, files.front().in_place());
  }
  files.push_back(*std::move(pending));
  if (Status kept = commit_together(std::move(files), options.common.sync); !kept) return kept;
  if (!options.common.json && !options.common.quiet) print_afterwards(written + "\n");
  return {};
}

}  // namespace

void add_fit(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<FitArguments>();
  CLI::App* verb = add_verb(
      app, "fit", "The first half of mask: learn from a table, write a model",
      "  semveil fit survey.csv --plan survey.toml -o survey.model\n"
      "  semveil fit survey.csv --plan survey.toml -o survey.model --no-key --key-out survey.key\n"
      "  semveil apply survey.csv --model survey.model -o released.csv\n"
      "  semveil fit --plan statistics.toml -o stream.model   # noise on declared statistics\n"
      "A model holds the key and original values: it is as secret as the table. Without TABLE the "
      "plan\n"
      "declares mean and variance of every masked column, and covariance for correlated noise "
      "(see\n"
      "docs/formats/plan.md); --json tells those of a fit. Memory: as for mask.");
  add_table_argument(*verb, options->table)->required(false);
  add_plan_options(*verb, options->plan);
  verb->add_option("-o,--output", options->output, "The model")->type_name("FILE")->required();
  verb->add_flag("--no-key", options->no_key, "Leave the key out of the model");
  verb->add_option("--key-out", options->key_out,
                   "With --no-key: write the key here, 64 hexadecimal digits")
      ->type_name("FILE");
  add_seed_file_option(*verb, options->seed_file);
  add_temp_option(*verb, options->temp);
  add_mask_options(*verb, options->plan);
  add_fail_on_option(*verb, options->fail_on, "No model is written then");
  add_work(*verb, options->work);
  add_max_work(*verb, options->work);
  add_verbose(*verb, options->common);
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_fit(*options); }; });
}

}  // namespace semveil::cli
