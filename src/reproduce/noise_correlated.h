// What is measured on columns that go together, and what is claimed of it.
#pragma once

#include <array>
#include <functional>

#include "reproduce/noise_data.h"
#include "reproduce/trial.h"

namespace semveil::reproduction {

inline constexpr std::array kAlphas{0.1, 0.3, 0.5, 1.0};
inline constexpr std::size_t kUsualAlphas = 3;  // of them, up to 0.5
inline constexpr unsigned kTrials = 20;

using Figures = std::array<double, kAlphas.size()>;
struct Printed {  // of one method, for the first column A and the second B
  Figures correlation, actual_a, target_a, actual_b, target_b, variance_a, variance_b, shift_a,
      shift_b;
};
struct NoiseMethod {
  const char* name = "";
  bool correlated = false;
  NoiseReference reference = NoiseReference::kMean;
  std::optional<Printed> printed;
};

enum NoisePlace : std::size_t { kUncorrelated, kMean, kThird };  // among the methods

struct MeasuredNoise {
  Original original;
  std::array<std::vector<Averages>, 3> noise;  // by method and α
  Averages naive, probabilistic;
};

// The figure of a run, by α.
using NoiseFigure = std::function<double(const Outcome&, double alpha)>;
// How far the variance is from (1 + α) times the one before.
NoiseFigure variance_error(const MeasuredNoise& measured, std::size_t column);

void check_noise_claims(const Pairs& pairs, const MeasuredNoise& measured,
                        std::span<const NoiseMethod> methods, ReproducedPart& part);
// Figures 6-8 and Table 5, and what is said of them.
void add_noise_figures(const Pairs& pairs, const MeasuredNoise& measured,
                       std::span<const NoiseMethod> methods, ReproducedPart& part);

}  // namespace semveil::reproduction
