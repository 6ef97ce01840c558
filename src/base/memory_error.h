// What is said where memory runs out, and what can be done about it.
#pragma once

#include <string>
#include <string_view>

#include "semveil/result.h"

namespace semveil {

inline constexpr std::string_view kMoreMemory =
    "close other programs, raise the limit (ulimit -v), or use a machine with more";

// `to`: "to read XML".
inline Error memory_error(std::string_view to) {
  return system_error("not enough memory " + std::string(to) + ": " + std::string(kMoreMemory));
}

}  // namespace semveil
