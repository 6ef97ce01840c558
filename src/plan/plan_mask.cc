#include "plan/plan_mask.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "plan/plan_categories.h"
#include "plan/plan_keys.h"
#include "semveil/ean.h"

namespace semveil {
namespace {

constexpr std::array<std::string_view, 3> kReferences{"mean", "pair", "root"};
constexpr std::array<std::string_view, 2> kDistributions{"normal", "laplace"};
constexpr std::array<std::string_view, 2> kTies{"random", "first"};
constexpr std::array<std::string_view, 3> kSwapAlgorithms{"fixed", "dynamic", "multivariate"};
constexpr std::array<std::string_view, 2> kRecodeAlgorithms{"heuristic", "recoding"};
constexpr std::array<std::string_view, 4> kGuides{"semantic", "discernibility", "random",
                                                  "random-record"};
constexpr std::array<std::string_view, 2> kTargets{"anonymous", "any"};
constexpr std::array<std::string_view, 2> kScopes{"local", "full-domain"};
constexpr std::array<std::string_view, 4> kLosses{"lm", "lm-geometric", "ncp", "discernibility"};
constexpr unsigned kMostHeuristics = 3;
constexpr std::array<std::string_view, 2> kExhausted{"keep", "extend"};
constexpr std::array<std::string_view, 1> kDemands{"probabilistic-k"};
constexpr std::array<std::string_view, 3> kSetOutputs{"joined", "list", "columns"};
constexpr std::array<std::string_view, 2> kSetDraws{"uniform", "frequency"};
constexpr unsigned kMostK = 4'000'000'000;

// draw_by → --draw-by; the output of a set is not the program's --output.
std::string option_named(std::string_view key) {
  if (key == "output") return "--sets";
  if (key == "separator") return "--set-separator";
  std::string option = "--" + std::string(key);
  std::ranges::replace(option, '_', '-');
  return option;
}

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

bool is_digest(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.size() == kDigits &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

bool is_percentage(double x) { return x > 0 && x <= 100; }

// True where the method is known and there.
bool read_method(PlanTable& table, std::string& method) {
  if (!table.has("method")) {
    table.wrong_meaning("method",
                        fmt::format("no method: write method = \"noise\" in [mask] (or {})",
                                    either(available_methods().subspan(1))));
    return false;
  }
  std::string wanted;
  table.text("method", wanted);
  if (wanted.empty()) return false;
  if (std::ranges::find(method_names(), wanted) == method_names().end()) {
    table.wrong_form("method",
                     fmt::format("there is no such method; the nearest is {} (this version has {})",
                                 nearest(wanted, method_names()), either(available_methods())),
                     wanted);
    return false;
  }
  if (std::ranges::find(available_methods(), wanted) == available_methods().end()) {
    table.wrong_form("method", fmt::format("method {} is not available in this version; it has {}",
                                           wanted, either(available_methods())));
    return false;
  }
  method = wanted;
  return true;
}

void refuse_keys_of_other_methods(PlanTable& table, std::string_view method) {
  for (const std::string_view key : plan_keys("[mask]")) {
    const auto takers = methods_taking(key);
    if (!table.has(key) || takers.empty() || std::ranges::find(takers, method) != takers.end()) {
      continue;
    }
    table.wrong_form(key, fmt::format("{} does not take {}; it is a key of {}", method, key,
                                      fmt::join(takers, ", ")));
  }
}

// Who asks for another method than the file's does not mean the keys that it does not take.
void leave_out_keys_of_the_old_method(const std::map<std::string, std::string>& overrides,
                                      std::string_view old_method, toml::table& mask) {
  const auto method = mask["method"].value<std::string_view>();
  if (!method || *method == old_method) return;
  for (const std::string_view key : plan_keys("[mask]")) {
    const auto takers = methods_taking(key);
    const bool taken = takers.empty() || std::ranges::find(takers, *method) != takers.end();
    if (!taken && !overrides.contains(std::string(key))) mask.erase(key);
  }
}

// k and p say one thing in two ways: who gives one of them on the command line does not mean the
// file's other one.
void leave_out_the_other_size(const std::map<std::string, std::string>& overrides,
                              toml::table& mask) {
  if (overrides.contains("p") == overrides.contains("k")) return;
  mask.erase(overrides.contains("p") ? "k" : "p");
}

class MaskCheck {  // what [mask] says of the columns
 public:
  MaskCheck(PlanFile& plan, const MaskPlan& mask, PlanTable& table, PlanNotes& notes)
      : plan_(plan), mask_(mask), table_(table), notes_(notes) {}

  void check() {
    bool sound = check_columns("columns", mask_.columns);
    std::vector<std::string> paired;
    for (const auto& [a, b] : mask_.pairs) paired.insert(paired.end(), {a, b});
    sound = check_columns("pairs", paired) && sound;
    const std::vector<std::string> masked =
        mask_.columns.empty() ? default_columns() : mask_.columns;
    if (masked.empty()) {
      table_.wrong_meaning(
          "columns",
          releases_sets(mask_.method)
              ? fmt::format("{} finds no column to mask: no column is sensitive; give one role = "
                            "\"sensitive\", or list columns in [mask]",
                            mask_.method)
          : forms_classes(mask_.method)
              ? fmt::format("{} finds no column to mask: no column is a quasi-identifier; give one "
                            "role = \"quasi-identifier\"",
                            mask_.method)
              : fmt::format("{} finds no column to mask: no quasi-identifier has an ontology; "
                            "give one an ontology, or list columns in [mask]",
                            mask_.method));
      return;
    }
    if (!works_by_distance(mask_.method)) check_ontologies(masked);
    if (mask_.method == "recode") check_recode();
    if (sound && looks_up(mask_.method)) check_groups(masked);
    if (sound && releases_sets(mask_.method)) check_sets(masked, table_, notes_, plan_);
    if (mask_.method != "noise") return;
    if (mask_.distribution == "laplace" && mask_.correlated) {
      table_.wrong_meaning(
          "distribution",
          "laplace errors cannot be correlated; write distribution = \"normal\" or "
          "correlated = false");
    }
    if (mask_.reference != "pair") {
      if (table_.has("pairs")) {
        table_.wrong_meaning("pairs", "pairs needs reference = \"pair\"");
      }
      return;
    }
    if (sound) check_pairing(masked, paired);
  }

 private:
  // The default. In the plan's order: the table's is not known yet.
  std::vector<std::string> default_columns() const {
    std::vector<std::string> names;
    for (const ColumnPlan& column : plan_.columns) {
      const bool wanted = releases_sets(mask_.method)
                              ? column.role == Role::kSensitive
                              : column.role == Role::kQuasiIdentifier &&
                                    (forms_classes(mask_.method) || !column.ontology.empty());
      if (wanted) names.push_back(column.name);
    }
    return names;
  }

  void check_ontologies(const std::vector<std::string>& masked) {
    for (const std::string& name : masked) {
      const ColumnPlan* const column = plan_.find(name);
      if (column == nullptr || !column->has_several_ontologies()) continue;
      table_.wrong_meaning(
          "method",
          fmt::format("{} needs one taxonomy, and column {} has several ontologies; swap, "
                      "fuse and recode take them, or leave one",
                      mask_.method, name));
    }
  }

  void check_recode() {
    if (table_.has("target") && mask_.algorithm != "recoding") {
      table_.wrong_meaning("target", "target needs algorithm = \"recoding\"");
    }
    for (const ColumnPlan& column : plan_.columns) {
      if (!column.demand) continue;
      table_.wrong_meaning(
          "method", fmt::format("recode masks each column on its own and cannot promise what "
                                "column {} demands; use fuse, generalize or microaggregate, or "
                                "leave the demand out",
                                column.name));
    }
  }

  // What stands in the way of groups of k.
  void check_groups(const std::vector<std::string>& masked) {
    for (const ColumnPlan& column : plan_.columns) {
      const bool is_masked = std::ranges::find(masked, column.name) != masked.end();
      if (is_masked && column.role == Role::kSensitive && column.demand) {
        table_.wrong_meaning("columns",
                             fmt::format("columns: something is demanded of column {}, which is "
                                         "masked itself; leave it out, or leave the demand out",
                                         column.name));
      }
      if (is_masked && mask_.method == "generalize" && column.ontology.empty()) {
        table_.wrong_meaning(
            "method", fmt::format("generalize needs to know what lies above the values of column "
                                  "{}: give it an ontology; a hierarchy of your own is a file of "
                                  "lines value;group;…;* and source = \"vgh:FILE\"",
                                  column.name));
      }
      if (is_masked && column.unmapped == UnmappedRule::kKeep) {
        table_.wrong_meaning(
            "method",
            fmt::format("unmapped = \"keep\" would leave values of column {} with "
                        "fewer than k records; write \"suppress\", \"generalize\" or \"error\"",
                        column.name));
      }
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
    const ColumnPlan* column = plan_.find(name);
    if (column == nullptr) {
      std::vector<std::string_view> declared;
      for (const ColumnPlan& other : plan_.columns) declared.push_back(other.name);
      std::string fault = fmt::format("there is no [column.{}]; declare it", name);
      if (!declared.empty()) fault += fmt::format(", or write {}", nearest(name, declared));
      return fault;
    }
    if (column->role == Role::kIdentifier) {
      return fmt::format(
          "column {} is an identifier and is dropped; leave it out or change its role", name);
    }
    if (forms_classes(mask_.method)) return "";
    if (releases_sets(mask_.method)) {
      if (column->type != ColumnType::kNumeric) return "";
      return fmt::format(
          "{} takes values as texts or concepts; leave type = \"numeric\" out of "
          "[column.{}]",
          mask_.method, name);
    }
    const bool swaps = is_swap(mask_.method);
    if (column->type == ColumnType::kNumeric && swaps) return "";
    if (column->type != ColumnType::kNominal) {
      return fmt::format("column {} is not nominal, and {} masks {}; leave it out", name,
                         mask_.method, swaps ? "concepts and numbers" : "concepts");
    }
    if (column->ontology.empty()) {
      return fmt::format(
          "{} needs an ontology for column {}; add ontology = \"NAME\" to "
          "[column.{}]{}",
          mask_.method, name, name, swaps ? ", or type = \"numeric\"" : "");
    }
    return "";
  }

  // Every masked column in exactly one pair; without `pairs`, 1 with 2, 3 with 4, …
  void check_pairing(const std::vector<std::string>& masked,
                     const std::vector<std::string>& paired) {
    if (masked.size() % 2 != 0) {
      table_.wrong_meaning(
          "reference", fmt::format("reference = \"pair\" needs an even number of columns, these "
                                   "are {}; leave one out of columns or add its partner",
                                   masked.size()));
      return;
    }
    if (paired.empty()) return;
    for (const std::string& name : paired) {
      if (std::ranges::find(masked, name) != masked.end()) continue;
      table_.wrong_meaning("pairs",
                           fmt::format("pairs: column {} is not masked; add it to columns", name));
      return;
    }
    for (const std::string& name : masked) {
      if (std::ranges::find(paired, name) != paired.end()) continue;
      table_.wrong_meaning("pairs", fmt::format("pairs: column {} is masked and stands in no pair; "
                                                "pair it or list the others in columns",
                                                name));
      return;
    }
  }

  PlanFile& plan_;
  const MaskPlan& mask_;
  PlanTable& table_;
  PlanNotes& notes_;
};

}  // namespace

void read_mask(toml::table& mask, const std::map<std::string, std::string>& overrides,
               PlanFile& plan, PlanNotes& notes) {
  std::map<std::string, std::string, std::less<>> options;
  const auto old_method = mask["method"].value<std::string>();
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
  leave_out_the_other_size(overrides, mask);
  PlanTable table(mask, "[mask]", known, notes, "", std::move(options));
  MaskPlan& out = plan.mask.emplace();
  out.line = table.line();
  const bool method_known = read_method(table, out.method);
  table.texts("columns", PlanTable::Empty::kNo, out.columns);
  if (table.has("columns") && out.columns.empty()) {
    table.wrong_form("columns", "columns: the list is empty; name a column or leave the key out");
  }
  table.text("draw_by", out.draw_by);
  table.number("alpha", "above 0", is_positive, out.alpha);
  table.flag("correlated", out.correlated);
  table.choice("reference", kReferences, out.reference);
  table.choice("distribution", kDistributions, out.distribution);
  table.choice("ties", kTies, out.ties);
  table.pairs("pairs", out.pairs);
  table.matrix("covariance", out.covariance);
  table.text("digest", out.digest);
  if (!out.digest.empty() && !is_digest(out.digest)) {
    table.wrong_form("digest",
                     "digest: expected 64 hexadecimal digits, as `fit --json` tells them");
  }
  table.flag("allow_unmasked", out.allow_unmasked);
  table.whole("k", 1, kMostK, out.k);
  table.number("p", "above 0 and at most 100", is_percentage, out.p);
  if (out.method == "recode") {
    out.algorithm = "heuristic";
    table.choice("algorithm", kRecodeAlgorithms, out.algorithm);
  } else {
    table.choice("algorithm", kSwapAlgorithms, out.algorithm);
  }
  table.choice("exhausted", kExhausted, out.exhausted);
  table.choice("demand", kDemands, out.demand);
  table.choice("guide", kGuides, out.guide);
  table.whole("heuristics", 0, kMostHeuristics, out.heuristics);
  table.choice("target", kTargets, out.target);
  table.choice("scope", kScopes, out.scope);
  table.choice("loss", kLosses, out.loss);
  table.number("suppression", "from 0 to 1", is_share, out.suppression);
  table.flag("partial", out.partial);
  read_categories_key(table, plan, notes, out.categories);
  if (overrides.contains("categories")) {  // the command line goes before what columns have
    for (ColumnPlan& column : plan.columns) column.categories.reset();
  }
  table.whole("l", 2, kMostSetSize, out.l);
  table.choice("output", kSetOutputs, out.output);
  table.text("separator", out.separator);
  if (std::ranges::any_of(out.separator, [](unsigned char c) { return c < ' ' || c == 0x7F; })) {
    table.wrong_form("separator", "separator: expected a text without tabs and line ends, as \"|\"",
                     out.separator);
  }
  table.choice("draw", kSetDraws, out.draw);
  if (!method_known) return;
  refuse_keys_of_other_methods(table, out.method);
  if (out.method == "swap" && out.k > 0 && out.p > 0) {
    table.wrong_meaning("p", "p is k as a is_percentage of the records: write k or p, not both");
  }
  MaskCheck(plan, out, table, notes).check();
}

}  // namespace semveil
