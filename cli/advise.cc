#include <fmt/format.h>

#include "description.h"
#include "plan_options.h"
#include "progress.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

struct Options {
  Common common;
  Work work;
  PlanOptions plan;
  std::string table, temp;
  std::string keep = "means";
};

std::map<std::string, std::string> without_method(const Advice& advice) {
  std::map<std::string, std::string> parameters = advice.parameters;
  parameters.erase("method");
  return parameters;
}

// The block to paste into a plan.
std::string mask_block(const Advice& advice) {
  std::string out = fmt::format("[mask]\nmethod = \"{}\"\n", advice.method);
  for (const auto& [key, value] : without_method(advice)) {
    out += fmt::format("{} = {}\n", key, value);
  }
  return out;
}

Json to_json(const std::vector<Advice>& advices, const Options& options) {
  Json json{{"keep", options.keep}, {"advice", Json::array()}};
  for (const Advice& advice : advices) {
    json["advice"].push_back({{"method", advice.method},
                              {"parameters", parameters_json(without_method(advice))},
                              {"why", advice.why},
                              {"mask", mask_block(advice)}});
  }
  return json;
}

std::string to_text(const std::vector<Advice>& advices, const Options& options) {
  if (advices.empty()) return "Nothing here can be masked: give a column an ontology.\n";
  std::string out = fmt::format("{}: to keep the {} foremost\n", options.table, options.keep);
  for (std::size_t i = 0; i < advices.size(); ++i) {
    const Advice& advice = advices[i];
    if (i == 1) out += "\nWhat else comes into question\n";
    out += "\n" + wrapped("  ", fmt::format("{}: {}", advice.method,
                                            parameters_text(without_method(advice))));
    out += wrapped("    ", advice.why);
    if (i == 0) out += "\nFor the plan:\n\n" + mask_block(advice);
  }
  return out;
}

Status run(const Options& options) {
  const Result<PlanFile> plan = read_plan(options.plan);
  if (!plan) return fail(plan.error());
  const Result<Table> table =
      Table::open(options.table, completed(table_options(*plan), options.work, options.temp, ""));
  if (!table) return fail(table.error());
  ProgressLine progress(options.common, options.work);
  WorkOptions work = work_options(options.common, options.work, progress);
  work.every_column = true;
  const Result<Survey> surveyed = survey(*table, *plan, work);
  if (!surveyed) return fail(surveyed.error());
  const Result<std::vector<Advice>> advices =
      advise(*surveyed, *plan,
             options.keep == "correlation"     ? Keep::kCorrelation
             : options.keep == "distributions" ? Keep::kDistributions
                                               : Keep::kMeans);
  if (!advices) return fail(advices.error());
  progress.clear();
  if (options.common.json) return print_json(to_json(*advices, options));
  return options.common.quiet ? Status() : print_text(to_text(*advices, options));
}

}  // namespace

void add_advise(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(app, "advise", "Which method fits a table and a purpose, and why",
               "  semveil advise survey.csv --plan survey.toml\n"
               "  semveil advise survey.csv --plan survey.toml --keep correlation\n"
               "Prints the [mask] block to paste into the plan. Memory: as for describe.");
  add_table_argument(*verb, options->table);
  add_plan_options(*verb, options->plan);
  verb->add_option("--keep", options->keep,
                   "What matters most: means | correlation | distributions")
      ->check(CLI::IsMember({"means", "correlation", "distributions"}))
      ->capture_default_str();
  add_temp_option(*verb, options->temp);
  add_work(*verb, options->work);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace semveil::cli
