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

  About about() const { return {.is_plan = false, .plan = file.path, .is_text = is_text}; }
};

// The key of a release: of the seed that was given, else of the plan's, else a fresh one.
struct KeyChoice {
  std::optional<std::string> seed;
  KeyOrigin origin() const { return seed ? KeyOrigin::kSeed : KeyOrigin::kFresh; }
  // The key of a seed is kept: cross-validation asks for it again and again, and to make it is slow
  // on purpose.
  Result<Key> make() const;
};
KeyChoice choose_key(const std::optional<std::string>& seed, const PlanFile& plan);

}  // namespace semveil::python
