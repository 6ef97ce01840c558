// Generalisation as a method of plans (method.h).
#pragma once

#include "semveil/method.h"

namespace semveil {

inline constexpr MethodKey kGeneralizeLevelKey{
    .name = "level",
    .type = KeyType::kWhole,
    .help =
        "the column's values are lifted to this level, which is counted from the deepest of them, "
        "and no classes are formed",
    .low = 0,
    .high = 65535,
    .needed = "how many levels values are lifted",
};

const Method& generalize_method();
// generalize with a fixed level: a cell recoding (recoding.h).
const Method& level_method();

}  // namespace semveil
