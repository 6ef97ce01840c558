#include "semveil/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "compare_text.h"
#include "findings.h"
#include "help.h"
#include "option_names.h"
#include "plan_options.h"
#include "progress.h"
#include "report_facts.h"
#include "semveil/files.h"
#include "semveil/json.h"
#include "semveil/plan_text.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

struct CompareArguments {
  Common common;
  Work work;
  PlanOptions plan;
  ReportOptions report;
  std::string table, temp, seed_file;
  std::vector<std::string> tries, exported;
  std::string risk = "greatest", keep = "correlation";
  std::optional<double> max_risk;
  std::size_t clusters = 0;
  double holdout = 0;
};

// The one to export: by its number or mark in the table, or `best`; and why.
Result<Choice> chosen(const Comparison& comparison, const std::string& which) {
  const std::vector<ComparedRelease>& all = comparison.releases;
  if (which != "best") {
    const std::optional<std::size_t> row = row_named(which, all.size());
    if (row) return Choice{*row, fmt::format("Row {} was asked for", *row + 1)};
    return fail(usage_error(fmt::format("--export-plan: write best, or the row of a configuration, "
                                        "from 1 to {}",
                                        all.size()))
                    .quoting(which));
  }
  std::optional<Choice> best = choose_best(comparison);
  if (best) return *std::move(best);
  return fail(Error{
      ErrorCode::kGuarantee,
      "--export-plan best: " + (comparison.most
                                    ? verdict(comparison)
                                    : std::string("every row is dominated by doing nothing, or "
                                                  "has no risk and loss: none is safer")),
      {},
      {},
      {}});
}

Result<PendingFile> export_plan(const ComparedRelease& release, const PlanFile& plan,
                                const CompareArguments& options) {
  const Result<PlanFile> parsed = PlanFile::parse(release.plan, plan.path);
  if (!parsed) return fail(parsed.error());
  const std::string folder = std::filesystem::path(options.exported[1]).parent_path().string();
  const std::string text = to_toml(*parsed, folder);
  const std::string_view piece = text;
  return PendingFile::write(options.exported[1], {&piece, 1});
}

// The command that repeats the work, with everything but its secrets.
std::string command_of(const CompareArguments& options, bool seeded) {
  const Edition edition = edition_of(options.report);
  std::string out = "semveil compare " + file_word(options.table, edition) +
                    plan_arguments(options.plan, edition);
  const auto add = [&](std::string_view name, const std::string& word) {
    out += fmt::format(" {} {}", name, word);
  };
  for (const std::string& text : options.tries) add("--try", shell_word(text));
  add("--risk", options.risk);
  add("--keep", options.keep);
  if (options.max_risk) add("--max-risk", fmt::format("{}", *options.max_risk));
  if (options.holdout > 0) add("--holdout", fmt::format("{}", options.holdout));
  if (options.clusters > 0) add("--clusters", std::to_string(options.clusters));
  if (!options.exported.empty()) {
    add("--export-plan",
        shell_word(options.exported[0]) + " " + file_word(options.exported[1], edition));
  }
  if (seeded) add("--seed", "'<secret>'");
  add("--report", file_word(options.report.file, edition));
  if (edition == Edition::kSteward) add("--edition", options.report.edition);
  return out;
}

Result<PendingFile> report_of(const Comparison& comparison, const PlanFile& plan,
                              const CompareArguments& options, bool seeded) {
  const Edition edition = edition_of(options.report);
  ReportFiles files;
  files.original = options.table;
  files.version = SEMVEIL_VERSION;
  files.command = command_of(options, seeded);
  files.seeded = seeded;
  const Result<ReportFacts> facts = report_facts(plan, files, edition, "", {});
  if (!facts) return fail(facts.error());
  const Comparison shown = shown_to(comparison, edition, plan);
  return prepare_report(options.report.file, comparison_html(shown, *facts), edition);
}

std::string export_text(const Comparison& comparison, const ExportedPlan& exported) {
  const std::string& label = comparison.releases[exported.row].label;
  return "\n" + wrapped("", fmt::format("Written to {}: row {}, {}. {}.", exported.file,
                                        exported.row + 1, label, naming_options(exported.why)));
}

std::string compare_text(const Comparison& comparison, const CompareArguments& options) {
  std::string out =
      fmt::format("{}: {}", options.table, counted(comparison.records, "record", "records"));
  if (comparison.held_out > 0) {
    out += fmt::format(", {} set aside", grouped(comparison.held_out));
  }
  ReleaseRows rows{&comparison.releases, &comparison.unchanged, {}, comparison.keep};
  for (const ComparedRelease& release : comparison.releases) {
    rows.starred.push_back(release.not_dominated);
  }
  out += fmt::format("\n\n{}\n", releases_table(rows));
  out += wrapped("  ", fmt::format("risk: {}; loss: half the mean RMSE of the masked columns, half "
                                   "the loss of the {}",
                                   comparison.risk == RiskKind::kGreatest
                                       ? "the greatest of the figures that apply to the method"
                                       : to_string(comparison.risk),
                                   to_string(comparison.keep)));
  out += wrapped("  * ",
                 "not dominated: safer than doing nothing, and no row has less risk and not "
                 "more loss, or less loss and not more risk");
  out += "\n" + wrapped("", naming_options(verdict(comparison) + "."));
  if (comparison.held_out > 0) {
    out += "\nAttacks on the released records, and on those set aside as control\n\n" +
           attacks_table(comparison);
  }
  // The verdict says the others in words, the rows why they failed.
  std::vector<Finding> findings = findings_of(comparison);
  std::erase_if(findings, [](const Finding& f) {
    constexpr std::array<std::string_view, 3> kToldHere{
        "secrets-not-in-risk", "nearly-unique-released", "column-released-unmasked"};
    return std::ranges::find(kToldHere, f.id) == kToldHere.end();
  });
  return warnings_text(findings) + out + "\n" + risk_utility_map(comparison) +
         left_out_text(comparison.left_out) + notes_text(findings);
}

Result<std::vector<Configuration>> configurations(const CompareArguments& options) {
  std::vector<Configuration> all;
  for (const std::string& text : options.tries) {
    const auto some = parse_configurations(text);
    if (!some) return fail(Error(some.error()).at("--try"));
    all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

// What was compared, and which plan of it is written.
Status show(const Comparison& comparison, const std::optional<ExportedPlan>& written,
            const CompareArguments& options) {
  if (options.common.json) return print_json(to_json(comparison, options.table, written));
  return options.common.quiet ? Status() : print_text(compare_text(comparison, options));
}

Status run_compare(const CompareArguments& options) {
  const Result<PlanFile> plan = read_plan(options.plan);
  if (!plan) return fail(plan.error());
  const std::string exported = options.exported.empty() ? "" : options.exported[1];
  if (exported == "-" || options.report.file == "-") {
    return fail(usage_error("plans and reports go to a file: name one"));
  }
  if (const Status status =
          keep_apart({exported, options.report.file}, {options.table, options.seed_file}, &*plan);
      !status) {
    return status;
  }
  if (options.max_risk && !(*options.max_risk >= 0 && *options.max_risk <= 1)) {
    return fail(usage_error("--max-risk: a risk lies from 0 to 1"));
  }
  const Result<KeyChoice> choice = choose_key(options.work, options.seed_file, *plan);
  if (!choice) return fail(choice.error());
  CompareOptions compared;
  auto tried = configurations(options);
  if (!tried) return fail(tried.error());
  compared.configurations = *std::move(tried);
  const Result<Table> table =
      Table::open(options.table, completed(table_options(*plan), options.work, options.temp, ""));
  if (!table) return fail(table.error());
  const Result<Key> key = choice->make();
  if (!key) return fail(key.error());
  ProgressLine progress(options.common, options.work, ProgressLine::Unit::kRuns);
  compared.work = work_options(options.common, options.work, progress);
  compared.risk = risk_named(options.risk);
  compared.keep = keep_named(options.keep);
  compared.most = options.max_risk;
  compared.clusters = options.clusters;
  compared.holdout = options.holdout;
  const Result<Comparison> comparison = compare(*table, *plan, *key, compared);
  progress.clear();
  if (!comparison) return fail(comparison.error());
  std::vector<PendingFile> files;
  std::optional<ExportedPlan> written;
  if (!exported.empty()) {
    Result<Choice> which = chosen(*comparison, options.exported[0]);
    if (!which) {
      // Why none is taken is seen by the rows.
      const bool tells = which.error().code == ErrorCode::kGuarantee;
      if (const Status told = tells ? show(*comparison, {}, options) : Status(); !told) return told;
      return fail(which.error());
    }
    Result<PendingFile> file = export_plan(comparison->releases[which->row], *plan, options);
    if (!file) return fail(file.error());
    written = {which->row, exported, which->why};
    files.push_back(*std::move(file));
  }
  if (!options.report.file.empty()) {
    Result<PendingFile> file =
        report_of(*comparison, *plan, options, choice->origin() == KeyOrigin::kSeed);
    if (!file) return fail(file.error());
    files.push_back(*std::move(file));
  }
  if (const Status status = show(*comparison, written, options); !status) return status;
  if (Status status = commit_together(std::move(files), options.common.sync); !status) {
    return status;
  }
  const bool tells = written && !options.common.json && !options.common.quiet;
  if (tells) print_afterwards(export_text(*comparison, *written));
  return {};
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<CompareArguments>();
  CLI::App* verb = add_verb(
      app, "compare", "Several methods and parameters on one table: risk and loss of each",
      "  semveil compare survey.csv --plan survey.toml\n"
      "  semveil compare survey.csv --plan survey.toml --try 'noise alpha=0.1,0.3,1' \\\n"
      "      --try 'swap k=5,10 algorithm=dynamic,multivariate'\n"
      "  semveil compare survey.csv --plan survey.toml --max-risk 0.2 --keep distribution \\\n"
      "      --export-plan best chosen.toml\n"
      "  semveil compare survey.csv --plan survey.toml --try 'fuse k=5 measure=wu-palmer,lin' \\\n"
      "      --export-plan 2 chosen.toml\n"
      "  semveil compare survey.csv --plan survey.toml --holdout 0.2 --report compared.html\n"
      "Nothing is released: every configuration is masked in memory as mask would do it with the\n"
      "same seed, and audited; row 0 is the table unchanged. Without --try about two dozen usual\n"
      "ones. Best is the least loss with a risk of at most --max-risk; without it, what is not\n"
      "dominated is marked. Loss: half the mean RMSE of the masked columns, half what --keep "
      "says.\n"
      "Memory: 4 bytes for every cell of the columns the plan speaks of, and as much again for\n"
      "every thread.");
  add_table_argument(*verb, options->table);
  add_plan_options(*verb, options->plan);
  verb->add_option(
          "--try", options->tries,
          "A method, then KEY=VALUE,VALUE…, keys of [mask] or measure: every combination is "
          "compared; may be given several times")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  add_risk_option(*verb, options->risk);
  verb->add_option("--max-risk", options->max_risk,
                   "The most risk that may be taken: best is the least loss that keeps to it")
      ->type_name("NUMBER");
  static constexpr std::array<std::string_view, 4> kKept{"mean", "variance", "correlation",
                                                         "distribution"};
  add_choice(*verb, "--keep", options->keep, "What is to be kept", kKept);
  verb->add_option("--holdout", options->holdout,
                   "Share of the records to set aside before masking, as control of the attacks")
      ->type_name("NUMBER");
  verb->add_option("--clusters", options->clusters,
                   "Also compare clusterings into so many clusters; 0 for none")
      ->type_name("NUMBER")
      ->capture_default_str();
  verb->add_option("--export-plan", options->exported,
                   "Write the plan of a configuration: its row in the table, or best")
      ->type_name("ROW FILE")
      ->expected(2);
  add_report_options(*verb, options->report);
  add_seed_file_option(*verb, options->seed_file);
  add_temp_option(*verb, options->temp);
  add_work(*verb, options->work);
  add_max_work(*verb, options->work);
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_compare(*options); }; });
}

}  // namespace semveil::cli
