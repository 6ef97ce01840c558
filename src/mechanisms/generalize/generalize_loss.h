// What generalisation costs (semveil/generalize.h, GeneralizeLoss).
//
// Sums are of integers: leaves − 1 or leaves, or 2^36 times the share that an interval loses, times
// records. So a loss does not depend on the order
// in which groups come.
#pragma once

#include <span>
#include <vector>

#include "mechanisms/generalize/hierarchy.h"
#include "semveil/generalize.h"

namespace semveil {

// Losses this far apart are equal. Of discernibility, a whole number, only equal ones are.
inline constexpr double kEqualLoss = 1e-9;

// Of one column's cells: units(node) / whole() is what a cell loses.
class CellLoss {
 public:
  CellLoss(const Hierarchy& hierarchy, GeneralizeLoss loss);
  std::uint64_t units(Code node) const { return units_[node]; }
  double share(Code node) const { return of(units_[node]); }
  // Of `records` in all: those kept lose so many units together, the suppressed 1 each.
  double mean(std::uint64_t units, std::uint64_t suppressed, std::uint64_t records) const {
    return (of(units) + static_cast<double>(suppressed)) / static_cast<double>(records);
  }

 private:
  double of(std::uint64_t units) const {
    return whole_ == 0 ? 0 : static_cast<double>(units) / static_cast<double>(whole_);
  }
  std::vector<std::uint64_t> units_;  // by node
  std::uint64_t whole_ = 0;           // 0: a single leaf, nothing to lose
};

// Of the columns' means, for all losses but discernibility.
double table_loss(GeneralizeLoss loss, std::span<const double> columns);

// The n-th root of a number from 1 to 2^n.
double root_of(double power, std::size_t n);

// The most records that may be suppressed: ⌊share · records⌋. A product that is whole but for
// rounding counts as whole.
std::uint64_t suppression_limit(double share, std::uint64_t records);

}  // namespace semveil
