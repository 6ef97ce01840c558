#include "plan/plan_mask.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "plan/plan_categories.h"
#include "plan/plan_column.h"
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
const Method* read_method(PlanTable& table) {
  if (!table.has("method")) {
    table.wrong_meaning("method",
                        fmt::format("no method: write method = \"noise\" in [mask] (or {})",
                                    either(available_methods().subspan(1))));
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
    PlanCheck check{.plan = plan_,
                    .mask = mask_,
                    .masked = mask_.columns.empty() ? default_columns() : mask_.columns,
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

  // In the plan's order: the table's is not known yet.
  std::vector<std::string> default_columns() const {
    std::vector<std::string> names;
    for (const ColumnSettings& column : plan_.columns) {
      if (is_masked(column, mask_)) names.push_back(column.name);
    }
    return names;
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
    if (column->role == Role::kIdentifier) {
      return fmt::format(
          "column {} is an identifier and is dropped; leave it out or change its role", name);
    }
    if (about_.forms_classes) return "";  // over quasi-identifiers of every kind: it says itself
    if (about_.can_mask(*column) || column->has_several_ontologies()) return "";
    return fault_of_kind(*column);
  }

  // Why the method cannot mask a column of this kind.
  std::string fault_of_kind(const ColumnSettings& column) const {
    const bool numbers = about_.takes_numbers;
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

}  // namespace

void read_mask(toml::table& mask, const std::map<std::string, std::string>& overrides,
               PlanFile& plan, PlanNotes& notes) {
  std::map<std::string, std::string, std::less<>> options;
  const auto old_method = mask[kMethodKey].value<std::string>();
  const Keys known = plan_keys("[mask]");
  for (const auto& [key, fragment] : overrides) {
    options[key] = option_named(key);
    if (put_override(key, fragment, mask)) continue;
    Error error = usage_error(
        "this is no value of TOML; write a number, true, false, \"a text\" or "
        "[\"a\", \"list\"]");
    if (std::ranges::find(known, key) != known.end()) error.value = fragment;
    notes.add(PlanNotes::Kind::kForm, std::move(error).at(options[key]));
  }
  if (old_method) leave_out_keys_of_the_old_method(overrides, *old_method, mask);
  leave_out_what_stands_instead(overrides, mask);
  PlanTable table(mask, "[mask]", known, notes, "", std::move(options));
  MaskStep& out = plan.mask.emplace();
  out.line = table.line();
  out.method = read_method(table);
  table.texts(kColumnsKey, PlanTable::Empty::kNo, out.columns);
  if (table.has(kColumnsKey) && out.columns.empty()) {
    table.wrong_form(kColumnsKey, "columns: the list is empty; name a column or leave the key out");
  }
  table.text(kDrawByKey, out.draw_by);
  read_settings(table, plan, notes, out);
  const bool are_categories_given = std::ranges::any_of(overrides, [&](const auto& given) {
    const MethodKey* const key = find_mask_key(given.first);
    return key != nullptr && key->type == KeyType::kCategories;
  });
  if (are_categories_given) {  // the command line goes before what columns have
    for (ColumnSettings& column : plan.columns) column.categories.reset();
  }
  if (out.method == nullptr) return;
  refuse_keys_of_other_methods(table, out.about());
  MaskCheck(plan, out, table, notes).check();
}

}  // namespace semveil
