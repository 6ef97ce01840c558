// The slow twins of the cuts of a taxonomy: every value is asked for everything above it, and every
// way to cut a row is tried.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "semveil/ean.h"
#include "support/slow_measures.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {

using SlowCategory = std::set<ConceptId>;

// Nothing where the header demands an error: two roots above a root or value, or none, or a root
// with nothing below. In the order of the roots.
std::optional<std::vector<SlowCategory>> slow_categories_below(const Twins& twins,
                                                               const std::vector<ConceptId>& roots,
                                                               const ValueCounts& column);
// As a set of categories.
std::optional<std::set<SlowCategory>> slow_categories_at_depth(const Twins& twins, unsigned depth,
                                                               const ValueCounts& column);

// The values that occur, as a walk through the taxonomy meets them.
std::vector<ConceptId> slow_walk(const Twins& twins, const ValueCounts& column);
// How many ways there are to cut a row of so many values.
double ways_to_cut(std::size_t values, std::size_t count);
// Tries them all. `most`: records of the greatest category that are allowed.
struct SlowCut {
  std::vector<SlowCategory> categories;
  std::uint64_t most = 0;
};
SlowCut slow_balanced_categories(const Twins& twins, const SlowMeasure& measure, std::size_t count,
                                 const ValueCounts& column);

}  // namespace semveil::test
