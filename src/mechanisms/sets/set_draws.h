// The sets of one column: which values stand beside a true one, and in what order.
//
// Values lie in groups, and a set has values of l different ones: the categories of `ean`, single
// values for `an`. A row's choices, in this order:
//
//   groups    l − 1 of the others, where l is below their number (Floyd: each choice among one more
//             than the last; one that was made already stands for the newest)
//   values    one of each chosen group: every value alike, or by its records
//   order     a shuffle (Fisher and Yates, from the end) of the values as chosen, the true one last
//
// Several choices share a draw of 64 bits. A choice among n takes the upper half of draw · n and
// leaves the lower half as the draw for the next: together they are one choice among the product N
// of the counts, ⌊draw · N / 2^64⌋ written in mixed radix, so that no outcome is off by more than
// N / 2^64 of its probability. A new draw begins where N would pass 2^32: the bias stays below
// 2^-32. Only a choice among more than 2^32 records has a larger one, n / 2^64, and a draw of its
// own. Where draws begin follows from the most that a choice can be among, not from the row.
//
// Paper:  EAN Algorithms 2 and 3, which draw one of each other category and shuffle. Floyd: Bentley
//         and Floyd 1987.
// Cost:   O(l) a row, by frequency O(l log values), O(l²) where groups are chosen; one draw a row
//         while N is below 2^32.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semveil/ean.h"

namespace semveil {

class SetDraws {  // immutable, thread-safe
 public:
  static constexpr std::uint32_t kNoGroup = SetColumn::kNoCategory;

  // A column that set_column.h has checked.
  SetDraws(const SetColumn& column, bool by_category, SetDraw draw);

  std::uint32_t words() const { return words_; }  // draws of a row
  bool has(ConceptId value) const { return value < group_.size() && group_[value] != kNoGroup; }
  // A set for each cell, one after the other; cells without a group get one of kMissing, and are
  // counted. Draw w of row i is words[w · cells.size() + i].
  std::uint64_t draw(std::span<const ConceptId> cells, std::span<const std::uint64_t> words,
                     std::span<ConceptId> out) const;

 private:
  void plan_choices();
  void list_orders();
  template <bool kByCount>
  std::uint64_t draw_all(std::span<const ConceptId> cells, std::span<const std::uint64_t> words,
                         std::span<ConceptId> out) const;
  template <std::size_t kL>
  std::uint64_t draw_short(std::span<const ConceptId> cells, std::span<const std::uint64_t> words,
                           std::span<ConceptId> out) const;

  std::size_t l_;
  bool by_count_;
  std::vector<std::uint32_t> group_;  // by value
  std::vector<std::uint32_t> begin_;  // by group: its first member; one more at the end
  std::vector<ConceptId> members_;    // that can be drawn
  std::vector<std::uint64_t> upto_;   // by count: running sums within each group
  std::vector<std::uint64_t> sizes_;  // by group: what a choice of a value is among
  std::vector<std::uint8_t> begins_;  // by choice: whether it begins a draw
  std::uint32_t words_ = 1;
  std::vector<std::uint8_t> places_;  // of short sets, by order: where each value goes
};

}  // namespace semveil
