// EAN's Table I measured: which model protects from which attack, on one table.
#pragma once

#include "reproduce/claims.h"
#include "reproduce/experiment.h"
#include "reproduce/trial.h"

namespace semveil::reproduction {

Status table_one_is_there(const std::string& folder);
std::uint64_t table_one_runs();
Result<ReproducedPart> table_one(const ReproduceOptions& options, Runs& runs);

}  // namespace semveil::reproduction
