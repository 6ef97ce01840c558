// What all methods have in common: their keys as texts, defaults, and how they are told.
#include "semveil/method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace semveil {
namespace {

// As it stands in a plan; of a file only its name, so that the folder does not matter.
std::string categories_text(const CategoriesSettings& plan) {
  if (!plan.file.empty()) return toml_text(std::filesystem::path(plan.file).filename().string());
  return cut_text(plan);
}

struct SettingText {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::uint64_t whole) const { return std::to_string(whole); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& text) const { return toml_text(text); }
  std::string operator()(const ColumnPairs& pairs) const {
    std::vector<std::string> all;
    for (const auto& [a, b] : pairs) {
      all.push_back(fmt::format("[{}, {}]", toml_text(a), toml_text(b)));
    }
    return fmt::format("[{}]", fmt::join(all, ", "));
  }
  std::string operator()(const NumberRows& rows) const {
    std::vector<std::string> all;
    for (const std::vector<double>& row : rows) {
      all.push_back(fmt::format("[{}]", fmt::join(row, ", ")));
    }
    return fmt::format("[{}]", fmt::join(all, ", "));
  }
  std::string operator()(const ColumnNumbers& numbers) const {
    std::vector<std::string> all;
    for (const auto& [column, number] : numbers) {
      all.push_back(fmt::format("{} = {}", toml_text(column), number));
    }
    return fmt::format("{{{}}}", fmt::join(all, ", "));
  }
  std::string operator()(const CategoriesSettings& plan) const { return categories_text(plan); }
};

bool is_named(const std::vector<std::string>& names, const ColumnSettings& column) {
  return std::ranges::find(names, column.name) != names.end();
}

}  // namespace

std::string cut_text(const CategoriesSettings& plan) {
  std::string how = plan.depth > 0 ? fmt::format("depth = {}", plan.depth)
                                   : fmt::format("count = {}", plan.count);
  if (!plan.roots.empty()) {
    std::vector<std::string> roots;
    for (const std::string& root : plan.roots) roots.push_back(toml_text(root));
    how = fmt::format("roots = [{}]", fmt::join(roots, ", "));
  }
  return fmt::format("{{ontology = {}, {}}}", toml_text(plan.ontology), how);
}

std::string setting_text(const Setting& setting) { return std::visit(SettingText(), setting); }

// ---- Keys ---------------------------------------------------------------------------------------

std::string option_of(const MethodKey& key) {
  if (key.option == kNoOption) return "";
  if (!key.option.empty()) return std::string(key.option);
  std::string option = "--" + std::string(key.name);
  std::ranges::replace(option, '_', '-');
  return option;
}

std::string range_text(const MethodKey& key) {
  const bool has_end = key.high < std::numeric_limits<double>::infinity();
  if (!has_end && key.low == -std::numeric_limits<double>::infinity()) return "of any size";
  if (!has_end) return fmt::format("{} {}", key.above ? "above" : "of at least", key.low);
  return key.above ? fmt::format("above {} and at most {}", key.low, key.high)
                   : fmt::format("from {} to {}", key.low, key.high);
}

bool is_in_range(const MethodKey& key, double value) {
  return (key.above ? value > key.low : value >= key.low) && value <= key.high;
}

std::string default_text(const MethodKey& key) {
  struct Text {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(std::string_view text) const { return toml_text(text); }
    std::string operator()(bool flag) const { return SettingText()(flag); }
    std::string operator()(std::uint64_t whole) const { return SettingText()(whole); }
    std::string operator()(double number) const { return SettingText()(number); }
  };
  return std::visit(Text(), key.usually);
}

// ---- Descriptions -------------------------------------------------------------------------------

const MethodKey* MethodDescription::key(std::string_view wanted) const {
  const auto at = std::ranges::find(keys, wanted, &MethodKey::name);
  return at == keys.end() ? nullptr : &*at;
}

bool MethodDescription::takes(std::string_view mask_key) const {
  if (mask_key == kDrawByKey) return draws_per_cell();
  return mask_key == kMethodKey || mask_key == kColumnsKey || key(mask_key) != nullptr;
}

bool MethodDescription::takes_line(const ColumnSettings& column) const {
  return column.type == ColumnType::kDate ? takes_dates
                                          : column.type == ColumnType::kNumeric && takes_numbers;
}

bool MethodDescription::can_mask(const ColumnSettings& column) const {
  if (column.has_several_ontologies() && !takes_several_ontologies) return false;
  if (takes_line(column)) return true;
  if (is_nominal(column) || column.hierarchy) return takes_concepts;
  return !is_on_a_line(column) && takes_texts;
}

bool PlanCheck::is_masked(const ColumnSettings& column) const { return is_named(masked, column); }

bool TableCheck::is_masked(const ColumnSettings& column) const {
  return std::ranges::any_of(columns, [&](const Column& c) { return c.plan->name == column.name; });
}

// ---- Methods ------------------------------------------------------------------------------------

bool Method::masks_by_default(const ColumnSettings& column) const {
  if (about().recodes()) return false;
  if (about().releases_sets) return column.role == Role::kSensitive;
  return column.role == Role::kQuasiIdentifier &&
         (about().forms_classes || is_nominal(column) || column.hierarchy);
}

Status Method::check_settings(const MaskStep& mask) const {
  for (const MethodKey& key : about().keys) {
    if (key.needed.empty() || mask.settings.has(key.name)) continue;
    if (!key.instead.empty() && mask.settings.has(key.instead)) continue;
    std::string message = fmt::format("{} needs {} in [mask] (or {}): {}", name(), key.name,
                                      option_of(key), key.needed);
    if (!key.usual.empty()) message += fmt::format("; usual are {}", key.usual);
    if (!key.instead.empty()) message += fmt::format(" (or {}, {})", key.instead, key.instead_help);
    return fail(data_error(std::move(message)));
  }
  return {};
}

std::map<std::string, std::string> Method::parameters(const MaskStep& mask) const {
  std::map<std::string, std::string> out;
  for (const MethodKey& key : about().keys) {
    const Setting* const said = mask.settings.find(key.name);
    const std::string usual = default_text(key);
    const std::string text = said != nullptr ? setting_text(*said) : usual;
    const bool told = key.told == Told::kAlways || (key.told == Told::kIfSaid && text != usual);
    if (told && !text.empty()) out.emplace(key.name, text);
  }
  if (!mask.draw_by.empty()) out.emplace(kDrawByKey, toml_text(mask.draw_by));
  return out;
}

Result<std::unique_ptr<const Recoding>> Method::make_recoding(
    const MaskStep& /*mask*/, const RecodedColumn& /*column*/) const {
  return fail(usage_error(fmt::format("{} recodes no cells", name())));
}

Result<std::unique_ptr<const Recoding>> Method::load_recoding(
    std::string_view /*saved*/, std::shared_ptr<const ColumnMeaning> /*meaning*/) const {
  return fail(data_error("the model was made by another version of semveil: fit it anew"));
}

// ---- A plan's step ------------------------------------------------------------------------------

const MethodDescription& MaskStep::about() const {
  static constexpr MethodDescription kNobody;
  return method == nullptr ? kNobody : method->about();
}

std::uint64_t MaskStep::k() const {
  const Setting* const said = settings.find("k");
  const auto* const k = said == nullptr ? nullptr : std::get_if<std::uint64_t>(said);
  return k == nullptr ? 0 : *k;
}

const CategoriesSettings* MaskStep::categories() const {
  for (const MethodKey& key : about().keys) {
    if (key.type != KeyType::kCategories) continue;
    if (const Setting* said = settings.find(key.name)) return &std::get<CategoriesSettings>(*said);
  }
  return nullptr;
}

bool is_nominal(const ColumnSettings& column) {
  if (has_made_ontology(column)) return true;
  return !column.ontology.empty() && column.type == ColumnType::kNominal;
}

bool has_made_ontology(const ColumnSettings& column) {
  return column.by_hierarchy && column.ontology.empty();
}

bool is_masked(const ColumnSettings& column, const MaskStep& mask) {
  if (!mask.columns.empty()) return is_named(mask.columns, column);
  if (mask.method != nullptr) return mask.method->masks_by_default(column);
  return column.role == Role::kQuasiIdentifier && is_nominal(column);
}

// ---- All steps of a plan ------------------------------------------------------------------------

const MaskStep* PlanFile::step_of(const ColumnSettings& column) const {
  const auto at =
      std::ranges::find_if(steps, [&](const MaskStep& step) { return is_masked(column, step); });
  return at == steps.end() ? nullptr : &*at;
}

bool PlanFile::recodes(const ColumnSettings& column) const {
  return std::ranges::any_of(recodings,
                             [&](const MaskStep& step) { return is_masked(column, step); });
}

bool PlanFile::changes(const ColumnSettings& column) const {
  return recodes(column) || step_of(column) != nullptr;
}

ColumnSettings PlanFile::after_recodings(const ColumnSettings& column) const {
  ColumnSettings out = column;
  for (const MaskStep& step : recodings) {
    const bool makes_texts = is_masked(column, step) && step.method->makes_texts(step);
    if (makes_texts) out.type = ColumnType::kText;
  }
  return out;
}

bool PlanFile::has_step(bool (*is)(const MethodDescription&)) const {
  return std::ranges::any_of(steps, [&](const MaskStep& step) { return is(step.about()); });
}

std::string PlanFile::method() const {
  std::vector<std::string_view> names;
  for (const MaskStep& step : recodings) names.push_back(step.about().name);
  for (const MaskStep& step : steps) names.push_back(step.about().name);
  return fmt::format("{}", fmt::join(names, kStepsJoint));
}

const MethodDescription& PlanFile::about() const { return method_named(method()); }

std::string PlanFile::draw_by() const {
  for (const MaskStep& step : steps) {
    if (!step.draw_by.empty()) return step.draw_by;
  }
  return "";
}

}  // namespace semveil
