// ln x = e ln 2 + ln m with m in [√½, √2), and ln m = 2 artanh(s), s = (m − 1)/(m + 1).
//
// |s| ≤ 0.1716, so s² ≤ 0.0295 and eleven terms of the series Σ s^(2k)/(2k + 1) leave less than
// 2^-57. ln 2 is split so that e · kLn2High is exact.
#include "base/math.h"

#include <bit>
#include <cstdint>

namespace semveil {
namespace {
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kLn2High = 0x1.62e42fefa38p-1;   // the upper 41 bits
constexpr double kLn2Low = 0x1.ef35793c7673p-45;  // ln 2 − kLn2High
constexpr int kExponentBias = 1023;
constexpr int kMantissaBits = 52;
constexpr int kTerms = 11;
}  // namespace

double ln(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int e = static_cast<int>(bits >> kMantissaBits) - (kExponentBias - 1);
  constexpr std::uint64_t kMantissaMask = (std::uint64_t{1} << kMantissaBits) - 1;
  constexpr std::uint64_t kHalfExponent = std::uint64_t{kExponentBias - 1} << kMantissaBits;
  double m = std::bit_cast<double>((bits & kMantissaMask) | kHalfExponent);  // [½, 1)
  const bool low = m < kSqrtHalf;  // no branch: of random numbers nobody can predict it
  m = low ? 2 * m : m;
  e -= low ? 1 : 0;
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double series = 0;
  for (int k = kTerms; k > 0; --k) series = (series + 1.0 / (2 * k + 1)) * s2;
  const double ln_m = 2 * s + 2 * s * series;
  return e * kLn2High + (e * kLn2Low + ln_m);
}

}  // namespace semveil
