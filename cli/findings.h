// Findings for people.
#pragma once

#include "semveil/finding.h"
#include "verb.h"

namespace semveil::cli {

// A paragraph each, under its severity.
std::string findings_text(const std::vector<Finding>& findings);
// What stands against a release or has to be weighed, with what can be done about it; empty where
// nothing does.
std::string warnings_text(const std::vector<Finding>& findings);
// What was verified, and what there is to know besides: each under a title, with what can be done.
std::string promises_text(const std::vector<Finding>& findings);
std::string notes_text(const std::vector<Finding>& findings);

}  // namespace semveil::cli
