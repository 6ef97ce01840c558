// Minimal uniques as they are defined: every set of columns, every pair of rows.
#pragma once

#include "semveil/minimal_uniques.h"

namespace semveil::test {

MinimalUniques slow_minimal_uniques(std::span<const std::vector<Code>> columns,
                                    std::span<const std::uint32_t> persons);

}  // namespace semveil::test
