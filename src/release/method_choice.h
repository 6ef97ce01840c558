// From [mask] of a plan to a mechanism with its options.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "semveil/ean.h"
#include "semveil/mechanism.h"
#include "semveil/noise.h"
#include "semveil/release.h"
#include "semveil/swap.h"

namespace semveil {

struct MethodChoice {
  std::unique_ptr<const Mechanism> mechanism;
  std::map<std::string, std::string> parameters;
  bool invents_concepts = false;  // its output holds concepts that the data do not
};

SwapAlgorithm swap_algorithm(const MaskPlan& mask);  // of swap and its baselines

// [mask] with its k: where p is given, k = p n / 100 of a table of n records (rank swapping paper,
// section 3.3), rounded to the nearest whole number, halves up, and at least 1.
MaskPlan with_k(MaskPlan mask, std::uint64_t records);

// `mask`: with its k. `columns`: the masked ones. `categories`: theirs, for methods that release
// sets. `declared`: of noise without a table.
Result<MethodChoice> choose_method(const MaskPlan& mask, const std::vector<std::string>& columns,
                                   std::vector<CategoryRule> categories, const WorkOptions& work,
                                   std::optional<NoiseStatistics> declared = {});

}  // namespace semveil
