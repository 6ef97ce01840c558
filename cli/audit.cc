#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "audit_figures.h"
#include "findings.h"
#include "option_names.h"
#include "plan_options.h"
#include "progress.h"
#include "report_facts.h"
#include "screen_words.h"
#include "semveil/finding_guide.h"
#include "semveil/json.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

struct AuditArguments {
  Common common;
  std::optional<Severity> fail_on;
  Work work;
  PlanOptions plan;
  ReportOptions report;
  std::string original, masked, key, row_map, control, temp, target;
  std::size_t clusters = 14;
  bool no_attacks = false, unpaired = false;
  std::optional<std::string> explain;  // "": all
};

// A number, or "auto".
std::string clusters_text(std::size_t clusters) {
  return clusters == kBestClusters ? "auto" : std::to_string(clusters);
}
void set_clusters(const std::string& text, std::size_t& clusters) {
  const char* const end = text.data() + text.size();
  if (text == "auto") {
    clusters = kBestClusters;
  } else if (const auto [at, error] = std::from_chars(text.data(), end, clusters);
             at != end || error != std::errc() || clusters == kBestClusters) {
    throw CLI::ValidationError("--clusters", "expected a whole number or auto");
  }
}

// ---- What the figures mean ----------------------------------------------------------------------

std::string explanation_text(const FigureExplanation& figure) {
  std::string out = fmt::format("{} ({})\n", figure.title, figure.name);
  out += wrapped("  ", figure.plain);
  const auto add = [&](std::string_view head, const std::string& words) {
    if (!words.empty()) out += wrapped(head, words);
  };
  add("  formula  ", naming_options(std::string(figure.formula)));
  add("  range    ", std::string(figure.range));
  return figure.source.empty() ? out : out + wrapped("  source   ", figure.source);
}

// What it says, and what can be done about it.
std::string explained_finding(const FindingGuide& guide) {
  std::string out = explained_text(guide.id);
  return guide.remedy.empty() ? out : fmt::format("{} {}", out, guide.remedy);
}

Status explain(const std::string& name, const Common& common) {
  std::string text;
  std::vector<const FigureExplanation*> meant;
  for (const FigureExplanation& figure : figure_explanations()) {
    // A key without its group, or a group of keys.
    const std::string_view whole = figure.name;
    const std::size_t key = whole.rfind('.') + 1;  // 0: in no group
    bool is_meant = name.empty() || explain_figure(name) == &figure ||
                    explain_figure(std::string(whole.substr(0, key)) + name) == &figure;
    for (std::size_t dot = whole.find('.'); dot != whole.npos; dot = whole.find('.', dot + 1)) {
      is_meant = is_meant || explain_figure(name + std::string(whole.substr(dot))) == &figure;
    }
    if (!is_meant) continue;
    text += (text.empty() ? "" : "\n") + explanation_text(figure);
    meant.push_back(&figure);
  }
  for (const FigureExplanation* const figure : explain_word(name)) {
    if (std::ranges::find(meant, figure) != meant.end()) continue;
    text += (text.empty() ? "" : "\n") + explanation_text(*figure);
    meant.push_back(figure);
  }
  std::string said;
  FigureExplanation found;
  if (const FindingGuide* const guide = finding_guide(name)) {
    said = explained_finding(*guide);
    found.name = guide->id;
    found.title = "A finding";
    found.plain = said;
    text += (text.empty() ? "" : "\n") + explanation_text(found);
    meant.push_back(&found);
    const FigureExplanation* const behind = explain_figure(guide->figure);
    if (behind != nullptr && std::ranges::find(meant, behind) == meant.end()) {
      text += "\n" + explanation_text(*behind);
      meant.push_back(behind);
    }
  }
  if (text.empty()) {
    std::string names;
    for (const FigureExplanation& figure : figure_explanations()) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", figure.name);
    }
    return fail(usage_error(
        fmt::format("there is no figure, finding or word '{}'; figures are {}", name, names)));
  }
  return common.json ? print_json(to_json(meant)) : print_text(text);
}

// ---- Auditing -----------------------------------------------------------------------------------

std::string command_of(const AuditArguments& options) {
  const Edition edition = edition_of(options.report);
  const auto file = [&](const std::string& path) { return file_word(path, edition); };
  std::string out = fmt::format("semveil audit {} {}{}", file(options.original),
                                file(options.masked), plan_arguments(options.plan, edition));
  const auto add = [&](std::string_view name, const std::string& word) {
    if (!word.empty()) out += fmt::format(" {} {}", name, word);
  };
  const auto add_file = [&](std::string_view name, const std::string& path) {
    if (!path.empty()) add(name, file(path));
  };
  if (!options.key.empty()) add("--key", shell_word(options.key));
  add_file("--row-map", options.row_map);
  if (options.unpaired) out += " --unpaired";
  add_file("--control", options.control);
  if (!options.target.empty()) add("--learn", shell_word(options.target));
  if (options.clusters != AuditArguments().clusters)
    add("--clusters", clusters_text(options.clusters));
  if (options.no_attacks) out += " --no-attacks";
  add_file("--report", options.report.file);
  if (edition == Edition::kSteward) add("--edition", options.report.edition);
  return out;
}

Result<Audit> audited(const AuditArguments& options, const PlanFile& plan,
                      const WorkOptions& work) {
  const auto open = [&](const std::string& path) {
    return Table::open(path, completed(table_options(plan), options.work, options.temp, ""));
  };
  const Result<Table> original = open(options.original);
  if (!original) return fail(original.error());
  const Result<Table> masked = open(options.masked);
  if (!masked) return fail(masked.error());
  std::optional<Table> control;
  if (!options.control.empty()) {
    Result<Table> opened = open(options.control);
    if (!opened) return fail(opened.error());
    control.emplace(*std::move(opened));
  }
  PairOptions pairing;
  pairing.work = work;
  pairing.key = options.key;
  pairing.row_map = options.row_map;
  pairing.unpaired = options.unpaired;
  pairing.control = control ? &*control : nullptr;
  const Result<TablePair> pair = pair_tables(
      *original, *masked, without_absent_identifiers(plan, {&*original, &*masked}), pairing);
  if (!pair) return fail(pair.error());
  AuditOptions how;
  how.work = work;
  how.clusters = options.clusters;
  how.attacks = !options.no_attacks;
  how.target = options.target;
  return audit(*pair, how);
}

Status run_audit(const AuditArguments& options) {
  if (options.explain) return explain(*options.explain, options.common);
  if (options.original.empty() || options.masked.empty() || options.plan.plan.empty()) {
    return fail(
        usage_error("name the original table, the masked table and --plan FILE; or "
                    "--explain to read what the figures mean"));
  }
  if (options.report.file == "-") {
    return fail(usage_error("a report cannot go to standard output: name a file"));
  }
  if (options.original == "-" && options.masked == "-") {
    return fail(usage_error("only one of the tables can come from standard input"));
  }
  const Result<PlanFile> plan = read_plan(options.plan);
  if (!plan) return fail(plan.error());
  if (const Status status =
          keep_apart({options.report.file},
                     {options.original, options.masked, options.control, options.row_map}, &*plan);
      !status) {
    return status;
  }
  ProgressLine progress(options.common, options.work);
  const WorkOptions work = work_options(options.common, options.work, progress);
  const Result<Audit> found = audited(options, *plan, work);
  progress.clear();
  if (!found) return fail(found.error());
  const Edition edition = edition_of(options.report);
  const Audit shown = shown_to(*found, edition, *plan);
  std::optional<PendingFile> report;
  if (!options.report.file.empty()) {
    const ReportFiles files{.original = options.original,
                            .masked = options.masked,
                            .masked_bytes = "",
                            .version = SEMVEIL_VERSION,
                            .command = command_of(options),
                            .seeded = false,
                            .is_audit = true};
    const Result<ReportFacts> facts =
        report_facts(*plan, files, edition, shown.method, shown.parameters);
    if (!facts) return fail(facts.error());
    Result<PendingFile> file =
        prepare_report(options.report.file, report_html(shown, *facts), edition);
    if (!file) return fail(file.error());
    report.emplace(*std::move(file));
  }
  if (options.common.json) {
    const Status said = print_json(to_json(shown, options.report.edition));
    if (!said) return said;
  } else if (!options.common.quiet) {
    const Status said =
        print_text(to_text(shown, options.original, options.masked, options.common.verbose));
    if (!said) return said;
  }
  if (report) {
    if (const Status kept = report->commit(options.common.sync); !kept) return kept;
  }
  return refuse_findings(found->findings, options.fail_on, "the release should not be signed");
}

}  // namespace

void add_audit(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<AuditArguments>();
  CLI::App* verb = add_verb(
      app, "audit", "What a masked table kept of the original, and what risk it leaves",
      "  semveil audit survey.csv released.csv --plan survey.toml\n"
      "  semveil audit survey.csv released.csv --plan survey.toml --report report.html\n"
      "  semveil audit survey.csv released.csv --plan survey.toml --control others.csv --json\n"
      "  semveil audit survey.csv shuffled.csv --plan survey.toml --row-map rows.csv\n"
      "  semveil audit --explain linkage.semantic\n"
      "Without --key and --row-map records are paired by position, if the tables show that they\n"
      "belong together; else the audit stops. --unpaired tells what needs no pairs.\n"
      "It does not matter who masked the table: the plan says what its columns mean. What is\n"
      "printed, JSON and report are the public edition unless --edition steward is given.\n"
      "Memory: the ontologies, the distinct values, the distinct pairs of tuples before and after\n"
      "(under noise nearly as many as records), and 16 bytes for each record; with --key or\n"
      "--row-map 64 bytes for each record while cells are compared; clustering up to half a\n"
      "gigabyte more.");
  verb->add_option("original", options->original, "The table as it was; - is standard input");
  verb->add_option("masked", options->masked, "The table as it was released");
  add_plan_options(*verb, options->plan);
  verb->get_option("--plan")->required(false);
  verb->add_option("--key", options->key,
                   "A column of both tables that tells which records belong together")
      ->type_name("COLUMN");
  verb->add_option("--row-map", options->row_map, "The row map that mask wrote")
      ->type_name("FILE")
      ->excludes("--key");
  verb->add_flag("--unpaired", options->unpaired,
                 "Tell only what needs no pairs of records, where nobody knows which was which")
      ->excludes("--key")
      ->excludes("--row-map");
  verb->add_option("--control", options->control,
                   "Records of the same population that were not masked: what attacks are "
                   "compared with")
      ->type_name("FILE");
  verb->add_option("--learn", options->target,
                   "The column that a classifier learns. Default: the first sensitive one")
      ->type_name("COLUMN");
  verb->add_option_function<std::string>(
          "--clusters",
          [options](const std::string& text) { set_clusters(text, options->clusters); },
          "How many groups of records to look for: a number, 0 for none, or auto, which takes the "
          "number from 2 to 30 that parts the records of each table best")
      ->type_name("NUMBER")
      ->default_str(std::to_string(options->clusters));
  verb->add_flag("--no-attacks", options->no_attacks,
                 "Leave out linkage by meaning and the attacks, which cost tuples squared");
  verb->add_option("--explain", options->explain,
                   "Tell what a figure, a finding or a word that audits and summaries print means; "
                   "without NAME, all figures")
      ->type_name("NAME")
      ->expected(0, 1);
  add_report_options(*verb, options->report);
  add_mask_options(*verb, options->plan);
  add_temp_option(*verb, options->temp);
  add_fail_on_option(*verb, options->fail_on, "The report is written all the same");
  add_work(*verb, options->work);
  add_verbose(*verb, options->common);
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_audit(*options); }; });
}

}  // namespace semveil::cli
