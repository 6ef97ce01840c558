// What a text is on each level of a hierarchy that nobody wrote, from its definition alone
// (semveil/hierarchy.h), and what a cell loses there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semveil/hierarchy.h"

namespace semveil::test {

// Of a column of numbers in cents, so that nothing is rounded: intervals of `width` cents. The text
// of every level above the value, "*" last.
std::vector<std::string> slow_intervals(long long value, long long width,
                                        const std::vector<long long>& column);
// Between whole numbers.
std::vector<std::string> slow_cuts(long long value, const std::vector<long long>& cuts);
// Of single bytes.
std::vector<std::string> slow_prefixes(const std::string& value,
                                       const std::vector<std::string>& column);

// Values of the column at or below each text, less 1, by all, less 1.
double slow_share_of_values(std::size_t below, std::size_t all);
// Whole numbers of the range that lie in an interval, counted one by one; ends as real numbers are.
double slow_width(long long low, long long high, long long least, long long most);

}  // namespace semveil::test
