// Semantic noise as a method of plans (method.h).
#pragma once

#include "semveil/method.h"
#include "semveil/noise.h"

namespace semveil {

const Method& noise_method();

// What a plan says of noise. Pairs are by name here: places are known once columns are.
struct NoiseSettings {
  NoiseOptions options;
  ColumnPairs pairs;
  NumberRows covariance;  // Σ, for a fit without a table; empty: not given
  std::string digest;     // of the table that declared statistics stand for; empty: none
};
NoiseSettings noise_settings(const MaskStep& mask);

}  // namespace semveil
