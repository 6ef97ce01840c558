// Swapping and its baselines as methods of plans (method.h).
#pragma once

#include "semveil/method.h"
#include "semveil/swap.h"

namespace semveil {

const Method& swap_method();
const Method& random_swap_method();
const Method& distributional_swap_method();

// What a plan says of swapping; nothing where its method is another.
std::optional<SwapOptions> swap_options(const MaskStep& mask);

}  // namespace semveil
