#include "report_facts.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "help.h"
#include "semveil/files.h"
#include "semveil/plan_text.h"

namespace semveil::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

void add_edition_option(CLI::App& verb, ReportOptions& options) {
  static constexpr std::array<std::string_view, 2> kEditions{"public", "steward"};
  add_choice(
      verb, "--edition", options.edition,
      "Who may read it. A page for the public shows no value of the original that the release "
      "does not contain, and its figures are rounded. It is for",
      kEditions)
      ->group(kReportGroup);
}

void add_report_options(CLI::App& verb, ReportOptions& options) {
  verb.add_option("--report", options.file, "Write one HTML file with figures and plots")
      ->type_name("FILE")
      ->group(kReportGroup);
  add_edition_option(verb, options);
}

Edition edition_of(const ReportOptions& options) {
  return options.edition == "steward" ? Edition::kSteward : Edition::kPublic;
}

Result<PendingFile> prepare_report(const std::string& path, std::string_view html,
                                   Edition edition) {
  constexpr unsigned kOwnerOnly = 0600, kEverybody = 0644;
  return PendingFile::write(path, std::span(&html, 1),
                            edition == Edition::kPublic ? kEverybody : kOwnerOnly);
}

std::string plan_arguments(const PlanOptions& plan, Edition edition) {
  std::string out = " --plan " + file_word(plan.plan, edition);
  if (!plan.ontology.empty()) {
    const std::string path = source_path(plan.ontology);
    const std::string scheme = plan.ontology.substr(0, plan.ontology.size() - path.size());
    out += " --ontology " + shell_word(scheme + shown_path(path, edition));
  }
  for (const auto& [key, value] : plan.overrides) {
    std::string name = key == "separator" ? "set-separator" : key == "output" ? "sets" : key;
    std::ranges::replace(name, '_', '-');
    const Json parsed = Json::parse(value, nullptr, false);
    std::string word = parsed.is_string() ? parsed.get<std::string>() : value;
    if (parsed.is_array()) {
      word.clear();
      for (const Json& one : parsed) {
        word += word.empty() ? "" : ",";
        word += one.is_array() ? one[0].get<std::string>() + ":" + one[1].get<std::string>()
                               : one.get<std::string>();
      }
    }
    const bool is_flag = parsed.is_boolean();
    out += (is_flag && !parsed.get<bool>() ? " --no-" : " --") + name;
    if (!is_flag) {
      out += " " + (key == "categories" ? file_word(word, edition) : shell_word(word));
    }
  }
  return out;
}

std::string shown_path(const std::string& path, Edition edition) {
  return edition == Edition::kPublic ? file_name(path) : path;
}

std::string file_word(const std::string& path, Edition edition) {
  return shell_word(shown_path(path, edition));
}

std::string shell_word(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace semveil::cli
