#include "description.h"
#include "plan_options.h"
#include "progress.h"
#include "semveil/json.h"

namespace semveil::cli {
namespace {

struct DescribeArguments {
  Common common;
  Work work;
  PlanOptions plan;
  std::string table, temp;
};

Status run_describe(const DescribeArguments& options) {
  const Result<PlanFile> plan = read_plan(options.plan);
  if (!plan) return fail(plan.error());
  const Result<Table> table =
      Table::open(options.table, completed(table_options(*plan), options.work, options.temp, ""));
  if (!table) return fail(table.error());
  ProgressLine progress(options.common, options.work);
  WorkOptions work = work_options(options.common, options.work, progress);
  work.every_column = true;
  const Result<Survey> surveyed =
      survey(*table, without_absent_identifiers(*plan, {&*table}), work);
  if (!surveyed) return fail(surveyed.error());
  const Result<Description> description = describe(*surveyed, work);
  if (!description) return fail(description.error());
  progress.clear();
  const std::vector<Finding> findings = findings_of(*surveyed, *plan, *description);
  if (options.common.json) return print_json(to_json(*description, findings));
  return options.common.quiet
             ? Status()
             : print_text(to_text(*description, findings, options.table, options.common.verbose));
}

}  // namespace

void add_describe(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<DescribeArguments>();
  CLI::App* verb = add_verb(
      app, "describe", "Semantic statistics of a table, and its risk before masking",
      "  semveil describe survey.csv --plan survey.toml\n"
      "  semveil describe survey.parquet --plan survey.toml --json\n"
      "  zcat survey.csv.gz | semveil describe - --plan survey.toml\n"
      "The plan needs neither an ontology nor [mask]. Memory: the ontologies, the distinct\n"
      "values of the plan's columns and the distinct tuples of the quasi-identifiers.");
  add_table_argument(*verb, options->table);
  add_plan_options(*verb, options->plan);
  add_temp_option(*verb, options->temp);
  add_work(*verb, options->work);
  add_verbose(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_describe(*options); }; });
}

}  // namespace semveil::cli
