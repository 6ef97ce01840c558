// What stands in [mask], together with what the command line puts there.
#pragma once

#include <map>
#include <string>

#include "base/toml.h"
#include "plan/plan_reader.h"
#include "semveil/plan_file.h"

namespace semveil {

// Fills plan.mask; ontologies and columns must have been read. The overrides (TOML values by key)
// are put into the table: a copy of it would not know its lines.
void read_mask(toml::table& mask, const std::map<std::string, std::string>& overrides,
               PlanFile& plan, PlanNotes& notes);

}  // namespace semveil
