// Saved forms of the two baselines.
#pragma once

#include "semveil/noise.h"

namespace semveil {

inline constexpr std::string_view kNaiveName = "naive-1";
inline constexpr std::string_view kProbabilisticName = "probabilistic-1";

Result<std::unique_ptr<const Plan>> load_baseline(
    std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
    const Key& key);

}  // namespace semveil
