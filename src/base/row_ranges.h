// Which rows of a table some parts hold together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "semveil/result.h"

namespace semveil {

struct RowRange {
  std::uint64_t first = 0, end = 0;  // the row behind the last
  bool operator==(const RowRange&) const = default;
};

class RowRanges {
 public:
  RowRanges() = default;
  // What one range of rows, of none to all, makes.
  explicit RowRanges(RowRange range) {
    if (range.first < range.end) ranges_.push_back(range);
  }

  // Ascending, none empty; ranges that meet are one.
  const std::vector<RowRange>& list() const { return ranges_; }
  bool operator==(const RowRanges&) const = default;

  std::uint64_t rows() const {
    std::uint64_t sum = 0;
    for (const RowRange& range : ranges_) sum += range.end - range.first;
    return sum;
  }

  // Rows that both have, the first of them; nothing: there are none.
  std::optional<RowRange> common_with(const RowRanges& other) const {
    for (auto a = ranges_.begin(), b = other.ranges_.begin();
         a != ranges_.end() && b != other.ranges_.end(); a->end <= b->end ? ++a : ++b) {
      const RowRange both{std::max(a->first, b->first), std::min(a->end, b->end)};
      if (both.first < both.end) return both;
    }
    return std::nullopt;
  }

  void append(RowRange range) {  // not empty, and behind all others
    if (!ranges_.empty() && ranges_.back().end == range.first) {
      ranges_.back().end = range.end;
    } else {
      ranges_.push_back(range);
    }
  }

  void merge(const RowRanges& other) {  // that has no row in common
    std::vector<RowRange> all;
    std::ranges::merge(ranges_, other.ranges_, std::back_inserter(all), {}, &RowRange::first,
                       &RowRange::first);
    ranges_.clear();
    for (const RowRange& range : all) append(range);
  }

  // The first rows that nobody has before one that somebody has.
  std::optional<RowRange> first_gap() const {
    if (ranges_.empty()) return std::nullopt;
    if (ranges_[0].first > 0) return RowRange{0, ranges_[0].first};
    if (ranges_.size() > 1) return RowRange{ranges_[0].end, ranges_[1].first};
    return std::nullopt;
  }

 private:
  std::vector<RowRange> ranges_;
};

// That parts are all of a table. `what_was_done` with its rows: counted, masked.
Status check_no_gap(const RowRanges& rows, std::string_view what_was_done);

}  // namespace semveil
