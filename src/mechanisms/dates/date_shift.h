// How many days all dates of a person are moved by.
//
//   shift = 30      one of the 61 whole days −30 … 30, each alike
//
// A number is drawn from 64 bits. Of the 2^64 numbers those beyond the last whole multiple of 2N +
// 1 are rejected and drawn again, so that every offset has exactly the same chance.
//
// The key is a model's own, and neither column nor release goes into it: intervals stay between the
// dates of a person, in all columns and all releases. So whoever knows one true date of a person
// knows the others, too.
//
// Cost: a BLAKE2b hash for each person and attempt, of which there are less than two on average.
#pragma once

#include <cstdint>
#include <string_view>

#include "semveil/key.h"

namespace semveil {

class DateShift {
 public:
  // `most`: N, at most a thousand years.
  static constexpr std::int64_t kMost = 365'250;
  DateShift(const Key& model_key, std::int64_t most);

  std::int64_t days_of(std::string_view person) const;

 private:
  Key key_;
  std::uint64_t most_;
};

// The numbers below `offsets` from 64 bits; false: draw again.
inline bool accepts(std::uint64_t bits, std::uint64_t offsets) {
  const std::uint64_t beyond = (~std::uint64_t{0} % offsets + 1) % offsets;  // 2^64 mod offsets
  return bits <= ~std::uint64_t{0} - beyond;
}

}  // namespace semveil
