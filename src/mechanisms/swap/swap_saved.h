// What a fit of swapping counted: all that is saved. The swaps themselves follow from it and from
// the release's key, so a model without its key tells nothing of them.
#pragma once

#include "semveil/swap.h"

namespace semveil {

inline constexpr std::string_view kSwapName = "swap-1";

using Attributes = std::vector<std::shared_ptr<const Attribute>>;

struct SwapCounts {
  std::vector<std::vector<ConceptId>> values;  // by column: what places stand for, ascending
  // Distinct, ascending, one after the other: places or kMissing; at least one is a place.
  std::vector<Code> tuples;
  std::vector<std::uint64_t> counts;  // of each tuple: its slots
};

std::string save_swap(const SwapOptions& options, const SwapCounts& counts,
                      const Attributes& attributes);
// Runs the engine.
Result<std::unique_ptr<const FittedMethod>> load_swap(std::string_view saved, Attributes attributes,
                                                      const Key& key);
Result<std::unique_ptr<const FittedMethod>> make_swap_plan(const SwapOptions& options,
                                                           SwapCounts counts, Attributes attributes,
                                                           const Key& key);

}  // namespace semveil
