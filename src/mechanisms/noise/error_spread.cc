#include "mechanisms/noise/error_spread.h"

#include <cmath>

#include "base/deviates.h"

namespace semveil {
namespace {

constexpr double kSqrt2 = 1.41421356237309504880;
constexpr double kNearMiddle = 0.5;  // where differences of erf lose less than those of erfc

// 0 ≤ from < to, in units of σ √2.
double half_erf_between(double from, double to) {
  if (to < kNearMiddle) return (std::erf(to) - std::erf(from)) / 2;
  return (std::erfc(from) - std::erfc(to)) / 2;
}

}  // namespace

double normal_between(double from, double to) {
  const double a = from / kSqrt2, b = to / kSqrt2;
  if (a >= 0) return half_erf_between(a, b);
  if (b <= 0) return half_erf_between(-b, -a);
  return 1 - (std::erfc(-a) + std::erfc(b)) / 2;
}

double ErrorSpread::beyond(double t) const {
  if (t >= reach_) return 0;
  return (normal_ ? std::erfc(t / (deviation_ * kSqrt2)) : std::exp(-kSqrt2 * t / deviation_)) / 2;
}

double ErrorSpread::between_beyond(double from, double to) const {
  if (from >= reach_) return 0;
  if (to >= reach_) return beyond(from);
  if (!normal_) return beyond(from) * -std::expm1(-kSqrt2 * (to - from) / deviation_);
  return half_erf_between(from / (deviation_ * kSqrt2), to / (deviation_ * kSqrt2));
}

double ErrorSpread::between(double from, double to) const {
  if (from >= 0) return between_beyond(from, to);
  if (to <= 0) return between_beyond(-to, -from);
  return 1 - beyond(-from) - beyond(to);
}

double greatest_deviate(NoiseDistribution distribution) {
  constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
  return distribution == NoiseDistribution::kNormal ? normal_deviate(kAllBits)
                                                    : laplace_deviate(kAllBits);
}

}  // namespace semveil
