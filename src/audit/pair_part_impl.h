// What stands behind a PairPart.
#pragma once

#include <optional>

#include "audit/pair_counts.h"
#include "semveil/pair_part.h"

namespace semveil {

class PairPart::Impl {
 public:
  std::optional<PairCounts> counts;  // nothing: of no part yet
};

}  // namespace semveil
