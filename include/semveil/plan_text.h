// Plans written as TOML.
#pragma once

#include <map>
#include <string>

#include "semveil/plan_file.h"

namespace [[gnu::visibility("default")]] semveil {

// The plan without its seed; paths as a plan in `folder` must name them. Read again it is the same
// plan.
std::string to_toml(const PlanFile& plan, const std::string& folder);
// What stands in [mask], as TOML values by key: what the method takes and what was said of it.
std::map<std::string, std::string> mask_values(const MaskStep& mask, const std::string& folder);

// The file or folder of an ontology's source: of `obo:doid.obo` and `doid.obo` it is doid.obo.
std::string source_path(const std::string& source);

}  // namespace semveil
