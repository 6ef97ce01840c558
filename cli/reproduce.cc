#include "semveil/reproduce.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "progress.h"
#include "reproduction_output.h"
#include "semveil/files.h"
#include "semveil/json.h"
#include "semveil/report.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

constexpr const char* kDefaultData = "../shared/data";

struct ReproduceArguments {
  Common common;
  Work work;
  std::vector<std::string> names;
  std::string data, report;
  std::optional<unsigned> part;
};

std::string data_folder(const ReproduceArguments& options) {
  if (!options.data.empty()) return options.data;
  const char* set = std::getenv("SEMVEIL_DATA");
  return set != nullptr && *set != '\0' ? set : kDefaultData;
}

std::string_view to_string(DataState state) {
  switch (state) {
    case DataState::kHere:
      return "there";
    case DataState::kAbsent:
      return "missing";
    case DataState::kDifferent:
      return "other";
  }
  return "other";
}

// The public data sets: which are there, and where the others are to be had.
Status list_data(const std::string& folder, std::vector<DataFileFacts>& data, std::string& text) {
  text += "\n" + wrapped("", fmt::format("Public data sets, in {} (--data or SEMVEIL_DATA names "
                                         "another folder). SHA-256 of packed files is that of "
                                         "the file unpacked.",
                                         folder));
  for (const PublicDataFile& file : public_data()) {
    const Result<DataState> state = state_of(file, folder);
    if (!state) return fail(state.error());
    data.push_back({std::string(file.path), std::string(to_string(*state)), std::string(file.from),
                    std::string(file.sha256)});
    const std::string_view said = *state == DataState::kHere     ? "there"
                                  : *state == DataState::kAbsent ? "MISSING"
                                                                 : "there, with OTHER CONTENT than "
                                                                   "the figures are of";
    text += fmt::format("  {}  {}\n", file.path, said);
    if (*state == DataState::kHere) continue;
    text += wrapped("    published ", file.from) + fmt::format("    SHA-256 {}\n", file.sha256);
  }
  return {};
}

Status list(const ReproduceArguments& options) {
  const Common& common = options.common;
  std::vector<DataFileFacts> data;
  std::string text;
  for (const ExperimentInfo& info : experiments()) {
    text += fmt::format("  {}  {}\n", info.name, info.what);
    const std::string indent(info.name.size() + 4, ' ');
    text += wrapped(indent, info.paper) + wrapped(indent + "needs ", info.needs);
  }
  if (Status listed = list_data(data_folder(options), data, text); !listed) return listed;
  if (common.json) return print_json(to_json(experiments(), data_folder(options), data));
  return common.quiet ? Status() : print_text(text);
}

Status check(const ReproduceArguments& options) {
  const bool several = options.names.size() > 1;
  if (several && options.part) {
    return fail(usage_error("--part is of one experiment: give one name"));
  }
  if (options.report.empty()) return {};
  if (options.names.empty()) {
    return fail(usage_error("a report needs an experiment: give one name or several"));
  }
  if (options.report == "-" && options.common.json) {
    return fail(usage_error("--json and --report - would both be written to standard output"));
  }
  return {};
}

Result<std::vector<Reproduction>> run_all(const ReproduceArguments& options) {
  ProgressLine progress(options.common, options.work, ProgressLine::Unit::kRuns);
  ReproduceOptions how;
  how.data = data_folder(options);
  how.part = options.part;
  how.work.threads = options.work.threads;
  how.work.use_cache = !options.common.no_cache;
  how.work.progress = progress.callback();
  how.clock = [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  };
  // Of all experiments, before minutes are spent on the first.
  if (Status there = public_data_is_there(options.names, how); !there) return fail(there.error());
  std::vector<Reproduction> out;
  for (const std::string& name : options.names) {
    Result<Reproduction> reproduction = reproduce(name, how);
    progress.clear();
    if (!reproduction) return fail(reproduction.error());
    out.push_back(*std::move(reproduction));
  }
  return out;
}

// One experiment stands alone, several in a list.
Status say(const Common& common, const std::vector<Reproduction>& reproductions) {
  if (common.json) return print_json(to_json(reproductions));
  if (common.quiet) return {};
  std::string text;
  for (const Reproduction& each : reproductions) {
    if (reproductions.size() > 1) text += fmt::format("{}: ", each.experiment.name);
    text += to_text(each);
  }
  return print_text(text);
}

Status run_reproduce(const ReproduceArguments& options) {
  if (Status checked = check(options); !checked) return checked;
  if (options.names.empty()) return list(options);
  // Opened before minutes are spent: a folder that is not there is told at once.
  std::optional<PendingFile> report;
  if (!options.report.empty()) {
    Result<PendingFile> pending = PendingFile::create(options.report);
    if (!pending) return fail(pending.error());
    report.emplace(*std::move(pending));
  }
  const Result<std::vector<Reproduction>> reproductions = run_all(options);
  if (!reproductions) return fail(reproductions.error());
  if (report) {
    const std::string html = reproduction_html(*reproductions, SEMVEIL_VERSION);
    if (Status written = report->append(html); !written) return written;
    // Standard output is the report's alone.
    if (options.report == "-") return report->commit(options.common.sync);
  }
  // Said before the report is committed: if it cannot be printed, no file appears.
  if (Status said = say(options.common, *reproductions); !said) return said;
  return report ? report->commit(options.common.sync) : Status();
}

}  // namespace

void add_reproduce(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<ReproduceArguments>();
  CLI::App* verb = add_verb(
      app, "reproduce", "The papers' experiments, their figures and ours side by side",
      "  semveil reproduce\n"
      "  semveil reproduce noise-adult --part 1\n"
      "  semveil reproduce noise-adult --data ../shared/data --json\n"
      "  semveil reproduce swap --threads 2\n"
      "  semveil reproduce fuse --part 5\n"
      "  semveil reproduce ean --part 3\n"
      "  semveil reproduce similarity\n"
      "  semveil reproduce noise-adult swap fuse ean similarity --threads 2 --report papers.html\n"
      "Without a name the experiments are listed, and of every public data set whether it is\n"
      "there, else where it is published, its SHA-256 and where to put it.\n"
      "Keys are fixed: the figures are the same every time, but for times. Exit 0 also where\n"
      "a claim does not hold; the last line counts those that do. Memory: the ontologies and\n"
      "a table of some 30,000 records.");
  verb->add_option("name", options->names, "Experiments; without a name they are listed");
  verb->add_option("--part", options->part, "Only this part of the experiment, from 1")
      ->check(CLI::Range(1U, 99U).description(""));
  verb->add_option("--data", options->data,
                   "Folder of the public data sets. Default: $SEMVEIL_DATA, else ../shared/data")
      ->type_name("DIR");
  verb->add_option("--report", options->report,
                   "Write tables, figures and claims to this HTML file; - is standard output")
      ->type_name("FILE");
  add_threads(*verb, options->work);
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_reproduce(*options); }; });
}

}  // namespace semveil::cli
