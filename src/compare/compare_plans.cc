#include "compare/compare_plans.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "plan/plan_keys.h"
#include "plan/plan_reader.h"
#include "release/survey.h"
#include "semveil/plan_text.h"

namespace semveil {
namespace {

// A key of columns that a configuration sets on all that have an ontology.
constexpr const char* kMeasure = "measure";

std::string unquoted(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::string(value);
  return std::string(value.substr(1, value.size() - 2));
}

// Whether a method can mask a column of this kind.
bool can_mask(const ColumnPlan& column, std::string_view method) {
  if (column.has_several_ontologies() && !works_by_distance(method)) return false;
  if (releases_sets(method)) return column.type != ColumnType::kNumeric;
  if (is_nominal(column)) return true;
  if (is_swap(method)) return column.type == ColumnType::kNumeric;
  return method == "fuse" || method == "microaggregate";
}

// What of [mask] is meant whatever the method: which columns, by which person, by which categories.
MaskPlan carried_over(const PlanFile& plan, const std::string& method) {
  MaskPlan mask;
  mask.method = method;
  if (method == "recode") mask.algorithm = "heuristic";
  if (!plan.mask) return mask;
  const MaskPlan& old = *plan.mask;
  mask.draw_by = old.draw_by;
  mask.allow_unmasked = old.allow_unmasked;
  mask.partial = old.partial;
  mask.categories = old.categories;
  mask.output = old.output;
  mask.separator = old.separator;
  // Columns of sets are others, and classes are over all quasi-identifiers.
  const bool same_kind = releases_sets(old.method) == releases_sets(method) &&
                         (forms_classes(old.method) || !forms_classes(method));
  for (const std::string& name : old.columns) {
    const ColumnPlan* const column = plan.find(name);
    if (same_kind && column != nullptr && can_mask(*column, method)) mask.columns.push_back(name);
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

bool takes(std::string_view method, std::string_view key) {
  const auto takers = methods_taking(key);
  return takers.empty() || std::ranges::find(takers, method) != takers.end();
}

// A number, true and false as they are, anything else as a text.
std::string value_of(std::string_view key, std::string_view word) {
  if (key == "columns") {
    std::vector<std::string> names;
    for (const std::string_view name : split(word, '+')) names.push_back(toml_text(name));
    return fmt::format("[{}]", fmt::join(names, ", "));
  }
  if (key == kMeasure) return toml_text(word);
  if (key == "categories") {  // where it was typed counts, not the plan's folder
    return toml_text(std::filesystem::absolute(word).lexically_normal().string());
  }
  if (word == "true" || word == "false" || number_of(word)) return std::string(word);
  return toml_text(word);
}

// A part of `text` that cannot be a key with values, and why.
std::string fault_of(std::string_view method, std::string_view part) {
  const std::size_t equals = part.find('=');
  const std::string_view key = part.substr(0, equals);
  std::vector<std::string_view> keys{kMeasure};
  for (const std::string_view known : plan_keys("[mask]")) {
    if (known != "method" && known != "pairs" && takes(method, known)) keys.push_back(known);
  }
  if (std::ranges::find(keys, key) == keys.end()) {
    return fmt::format("{} does not take {}; the nearest key is {} (it takes {})", method, key,
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

}  // namespace

Result<std::vector<Configuration>> parse_configurations(std::string_view text) {
  const auto wrong = [&](std::string why) {
    return fail(usage_error(std::move(why)).quoting(std::string(text)));
  };
  std::vector<std::string_view> parts = split(text, ' ');
  std::erase(parts, "");
  if (parts.empty()) return wrong("nothing is said: write a method, as noise alpha=0.1,0.3");
  const std::string_view method = parts.front();
  if (std::ranges::find(available_methods(), method) == available_methods().end()) {
    return wrong(fmt::format("there is no method {}; the nearest is {}", method,
                             nearest(method, available_methods())));
  }
  std::vector<Configuration> all{{{"method", toml_text(method)}}};
  for (const std::string_view part : std::span(parts).subspan(1)) {
    if (std::string fault = fault_of(method, part); !fault.empty()) return wrong(std::move(fault));
    const std::string key(part.substr(0, part.find('=')));
    if (all.front().contains(key)) return wrong(fmt::format("{} stands there twice", key));
    std::vector<Configuration> more;
    for (const Configuration& one : all) {
      for (const std::string_view word : split(part.substr(key.size() + 1), ',')) {
        more.push_back(one);
        more.back()[key] = value_of(key, word);
      }
    }
    all = std::move(more);
  }
  return all;
}

std::string method_of(const Configuration& configuration) {
  const auto at = configuration.find("method");
  return at == configuration.end() ? "" : unquoted(at->second);
}

std::string label_of(const Configuration& configuration) {
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

Result<PlanFile> configured(const PlanFile& plan, const Configuration& configuration) {
  PlanFile base = plan;
  const std::string method = method_of(configuration);
  if (!method.empty() && (!plan.mask || plan.mask->method != method)) {
    base.mask = carried_over(plan, method);
  }
  Configuration overrides = configuration;
  if (const auto measure = overrides.find(kMeasure); measure != overrides.end()) {
    for (ColumnPlan& column : base.columns) {
      if (is_nominal(column)) column.measure = unquoted(measure->second);
    }
    overrides.erase(measure);
  }
  Result<PlanFile> out = PlanFile::parse(to_toml(base, plan.folder), plan.path, overrides);
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
  if (out->mask) out->mask->line = plan.mask ? plan.mask->line : 0;
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

std::vector<Configuration> usual_configurations(const PlanFile& plan) {
  std::vector<Configuration> all;
  const auto add = [&](const std::string& method, Configuration keys) {
    keys["method"] = toml_text(method);
    if (configured(plan, keys)) all.push_back(std::move(keys));
  };
  for (const char* alpha : {"0.1", "0.3", "0.5", "1"}) add("noise", {{"alpha", alpha}});
  const auto columns = std::ranges::count_if(plan.columns, [&](const ColumnPlan& column) {
    return is_masked(column, carried_over(plan, "noise"));
  });
  if (columns > 1) {
    add("noise", {{"alpha", "0.3"}, {"correlated", "true"}});
    add("noise", {{"alpha", "0.3"}, {"correlated", "true"}, {"reference", "\"root\""}});
  }
  for (const char* k : {"5", "10", "20", "50"}) add("swap", {{"k", k}});
  for (const char* k : {"3", "5", "10", "20"}) add("fuse", {{"k", k}});
  for (const char* k : {"5", "10"}) add("generalize", {{"k", k}});
  for (const char* k : {"3", "5", "10"}) add("microaggregate", {{"k", k}});
  add("recode", {{"k", "5"}});
  add("naive", {});
  add("probabilistic", {});
  add("random-swap", {});
  add("distributional-swap", {{"k", "10"}});
  add("ean", {});
  add("ean", {{"draw", "\"frequency\""}});
  add("an", {});
  return all;
}

}  // namespace semveil
