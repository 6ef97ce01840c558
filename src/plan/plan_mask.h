// What stands in [mask] or in several [[mask]], together with what the command line puts there.
#pragma once

#include <map>
#include <string>

#include "base/toml.h"
#include "plan/plan_reader.h"
#include "semveil/plan_file.h"

namespace semveil {

// Fills the plan's recodings and steps; ontologies and columns must have been read. The overrides
// (TOML values by key) are put into the tables: a copy would not know its lines. Of several steps a
// key belongs to the one whose method takes it.
void read_masks(toml::table& root, const std::map<std::string, std::string>& overrides,
                PlanFile& plan, PlanNotes& notes);

}  // namespace semveil
