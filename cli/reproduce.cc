#include "semveil/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "progress.h"
#include "text_table.h"
#include "verb.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;
constexpr const char* kDefaultData = "../shared/data";

struct Options {
  Common common;
  Work work;
  std::string name, data;
  std::optional<unsigned> part;
};

Json to_json(const ReproducedCell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

Json to_json(const std::vector<ReproducedCell>& cells) {
  Json json = Json::array();
  for (const ReproducedCell& cell : cells) json.push_back(to_json(cell));
  return json;
}

Json to_json(const ReproducedRow& row) {
  Json json;
  json["name"] = row.name;
  json["theirs"] = row.theirs.empty() ? Json(nullptr) : to_json(row.theirs);
  json["ours"] = to_json(row.ours);
  json["tolerance"] = row.tolerance ? Json(*row.tolerance) : Json(nullptr);
  json["within"] = Json::array();
  for (const auto& within : row.within()) {
    json["within"].push_back(within ? Json(*within) : Json(nullptr));
  }
  return json;
}

Json to_json(const ReproducedPart& part) {
  Json json;
  json["title"] = part.title;
  json["notes"] = part.notes;
  json["tables"] = Json::array();
  for (const ReproducedTable& table : part.tables) {
    Json rows = Json::array();
    for (const ReproducedRow& row : table.rows) rows.push_back(to_json(row));
    json["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", rows}});
  }
  json["claims"] = Json::array();
  for (const ReproducedClaim& claim : part.claims) {
    json["claims"].push_back({{"about", claim.about},
                              {"claim", claim.text},
                              {"holds", claim.holds},
                              {"figures", claim.figures},
                              {"why", claim.why.empty() ? Json(nullptr) : Json(claim.why)}});
  }
  return json;
}

Json to_json(const Reproduction& reproduction) {
  Json json;
  json["experiment"] = reproduction.experiment.name;
  json["paper"] = reproduction.experiment.paper;
  json["parts"] = Json::array();
  for (const ReproducedPart& part : reproduction.parts) json["parts"].push_back(to_json(part));
  return json;
}

constexpr int kOurDigits = 3;
std::string cell_text(const ReproducedCell& cell, int digits) {
  if (const auto* number = std::get_if<double>(&cell))
    return fmt::format("{:.{}f}", *number, digits);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "-";
}

std::string verdict(const ReproducedRow& row) {
  std::size_t compared = 0;
  std::size_t good = 0;
  for (const std::optional<bool>& within : row.within()) {
    compared += within.has_value() ? 1 : 0;
    good += within.value_or(false) ? 1 : 0;
  }
  if (compared == 0) return "";
  const std::string head = fmt::format("±{} ", row.tolerance.value_or(0));
  return head + (good == compared ? "yes" : fmt::format("{}/{}", good, compared));
}

bool is_words(const ReproducedRow& row) {
  return std::any_of(row.ours.begin(), row.ours.end(), [](const ReproducedCell& cell) {
    return std::holds_alternative<std::string>(cell);
  });
}

std::string one_line(const std::vector<ReproducedCell>& cells) {
  std::string out;
  for (const ReproducedCell& cell : cells) {
    out += (out.empty() ? "" : ", ") + cell_text(cell, kOurDigits);
  }
  return out;
}

void add_cells(const std::vector<ReproducedCell>& cells, int digits, std::size_t columns,
               std::vector<std::string>& line) {
  for (const ReproducedCell& cell : cells) line.push_back(cell_text(cell, digits));
  if (cells.empty()) line.resize(line.size() + columns);
}

// Paper and ours in lines of their own, one below the other.
std::string stacked(const ReproducedTable& table) {
  std::vector<Align> align(table.columns.size() + 3, Align::kRight);
  align.front() = align[1] = align.back() = Align::kLeft;
  TextTable out(align);
  std::vector<std::string> head{"", ""};
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  out.add(head);
  for (const ReproducedRow& row : table.rows) {
    if (is_words(row)) continue;
    if (!row.theirs.empty()) {
      std::vector<std::string> line{row.name, "paper"};
      add_cells(row.theirs, table.printed_digits, table.columns.size(), line);
      out.add(line);
    }
    std::vector<std::string> line{row.theirs.empty() ? row.name : "", "ours"};
    add_cells(row.ours, kOurDigits, table.columns.size(), line);
    line.push_back(verdict(row));
    out.add(line);
  }
  return out.text();
}

// Paper and ours in one line.
std::string side_by_side(const ReproducedTable& table) {
  const std::size_t columns = table.columns.size();
  std::vector<Align> align(2 * columns + 3, Align::kRight);
  align.front() = align.back() = Align::kLeft;
  TextTable out(align);
  std::vector<std::string> over(2 * columns + 2);
  over[1] = "paper";
  over[columns + 2] = "ours";
  out.add(over);
  std::vector<std::string> head{""};
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  head.emplace_back("");
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  out.add(head);
  for (const ReproducedRow& row : table.rows) {
    if (is_words(row)) continue;
    std::vector<std::string> line{row.name};
    add_cells(row.theirs, table.printed_digits, columns, line);
    line.emplace_back("|");
    add_cells(row.ours, kOurDigits, columns, line);
    line.push_back(verdict(row));
    out.add(line);
  }
  return out.text();
}

bool fits(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    if (width(lines.substr(0, end)) > kPageWidth) return false;
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return true;
}

// Rows of words would make the columns wider than a page: they come first, as lines.
std::string to_text(const ReproducedTable& table) {
  std::string out = wrapped("", table.title);
  bool printed = false;  // anything to compare with
  for (const ReproducedRow& row : table.rows) {
    printed = printed || !row.theirs.empty();
    if (!is_words(row)) continue;
    if (!row.theirs.empty()) out += wrapped("  " + row.name + ", paper: ", one_line(row.theirs));
    out += wrapped("  " + row.name + ", ours:  ", one_line(row.ours));
  }
  const std::string beside = printed ? side_by_side(table) : "";
  return out + (printed && fits(beside) ? beside : stacked(table)) + "\n";
}

std::string to_text(const Reproduction& reproduction) {
  std::string out;
  std::size_t held = 0;
  std::size_t claims = 0;
  for (const ReproducedPart& part : reproduction.parts) {
    out += part.title + "\n\n";
    for (const std::string& note : part.notes) out += wrapped("  ", note);
    out += "\n";
    for (const ReproducedTable& table : part.tables) out += to_text(table);
    std::string about;
    for (const ReproducedClaim& claim : part.claims) {
      if (claim.about != about) out += wrapped("claims: ", claim.about);
      about = claim.about;
      out += wrapped(claim.holds ? "  yes  " : "  no   ", claim.text);
      out += wrapped("       ", claim.figures);
      if (!claim.why.empty()) out += wrapped("       why: ", claim.why);
      held += claim.holds ? 1 : 0;
      ++claims;
    }
    out += "\n";
  }
  return out + fmt::format("{} of {} claims hold.\n", held, claims);
}

Status list(const Common& common) {
  Json json;
  json["experiments"] = Json::array();
  std::string text;
  for (const ExperimentInfo& info : experiments()) {
    json["experiments"].push_back({{"name", info.name},
                                   {"paper", info.paper},
                                   {"what", info.what},
                                   {"parts", info.parts},
                                   {"needs", info.needs}});
    text += fmt::format("  {}  {}\n", info.name, info.what);
    const std::string indent(info.name.size() + 4, ' ');
    text += wrapped(indent, info.paper) + wrapped(indent + "needs ", info.needs);
  }
  if (common.json) return print_json(json);
  return common.quiet ? Status() : print_text(text);
}

Status run(const Options& options) {
  if (options.name.empty()) return list(options.common);
  const char* set = std::getenv("SEMVEIL_DATA");
  ProgressLine progress(options.common, options.work, ProgressLine::Unit::kRuns);
  ReproduceOptions how;
  how.data = !options.data.empty()            ? options.data
             : set != nullptr && *set != '\0' ? set
                                              : kDefaultData;
  how.part = options.part;
  how.work.threads = options.work.threads;
  how.work.use_cache = !options.common.no_cache;
  how.work.progress = progress.callback();
  how.clock = [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  };
  const Result<Reproduction> reproduction = reproduce(options.name, how);
  progress.clear();
  if (!reproduction) return fail(reproduction.error());
  if (options.common.json) return print_json(to_json(*reproduction));
  return options.common.quiet ? Status() : print_text(to_text(*reproduction));
}

}  // namespace

void add_reproduce(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      app, "reproduce", "The papers' experiments, their figures and ours side by side",
      "  semveil reproduce\n"
      "  semveil reproduce noise-adult --part 1\n"
      "  semveil reproduce noise-adult --data ../shared/data --json\n"
      "  semveil reproduce swap --threads 2\n"
      "  semveil reproduce fuse --part 5\n"
      "  semveil reproduce ean --part 3\n"
      "Keys are fixed: the figures are the same every time, but for times. Exit 0 also where\n"
      "a claim does not hold; the last line counts those that do. Memory: the ontologies and\n"
      "a table of some 30,000 records.");
  verb->add_option("name", options->name, "Experiment; without it they are listed")
      ->type_name("NAME");
  verb->add_option("--part", options->part, "Only this part of the experiment, from 1")
      ->check(CLI::Range(1U, 99U));
  verb->add_option("--data", options->data,
                   "Folder of the public data sets; default: $SEMVEIL_DATA, else ../shared/data")
      ->type_name("DIR");
  verb->add_option("--threads", options->work.threads, "Threads to use; does not change the result")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  verb->add_flag("--no-progress", options->work.no_progress, "No progress on standard error");
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace semveil::cli
