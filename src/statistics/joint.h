// The contingency table of two columns, row by row, without its zeros.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semveil/statistics.h"

namespace semveil {

struct Joint {
  std::vector<std::size_t> begin;  // by value of A, and the end
  std::vector<std::uint32_t> b;
  std::vector<double> count;

  std::size_t rows() const { return begin.size() - 1; }
};

// A fixed sample of `size` records, one of each of as many equal stretches of the records in the
// order of (a, b); which one of a stretch, a fixed hash of its number says.
//
// The shares of values and pairs are kept to 1/size, which plain random sampling only does to
// 1/√size. What is left of the bias is that of distance covariance itself: the squared figure of m
// records lies above that of all by O(1/m), because each record is compared with itself as well.
std::vector<JointCount> sample_of(std::span<const JointCount> joint, std::uint64_t size);

}  // namespace semveil
