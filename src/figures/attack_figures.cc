#include "figures/attack_figures.h"

#include <algorithm>
#include <cmath>

namespace semveil {
namespace {

constexpr double kZ = 1.959963984540054;  // 97.5 % of a normal deviate

// Of a / b, both in (0, 1], each with its interval.
Interval ratio_interval(double a, Interval of_a, double b, Interval of_b) {
  const double ab = a * b;
  // One end: (a b ± √((a b)² − x y)) / y, with x and y from the ends of the intervals.
  const auto end = [&](double at_a, double at_b, double sign) -> std::optional<double> {
    const double x = at_a * (2 * a - at_a), y = at_b * (2 * b - at_b);
    if (y <= 0) return std::nullopt;
    return (ab + sign * std::sqrt(std::max(0.0, ab * ab - x * y))) / y;
  };
  const double far_high = of_b.low > 0 ? of_a.high / of_b.low : 1 / of_b.high;
  return {end(of_a.low, of_b.high, -1).value_or(of_a.low / of_b.high),
          end(of_a.high, of_b.low, 1).value_or(far_high)};
}

}  // namespace

Interval wilson_interval(double rate, double trials) {
  if (trials <= 0) return {0, 1};
  const double z2 = kZ * kZ / trials;
  const double middle = rate + z2 / 2;
  const double half = kZ * std::sqrt((rate * (1 - rate) + z2 / 4) / trials);
  return {std::clamp((middle - half) / (1 + z2), 0.0, rate),
          std::clamp((middle + half) / (1 + z2), rate, 1.0)};
}

double risk_above(double rate, double without) {
  return without < 1 ? std::max(0.0, (rate - without) / (1 - without)) : 0;
}

namespace {

void measure_against(const ControlRate& without, Attack& attack) {
  attack.risk = risk_above(*attack.rate, without.rate);
  const Interval of_control = wilson_interval(without.rate, without.trials);
  if (without.rate >= 1) {
    attack.risk_interval = {0, risk_above(attack.interval.high, of_control.low)};
    return;
  }
  const Interval left{1 - attack.interval.high, 1 - attack.interval.low};
  const Interval left_of_control{1 - of_control.high, 1 - of_control.low};
  const Interval ratio = ratio_interval(1 - *attack.rate, left, 1 - without.rate, left_of_control);
  attack.risk_interval = {std::clamp(1 - ratio.high, 0.0, *attack.risk),
                          std::clamp(1 - ratio.low, *attack.risk, 1.0)};
}

}  // namespace

void finish(Attack& attack, const std::optional<ControlRate>& control) {
  if (!attack.rate) return;
  attack.interval = wilson_interval(*attack.rate, static_cast<double>(attack.tried));
  if (control) {
    attack.control = control->rate;
    return measure_against(*control, attack);
  }
  if (!attack.baseline) return;
  attack.risk = risk_above(*attack.rate, *attack.baseline);
  attack.risk_interval = {risk_above(attack.interval.low, *attack.baseline),
                          risk_above(attack.interval.high, *attack.baseline)};
}

void finish_drawn(Attack& attack, const std::optional<ControlRate>& control,
                  const std::optional<ControlRate>& baseline) {
  if (baseline) attack.baseline = baseline->rate;
  finish(attack, control);
  if (attack.rate && !control && baseline) measure_against(*baseline, attack);
}

}  // namespace semveil
