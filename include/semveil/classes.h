// What methods that form classes of records have in common: fuse, recode, generalize,
// microaggregate. Their plans look a tuple up and give another.
#pragma once

#include "semveil/mechanism.h"

namespace [[gnu::visibility("default")]] semveil {

struct FuseStep {
  std::uint64_t size = 0, partner_size = 0;  // records before the step
  double similarity = 0;
  std::vector<ConceptId> from, to;  // values of the columns; of recode's one column
  std::uint32_t column = 0;         // recode: which
};

// What a fit found, for summaries and traces.
struct ClassFit {
  std::uint64_t k = 0;  // that was asked for
  std::uint64_t suppressed = 0;
  bool suppresses_sensitive = false;            // the sensitive cells of suppressed records go too
  std::optional<std::vector<unsigned>> levels;  // generalize, full-domain
  std::optional<double> loss;                   // generalize
  std::optional<std::vector<FuseStep>> trace;   // fuse, recode: if the options ask for it
};
const ClassFit* class_fit(const FittedMethod& plan);  // null: another kind of plan

}  // namespace semveil
