// Random bits made into random numbers, with our own arithmetic: the same bits on every machine.
#pragma once

#include <cstdint>

namespace semveil {

// A standard normal deviate: the quantile of (k + ½) / 2^53, k the upper 53 bits. Never 0; the
// sign is the top bit's; |z| < 8.3. Relative error below 2e-15.
double normal_deviate(std::uint64_t bits);
// Laplace with variance 1 (scale 1/√2) by its quantile, from the same 53 bits.
double laplace_deviate(std::uint64_t bits);
// An integer in [0, count), by multiplication; the bias is below count / 2^64.
inline std::uint64_t below(std::uint64_t count, std::uint64_t bits) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * count) >> 64U);
}

}  // namespace semveil
