// Saved forms of the two baselines, and what they draw from.
#pragma once

#include "semveil/noise.h"

namespace semveil {

inline constexpr std::string_view kNaiveName = "naive-1";
inline constexpr std::string_view kProbabilisticName = "probabilistic-1";

struct BaselineUrn {
  std::vector<ConceptId> values;
  std::vector<std::uint64_t> upto;  // running sums of the weights
};
const BaselineUrn* baseline_urn(const FittedMethod& plan,
                                std::size_t column);  // null: not a baseline

Result<std::unique_ptr<const FittedMethod>> load_baseline(
    std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
    const Key& key);

}  // namespace semveil
