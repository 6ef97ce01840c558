// Intervals of numbers, level by level (semveil/hierarchy.h).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/hierarchies/hierarchy_rule.h"

namespace semveil {

// How many levels lie between these numbers and everything. An error where intervals are too narrow
// for such numbers, or are spelt by their last number and some number is not whole.
Result<unsigned> interval_levels(const HierarchySettings& settings,
                                 std::span<const double> numbers);
// The intervals of a number, the narrowest first. Those whose ends a double does not tell apart are
// left out: never any of a number that the levels were counted for.
std::vector<HierarchyStep> intervals_around(const HierarchySettings& settings, double number,
                                            unsigned levels);

// A usual width: the largest of 1, 2, 5 · 10^n that is at most a tenth of the range, of whole
// numbers at least 2. Nothing where some text is no number, or all are the same.
std::optional<double> usual_width(std::span<const std::string_view> texts);

// Why intervals cannot be spelt so; "": they can.
std::string fault_of_spelling(const HierarchySettings& settings);

}  // namespace semveil
