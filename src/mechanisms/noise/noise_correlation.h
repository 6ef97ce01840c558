// How the errors of words and numbers go together (semveil/noise.h).
#pragma once

#include "mechanisms/noise/noise_model.h"

namespace semveil {

struct NoiseCorrelation {
  std::vector<double> deviations;  // by column: √var of numbers, √sdVar of words
  std::vector<double> values;      // R as measured, row by row
};
// `learned` has means and variances. Records that miss one of two cells take no part in what is
// said of the two.
NoiseCorrelation noise_correlation(const FrequencyTable& table,
                                   const std::vector<NoiseLearned>& learned,
                                   NoiseReference reference, const StatisticsOptions& options);

}  // namespace semveil
