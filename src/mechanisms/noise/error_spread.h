// How likely an error falls between two bounds, by the distribution that errors are drawn from.
//
//   normal    P(ε > t) = ½ erfc(t / (σ √2))
//   laplace   P(ε > t) = ½ exp(−√2 t / σ),   t ≥ 0, and mirrored
//
// Choice:    errors are made of 53 bits (base/deviates.h), so none is beyond 8.3 σ (normal): what
//            lies there has the probability 0 and not that of a tail. Within it the distribution is
//            taken as if it were not in steps of 2^-53.
// Accuracy:  2e-16, and relative to itself where an interval is far out or narrow about 0. Nothing
//            of it decides bytes of a release, so the library's erfc will do.
#pragma once

#include "semveil/noise.h"

namespace semveil {

class ErrorSpread {
 public:
  // Of errors of one column; `reach`: how far the farthest is from 0.
  ErrorSpread(double deviation, NoiseDistribution distribution, double reach)
      : deviation_(deviation), normal_(distribution == NoiseDistribution::kNormal), reach_(reach) {}

  double between(double from, double to) const;  // from < to, which may be infinite

 private:
  double beyond(double t) const;                        // t ≥ 0
  double between_beyond(double from, double to) const;  // 0 ≤ from

  double deviation_;
  bool normal_;
  double reach_;
};

// P(from < Z ≤ to) of a standard normal Z, relative to itself accurate.
double normal_between(double from, double to);
// The largest normal or Laplace deviate that bits can make.
double greatest_deviate(NoiseDistribution distribution);

}  // namespace semveil
