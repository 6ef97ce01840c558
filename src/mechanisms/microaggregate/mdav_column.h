// Squared distances among the values of one column, as the integers that MDAV adds up.
//
//   concepts   sd²           texts     0 or 1       missing   0 to itself, 1 to all others
//   numbers    ((x − y) / unit)², not cut at 1; 0 where the unit is 0
//
// Integers, so that a sum does not depend on the order of its columns, and records can be taken out
// of it again without a trace. A squared distance of 1 is 2^bits, bits the greatest up to kMostBits
// for which the greatest squared distance of two tuples is at most 2^kSumBits. A number stands at
// the position (x − least) / unit, rounded to 2^-kPositionBits; no position is beyond
// √(2^kSumBits / columns), about 9,500 standard deviations for twelve columns.
//
// The mean squared distance of a value to records is the sum over them by their number, rounded
// down. For numbers it is that to the mean position of those present (rounded down) plus their mean
// squared distance to it, each rounded down to a unit; missing ones at 1 are weighed in after that.
//
// Cost:   concepts keep a table while they are few (kMostKeptSquares); rows are computed otherwise.
#pragma once

#include <memory>

#include "mechanisms/classes/class_table.h"

namespace semveil {

inline constexpr unsigned kMostSquaredBits = 20, kSquaredSumBits = 30, kPositionBits = 16;

class MdavColumn {
 public:
  explicit MdavColumn(unsigned bits) : bits_(bits) {}
  virtual ~MdavColumn() = default;
  MdavColumn(const MdavColumn&) = delete;
  MdavColumn& operator=(const MdavColumn&) = delete;

  // The squared distances of one value to all. They may stand in `space`.
  virtual std::span<const std::uint32_t> row(Code a, std::vector<std::uint32_t>& space) const = 0;
  // Records with this value come to those that are left, or go.
  virtual void add(Code a, std::uint64_t records) = 0;
  virtual void remove(Code a, std::uint64_t records) = 0;
  // The mean squared distance of each value to the records that are left, rounded down; there are
  // some. Only values that are left need be right.
  virtual void from_rest(std::vector<std::uint32_t>& out) const = 0;

 protected:
  std::uint32_t one() const { return std::uint32_t{1} << bits_; }
  unsigned bits() const { return bits_; }

 private:
  unsigned bits_;
};

// With no record left in them yet.
std::vector<std::unique_ptr<MdavColumn>> mdav_columns(const ClassTable& table, unsigned threads);

}  // namespace semveil
