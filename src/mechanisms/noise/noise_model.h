// What a fit of noise learns, between the fit, the plan and its saved form.
#pragma once

#include <nlohmann/json.hpp>

#include "mechanisms/noise/number_grid.h"
#include "semveil/noise.h"

namespace semveil {

inline constexpr std::string_view kNoiseName = "noise-1";

using Attributes = std::vector<std::shared_ptr<const Attribute>>;

struct NoiseNumbers {
  double low = 0, high = 0;  // the column's ends
  NumberGrid grid;           // what can be released
};

struct NoiseLearned {  // of one column, besides the spread of all columns' errors
  NoiseColumn statistics{};
  std::vector<ConceptId> values;                          // seen by the fit
  std::vector<std::pair<ConceptId, ConceptId>> partners;  // kPair: values with the partners seen
  using Numbers = NoiseNumbers;
  std::optional<Numbers> numbers = {};  // of a column of numbers
};

struct NoiseModel {
  NoiseOptions options;
  std::vector<std::size_t> partner;  // kPair: by column
  std::vector<NoiseLearned> columns;
  std::vector<double> covariance;
  double psd_shift = 0;
  std::vector<double> root;  // L, row by row: a row's errors are L z
};

Result<NoiseModel> fit_noise(const NoiseOptions& options, const FrequencyTable& table);

std::string save_noise(const NoiseModel& model, const Attributes& attributes);
Result<NoiseModel> load_noise(std::string_view saved, const Attributes& attributes);
std::unique_ptr<const FittedMethod> make_noise_plan(Attributes attributes, NoiseModel model,
                                                    const Key& key);

}  // namespace semveil
