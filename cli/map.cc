#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "findings.h"
#include "option_names.h"
#include "plan_options.h"
#include "semveil/files.h"
#include "semveil/table.h"
#include "semveil/why_unmapped.h"
#include "session.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

struct MapArguments {
  Common common;
  Work work;
  OntologyOptions ontology;
  MeasureChoice measure;
  std::string table, column, plan, mapping, via, output;
  std::vector<std::string> missing;  // texts; empty: the plan's
  TableOptions read;                 // how the table is read: by the plan, and `missing`
  std::string senses = "closest";
  bool says_senses = false, says_measure = false;
  std::size_t show = 20;
};

constexpr std::array kAllHow{How::kFile,  How::kXref,    How::kId,         How::kCode,
                             How::kLabel, How::kSynonym, How::kNormalised, How::kLemma,
                             How::kStem,  How::kOutside, How::kUnmapped};

struct Tally {
  std::uint64_t values = 0, records = 0;
};
using Tallies = std::array<Tally, kAllHow.size()>;  // in the order of kAllHow

Tallies tally(const ColumnMapping& mapping) {
  Tallies tallies{};
  for (const MappedValue& v : mapping.values) {
    const auto at = std::find(kAllHow.begin(), kAllHow.end(), v.how) - kAllHow.begin();
    Tally& t = tallies[static_cast<std::size_t>(at)];
    ++t.values;
    t.records += v.count;
  }
  return tallies;
}

// Which sense each value with several of them was taken in: a wrong one is seen here only.
std::string senses_text(const ColumnMapping& mapping, const Names& names, std::size_t most) {
  std::string out;
  std::size_t shown = 0, several = 0;
  for (const MappedValue& v : mapping.values) {
    if (!is_mapped(v.how) || v.senses.size() < 2 || !v.concept_id) continue;
    if (several++ == 0) {
      out = fmt::format("\n  {}{:>9}{:>8}  {}\n", padded("several senses", 30), "records", "senses",
                        "taken as");
    }
    if (shown == most) continue;
    ++shown;
    const std::string_view gloss = names.definition(*v.concept_id);
    out +=
        fmt::format("  {}{:>9}{:>8}  {} ({}){}{}\n", padded(shortened(printable(v.value), 29), 30),
                    grouped(v.count), v.senses.size(), names.label(*v.concept_id),
                    names.id(*v.concept_id), gloss.empty() ? "" : ": ", shortened(gloss, 60));
  }
  if (shown < several) out += fmt::format("  … {} more; -o FILE writes all\n", several - shown);
  return out;
}

std::string map_text(const MapArguments& options, const ColumnMapping& mapping,
                     const WhyUnmapped& why, const Session& session) {
  const std::uint64_t present = std::max<std::uint64_t>(1, mapping.records - mapping.missing);
  std::string out = fmt::format("{}, column '{}': {} records, {} distinct values, {} missing\n\n",
                                options.table, options.column, grouped(mapping.records),
                                grouped(mapping.values.size()), grouped(mapping.missing));
  out += fmt::format("  {:<12}{:>10}{:>12}{:>10}\n", "how", "values", "records", "share");
  const Tallies tallies = tally(mapping);
  for (std::size_t i = 0; i < kAllHow.size(); ++i) {
    if (tallies[i].values == 0) continue;
    out +=
        fmt::format("  {:<12}{:>10}{:>12}{:>8.2f} %\n", to_string(kAllHow[i]),
                    grouped(tallies[i].values), grouped(tallies[i].records),
                    100.0 * static_cast<double>(tallies[i].records) / static_cast<double>(present));
  }
  if (const std::string warnings = warnings_text(why.findings); !warnings.empty()) {
    out += "\n" + warnings.substr(0, warnings.size() - 1);
  }
  if (!why.sentences.empty()) {
    out += "\nNothing matched:\n";
    for (const std::string& reason : why.sentences) out += wrapped("  - ", naming_options(reason));
  }
  out += senses_text(mapping, session.names(), options.show);
  std::size_t shown = 0;
  std::size_t unmapped = 0;
  for (const MappedValue& v : mapping.values) {
    if (is_mapped(v.how)) continue;
    if (unmapped++ == 0) {
      out += fmt::format("\n  {}{:>9}  {}\n", padded("not mapped", 30), "records", "did you mean");
    }
    if (shown == options.show) continue;
    ++shown;
    std::string hints = v.how == How::kOutside ? "(outside the domain)" : "";
    for (const Suggestion& s : v.suggestions) {
      hints += fmt::format("{}{} ({})", hints.empty() ? "" : ", ", s.text,
                           session.names().id(s.concept_id));
    }
    out += fmt::format("  {}{:>9}  {}\n", padded(shortened(printable(v.value), 29), 30),
                       grouped(v.count), hints);
  }
  if (shown < unmapped) out += fmt::format("  … {} more; -o FILE writes all\n", unmapped - shown);
  return out;
}

std::string mapping_text(const MapArguments& options, const ColumnMapping& mapping,
                         const Names& names) {
  const bool toml = options.output.ends_with(".toml");
  return toml ? mapping_toml(mapping, names) : mapping_csv(mapping, names);
}

Result<ColumnCounts> read_column(const MapArguments& options) {
  const bool show =
      !options.work.no_progress && !options.common.quiet && ::isatty(STDERR_FILENO) != 0;
  Progress progress;
  if (show) {
    progress = [](std::uint64_t records) {
      std::fputs(("\r" + grouped(records) + " records").c_str(), stderr);
    };
  }
  Result<ColumnCounts> counts = count_column(options.table, options.column, progress, options.read);
  if (show) std::fputs("\r\x1b[K", stderr);
  return counts;
}

Result<ColumnMapping> map_column(const MapArguments& options, const Session& session) {
  std::shared_ptr<const MappingFile> file;
  if (!options.mapping.empty()) {
    Result<MappingFile> read = MappingFile::read(options.mapping, session.ontology());
    if (!read) return fail(read.error());
    file = std::make_shared<const MappingFile>(*std::move(read));
  }
  Result<std::shared_ptr<const CrossReferences>> references =
      CrossReferences::read(options.via, session.ontology());
  if (!references) return fail(references.error());
  const Result<Mapper> mapper = Mapper::create(session.ontology(), file, *std::move(references));
  if (!mapper) return fail(mapper.error());
  MappingOptions mapping;
  mapping.senses = options.senses == "first" ? Senses::kFirst : Senses::kClosest;
  mapping.threads = options.work.threads;
  if (!options.ontology.root.empty()) {
    const Result<ConceptId> root = session.mapper().only(options.ontology.root);
    if (!root) return fail(root.error());
    mapping.root = *root;
  }
  const Result<Domain> domain = session.domain(options.ontology.root);
  if (!domain) return fail(domain.error());
  Result<MeasureOptions> measure = choose_measure(options.measure, *domain, session.mapper());
  if (!measure) return fail(measure.error());
  mapping.measure = *std::move(measure);
  // A wrong choice is told also where no value has several senses and the measure is not needed.
  if (const auto usable = make_measure(domain->taxonomy(), mapping.measure); !usable) {
    return fail(usable.error());
  }
  Result<ColumnCounts> counts = read_column(options);
  if (!counts) return fail(counts.error());
  Result<ColumnMapping> mapped =
      map_values(std::move(counts->values), *mapper, session.ontology(), mapping);
  if (!mapped) return fail(mapped.error());
  mapped->records = counts->records;
  mapped->missing = counts->missing;
  return mapped;
}

Status print_summary(const MapArguments& options, const ColumnMapping& mapping,
                     const Session& session) {
  if (options.common.quiet && !options.common.json) return {};
  const Result<WhyUnmapped> why = why_unmapped(mapping, options.column, session.ontology());
  if (!why) return fail(why.error());
  if (options.common.json) return print_json(to_json(mapping, *why, session.named()));
  const std::string text = map_text(options, mapping, *why, session);
  if (options.output != "-") return print_text(text);
  print_aside(text);
  return {};
}

// What the command line leaves open, the plan says.
Status take_from_plan(MapArguments& options) {
  if (options.plan.empty()) {
    if (!options.ontology.source.empty()) return {};
    return fail(usage_error("name the ontology with --ontology, or a plan that does with --plan"));
  }
  const Result<PlanFile> plan = PlanFile::read(options.plan);
  if (!plan) return fail(plan.error());
  options.read = table_options(*plan);
  if (!options.ontology.source.empty()) return {};
  const ColumnSettings* column = plan->find(options.column);
  if (column == nullptr || column->ontology.empty() || column->has_several_ontologies()) {
    return fail(data_error("the plan names no single ontology for this column: name one with "
                           "--ontology")
                    .at({plan->path, column == nullptr ? 0 : column->line, options.column}));
  }
  const auto unless_said = [](std::string& said, const std::string& planned) {
    if (said.empty()) said = planned;
  };
  unless_said(options.ontology.source, plan->ontologies.at(column->ontology));
  unless_said(options.ontology.root, column->root);
  unless_said(options.mapping, column->mapping);
  unless_said(options.via, column->via);
  if (!options.says_senses) options.senses = column->senses;
  // Records are counted only once they have concepts: until then senses are chosen without.
  const std::string ic = column->ic == kDataIc ? "seco" : column->ic;
  if (!options.says_measure) options.measure = {column->measure, ic, column->lcs};
  return {};
}

Status run_map(MapArguments options) {
  if (Status taken = take_from_plan(options); !taken) return taken;
  if (!options.missing.empty()) {
    options.read.missing_values = options.missing;
    options.read.missing_values.emplace_back();  // an empty cell is missing, whatever else is
  }
  if (options.common.json && options.output == "-") {
    return fail(usage_error("--json and -o - both want standard output: leave one out"));
  }
  if (const Status status = refuse_overwriting(options.output, {options.table, options.plan},
                                               options.ontology.source);
      !status) {
    return status;
  }
  const Result<Session> session = Session::open(options.ontology.source, options.common);
  if (!session) return fail(session.error());
  const Result<ColumnMapping> mapping = map_column(options, *session);
  if (!mapping) return fail(mapping.error());
  if (options.output.empty()) return print_summary(options, *mapping, *session);
  const std::string text = mapping_text(options, *mapping, session->names());
  if (options.output == "-") {
    const Status status = print(text);
    return status ? print_summary(options, *mapping, *session) : status;
  }
  const std::string_view piece = text;
  constexpr unsigned kOwnersAlone = 0600;  // it holds the column's values
  Result<PendingFile> pending = PendingFile::write(options.output, {&piece, 1}, kOwnersAlone);
  if (!pending) return fail(pending.error());
  // Committed after the summary: if that cannot be printed, no file appears.
  if (Status said = print_summary(options, *mapping, *session); !said) return said;
  if (Status kept = pending->commit(options.common.sync); !kept) return kept;
  const bool tells = !options.common.json && !options.common.quiet;
  if (tells) print_afterwards(fmt::format("\n  written to {}\n", options.output));
  return {};
}

}  // namespace

void add_map(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<MapArguments>();
  CLI::App* verb = add_verb(
      app, "map", "Map a column's values to concepts; name those that are not understood",
      "  semveil map survey.csv --column hobby --ontology wordnet\n"
      "  semveil map survey.csv --column hobby --ontology wordnet -o hobby.map.csv\n"
      "  semveil map survey.csv --column hobby --ontology wordnet --mapping hobby.map.csv\n"
      "  semveil map stays.csv --column code --ontology doid.obo.gz --via xref:SNOMEDCT\n"
      "  semveil map adult.csv --column occupation --ontology vgh:jobs.csv --missing '?'\n"
      "  semveil map stays.csv --column code --plan stays.toml\n"
      "  zcat big.csv.gz | semveil map - --column diagnosis --ontology doid.obo.gz --json\n"
      "Correct the mapping file by hand (columns value and concept) and pass it back with\n"
      "--mapping; it holds the column's values and is written for you alone (mode 0600). Where\n"
      "nothing matches, the reasons are told. Memory: the ontology and the column's distinct\n"
      "values.");
  add_table_argument(*verb, options->table);
  verb->add_option("--column", options->column, "The column to map")
      ->type_name("COLUMN")
      ->required();
  verb->add_option("--ontology", options->ontology.source,
                   "The ontology: wordnet, obo:FILE, FILE.svo, … Default: the plan's")
      ->type_name("SRC");
  add_root_option(*verb, options->ontology.root);
  verb->add_option("--plan", options->plan,
                   "A plan: its missing values and [csv], and of the column what the command line "
                   "leaves open: ontology, root, mapping, via, senses, measure")
      ->type_name("FILE");
  verb->add_option("--missing", options->missing,
                   "A text that stands for a missing value, as '?'; may be given several times. "
                   "Empty cells are missing, too. Default: the plan's missing_values")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  verb->add_option("--mapping", options->mapping, "Mapping file with decisions made before")
      ->type_name("FILE");
  verb->add_option("--via", options->via,
                   "The cells are codes of another ontology: xref (as the ontology's own "
                   "cross-references have them), xref:SOURCE (those of one source), or a CSV file "
                   "of two columns, code and concept")
      ->type_name("xref|FILE");
  verb->add_option("-o,--output", options->output, "Write the mapping file (CSV, or .toml)")
      ->type_name("FILE");
  add_senses_option(*verb, options->senses);
  verb->add_option("--show", options->show,
                   "Most unmapped values, and values with several senses, to show")
      ->check(CLI::Range(0, 1000000).description(""))
      ->capture_default_str();
  add_measure_options(*verb, options->measure);
  add_work(*verb, options->work);
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback([options, verb, &chosen] {
    options->says_senses = verb->count("--senses") > 0;
    for (const char* name : {"--measure", "--ic", "--lcs"}) {
      options->says_measure = options->says_measure || verb->count(name) > 0;
    }
    chosen = [options] { return run_map(*options); };
  });
}

}  // namespace semveil::cli
