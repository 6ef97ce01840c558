// Means of numbers, rounded to a column's decimals, half to even, as if by hand.
//
// Numbers are read from their digits as integers of the last decimal that any of them has, so that
// a sum is exact and a half is a half: 0.125, 0.135 and their mean 0.13 are no binary fractions.
// Where such integers do not fit (beyond 18 digits), sums are of doubles in the order given.
//
// Dates are read from their texts, too, as nanoseconds; their mean is a day, half to even, without
// a time: 1970-01-02 and 1970-01-03 have the mean 1970-01-03 (day 1.5), and so have 1970-01-03 and
// 1970-01-04 (day 2.5).
#pragma once

#include <optional>
#include <string>

#include "base/date_text.h"
#include "base/decimal.h"
#include "semveil/frequency_table.h"

namespace semveil {

// A number as it is written: with exactly the column's decimals.
struct WrittenNumber {
  double value = 0;
  std::string digits;
};

class NumberMeans {
 public:
  explicit NumberMeans(std::shared_ptr<const Attribute> attribute);
  // `group` has a value; missing ones take no part. Nothing where all are missing.
  std::optional<WrittenNumber> of(const ValueCounts& group) const;

 private:
  std::shared_ptr<const Attribute> attribute_;
  unsigned decimals_ = 0;             // of scaled_; the column's or more
  std::vector<std::int64_t> scaled_;  // by number; empty: they do not fit
  std::vector<Moment> moments_;       // by number, of dates
  WrittenNumber mean_day(const ValueCounts& group, std::uint64_t records) const;
};

}  // namespace semveil
