#include "compare/compare_plans.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/text.h"
#include "base/told_error.h"
#include "plan/plan_keys.h"
#include "plan/plan_reader.h"
#include "release/survey.h"
#include "semveil/method.h"
#include "semveil/plan_text.h"

namespace semveil {
namespace {

// A key of columns that a configuration sets on all that have an ontology.
constexpr const char* kMeasure = "measure";
// Of one text; each of them is masked and audited.
constexpr std::size_t kMostConfigurations = 10'000, kLongestText = 10'000;

std::string unquoted(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::string(value);
  return std::string(value.substr(1, value.size() - 2));
}

// What of [mask] is meant whatever the method: which columns, by which person, by which categories.
MaskStep carried_over(const PlanFile& plan, const Method* method) {
  MaskStep mask;
  mask.method = method;
  if (plan.steps.empty()) return mask;
  const auto same = std::ranges::find(plan.steps, method, &MaskStep::method);
  const MaskStep& old = same == plan.steps.end() ? plan.steps.front() : *same;
  const MethodDescription& about = mask.about();
  if (about.takes(kDrawByKey)) mask.draw_by = old.draw_by;
  for (const MethodKey& key : about.keys) {
    const Setting* const said = key.stays ? old.settings.find(key.name) : nullptr;
    if (said != nullptr) mask.settings.set(key.name, *said);
  }
  // Columns of sets are others, and classes are over all quasi-identifiers.
  const bool same_kind = old.about().releases_sets == about.releases_sets &&
                         (old.about().forms_classes || !about.forms_classes);
  for (const std::string& name : old.columns) {
    const ColumnSettings* const column = plan.find(name);
    if (same_kind && column != nullptr && about.can_mask(*column)) mask.columns.push_back(name);
  }
  return mask;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// A number as TOML writes it, which wants digits around a point and no zeros in front: .5 is 0.5.
std::string toml_number(std::string_view word) {
  std::string out;
  if (word.starts_with('-')) {
    out = "-";
    word.remove_prefix(1);
  }
  const std::size_t whole = std::min(word.find_first_not_of("0123456789"), word.size());
  const std::size_t zeros = std::min(word.find_first_not_of('0'), whole);
  out += zeros == whole ? "0" : word.substr(zeros, whole - zeros);
  word.remove_prefix(whole);
  if (word.starts_with('.') && (word.size() == 1 || word[1] < '0' || word[1] > '9')) {
    out += ".0";
    word.remove_prefix(1);
  }
  return out.append(word);
}

// A number, true and false as they are, anything else as a text.
std::string value_of(const MethodDescription& method, std::string_view key, std::string_view word) {
  if (key == kColumnsKey) {
    std::vector<std::string> names;
    for (const std::string_view name : split(word, '+')) names.push_back(toml_text(name));
    return fmt::format("[{}]", fmt::join(names, ", "));
  }
  if (key == kMeasure) return toml_text(word);
  const MethodKey* const described = method.key(key);
  if (described != nullptr && described->type == KeyType::kCategories) {
    // Where it was typed counts, not the plan's folder.
    return toml_text(std::filesystem::absolute(word).lexically_normal().string());
  }
  if (word == "true" || word == "false") return std::string(word);
  return number_of(word) ? toml_number(word) : toml_text(word);
}

// A part of `text` that cannot be a key with values, and why.
std::string fault_of(const MethodDescription& method, std::string_view part) {
  const std::size_t equals = part.find('=');
  const std::string_view key = part.substr(0, equals);
  std::vector<std::string_view> keys{kMeasure, kColumnsKey};
  if (method.takes(kDrawByKey)) keys.push_back(kDrawByKey);
  for (const MethodKey& known : method.keys) {
    const bool is_word = known.type != KeyType::kPairs && known.type != KeyType::kRows &&
                         known.type != KeyType::kByColumn;
    if (is_word) keys.push_back(known.name);
  }
  if (std::ranges::find(keys, key) == keys.end()) {
    return fmt::format("{} does not take {}; the nearest key is {} (it takes {})", method.name, key,
                       nearest(key, keys), fmt::join(keys, ", "));
  }
  if (equals == std::string_view::npos || equals + 1 == part.size()) {
    return fmt::format("{0} has no value: write {0}=VALUE, or several as {0}=VALUE,VALUE", key);
  }
  const std::vector<std::string_view> values = split(part.substr(equals + 1), ',');
  if (std::ranges::find(values, "") != values.end()) {
    return fmt::format("{}: a value is missing between two commas", key);
  }
  return "";
}

Error too_many_configurations(std::string_view text) {
  return usage_error(fmt::format("the values make more than {} configurations: name fewer",
                                 kMostConfigurations))
      .quoting(std::string(text));
}

// Of one step: `text` is all that was said, for messages.
Result<std::vector<Configuration>> parse_step(std::vector<std::string_view> parts,
                                              std::string_view text) {
  const auto wrong = [&](std::string why) {
    return fail(usage_error(std::move(why)).quoting(std::string(text)));
  };
  if (parts.empty()) return wrong("nothing is said: write a method, as noise alpha=0.1,0.3");
  const MethodDescription& method = method_named(parts.front());
  if (method.name.empty()) {
    return wrong(fmt::format("there is no method {}; the nearest is {}", parts.front(),
                             nearest(parts.front(), available_methods())));
  }
  std::vector<Configuration> all{{{"method", toml_text(method.name)}}};
  for (const std::string_view part : std::span(parts).subspan(1)) {
    if (std::string fault = fault_of(method, part); !fault.empty()) return wrong(std::move(fault));
    const std::string key(part.substr(0, part.find('=')));
    if (all.front().contains(key)) return wrong(fmt::format("{} stands there twice", key));
    const std::vector<std::string_view> words = split(part.substr(key.size() + 1), ',');
    if (all.size() * words.size() > kMostConfigurations) return fail(too_many_configurations(text));
    std::vector<Configuration> more;
    for (const Configuration& one : all) {
      for (const std::string_view word : words) {
        more.push_back(one);
        more.back()[key] = value_of(method, key, word);
      }
    }
    all = std::move(more);
  }
  return all;
}

// Keys of several steps begin with the step's number: 1.method, 1.k, 2.method, …
std::string numbered_key(std::size_t step, const std::string& key) {
  return fmt::format("{}.{}", step + 1, key);
}

// The steps, each as if it were alone.
std::vector<Configuration> steps_of(const Configuration& configuration) {
  if (!configuration.contains(numbered_key(0, "method"))) return {configuration};
  std::vector<Configuration> steps;
  for (const auto& [key, value] : configuration) {
    const std::size_t point = key.find('.');
    const std::size_t step = std::stoul(key.substr(0, point)) - 1;
    steps.resize(std::max(steps.size(), step + 1));
    steps[step][key.substr(point + 1)] = value;
  }
  return steps;
}

}  // namespace

Result<std::vector<Configuration>> parse_configurations(std::string_view text) {
  if (text.size() > kLongestText) {
    return fail(usage_error(fmt::format("this is {} bytes long: the most is {}; say it in several",
                                        text.size(), kLongestText)));
  }
  if (find_invalid_utf8(text) != std::string_view::npos) {
    return fail(usage_error("this is not UTF-8: names of columns and files are, in plans")
                    .quoting(std::string(text)));
  }
  std::vector<std::vector<std::string_view>> steps(1);
  for (const std::string_view part : split(text, ' ')) {
    if (part == "+") {
      steps.emplace_back();
    } else if (!part.empty()) {
      steps.back().push_back(part);
    }
  }
  if (steps.size() == 1) return parse_step(steps.front(), text);
  std::vector<Configuration> all(1);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].empty()) {
      return fail(usage_error("a plus joins two steps: write a method on both sides of it")
                      .quoting(std::string(text)));
    }
    const auto step = parse_step(steps[i], text);
    if (!step) return fail(step.error());
    if (all.size() * step->size() > kMostConfigurations) return fail(too_many_configurations(text));
    std::vector<Configuration> more;
    for (const Configuration& one : all) {
      for (const Configuration& next : *step) {
        Configuration& both = more.emplace_back(one);
        for (const auto& [key, value] : next) both[numbered_key(i, key)] = value;
      }
    }
    all = std::move(more);
  }
  return all;
}

std::string method_of(const Configuration& configuration) {
  std::vector<std::string> names;
  for (const Configuration& step : steps_of(configuration)) {
    const auto at = step.find("method");
    if (at != step.end()) names.push_back(unquoted(at->second));
  }
  return fmt::format("{}", fmt::join(names, kStepsJoint));
}

std::string label_of(const Configuration& configuration) {
  const std::vector<Configuration> steps = steps_of(configuration);
  if (steps.size() > 1) {
    std::vector<std::string> labels;
    for (const Configuration& step : steps) labels.push_back(label_of(step));
    return fmt::format("{}", fmt::join(labels, kStepsJoint));
  }
  std::vector<std::string> parts;
  for (const auto& [key, value] : configuration) {
    if (key == "method") continue;
    parts.push_back(value == "true"    ? key
                    : value == "false" ? "not " + key
                                       : fmt::format("{} {}", key, unquoted(value)));
  }
  const std::string method = method_of(configuration);
  return parts.empty() ? method : fmt::format("{} {}", method, fmt::join(parts, ", "));
}

namespace {

// A key of columns, said in some step, holds for all.
void take_measure(Configuration& step, PlanFile& base) {
  const auto measure = step.find(kMeasure);
  if (measure == step.end()) return;
  for (ColumnSettings& column : base.columns) {
    if (is_nominal(column)) column.measure = unquoted(measure->second);
  }
  step.erase(measure);
}

std::string step_text(const std::map<std::string, std::string>& values) {
  std::string out = "\n[[mask]]\n";
  for (const auto& [key, value] : values) out += fmt::format("{} = {}\n", key, value);
  return out;
}

// Several steps, in the place of the plan's own. Its recodings stay, unless others are named.
Result<PlanFile> configured_steps(const PlanFile& plan, std::vector<Configuration> steps) {
  PlanFile base = plan;
  base.steps.clear();
  base.recodings.clear();
  std::string text;
  const auto recodes = [](const Configuration& step) {
    return method_named(method_of(step)).recodes();
  };
  if (std::ranges::none_of(steps, recodes)) {
    for (const MaskStep& step : plan.recodings) {
      if (!step.is_role) text += step_text(mask_values(step, plan.folder));
    }
  }
  for (Configuration& step : steps) {
    take_measure(step, base);
    std::map<std::string, std::string> values;
    if (const std::string method = method_of(step); !method.empty()) {
      MaskStep carried = carried_over(plan, find_method(method));
      if (steps.size() > 1) carried.columns.clear();  // those of a plan that has other steps
      values = mask_values(carried, plan.folder);
    } else if (plan.steps.size() == 1) {
      values = mask_values(plan.steps.front(), plan.folder);
    }
    for (const auto& [key, value] : step) values[key] = value;
    text += step_text(values);
  }
  return PlanFile::parse(to_toml(base, plan.folder) + text, plan.path);
}

Result<PlanFile> configured_step(const PlanFile& plan, Configuration overrides) {
  PlanFile base = plan;
  const std::string method = method_of(overrides);
  if (!method.empty() && (plan.steps.size() != 1 || plan.steps.front().about().name != method)) {
    base.steps = {carried_over(plan, find_method(method))};
  }
  take_measure(overrides, base);
  return PlanFile::parse(to_toml(base, plan.folder), plan.path, overrides);
}

}  // namespace

Result<PlanFile> configured(const PlanFile& plan, const Configuration& configuration) {
  std::vector<Configuration> steps = steps_of(configuration);
  const bool as_it_is = configuration.empty();
  const bool alone = steps.size() == 1 && plan.recodings.empty() &&
                     (plan.steps.size() < 2 || !method_of(configuration).empty());
  Result<PlanFile> out = as_it_is ? PlanFile::parse(to_toml(plan, plan.folder), plan.path)
                         : alone  ? configured_step(plan, configuration)
                                  : configured_steps(plan, std::move(steps));
  if (!out) {  // its lines are nobody's
    Error error = out.error();
    error.place.line = 0;
    return fail(std::move(error));
  }
  out->seed = plan.seed;
  for (std::size_t j = 0; j < out->columns.size(); ++j) {
    out->columns[j].line = plan.columns[j].line;
    if (out->columns[j].categories) {
      out->columns[j].categories->line = plan.columns[j].categories->line;
    }
  }
  for (MaskStep& step : out->steps) {
    step.line = plan.steps.size() == 1 ? plan.steps.front().line : 0;
  }
  return out;
}

Keep advised_by(KeepKind keep) {
  if (keep == KeepKind::kCorrelation) return Keep::kCorrelation;
  return keep == KeepKind::kDistribution ? Keep::kDistributions : Keep::kMeans;
}

bool awaits_file(const Advice& advice) {
  const auto categories = advice.parameters.find("categories");
  return categories != advice.parameters.end() && categories->second.starts_with('"');
}

std::vector<Configuration> usual_configurations(const PlanFile& plan,
                                                std::vector<LeftOut>& left_out) {
  std::vector<const Method*> ranked(methods().begin(), methods().end());
  std::ranges::stable_sort(ranked, {}, [](const Method* method) { return method->about().rank; });
  std::vector<Configuration> all;
  for (const Method* const method : ranked) {
    const MaskStep mask = carried_over(plan, method);
    const auto columns = std::ranges::count_if(
        plan.columns, [&](const ColumnSettings& column) { return is_masked(column, mask); });
    const std::size_t before = all.size();
    std::string why = "the plan has no column that it masks";
    for (Configuration& trial : method->trials(static_cast<std::size_t>(columns))) {
      trial["method"] = toml_text(method->name());
      const Result<PlanFile> made = configured(plan, trial);
      if (made) all.push_back(std::move(trial));
      if (!made) why = told_error(made.error());
    }
    const bool is_usual = !method->trials(1).empty() || !method->trials(2).empty();
    if (is_usual && all.size() == before) {
      left_out.push_back({std::string(method->name()), std::move(why)});
    }
  }
  return all;
}

namespace {

std::vector<std::string> quasi_identifiers_with(
    const PlanFile& plan, const std::function<bool(const ColumnSettings&)>& that) {
  std::vector<std::string> out;
  for (const ColumnSettings& column : plan.columns) {
    if (column.role == Role::kQuasiIdentifier && that(column)) out.push_back(column.name);
  }
  return out;
}

std::string why_no_classes(const MethodDescription& method, const PlanFile& plan,
                           std::uint64_t uniques) {
  const auto any = [](const ColumnSettings&) { return true; };
  if (quasi_identifiers_with(plan, any).empty()) return "the plan declares no quasi-identifier";
  const auto several = quasi_identifiers_with(
      plan, [](const ColumnSettings& column) { return column.has_several_ontologies(); });
  if (!several.empty() && method.name != "fuse") {
    return fmt::format("it takes one ontology a column, and {} has several",
                       fmt::join(several, ", "));
  }
  const auto without = quasi_identifiers_with(
      plan, [](const ColumnSettings& column) { return !is_nominal(column); });
  if (!without.empty() && method.name == "generalize") {
    return fmt::format(
        "the plan names no ontology or hierarchy of {}, and one that is made of the values alone "
        "is "
        "not tried here; name one, or mask by generalize",
        fmt::join(without, ", "));
  }
  if (uniques > 0) return "the plan does not allow it";
  return fmt::format("no {} is alone with its quasi-identifiers: classes are there already",
                     plan.person.empty() ? "record" : "person");
}

}  // namespace

std::vector<LeftOut> left_out_of(const std::vector<Advice>& advices, const PlanFile& plan,
                                 std::uint64_t uniques) {
  std::vector<LeftOut> out;
  for (const char* const name : {"noise", "swap", "fuse", "microaggregate", "generalize", "ean"}) {
    if (std::ranges::find(advices, name, &Advice::method) != advices.end()) continue;
    const MethodDescription& method = method_named(name);
    const auto several = std::ranges::find_if(
        plan.columns, [](const ColumnSettings& c) { return c.has_several_ontologies(); });
    std::string why =
        several == plan.columns.end()
            ? "no column that it would mask has an ontology"
            : fmt::format("it takes one ontology a column, and {} has several", several->name);
    if (method.forms_classes) why = why_no_classes(method, plan, uniques);
    if (method.releases_sets) why = "the plan declares no sensitive column of words";
    out.push_back({name, std::move(why)});
  }
  return out;
}

}  // namespace semveil
