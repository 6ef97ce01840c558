#include "mechanisms/dates/date_shift.h"

#include <algorithm>
#include <array>
#include <string>

namespace semveil {

DateShift::DateShift(const Key& model_key, std::int64_t most)
    : key_(model_key.derive("date-shift", {})),
      most_(static_cast<std::uint64_t>(std::clamp<std::int64_t>(most, 0, kMost))) {}

std::int64_t DateShift::days_of(std::string_view person) const {
  const std::uint64_t offsets = 2 * most_ + 1;
  for (std::uint64_t attempt = 0;; ++attempt) {
    const std::string number = std::to_string(attempt);
    const std::array<std::string_view, 2> parts{person, number};
    auto drawn = key_.derived_bytes("person", parts);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof bits; ++i) {
      bits |= static_cast<std::uint64_t>(drawn[i]) << (8 * i);
    }
    wipe(drawn);
    if (!accepts(bits, offsets)) continue;
    return static_cast<std::int64_t>(bits % offsets) - static_cast<std::int64_t>(most_);
  }
}

}  // namespace semveil
