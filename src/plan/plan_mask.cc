#include "plan/plan_mask.h"

#include <algorithm>
#include <memory>
#include <set>

#include "base/text.h"
#include "plan/plan_categories.h"
#include "plan/plan_column.h"
#include "plan/plan_hierarchy.h"
#include "plan/plan_keys.h"
#include "semveil/method.h"

namespace semveil {
namespace {

// The fragment must be one value: a line end could smuggle in other keys.
bool put_override(const std::string& key, const std::string& fragment, toml::table& mask) {
  if (find_invalid_utf8(fragment) != std::string::npos) return false;
  try {
    toml::table parsed = toml::parse("value = " + fragment);
    toml::node* value = parsed.get("value");
    if (parsed.size() != 1 || value == nullptr) return false;
    value->visit([&](const auto& node) { mask.insert_or_assign(key, node); });
    return true;
  } catch (const toml::parse_error&) {
    return false;
  }
}

// Null where there is no such method.
const Method* read_method(PlanTable& table, std::string_view title) {
  if (!table.has("method")) {
    table.wrong_meaning("method", fmt::format("no method: write method = \"noise\" in {} (or {})",
                                              title, either(available_methods().subspan(1))));
    return nullptr;
  }
  std::string wanted;
  table.text("method", wanted);
  if (wanted.empty()) return nullptr;
  if (std::ranges::find(method_names(), wanted) == method_names().end()) {
    table.wrong_form("method",
                     fmt::format("there is no such method; the nearest is {} (this version has {})",
                                 nearest(wanted, method_names()), either(available_methods())),
                     wanted);
    return nullptr;
  }
  if (std::ranges::find(available_methods(), wanted) == available_methods().end()) {
    table.wrong_form("method", fmt::format("method {} is not available in this version; it has {}",
                                           wanted, either(available_methods())));
    return nullptr;
  }
  return find_method(wanted);
}

void refuse_keys_of_other_methods(PlanTable& table, const MethodDescription& method) {
  for (const std::string_view key : plan_keys("[mask]")) {
    if (!table.has(key) || method.takes(key)) continue;
    table.wrong_form(key, fmt::format("{} does not take {}; it is a key of {}", method.name, key,
                                      fmt::join(methods_taking(key), ", ")));
  }
}

// Who asks for another method than the file's does not mean the keys that it does not take.
void leave_out_keys_of_the_old_method(const std::map<std::string, std::string>& overrides,
                                      std::string_view old_method, toml::table& mask) {
  const auto method = mask[kMethodKey].value<std::string_view>();
  if (!method || *method == old_method) return;
  const MethodDescription& taken = method_named(*method);
  for (const std::string_view key : plan_keys("[mask]")) {
    if (!taken.takes(key) && !overrides.contains(std::string(key))) mask.erase(key);
  }
}

// Two keys that say one thing in two ways, as k and p: who gives one of them on the command line
// does not mean the file's other one.
void leave_out_what_stands_instead(const std::map<std::string, std::string>& overrides,
                                   toml::table& mask) {
  const auto is_given = [&](std::string_view key) { return overrides.contains(std::string(key)); };
  for (const std::string_view name : plan_keys("[mask]")) {
    const MethodKey* const key = find_mask_key(name);
    if (key == nullptr || key->instead.empty()) continue;
    if (is_given(name) == is_given(key->instead)) continue;
    mask.erase(is_given(name) ? key->instead : name);
  }
}

// A text that only some forms of are allowed of.
void read_text(PlanTable& table, const MethodKey& key, std::string& out) {
  table.text(key.name, out);
  if (out.empty() || key.fits == nullptr || key.fits(out)) return;
  table.wrong_form(key.name, fmt::format("{}: expected {}", key.name, key.form));
}

// What is there and well formed.
std::optional<Setting> read_setting(PlanTable& table, const MethodKey& key, const PlanFile& plan,
                                    PlanNotes& notes) {
  const auto given = [](auto value) {  // empty: not there, or noted
    return value.empty() ? std::optional<Setting>() : std::optional<Setting>(std::move(value));
  };
  if (!table.has(key.name)) return std::nullopt;
  switch (key.type) {
    case KeyType::kFlag: {
      bool flag = false;
      table.flag(key.name, flag);
      return flag;
    }
    case KeyType::kWhole: {
      const auto low = static_cast<unsigned>(key.low), high = static_cast<unsigned>(key.high);
      unsigned whole = low;
      table.whole(key.name, low, high, whole);
      return std::uint64_t{whole};
    }
    case KeyType::kNumber: {
      std::optional<double> number;
      table.number(
          key.name, range_text(key), [&](double x) { return is_in_range(key, x); }, number);
      return number ? std::optional<Setting>(*number) : std::nullopt;
    }
    case KeyType::kChoice: {
      std::string word;
      table.choice(key.name, key.choices, word);
      return given(std::move(word));
    }
    case KeyType::kText: {
      std::string text;
      read_text(table, key, text);
      return given(std::move(text));
    }
    case KeyType::kPairs: {
      ColumnPairs pairs;
      table.pairs(key.name, pairs);
      return given(std::move(pairs));
    }
    case KeyType::kRows: {
      NumberRows rows;
      table.matrix(key.name, rows);
      return given(std::move(rows));
    }
    case KeyType::kByColumn: {
      ColumnNumbers numbers;
      table.numbers_by_column(
          key.name, range_text(key), [&](double x) { return is_in_range(key, x); }, numbers);
      return given(std::move(numbers));
    }
    case KeyType::kCategories: {
      std::optional<CategoriesSettings> categories;
      read_categories_key(table, plan, notes, categories);
      return categories ? std::optional<Setting>(*std::move(categories)) : std::nullopt;
    }
  }
  return std::nullopt;
}

// Also what the method does not take, or where none is known: its form may be wrong all the same.
void read_settings(PlanTable& table, const PlanFile& plan, PlanNotes& notes, MaskStep& out) {
  for (const std::string_view name : plan_keys("[mask]")) {
    const MethodKey* const own = out.about().key(name);
    const MethodKey* const key = own != nullptr ? own : find_mask_key(name);
    if (key == nullptr) continue;
    std::optional<Setting> setting = read_setting(table, *key, plan, notes);
    if (setting && own != nullptr) out.settings.set(name, *std::move(setting));
  }
}

// In the plan's order: the table's is not known yet.
std::vector<std::string> default_columns(const PlanFile& plan, const MaskStep& step) {
  std::vector<std::string> names;
  for (const ColumnSettings& column : plan.columns) {
    if (is_masked(column, step)) names.push_back(column.name);
  }
  return names;
}

class MaskCheck {  // what [mask] says of the columns
 public:
  MaskCheck(PlanFile& plan, const MaskStep& mask, PlanTable& table, PlanNotes& notes)
      : plan_(plan), mask_(mask), about_(mask.about()), table_(table), notes_(notes) {}

  void check() {
    bool sound = check_columns(kColumnsKey, mask_.columns);
    for (const MethodKey& key : about_.keys) {
      if (key.type != KeyType::kPairs) continue;
      std::vector<std::string> paired;
      for (const auto& [a, b] : setting_of<ColumnPairs>(mask_, key)) {
        paired.insert(paired.end(), {a, b});
      }
      sound = check_columns(key.name, paired) && sound;
    }
    for (const MethodKey& key : about_.keys) {
      if (key.type != KeyType::kByColumn) continue;
      for (const auto& [name, number] : setting_of<ColumnNumbers>(mask_, key)) {
        const ColumnSettings* const column = plan_.find(name);
        if (column != nullptr && is_masked(*column, mask_)) continue;
        table_.wrong_meaning(
            key.name,
            fmt::format("{}: {} is no column that is masked; leave it out", key.name, name));
        sound = false;
      }
    }
    PlanCheck check{.plan = plan_,
                    .mask = mask_,
                    .masked = mask_.columns.empty() ? default_columns(plan_, mask_) : mask_.columns,
                    .names_are_sound = sound};
    if (check.masked.empty()) return table_.wrong_meaning(kColumnsKey, nothing_to_mask());
    if (!about_.takes_several_ontologies) check_ontologies(check.masked);
    mask_.method->check(check);
    for (PlanCheck::Fault& fault : check.faults) note(std::move(fault));
  }

 private:
  void note(PlanCheck::Fault fault) {
    if (fault.column.empty()) return table_.wrong_meaning(fault.key, std::move(fault.message));
    const ColumnSettings* const column = plan_.find(fault.column);
    notes_.add(PlanNotes::Kind::kMeaning,
               data_error(std::move(fault.message)).at({plan_.path, column->line, column->name}));
  }

  std::string nothing_to_mask() const {
    if (about_.recodes()) {
      return fmt::format("{} needs to know which cells: list columns = [\"NAME\"]", about_.name);
    }
    if (about_.releases_sets) {
      return fmt::format(
          "{} finds no column to mask: no column is sensitive; give one role = \"sensitive\", or "
          "list columns in [mask]",
          about_.name);
    }
    if (about_.forms_classes) {
      return fmt::format(
          "{} finds no column to mask: no column is a quasi-identifier; give one role = "
          "\"quasi-identifier\"",
          about_.name);
    }
    return fmt::format(
        "{} finds no column to mask: no quasi-identifier has an ontology; give one an ontology, or "
        "list columns in [mask]",
        about_.name);
  }

  void check_ontologies(const std::vector<std::string>& masked) {
    for (const std::string& name : masked) {
      const ColumnSettings* const column = plan_.find(name);
      if (column == nullptr || !column->has_several_ontologies()) continue;
      table_.wrong_meaning(
          kMethodKey,
          fmt::format("{} needs one taxonomy, and column {} has several ontologies; swap, "
                      "fuse and recode take them, or leave one",
                      about_.name, name));
    }
  }

  bool check_columns(std::string_view key, const std::vector<std::string>& names) {
    std::set<std::string_view> seen;
    for (const std::string& name : names) {
      const std::string fault = fault_of(name, !seen.insert(name).second);
      if (fault.empty()) continue;
      table_.wrong_meaning(key, fmt::format("{}: {}", key, fault));
      return false;
    }
    return true;
  }

  std::string fault_of(const std::string& name, bool repeated) const {
    if (repeated) return fmt::format("column {} stands there twice", name);
    const ColumnSettings* column = plan_.find(name);
    if (column == nullptr) {
      std::vector<std::string_view> declared;
      for (const ColumnSettings& other : plan_.columns) declared.push_back(other.name);
      std::string fault = fmt::format("there is no [column.{}]; declare it", name);
      if (!declared.empty()) fault += fmt::format(", or write {}", nearest(name, declared));
      return fault;
    }
    if (column->role == Role::kPseudonym) {
      return fmt::format(
          "column {} gets pseudonyms, and no other method; leave it out or change "
          "its role",
          name);
    }
    if (column->role == Role::kIdentifier) {
      return fmt::format(
          "column {} is an identifier and is dropped; leave it out or change its role", name);
    }
    if (about_.forms_classes) return "";  // over quasi-identifiers of every kind: it says itself
    // A recoding sees what those before it left; of them only the last makes texts of numbers.
    const ColumnSettings seen = about_.recodes() ? *column : plan_.after_recodings(*column);
    if (about_.can_mask(seen)) return "";
    if (column->has_several_ontologies() && !about_.recodes()) return "";
    return fault_of_kind(seen);
  }

  // Why the method cannot mask a column of this kind.
  std::string fault_of_kind(const ColumnSettings& column) const {
    const bool numbers = about_.takes_numbers;
    if (numbers && !about_.takes_concepts) {
      return fmt::format("{} takes numbers; give [column.{}] type = \"numeric\"", about_.name,
                         column.name);
    }
    if (about_.takes_texts) {
      return fmt::format(
          "{} takes values as texts or concepts; leave type = \"{}\" out of [column.{}]",
          about_.name, to_string(column.type), column.name);
    }
    if (column.type != ColumnType::kNominal) {
      return fmt::format("column {} is not nominal, and {} masks {}{}; leave it out", column.name,
                         about_.name, numbers ? "concepts and numbers" : "concepts",
                         about_.takes_dates ? " and dates" : "");
    }
    return fmt::format(
        "{} needs an ontology for column {}; add ontology = \"NAME\" to [column.{}]{}", about_.name,
        column.name, column.name, numbers ? ", or type = \"numeric\"" : "");
  }

  PlanFile& plan_;
  const MaskStep& mask_;
  const MethodDescription& about_;
  PlanTable& table_;
  PlanNotes& notes_;
};

// One table of [mask], as far as it can be read alone.
struct StepTable {
  toml::table& table;
  std::string title;
  std::map<std::string, std::string> overrides = {};
};

// The options that stand for keys, by key.
using Options = std::map<std::string, std::string, std::less<>>;

Options put_overrides(StepTable& step, PlanNotes& notes) {
  Options options;
  const auto old_method = step.table[kMethodKey].value<std::string>();
  const Keys known = plan_keys("[mask]");
  for (const auto& [key, fragment] : step.overrides) {
    options[key] = option_named(key);
    if (put_override(key, fragment, step.table)) continue;
    Error error = usage_error(
        "this is no value of TOML; write a number, true, false, \"a text\" or "
        "[\"a\", \"list\"]");
    if (std::ranges::find(known, key) != known.end()) error.value = fragment;
    notes.add(PlanNotes::Kind::kForm, std::move(error).at(options[key]));
  }
  if (old_method) leave_out_keys_of_the_old_method(step.overrides, *old_method, step.table);
  leave_out_what_stands_instead(step.overrides, step.table);
  return options;
}

bool gives_categories(const std::map<std::string, std::string>& overrides) {
  return std::ranges::any_of(overrides, [&](const auto& given) {
    const MethodKey* const key = find_mask_key(given.first);
    return key != nullptr && key->type == KeyType::kCategories;
  });
}

// A step that was read, and what it was read from.
struct ReadStep {
  std::unique_ptr<PlanTable> table;
  MaskStep step;
};

ReadStep read_step(StepTable& from, PlanFile& plan, PlanNotes& notes) {
  Options options = put_overrides(from, notes);
  ReadStep read{std::make_unique<PlanTable>(from.table, from.title, plan_keys("[mask]"), notes, "",
                                            std::move(options)),
                {}};
  PlanTable& table = *read.table;
  MaskStep& out = read.step;
  out.line = table.line();
  out.method = read_method(table, from.title);
  table.texts(kColumnsKey, PlanTable::Empty::kNo, out.columns);
  if (table.has(kColumnsKey) && out.columns.empty()) {
    table.wrong_form(kColumnsKey, "columns: the list is empty; name a column or leave the key out");
  }
  table.text(kDrawByKey, out.draw_by);
  read_settings(table, plan, notes, out);
  if (gives_categories(from.overrides)) {  // the command line goes before what columns have
    for (ColumnSettings& column : plan.columns) column.categories.reset();
  }
  if (out.method == nullptr) return read;
  if (const Method* const meant = out.method->meant_by(out.settings)) out.method = meant;
  refuse_keys_of_other_methods(table, out.about());
  return read;
}

// ---- Several steps

// Which step a key of the command line belongs to; what is wrong otherwise.
std::string place_override(const std::string& key, const std::string& value,
                           std::vector<StepTable>& steps) {
  if (key == kMethodKey || key == kColumnsKey) {
    return fmt::format("the plan has several steps, and every one has {}; change it in the plan",
                       key == kMethodKey ? "a method" : "columns");
  }
  std::vector<StepTable*> takers;
  for (StepTable& step : steps) {
    const auto method = step.table[kMethodKey].value<std::string_view>();
    // A fixed level recodes cells, and takes no k.
    const bool is_level = step.table.contains("level") && key != "level";
    if (method && method_named(*method).takes(key) && !is_level) takers.push_back(&step);
  }
  if (takers.empty()) return fmt::format("none of the plan's steps takes {}", key);
  if (takers.size() > 1) {
    return fmt::format(
        "{} of the plan's steps take {}; change it in the plan, in the step that is "
        "meant",
        takers.size(), key);
  }
  takers.front()->overrides.emplace(key, value);
  return "";
}

// A step that names no columns has its method's usual ones, but for those that others name.
void settle_columns(PlanFile& plan, std::vector<ReadStep>& steps) {
  std::set<std::string, std::less<>> named;
  for (const ReadStep& read : steps) {
    if (!read.step.about().recodes()) {
      named.insert(read.step.columns.begin(), read.step.columns.end());
    }
  }
  for (ReadStep& read : steps) {
    if (!read.step.columns.empty() || read.step.method == nullptr) continue;
    const std::vector<std::string> usual = default_columns(plan, read.step);
    std::ranges::copy_if(usual, std::back_inserter(read.step.columns),
                         [&](const std::string& name) { return !named.contains(name); });
    if (!usual.empty() && read.step.columns.empty()) {
      read.table->wrong_meaning(
          kColumnsKey,
          fmt::format("{} finds no column to mask: other steps name all of its columns; "
                      "list columns here, or leave the step out",
                      read.step.about().name));
    }
  }
}

void refuse_common_columns(const std::vector<ReadStep>& steps) {
  std::map<std::string_view, const ReadStep*> by_column;
  for (const ReadStep& read : steps) {
    if (read.step.about().recodes()) continue;
    for (const std::string& name : read.step.columns) {
      const auto [at, is_new] = by_column.emplace(name, &read);
      if (is_new || at->second == &read) continue;
      read.table->wrong_meaning(
          kColumnsKey,
          fmt::format("column {} stands in two steps, {} and {}; a column has one, beside cell "
                      "recodings: list the columns of each step",
                      name, at->second->step.about().name, read.step.about().name));
      return;
    }
  }
}

void refuse_other_persons(const std::vector<ReadStep>& steps) {
  const MaskStep* first = nullptr;
  for (const ReadStep& read : steps) {
    if (read.step.draw_by.empty()) continue;
    if (first == nullptr) first = &read.step;
    if (first->draw_by == read.step.draw_by) continue;
    return read.table->wrong_meaning(
        kDrawByKey, fmt::format("draw_by: another step draws by {}; a table has one column that "
                                "tells its persons apart",
                                first->draw_by));
  }
}

std::vector<StepTable> step_tables(toml::table& root,
                                   const std::map<std::string, std::string>& overrides,
                                   PlanNotes& notes) {
  std::vector<StepTable> steps;
  toml::array* const several = root["mask"].as_array();
  if (several == nullptr) {
    if (!root.contains("mask")) root.insert("mask", toml::table());  // options may be all there is
    steps.push_back({*root["mask"].as_table(), "[mask]", overrides});
    return steps;
  }
  for (toml::node& node : *several) steps.push_back({*node.as_table(), "[[mask]]"});
  if (steps.size() == 1) {
    steps.front().overrides = overrides;
    return steps;
  }
  for (const auto& [key, value] : overrides) {
    std::string fault = place_override(key, value, steps);
    if (fault.empty()) continue;
    notes.add(PlanNotes::Kind::kForm, usage_error(std::move(fault)).at(option_named(key)));
  }
  return steps;
}

}  // namespace

void read_masks(toml::table& root, const std::map<std::string, std::string>& overrides,
                PlanFile& plan, PlanNotes& notes) {
  std::vector<StepTable> tables = step_tables(root, overrides, notes);
  std::vector<ReadStep> steps;
  for (StepTable& table : tables) steps.push_back(read_step(table, plan, notes));
  const bool several = steps.size() > 1;
  if (several) settle_columns(plan, steps);
  for (const ReadStep& read : steps) {
    (read.step.about().recodes() ? plan.recodings : plan.steps).push_back(read.step);
  }
  settle_hierarchies(plan);
  for (const ReadStep& read : steps) {
    if (read.step.method == nullptr) continue;
    MaskCheck(plan, read.step, *read.table, notes).check();
  }
  if (!several) return;
  refuse_common_columns(steps);
  refuse_other_persons(steps);
}

}  // namespace semveil
