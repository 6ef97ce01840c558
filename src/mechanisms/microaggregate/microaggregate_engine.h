// The engine of microaggregation (semveil/microaggregate.h has the method).
#pragma once

#include <vector>

#include "mechanisms/classes/class_table.h"
#include "semveil/microaggregate.h"

namespace semveil {

struct MicroaggregateOutcome {
  std::vector<std::uint32_t> group;  // by tuple
  std::uint32_t groups = 0;
  // The columns as they come out: numeric ones have the centroids' numbers.
  std::vector<std::shared_ptr<const Attribute>> released;
  std::vector<ConceptId> centroids;  // by group, then column: values of `released`
};

// kGuarantee where there are fewer than k records, or a demand is missed by all records together.
Result<MicroaggregateOutcome> microaggregate_tuples(const ClassTable& table,
                                                    const MicroaggregateOptions& options);

}  // namespace semveil
