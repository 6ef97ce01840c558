// Findings for people and for machines.
#pragma once

#include "semveil/finding.h"
#include "verb.h"

namespace semveil::cli {

// [{"id", "severity", "columns", "figures", "text"}]
Json to_json(const std::vector<Finding>& findings);
// A paragraph each.
std::string findings_text(const std::vector<Finding>& findings);

}  // namespace semveil::cli
