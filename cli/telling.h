// Released columns that tell masked ones: as a warning, and as JSON.
#pragma once

#include "semveil/release.h"
#include "verb.h"

namespace semveil::cli {

// Empty where none tells.
std::string telling_warning(const std::vector<Survey::PassedThrough>& columns);
// {"TITLE": [{"column": "CODE", "records": 0.97}]}
Json telling_json(const std::vector<Survey::PassedThrough>& columns);

}  // namespace semveil::cli
