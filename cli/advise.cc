#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compare_text.h"
#include "description.h"
#include "findings.h"
#include "plan_options.h"
#include "progress.h"
#include "semveil/compare.h"
#include "semveil/json.h"
#include "semveil/method.h"
#include "semveil/plan_text.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

struct AdviseArguments {
  Common common;
  Work work;
  PlanOptions plan;
  std::string table, temp, seed_file;
  std::string keep = "means";
  std::optional<double> max_risk;
  std::string risk;  // empty: the greatest
};

// Nothing is released: without a seed the same advice is given every time.
Result<Key> key_of(const AdviseArguments& options, const PlanFile& plan) {
  const Result<KeyChoice> choice = choose_key(options.work, options.seed_file, plan);
  if (!choice) return fail(choice.error());
  if (choice->origin() == KeyOrigin::kSeed) return choice->make();
  constexpr std::array<unsigned char, Key::kSize> kFixed{'a', 'd', 'v', 'i', 'c', 'e'};
  return Key::from_bytes(kFixed);
}

std::map<std::string, std::string> without_method(const Advice& advice) {
  std::map<std::string, std::string> parameters = advice.parameters;
  parameters.erase("method");
  return parameters;
}

std::string uniques_text(std::uint64_t uniques, const std::optional<std::uint64_t>& persons) {
  return persons ? counted(uniques, "unique person", "unique persons")
                 : counted(uniques, "unique record", "unique records");
}

// What the trial measured, and what it leaves.
std::string trial_text(const Proposal& proposal, KeepKind keep) {
  std::string out;
  if (proposal.trial && proposal.trial->audit) {
    const ComparedRelease& trial = *proposal.trial;
    out += wrapped(
        "    ",
        fmt::format(
            "risk {} ({}); loss {}{}", figure(trial.risk), trial.risk_name, loss_text(trial, keep),
            trial.uniques
                ? fmt::format("; {} left", uniques_text(*trial.uniques, trial.audit->persons))
                : ""));
  } else if (proposal.why_not.empty()) {
    out += wrapped("    ", "not tried: the file of categories is still to be written");
  }
  if (!proposal.unmasked.empty()) {
    out += wrapped("    ", fmt::format("leaves as they are: {}", listed(proposal.unmasked)));
  }
  return out;
}

std::string head_text(const Proposals& proposals, const AdviseArguments& options) {
  std::string out = fmt::format("{}: to keep the {} foremost\n", options.table, options.keep);
  if (!proposals.quasi_identifiers.empty()) {
    out += wrapped("  ", fmt::format("{}: {}",
                                     counted(proposals.quasi_identifiers.size(), "quasi-identifier",
                                             "quasi-identifiers"),
                                     listed(proposals.quasi_identifiers)));
  }
  if (proposals.tried_on == proposals.records) out += wrapped("  ", "tried on all records");
  return out;
}

std::string title_of(const Proposal& proposal) {
  const auto parameters = without_method(proposal.advice);
  return parameters.empty()
             ? proposal.advice.method
             : fmt::format("{}: {}", proposal.advice.method, parameters_text(parameters));
}

std::string advise_text(const Proposals& proposals, const AdviseArguments& options) {
  const std::vector<Finding> findings = findings_of(proposals);
  std::string out = warnings_text(findings) + head_text(proposals, options);
  for (std::size_t i = 0; i < proposals.proposed.size(); ++i) {
    const Proposal& proposal = proposals.proposed[i];
    if (i == 1) out += "\nWhat else comes into question\n";
    out += "\n" + wrapped("  ", title_of(proposal));
    out += wrapped("    ", proposal.advice.why);
    out += trial_text(proposal, proposals.keep);
    if (i == 0) out += "\nFor the plan:\n\n" + mask_block(proposal.advice);
  }
  if (!proposals.passed_over.empty()) out += "\nTried and passed over\n";
  for (const Proposal& proposal : proposals.passed_over) {
    out += "\n" + wrapped("  ", title_of(proposal));
    out += wrapped("    ", proposal.why_not);
    out += trial_text(proposal, proposals.keep);
  }
  return out + left_out_text(proposals.left_out) + notes_text(findings);
}

// ---- Parameters under a demanded risk -----------------------------------------------------------

// The [mask] of what was found: the plan's own keys with it.
Result<Advice> advice_of(const ComparedRelease& release, const PlanFile& plan) {
  const Result<PlanFile> parsed = PlanFile::parse(release.plan, plan.path);
  if (!parsed) return fail(parsed.error());
  const MaskStep& step = parsed->steps.empty() ? parsed->recodings.front() : parsed->steps.front();
  return Advice{std::string(step.about().name), mask_values(step, plan.folder), ""};
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
                                       : fmt::format(": the least is {:.4g} ({}), by {}",
                                                     *least->risk, least->risk_name, least->label)),
          {},
          {},
          {}};
}

std::string advise_text(const Search& search, const std::optional<Advice>& found,
                        const AdviseArguments& options) {
  const std::string risk =
      search.risk == RiskKind::kGreatest
          ? "risk (the greatest of the figures that apply to the method)"
          : fmt::format("risk ({}; nobody found for certain)", to_string(search.risk));
  std::string out =
      wrapped("", fmt::format("{}: the least loss (half RMSE, half {}) with a {} of at most {}",
                              options.table, to_string(search.keep), risk, search.most));
  ReleaseRows rows{&search.tried, nullptr, std::vector<bool>(search.tried.size()), search.keep};
  if (search.found) rows.starred[*search.found] = true;
  out += "\nTried, in this order\n" + releases_table(rows);
  if (found) {
    const ComparedRelease& release = search.tried[*search.found];
    out += "\n" + wrapped("", fmt::format("Found: {}, with a risk of {:.4g} ({}) and a loss of {}",
                                          release.label, *release.risk, release.risk_name,
                                          loss_text(release, search.keep)));
    out += "\nFor the plan:\n\n" + mask_block(*found);
  }
  // Whether parameters were found is said above.
  std::vector<Finding> findings = findings_of(search);
  std::erase_if(findings, [](const Finding& f) { return f.id.ends_with("parameters-found"); });
  return warnings_text(findings) + out + left_out_text(search.left_out) + notes_text(findings);
}

Status run_search(const AdviseArguments& options, const PlanFile& plan, const Table& table) {
  const Result<Key> key = key_of(options, plan);
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
    Result<Advice> advice = advice_of(search->tried[*search->found], plan);
    if (!advice) return fail(advice.error());
    found = *std::move(advice);
  }
  if (options.common.json) {
    if (const Status status = print_json(to_json(*search, found)); !status) return status;
  } else if (!options.common.quiet) {
    const Status status = print_text(advise_text(*search, found, options));
    if (!status) return status;
  }
  return found ? Status() : fail(unreachable(*search));
}

Status run_advise(const AdviseArguments& options) {
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
  const Result<Key> key = key_of(options, *plan);
  if (!key) return fail(key.error());
  ProgressLine progress(options.common, options.work);
  const WorkOptions work = work_options(options.common, options.work, progress);
  const Result<Proposals> proposals = propose(*table, *plan, *key, keep_named(options.keep), work);
  progress.clear();
  if (!proposals) return fail(proposals.error());
  if (options.common.json) {
    if (const Status status = print_json(to_json(*proposals, options.keep)); !status) return status;
  } else if (!options.common.quiet) {
    if (const Status status = print_text(advise_text(*proposals, options)); !status) return status;
  }
  if (!proposals->proposed.empty()) return {};
  return fail(Error{ErrorCode::kGuarantee,
                    "nothing that was tried does what it is for: see what was passed over",
                    {},
                    {},
                    {}});
}

}  // namespace

void add_advise(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<AdviseArguments>();
  CLI::App* verb =
      add_verb(app, "advise", "Which method fits a table and a purpose, and why",
               "  semveil advise survey.csv --plan survey.toml\n"
               "  semveil advise survey.csv --plan survey.toml --keep correlation\n"
               "  semveil advise survey.csv --plan survey.toml --max-risk 0.1 --keep mean\n"
               "  semveil advise survey.csv --plan survey.toml --max-risk 0.05 --risk linkage\n"
               "Methods that come into question are tried in memory, on 20,000 records where\n"
               "there are more; the [mask] block of the one nearest to no risk and no loss is\n"
               "printed, to paste into the plan. With --max-risk the methods' parameters (alpha,\n"
               "k, l) are searched for the least loss, and what was tried is told. Risk is the\n"
               "greatest of the figures that apply to the method, loss half the mean RMSE of the\n"
               "masked columns and half what --keep says. Memory: as for compare.");
  add_table_argument(*verb, options->table);
  add_plan_options(*verb, options->plan);
  verb->add_option("--keep", options->keep,
                   "What matters most: mean, variance, correlation or distribution")
      ->check(CLI::IsMember(
                  {"mean", "means", "variance", "correlation", "distribution", "distributions"})
                  .description(""))
      ->type_name("NAME")
      ->default_str("mean");
  verb->add_option("--max-risk", options->max_risk,
                   "Search the parameters with the least loss whose risk is at most this")
      ->type_name("NUMBER");
  add_risk_option(*verb, options->risk);
  add_seed_file_option(*verb, options->seed_file);
  add_temp_option(*verb, options->temp);
  add_work(*verb, options->work);
  add_max_work(*verb, options->work);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_advise(*options); }; });
}

}  // namespace semveil::cli
