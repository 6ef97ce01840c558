// Eight whole numbers at a time, for entries that are compiled for AVX2 (base/cpu.h).
#pragma once

#include <cstdint>

#include "base/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace semveil {

inline constexpr std::uint32_t kLanes = 8;

SEMVEIL_TARGET_AVX2 inline __m256i eight(const std::uint32_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

}  // namespace semveil
#endif
