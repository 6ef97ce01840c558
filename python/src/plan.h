// Plans, as the module's functions take them.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "errors.h"
#include "semveil/key.h"
#include "semveil/plan_file.h"
#include "semveil/release_findings.h"

namespace semveil::python {

struct Plan {  // immutable
  PlanFile file;
  bool is_text = false;  // was made in memory: lines say nothing to anybody
};

// The key of a release: of the seed that was given, else of the plan's, else a fresh one.
struct KeyChoice {
  std::optional<std::string> seed;
  KeyOrigin origin() const { return seed ? KeyOrigin::kSeed : KeyOrigin::kFresh; }
  Result<Key> make() const { return seed ? Key::from_seed(*seed) : Result<Key>(Key::fresh()); }
};
KeyChoice choose_key(const std::optional<std::string>& seed, const PlanFile& plan);

}  // namespace semveil::python
