// The slow twins of the attacks on sets: every definition word for word, in rational beliefs of one
// record at a time.
#pragma once

#include "figures/set_attacks.h"

namespace semveil::test {

inline constexpr double kFine = 1e-10;  // sums are 2^-36 fine

AttributeDisclosure slow_attribute_disclosure(const ReleasedSets& sets, SetWeights weights);
SetGuess slow_skewness(const ReleasedSets& sets, SetWeights weights);
SetGuess slow_similarity_counted(const ReleasedSets& sets, std::span<const std::uint32_t> category);
SetGuess slow_similarity_weighted(const ReleasedSets& sets, std::span<const std::uint32_t> category,
                                  SetWeights weights);
RepeatedRelease slow_repeated_release(const ReleasedSets& first, const ReleasedSets& second);

}  // namespace semveil::test
