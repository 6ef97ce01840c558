// A part of a whole; of nothing, 0.
#pragma once

#include <cstdint>

namespace semveil {

inline double share_of(double part, std::uint64_t whole) {
  return whole == 0 ? 0 : part / static_cast<double>(whole);
}
inline double share_of(std::uint64_t part, std::uint64_t whole) {
  return share_of(static_cast<double>(part), whole);
}

}  // namespace semveil
