// The engine of generalisation (semveil/generalize.h has the rules).
#pragma once

#include <vector>

#include "mechanisms/classes/class_table.h"
#include "semveil/generalize.h"

namespace semveil {

struct GeneralizeOutcome {
  std::optional<std::vector<unsigned>> levels;  // full-domain, and where cells are emptied
  std::vector<ConceptId> cells;                 // by tuple, then column: what it is lifted to
  std::vector<bool> suppressed;                 // by tuple
  std::uint64_t suppressed_records = 0;
  double loss = 0;
};

// kGuarantee where no generalisation reaches k and the demands within the limit; the message names
// the nearest that does.
Result<GeneralizeOutcome> generalize_tuples(const ClassTable& table,
                                            const GeneralizeOptions& options);

}  // namespace semveil
