// Plans: from TOML to PlanFile, strictly (docs/formats/plan.md).
//
// Form first (keys, types, values of each table), then meaning (what the tables say of each other);
// of all that is wrong the first line is told. A seed is never quoted: not as a value, and not in
// what the TOML library says of a broken line, which is cut before the text it saw.
#include "semveil/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/bytes.h"
#include "base/choices.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/toml.h"
#include "mechanisms/cells/pseudonym_method.h"
#include "plan/plan_column.h"
#include "plan/plan_hierarchy.h"
#include "plan/plan_keys.h"
#include "plan/plan_mask.h"
#include "plan/plan_reader.h"
#include "semveil/method.h"

namespace semveil {
namespace {

constexpr Choices<MissingRule, 5> kMissingRules{{
    {"keep", MissingRule::kKeep},
    {"category", MissingRule::kCategory},
    {"wildcard", MissingRule::kWildcard},
    {"drop-record", MissingRule::kDropRecord},
    {"error", MissingRule::kError},
}};
constexpr Choices<UndeclaredRule, 3> kUndeclaredRules{{
    {"keep", UndeclaredRule::kKeep},
    {"drop", UndeclaredRule::kDrop},
    {"error", UndeclaredRule::kError},
}};

class PlanReading {
 public:
  PlanReading(const std::string& name, const std::string& folder) : notes_(name) {
    plan_.path = name;
    plan_.folder = folder;
  }

  Result<PlanFile> read(toml::table& root, const std::map<std::string, std::string>& overrides) {
    PlanTable top(root, "", plan_keys(""), notes_);
    read_top(top);
    for (const auto& [name, table] : top.tables("ontology")) {
      PlanTable ontology(*table, fmt::format("[ontology.{}]", name), plan_keys("[ontology.NAME]"),
                         notes_);
      read_source(ontology, plan_.folder, plan_.ontologies[name]);
    }
    for (const auto& [name, table] : top.tables("column")) {
      PlanTable column(*table, fmt::format("[column.{}]", name), plan_keys("[column.NAME]"), notes_,
                       name);
      ColumnSettings& plan = plan_.columns.emplace_back();
      plan.name = name;
      plan.line = column.line();
      read_column(column, plan_, notes_, plan);
    }
    if (!plan_.person.empty() && plan_.find(plan_.person) == nullptr) {
      top.wrong_meaning("person", fmt::format("person: there is no [column.{0}]; declare it, with "
                                              "role = \"identifier\" if it is not to be released",
                                              plan_.person));
    }
    const bool has_pseudonyms = std::ranges::find(plan_.columns, Role::kPseudonym,
                                                  &ColumnSettings::role) != plan_.columns.end();
    if (plan_.allow_linked_rows && plan_.person.empty() && !has_pseudonyms) {
      top.wrong_meaning("allow_linked_rows",
                        "allow_linked_rows needs person = \"COLUMN\" or a pseudonym: nothing else "
                        "tells whose rows are linked");
    }
    for (const ColumnSettings& column : plan_.columns) {
      if (column.pseudonym) plan_.recodings.push_back(pseudonym_step(column));
    }
    settle_hierarchies(plan_);
    const bool has_steps = root["mask"].is_array_of_tables();
    if (!has_steps && top.table("mask", "[mask]") == nullptr) root.erase("mask");
    if (has_steps || root.contains("mask") || !overrides.empty()) {
      read_masks(root, overrides, plan_, notes_);
    }
    const bool forms_classes =
        plan_.has_step([](const MethodDescription& method) { return method.forms_classes; });
    if (has_pseudonyms && forms_classes && plan_.person.empty()) {
      top.wrong_meaning("person",
                        "pseudonyms tell persons apart, and classes of k would count their "
                        "records: write person = \"COLUMN\" at the top of the plan");
    }
    const ColumnSettings* const person = plan_.find(plan_.person);
    if (person != nullptr && !person->pseudonym && plan_.recodes(*person)) {
      top.wrong_meaning("person",
                        fmt::format("person: column {} tells persons apart as it is, and a step "
                                    "recodes it; leave it out of that step",
                                    plan_.person));
    }
    if (std::optional<Error> error = std::move(notes_).take()) return fail(*std::move(error));
    return std::move(plan_);
  }

 private:
  void read_top(PlanTable& top) {
    std::string seed;
    top.text("seed", seed);
    if (!seed.empty()) plan_.seed = std::move(seed);
    top.text("release", plan_.release);
    top.choice("missing", kMissingRules, plan_.missing);
    top.choice("undeclared", kUndeclaredRules, plan_.undeclared);
    top.flag("shuffle", plan_.shuffle);
    top.text("person", plan_.person);
    top.flag("allow_linked_rows", plan_.allow_linked_rows);
    top.texts("missing_values", PlanTable::Empty::kYes, plan_.missing_values);
    if (const toml::table* table = top.table("csv", "[csv]")) {
      PlanTable csv(*table, "[csv]", plan_keys("[csv]"), notes_);
      csv.character("separator", plan_.separator);
      csv.character("quote", plan_.quote);
      if (plan_.separator && plan_.separator == plan_.quote) {
        csv.wrong_form("quote", "quote: the separator is the same character");
      }
    }
  }

  PlanNotes notes_;
  PlanFile plan_;
};

// What the TOML library says of a broken line, without what it quotes from it, unless that is a key
// of plans or one sign: it may be the seed.
std::string without_quotes(std::string_view said) {
  const auto harmless = [](std::string_view quoted) {
    if (quoted.size() == 1 || quoted == "true" || quoted == "false") return true;
    return std::ranges::any_of(plan_sections(), [&](const PlanSection& section) {
      return std::ranges::find(section.keys, quoted) != section.keys.end();
    });
  };
  said = said.substr(0, said.find(", saw '"));
  for (std::size_t open = said.find('\''); open != std::string_view::npos;) {
    const std::size_t close = said.find('\'', open + 1);
    if (close == std::string_view::npos || !harmless(said.substr(open + 1, close - open - 1))) {
      said = said.substr(0, open);
      break;
    }
    open = said.find('\'', close + 1);
  }
  while (said.ends_with(' ') || said.ends_with(':')) said.remove_suffix(1);
  return std::string(said);
}

Error broken(const toml::parse_error& wrong) {
  constexpr std::string_view kTwice = "cannot redefine";
  const std::string said = without_quotes(wrong.description());
  if (said.find(kTwice) != std::string::npos) {
    return data_error("this key or table stands in the plan already; keep one of the two");
  }
  constexpr std::string_view kOpening = "Error while ";
  return data_error(
      fmt::format("not valid TOML ({}); check the quotes and brackets here",
                  std::string_view(said).substr(said.starts_with(kOpening) ? kOpening.size() : 0)));
}

std::uint64_t line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::uint64_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

}  // namespace

std::string_view to_string(MissingRule rule) { return name_of(kMissingRules, rule); }
std::string_view to_string(UndeclaredRule rule) { return name_of(kUndeclaredRules, rule); }

Result<PlanFile> PlanFile::read(const std::string& path,
                                const std::map<std::string, std::string>& overrides) {
  const Result<FileBytes> file = FileBytes::read(path);
  if (!file) return fail(file.error());
  if (file->view().size() > kMostPlanBytes) {
    return fail(data_error(fmt::format("a plan of more than {} MiB: is this the right file?",
                                       kMostPlanBytes >> 20U))
                    .at(path));
  }
  return parse(file->view(), path, overrides);
}

Result<PlanFile> PlanFile::parse(std::string_view text, const std::string& name,
                                 const std::map<std::string, std::string>& overrides) {
  if (const std::size_t at = find_invalid_utf8(text); at != std::string_view::npos) {
    return fail(
        data_error("this is not valid UTF-8: save the plan as UTF-8").at(name, line_at(text, at)));
  }
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& wrong) {
    return fail(broken(wrong).at(name, wrong.source().begin.line));
  }
  return PlanReading(name, std::filesystem::path(name).parent_path().string())
      .read(root, overrides);
}

const ColumnSettings* PlanFile::find(std::string_view column) const {
  const auto at = std::ranges::find(columns, column, &ColumnSettings::name);
  return at == columns.end() ? nullptr : &*at;
}

const CategoriesSettings* PlanFile::categories_of(const ColumnSettings& column) const {
  if (column.categories) return &*column.categories;
  const MaskStep* const step = step_of(column);
  if (step != nullptr) return step->categories();
  for (const MaskStep& other : steps) {
    if (const CategoriesSettings* categories = other.categories()) return categories;
  }
  return nullptr;
}

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += fmt::format("\\{}", c);
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace semveil
