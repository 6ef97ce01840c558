// What a release was made of, what it cost and what risk is left: the page a data steward signs.
//
// It holds figures, names of columns and of concepts, and no cell of the original table.
#pragma once

#include "description.h"
#include "plan_options.h"
#include "semveil/release_findings.h"

namespace semveil::cli {

// `verbose`: a block for each column, and every pair of them, also where there are many.
std::string summary(const MaskResult& result, const ReleaseFacts& facts, bool verbose);

// What was done with which parameters: of several steps, a line each.
std::string steps_text(const std::vector<StepFacts>& steps,
                       const std::map<std::string, std::string>& parameters);

// ", in place of the file that was there", where there is one: asked before the commit.
std::string replaced_text(const std::string& path, bool in_place);

// The summary where it belongs (JSON on standard output, text there too or, where the table has
// that, on standard error; nothing for the quiet), then the release gets its name: if nothing can
// be printed, or a finding stands that is refused, no file appears. That it is written is said when
// it is.
Status publish(PendingRelease& pending, const ReleaseFacts& facts, const Common& common,
               std::optional<Severity> fail_on);

}  // namespace semveil::cli
