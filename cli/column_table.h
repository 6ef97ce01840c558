// Many masked columns on one page: a row a column, with what a steward looks at. What a column's
// own block tells besides is told with --verbose.
#pragma once

#include <string>
#include <vector>

#include "semveil/release_findings.h"

namespace semveil::cli {

// With so many columns, blocks of them make pages that nobody reads.
inline constexpr std::size_t kManyColumns = 4;

// Of a release: what became of the cells, and what the figures aim at and came to.
std::string masked_columns_table(const MaskResult& result);

// The order of those that matter: a short list shows so many of them, and says so.
inline constexpr std::size_t kPairsShown = 6;
std::string pairs_left_out(std::size_t all);  // "the 6 of 45 pairs that moved most; …"

}  // namespace semveil::cli
