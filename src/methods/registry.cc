// Which methods there are. The list grows until somebody looks at it and stays as it is from then
// on, so that what was read of it (keys, options, a plan's method) holds as long as the process.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "methods/builtin.h"

namespace semveil {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<const Method*> all = builtin_methods();
  std::vector<std::unique_ptr<const Method>> registered;
  bool is_in_use = false;
};

Registry& registry() {
  static Registry* const only = new Registry;  // a thread may ask for a method until the end
  return *only;
}

}  // namespace

std::span<const Method* const> methods() {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.is_in_use = true;
  return known.all;
}

const Method* find_method(std::string_view name) {
  const auto all = methods();
  if (const auto at = std::ranges::find(all, name, &Method::name); at != all.end()) return *at;
  const std::vector<const Method*> of_roles = role_methods();
  const auto at = std::ranges::find(of_roles, name, &Method::name);
  return at == of_roles.end() ? nullptr : *at;
}

std::vector<std::string_view> joined_methods(std::string_view name) {
  std::vector<std::string_view> names;
  for (;;) {
    const std::size_t end = name.find(kStepsJoint);
    names.push_back(name.substr(0, end));
    if (end == std::string_view::npos) return names;
    name.remove_prefix(end + kStepsJoint.size());
  }
}

namespace {

// Among steps: recodings say nothing of the others, classes are verified over the whole table.
int rank_of(MethodShape shape) {
  switch (shape) {
    case MethodShape::kLooksUp:
      return 4;
    case MethodShape::kDeals:
      return 3;
    case MethodShape::kDrawsPerCell:
      return 2;
    case MethodShape::kRecodes:
      return 1;
    case MethodShape::kNone:
      break;
  }
  return 0;
}

void join(const MethodDescription& step, MethodDescription& all) {
  if (rank_of(step.shape) > rank_of(all.shape)) all.shape = step.shape;
  for (bool MethodDescription::* const is :
       {&MethodDescription::forms_classes, &MethodDescription::releases_sets,
        &MethodDescription::invents_concepts, &MethodDescription::releases_ancestors,
        &MethodDescription::chooses_candidates, &MethodDescription::draws,
        &MethodDescription::keeps_correlations, &MethodDescription::aims_at_variance,
        &MethodDescription::is_independent, &MethodDescription::takes_numbers,
        &MethodDescription::takes_dates, &MethodDescription::takes_texts}) {
    all.*is = all.*is || step.*is;
  }
  all.takes_several_ontologies = all.takes_several_ontologies && step.takes_several_ontologies;
}

// Made once for all names that were ever asked for; a description refers to its name.
const MethodDescription& joined_description(std::string_view name) {
  static std::mutex mutex;
  static auto* const known = new std::map<std::string, MethodDescription, std::less<>>;
  const std::lock_guard lock(mutex);
  if (const auto at = known->find(name); at != known->end()) return at->second;
  MethodDescription all;
  all.draws = false;
  all.takes_several_ontologies = true;
  for (const std::string_view one : joined_methods(name)) {
    const Method* const method = find_method(one);
    if (method == nullptr) return MaskStep().about();
    join(method->about(), all);
  }
  const auto at = known->emplace(name, all).first;
  at->second.name = at->first;
  return at->second;
}

}  // namespace

const MethodDescription& method_named(std::string_view name) {
  if (name.find(kStepsJoint) != std::string_view::npos) return joined_description(name);
  const Method* const method = find_method(name);
  return method == nullptr ? MaskStep().about() : method->about();
}

Status register_method(std::unique_ptr<const Method> method) {
  if (method == nullptr) return fail(usage_error("there is no method to register"));
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  if (known.is_in_use) {
    return fail(
        usage_error(fmt::format("method {} comes too late: register methods before the "
                                "first plan or model is read",
                                method->name())));
  }
  if (method->name().find(kStepsJoint) != std::string_view::npos) {
    return fail(
        usage_error("the name of a method has no plus between blanks: plans join steps so"));
  }
  const std::vector<const Method*> of_roles = role_methods();
  const bool is_taken =
      std::ranges::find(known.all, method->name(), &Method::name) != known.all.end() ||
      std::ranges::find(of_roles, method->name(), &Method::name) != of_roles.end() ||
      std::ranges::find(methods_to_come(), method->name(), &MethodToCome::name) !=
          methods_to_come().end();
  if (is_taken) {
    return fail(usage_error(
        fmt::format("there is a method {} already: give yours another name", method->name())));
  }
  const auto mechanism = [](const Method* other) { return other->about().mechanism; };
  if (std::ranges::find(known.all, method->about().mechanism, mechanism) != known.all.end()) {
    return fail(usage_error(fmt::format("there is a mechanism {} already: give yours another name",
                                        method->about().mechanism)));
  }
  known.all.push_back(method.get());
  known.registered.push_back(std::move(method));
  return {};
}

Result<std::unique_ptr<const FittedMethod>> load_fitted(
    std::string_view mechanism, std::string_view saved,
    std::vector<std::shared_ptr<const Attribute>> attributes, const Key& key) {
  for (const Method* const method : methods()) {
    if (method->about().mechanism != mechanism) continue;
    return method->load(saved, std::move(attributes), key);
  }
  return fail(data_error("the model was made by another version of semveil: fit it anew"));
}

}  // namespace semveil
