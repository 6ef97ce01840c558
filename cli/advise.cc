#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare_text.h"
#include "description.h"
#include "plan_options.h"
#include "progress.h"
#include "semveil/compare.h"
#include "semveil/plan_text.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

struct Options {
  Common common;
  Work work;
  PlanOptions plan;
  std::string table, temp, seed_file;
  std::string keep = "means";
  std::optional<double> max_risk;
  std::string risk;  // empty: the usual one of each method
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

// ---- Parameters under a demanded risk -----------------------------------------------------------

// The [mask] of what was found: the plan's own keys with it.
Result<Advice> advice_of(const ComparedRelease& release, const PlanFile& plan) {
  const Result<PlanFile> parsed = PlanFile::parse(release.plan, plan.path);
  if (!parsed) return fail(parsed.error());
  return Advice{parsed->mask->method, mask_values(*parsed->mask, plan.folder), ""};
}

Error unreachable(const Search& search) {
  const ComparedRelease* least = nullptr;
  for (const ComparedRelease& release : search.tried) {
    if (release.risk && (least == nullptr || *release.risk < *least->risk)) least = &release;
  }
  return {ErrorCode::kGuarantee,
          fmt::format("no parameters that were tried have a risk of at most {}{}; allow more, or "
                      "choose another --risk (a vulnerability is never below the share of the most "
                      "frequent value)",
                      search.most,
                      least == nullptr ? ""
                                       : fmt::format(": the least is {:.4g}, by {}", *least->risk,
                                                     least->label)),
          {},
          {},
          {}};
}

Json to_json(const Search& search, const std::optional<Advice>& found) {
  Json json{{"max_risk", search.most},
            {"risk", search.risk ? Json(to_string(*search.risk)) : Json(nullptr)},
            {"keep", to_string(search.keep)},
            {"found", search.found ? Json(*search.found + 1) : Json(nullptr)},
            {"mask", found ? Json(mask_block(*found)) : Json(nullptr)},
            {"tried", Json::array()}};
  for (const ComparedRelease& release : search.tried) {
    json["tried"].push_back(release_json(release));
  }
  return json;
}

std::string to_text(const Search& search, const std::optional<Advice>& found,
                    const Options& options) {
  const std::string risk =
      search.risk ? fmt::format("risk ({})", to_string(*search.risk))
                  : std::string(
                        "risk (vulnerability of methods that draw per cell, prosecutor of "
                        "the others)");
  std::string out =
      wrapped("", fmt::format("{}: the least loss of the {} with a {} of at most {}", options.table,
                              to_string(search.keep), risk, search.most));
  out += "\nTried, in this order\n" + releases_table(search.tried);
  if (found) {
    const ComparedRelease& release = search.tried[*search.found];
    out += "\n" + wrapped("", fmt::format("Found: {}, with a risk of {:.4g} and a loss of {:.4g}",
                                          release.label, *release.risk, *release.loss));
    out += "\nFor the plan:\n\n" + mask_block(*found);
  }
  return out;
}

Status run_search(const Options& options, const PlanFile& plan, const Table& table) {
  const Result<KeyChoice> choice = choose_key(options.work, options.seed_file, plan);
  if (!choice) return fail(choice.error());
  const Result<Key> key = choice->make();
  if (!key) return fail(key.error());
  ProgressLine progress(options.common, options.work, ProgressLine::Unit::kRuns);
  SearchOptions wanted;
  wanted.work = work_options(options.common, options.work, progress);
  wanted.most = *options.max_risk;
  if (!options.risk.empty()) wanted.risk = risk_named(options.risk);
  wanted.keep = keep_named(options.keep);
  Result<Search> search = search_parameters(table, plan, *key, wanted);
  progress.clear();
  if (!search) return fail(search.error());
  std::optional<Advice> found;
  if (search->found) {
    search->tried[*search->found].is_best = true;
    Result<Advice> advice = advice_of(search->tried[*search->found], plan);
    if (!advice) return fail(advice.error());
    found = *std::move(advice);
  }
  if (options.common.json) {
    if (const Status status = print_json(to_json(*search, found)); !status) return status;
  } else if (!options.common.quiet) {
    const Status status = print_text(to_text(*search, found, options));
    if (!status) return status;
  }
  return found ? Status() : fail(unreachable(*search));
}

Status run(const Options& options) {
  if (options.max_risk && !(*options.max_risk >= 0 && *options.max_risk <= 1)) {
    return fail(usage_error("--max-risk: a risk lies from 0 to 1"));
  }
  if (!options.max_risk && !options.risk.empty()) {
    return fail(usage_error("--risk says which risk --max-risk limits: give both"));
  }
  const Result<PlanFile> plan = read_plan(options.plan);
  if (!plan) return fail(plan.error());
  const Result<Table> table =
      Table::open(options.table, completed(table_options(*plan), options.work, options.temp, ""));
  if (!table) return fail(table.error());
  if (options.max_risk) return run_search(options, *plan, *table);
  ProgressLine progress(options.common, options.work);
  WorkOptions work = work_options(options.common, options.work, progress);
  work.every_column = true;
  const Result<Survey> surveyed = survey(*table, *plan, work);
  if (!surveyed) return fail(surveyed.error());
  const Result<std::vector<Advice>> advices =
      advise(*surveyed, *plan,
             keep_named(options.keep) == KeepKind::kCorrelation    ? Keep::kCorrelation
             : keep_named(options.keep) == KeepKind::kDistribution ? Keep::kDistributions
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
               "  semveil advise survey.csv --plan survey.toml --max-risk 0.1 --keep mean\n"
               "  semveil advise survey.csv --plan survey.toml --max-risk 0.05 --risk linkage\n"
               "Prints the [mask] block to paste into the plan. With --max-risk the methods'\n"
               "parameters (alpha, k, l) are searched for the least loss, and what was tried is\n"
               "told. Memory: as for describe; with --max-risk as for compare.");
  add_table_argument(*verb, options->table);
  add_plan_options(*verb, options->plan);
  verb->add_option("--keep", options->keep,
                   "What matters most: mean | variance | correlation | distribution")
      ->check(CLI::IsMember(
          {"mean", "means", "variance", "correlation", "distribution", "distributions"}))
      ->capture_default_str();
  verb->add_option("--max-risk", options->max_risk,
                   "Search the parameters with the least loss whose risk is at most this")
      ->type_name("NUMBER");
  verb->add_option("--risk", options->risk,
                   "With --max-risk: prosecutor | linkage | vulnerability; by default "
                   "vulnerability for methods that draw per cell, prosecutor for the others")
      ->check(CLI::IsMember({"prosecutor", "linkage", "vulnerability"}));
  add_seed_file_option(*verb, options->seed_file);
  add_temp_option(*verb, options->temp);
  add_work(*verb, options->work);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace semveil::cli
