#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "compare_text.h"
#include "plan_options.h"
#include "progress.h"
#include "semveil/files.h"
#include "semveil/json.h"
#include "semveil/propose.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

struct PlanArguments {
  Common common;
  Work work;
  std::string table, output, check, temp, seed_file;
  std::vector<std::string> ontologies;  // NAME=SOURCE
  std::string keep = "means";
  bool no_method = false;
};

// The trials are drawn by a key of their own: the same plan is proposed every time.
Result<Key> key_of_trials(const PlanArguments& options) {
  const Result<KeyChoice> choice = choose_key(options.work, options.seed_file, PlanFile());
  if (!choice) return fail(choice.error());
  if (choice->origin() == KeyOrigin::kSeed) return choice->make();
  constexpr std::array<unsigned char, Key::kSize> kFixed{'p', 'l', 'a', 'n'};
  return Key::from_bytes(kFixed);
}

Result<std::vector<OntologySource>> given_ontologies(const std::vector<std::string>& texts) {
  std::vector<OntologySource> out;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const bool is_sound = equals != std::string::npos && equals > 0 && equals + 1 < text.size() &&
                          name.find_first_of(":/.") == std::string::npos;
    if (!is_sound) {
      return fail(usage_error("--ontology: write NAME=SOURCE, as in disease=doid.obo"));
    }
    const bool is_taken =
        std::ranges::any_of(out, [&](const OntologySource& other) { return other.name == name; });
    if (is_taken) {
      return fail(usage_error(fmt::format("--ontology: the name {} is given twice", name)));
    }
    out.push_back({name, text.substr(equals + 1), OntologySource::Origin::kGiven});
    if (const auto files = ontology_files(out.back().source); !files) return fail(files.error());
  }
  return out;
}

std::string folder_of(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

std::string ontology_cell(const ProposedColumn& column) {
  if (!column.ontology) return "";
  const OntologyCoverage& known = *column.ontology;
  return known.root.empty() ? known.ontology
                            : fmt::format("{}, {}", known.ontology, known.root_label);
}

std::string summary_of(const PlanProposal& proposal) {
  std::string out =
      fmt::format("{}: {}\n", proposal.table, counted(proposal.records, "record", "records"));
  if (proposal.header_is_data) {
    out += wrapped("",
                   "The first line looks like a record and not like names, so that its cells stand "
                   "in the plan as names of columns: write a line of names in front of the table, "
                   "and propose again.");
  }
  using enum TextTable::Align;
  TextTable table({kLeft, kLeft, kLeft, kLeft});
  table.add({"column", "role", "type", "ontology"});
  for (const ProposedColumn& column : proposal.columns) {
    table.add({name_cell(column.name), std::string(to_string(column.role)),
               std::string(to_string(column.kind)), printable(ontology_cell(column))});
  }
  out += table.text();
  const MinimalUniques& uniques = proposal.uniques;
  if (proposal.quasi_identifiers.size() > 1) {
    out +=
        wrapped("", fmt::format("{} of {} alone by at most {} of {}.", grouped(uniques.uniques),
                                proposal.person ? counted(uniques.persons, "person", "persons")
                                                : counted(uniques.persons, "record", "records"),
                                uniques.largest,
                                counted(uniques.columns, "quasi-identifier", "quasi-identifiers")));
  }
  if (proposal.chosen) {
    const Advice& advice = proposal.tried->proposed[*proposal.chosen].advice;
    out += wrapped("", fmt::format("{}: {}.", advice.method, advice.why));
  } else {
    out += wrapped("", fmt::format("No method is proposed: {}.", proposal.no_method_why));
  }
  return out;
}

std::string last_line(const PlanProposal& proposal, const std::string& file) {
  const std::string next =
      proposal.chosen
          ? fmt::format("; then: semveil mask {} --plan {} -o OUTPUT", proposal.table, file)
          : ".";
  return wrapped("", fmt::format("Written to {}. Read its reasons and correct them{}", file, next));
}

// Told before it gets its name: if it cannot be, no file appears.
Status write_and_tell(const PlanProposal& proposal, const std::string& text,
                      const PlanArguments& options) {
  constexpr unsigned kOwnerOnly = 0600;
  const std::string_view piece = text;
  Result<PendingFile> file = PendingFile::write(options.output, {&piece, 1}, kOwnerOnly);
  if (!file) return fail(file.error());
  const bool tells = !options.common.json && !options.common.quiet;
  Status said;
  if (options.common.json) said = print_json(to_json(proposal, text, options.output));
  if (tells) said = print_text(summary_of(proposal));
  if (!said) return said;
  if (Status kept = file->commit(options.common.sync); !kept) return kept;
  if (tells) print_afterwards(last_line(proposal, options.output));
  return {};
}

Status run_proposal(const PlanArguments& options) {
  Result<std::vector<OntologySource>> given = given_ontologies(options.ontologies);
  if (!given) return fail(given.error());
  std::vector<std::string> inputs{options.table};
  for (const OntologySource& source : *given) {
    const auto files = ontology_files(source.source);
    if (files) inputs.insert(inputs.end(), files->begin(), files->end());
  }
  if (const Status apart = keep_apart({options.output}, inputs, nullptr); !apart) return apart;
  const Result<Key> key = key_of_trials(options);
  if (!key) return fail(key.error());
  const Result<Table> table =
      Table::open(options.table, completed(TableOptions(), options.work, options.temp, ""));
  if (!table) return fail(table.error());
  ProgressLine progress(options.common, options.work);
  ProposeOptions wanted;
  wanted.work = work_options(options.common, options.work, progress);
  wanted.ontologies = known_ontologies(*given, wanted.work.use_cache);
  wanted.keep = keep_named(options.keep);
  wanted.try_methods = !options.no_method;
  const Result<PlanProposal> proposal = propose_plan(*table, *key, wanted);
  progress.clear();
  if (!proposal) return fail(proposal.error());
  const bool to_file = !options.output.empty() && options.output != "-";
  const std::string text = to_toml(*proposal, to_file ? folder_of(options.output) : "");
  if (const Result<PlanFile> readable = PlanFile::parse(to_toml(*proposal, ""), ""); !readable) {
    return fail(readable.error());
  }
  if (to_file) return write_and_tell(*proposal, text, options);
  return options.common.json ? print_json(to_json(*proposal, text, "")) : print(text);
}

Status run_check(const PlanArguments& options) {
  const Result<PlanFile> plan = PlanFile::read(options.check);
  if (!plan) return fail(plan.error());
  ProgressLine progress(options.common, options.work);
  const WorkOptions work = work_options(options.common, options.work, progress);
  const auto sentences = explain_plan(*plan, work);
  progress.clear();
  if (!sentences) return fail(sentences.error());
  if (options.common.json) return print_json(to_json(*sentences, options.check));
  if (options.common.quiet) return {};
  std::string out = fmt::format("{}: the plan can be read\n", options.check);
  for (const PlanSentence& sentence : *sentences) {
    if (!sentence.about.empty()) out += fmt::format("\n{}\n", printable(sentence.about));
    out += wrapped("  ", sentence.text);
  }
  return print_text(out);
}

Status run_plan(const PlanArguments& options) {
  const bool checks = !options.check.empty();
  if (checks == !options.table.empty()) {
    return fail(usage_error(checks ? "--check explains a plan and takes no TABLE"
                                   : "give a TABLE to propose a plan for, or a plan to --check"));
  }
  return checks ? run_check(options) : run_proposal(options);
}

}  // namespace

void add_plan(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<PlanArguments>();
  CLI::App* verb = add_verb(
      app, "plan", "Proposes a plan for a table, with reasons; or explains a plan",
      "  semveil plan survey.csv -o survey.toml\n"
      "  semveil plan visits.csv --ontology disease=doid.obo --ontology place=vgh:places.csv\n"
      "  semveil plan --check survey.toml\n"
      "Roles, types, ontologies and missing markers are read off the names of the columns and\n"
      "the forms of their cells; methods are tried as advise does. The plan is commented TOML:\n"
      "read it, correct it, then mask. The table's first line must hold the names of the\n"
      "columns; the plan quotes these, missing markers and no other cell, and only its owner\n"
      "can read the file. Ontologies are looked for among those given, WordNet where it\n"
      "is installed, and those that were used before (not with --no-cache).\n"
      "Memory: 4 bytes for each cell, and the different values of every column.");
  verb->add_option("table", options->table, "The table; - is standard input")->type_name("TABLE");
  verb->add_option("-o,--output", options->output, "Write the plan to this file")
      ->type_name("FILE");
  verb->add_option("--check", options->check,
                   "Explain this plan in sentences instead, and look whether it can be read")
      ->type_name("PLAN");
  verb->add_option("--ontology", options->ontologies,
                   "An ontology that columns may use, as NAME=SOURCE; may be repeated")
      ->type_name("NAME=SOURCE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option("--keep", options->keep,
                   "What the method is to keep: mean, variance, correlation or distribution")
      ->check(CLI::IsMember(
                  {"mean", "means", "variance", "correlation", "distribution", "distributions"})
                  .description(""))
      ->type_name("NAME")
      ->default_str("mean");
  verb->add_flag("--no-method", options->no_method, "Try and propose no method, only the rest");
  add_seed_file_option(*verb, options->seed_file);
  add_temp_option(*verb, options->temp);
  add_work(*verb, options->work);
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  // What a proposal alone takes: a plan is explained without trials, and nothing is written.
  for (const char* const name : {"--output", "--ontology", "--keep", "--no-method", "--seed",
                                 "--seed-file", "--temp-dir", "--no-sync"}) {
    verb->get_option("--check")->excludes(verb->get_option(name));
  }
  verb->callback([options, &chosen] { chosen = [options] { return run_plan(*options); }; });
}

}  // namespace semveil::cli
