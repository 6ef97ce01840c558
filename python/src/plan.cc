#include "plan.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <mutex>

#include "bind.h"
#include "semveil/plan_table.h"
#include "semveil/plan_text.h"

namespace semveil::python {
namespace {

using Overrides = std::map<std::string, std::string>;

}  // namespace

KeyChoice choose_key(const std::optional<std::string>& seed, const PlanFile& plan) {
  if (seed && seed->empty()) {
    raise(usage_error("the seed is empty: give a text, or None for a secret key"));
  }
  return {seed ? seed : plan.seed};
}

Result<Key> KeyChoice::make() const {
  if (!seed) return Key::fresh();
  constexpr std::size_t kMost = 8;
  static std::mutex mutex;
  static std::deque<std::pair<std::string, Key>> kept;
  {
    const std::lock_guard lock(mutex);
    for (const auto& [text, key] : kept) {
      if (text == *seed) return key;
    }
  }
  Result<Key> key = Key::from_seed(*seed);
  if (!key) return key;
  const std::lock_guard lock(mutex);
  kept.emplace_back(*seed, *key);
  if (kept.size() > kMost) kept.pop_front();
  return key;
}

void bind_plan(nb::module_& core) {
  nb::class_<Plan>(core, "Plan")
      .def_static(
          "read",
          [](const std::string& path, const Overrides& overrides) {
            return Plan{value_of(PlanFile::read(path, overrides), About::kPlan), false};
          },
          nb::arg("path"), nb::arg("overrides"))
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name, const Overrides& overrides) {
            const About about{.is_plan = true, .plan = name, .is_text = true};
            return Plan{value_of(PlanFile::parse(text, name, overrides), about), true};
          },
          nb::arg("text"), nb::arg("name"), nb::arg("overrides"))
      .def("to_toml",
           [](const Plan& plan, const std::string& folder) { return to_toml(plan.file, folder); })
      .def_prop_ro("column_names", [](const Plan& plan) { return named_columns(plan.file); })
      .def_prop_ro("drops_records", [](const Plan& plan) { return drops_records(plan.file); })
      .def_prop_ro("path", [](const Plan& plan) { return plan.file.path; })
      .def_prop_ro("masks", [](const Plan& plan) { return plan.file.masks(); })
      .def_prop_ro("method", [](const Plan& plan) { return plan.file.method(); })
      .def_prop_ro("shuffles", [](const Plan& plan) { return plan.file.shuffle; })
      .def_prop_ro("release", [](const Plan& plan) { return plan.file.release; });
}

}  // namespace semveil::python
