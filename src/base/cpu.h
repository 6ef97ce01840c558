// One body, two entries: a kernel is written once as an always-inlined function and compiled twice,
// for any processor and for AVX2 (with the bit instructions every such processor has). Integer
// arithmetic, or + and × of doubles element by element, so both give the same bits.
#pragma once

#include <atomic>

#if defined(__x86_64__)
#define SEMVEIL_TARGET_AVX2 [[gnu::target("avx2,bmi,popcnt")]]
#else
#define SEMVEIL_TARGET_AVX2
#endif

namespace semveil {

// For the tests, which must reach both entries on one machine.
inline std::atomic<bool>& allow_avx2() {
  static std::atomic<bool> allowed = true;
  return allowed;
}

inline bool has_avx2() {
#if defined(__x86_64__)
  static const bool answer = __builtin_cpu_supports("avx2") != 0 &&
                             __builtin_cpu_supports("bmi") != 0 &&
                             __builtin_cpu_supports("popcnt") != 0;
  return answer && allow_avx2().load(std::memory_order_relaxed);
#else
  return false;
#endif
}

}  // namespace semveil
