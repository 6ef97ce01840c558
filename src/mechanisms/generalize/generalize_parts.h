// What both scopes of generalisation work on.
#pragma once

#include <vector>

#include "mechanisms/classes/class_table.h"
#include "mechanisms/classes/demands.h"
#include "mechanisms/generalize/generalize_engine.h"
#include "mechanisms/generalize/generalize_loss.h"

namespace semveil {

struct GeneralizeTask {
  const ClassTable& table;
  const GeneralizeOptions& options;
  std::uint64_t records = 0;
  std::uint64_t limit = 0;             // records that may be suppressed
  std::vector<Hierarchy> hierarchies;  // by column
  std::vector<CellLoss> losses;
  const Demands* demands = nullptr;  // null: none
};

// Of classes given by their tuples' cells (nodes, by tuple, then column): what is published, and
// its loss. Classes with the same cells are one.
GeneralizeOutcome outcome_of(const GeneralizeTask& task, const std::vector<Code>& cells,
                             std::vector<bool> suppressed);

// Whether the records of a class meet the demands, class by class. Classes that are not asked for
// count as met.
std::vector<bool> classes_met(const GeneralizeTask& task,
                              const std::vector<std::uint32_t>& class_of,
                              const std::vector<bool>& asked);

Result<GeneralizeOutcome> generalize_full_domain(const GeneralizeTask& task);
Result<GeneralizeOutcome> generalize_local(const GeneralizeTask& task);
Result<GeneralizeOutcome> suppress_cells(const GeneralizeTask& task);

}  // namespace semveil
