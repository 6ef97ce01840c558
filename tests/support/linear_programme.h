// A linear programme, solved by the textbook: slow, dense, for small problems.
//
//   least c·x  subject to  A x = b,  x ≥ 0
//
// Two-phase tableau simplex with Bland's rule, which cannot cycle (Bland 1977).
#pragma once

#include <optional>
#include <vector>

namespace semveil::test {

// `equations` are rows of A; every b is 0 or more. Nothing where no x fulfils them.
std::optional<double> least_value(const std::vector<std::vector<double>>& equations,
                                  const std::vector<double>& b, const std::vector<double>& c);

// The transport of `from` to `to`, two distributions of equal total, as a linear programme with one
// variable for each pair; costs by place of `from`, then of `to`.
double transport_by_programme(const std::vector<double>& from, const std::vector<double>& to,
                              const std::vector<double>& costs);

}  // namespace semveil::test
