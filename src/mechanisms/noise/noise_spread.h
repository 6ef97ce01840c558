// What a model of noise says about the errors of each column.
#pragma once

#include <cmath>

#include "mechanisms/noise/error_spread.h"
#include "mechanisms/noise/noise_model.h"

namespace semveil {

inline double deviation_of(const NoiseModel& model, std::size_t column) {
  const std::size_t width = model.columns.size();
  double variance = 0;
  for (std::size_t k = 0; k <= column; ++k) {
    variance += model.root[column * width + k] * model.root[column * width + k];
  }
  return std::sqrt(variance);
}

// How far the farthest error is from 0.
inline double reach_of(const NoiseModel& model, std::size_t column) {
  const std::size_t width = model.columns.size();
  double reach = 0;
  for (std::size_t k = 0; k <= column; ++k) reach += std::abs(model.root[column * width + k]);
  return reach * greatest_deviate(model.options.distribution);
}

inline ErrorSpread spread_of(const NoiseModel& model, std::size_t column) {
  return {deviation_of(model, column), model.options.distribution, reach_of(model, column)};
}

// The partner's cell as kPair looks at it: a missing one is no reference.
inline ConceptId reference_cell(const FrequencyTable& table, std::size_t partner, Code place) {
  const FrequencyColumn& column = table.columns[partner];
  const ConceptId cell = place == kMissing ? kMissing : column.values.values[place];
  return cell == column.attribute->missing_value() ? kMissing : cell;
}

}  // namespace semveil
