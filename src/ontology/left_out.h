// Appends to what is told of an ontology's contents, or of what was not taken over; nothing where
// there is none of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "semveil/ontology.h"

namespace semveil {

inline void count_some(std::vector<Counted>& list, std::string what, std::uint64_t count) {
  if (count > 0) list.push_back({std::move(what), count});
}
inline void leave_out(OntologyInfo& info, std::string what, std::uint64_t count) {
  count_some(info.left_out, std::move(what), count);
}

}  // namespace semveil
