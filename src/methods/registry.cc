// Which methods there are. The list grows until somebody looks at it and stays as it is from then
// on, so that what was read of it (keys, options, a plan's method) holds as long as the process.
#include <fmt/format.h>

#include <algorithm>
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
  const auto at = std::ranges::find(all, name, &Method::name);
  return at == all.end() ? nullptr : *at;
}

const MethodDescription& method_named(std::string_view name) {
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
  const bool is_taken =
      std::ranges::find(known.all, method->name(), &Method::name) != known.all.end() ||
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
