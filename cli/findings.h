// Findings for people, and for scripts that must not go on where some stand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semveil/compare.h"
#include "semveil/finding.h"
#include "semveil/finding_display.h"
#include "verb.h"

namespace semveil::cli {

// A paragraph each, under its severity.
std::string findings_text(const std::vector<Finding>& findings);
// In what follows, what can be done depends on what was done already.
// What stands against a release or has to be weighed, with what can be done about it; empty where
// nothing does.
std::string warnings_text(const std::vector<Finding>& findings, const MaskedBy& masked_by = {});
// What was verified, and what there is to know besides: each under a title, with what can be done.
std::string promises_text(const std::vector<Finding>& findings, const MaskedBy& masked_by = {});
std::string notes_text(const std::vector<Finding>& findings, const MaskedBy& masked_by = {});

// Methods that were not tried, and why; empty where none was left out.
std::string left_out_text(const std::vector<LeftOut>& left_out);

// --fail-on danger|warning: such findings, and worse ones, are refused.
void add_fail_on_option(CLI::App& verb, std::optional<Severity>& fail_on, const std::string& then);
// `what` is refused because of them, as "the release is not written".
Status refuse_findings(const std::vector<Finding>& findings, std::optional<Severity> fail_on,
                       std::string_view what);

}  // namespace semveil::cli
