// How much less a released cell says than any leaf of its column would: lm and ncp, the one place
// where both masking and audit have them from.
//
//   lm    (leaves(v) − 1) / (leaves(τ) − 1)          Iyengar's loss metric
//   ncp   leaves(v) / leaves(τ), 0 where leaves(v) = 1   normalised certainty penalty
//   both  width / range, at most 1, of an interval of numbers that the column does not know; of one
//         of its own hierarchy (Attribute::shares) the width within the range / range
//
// A cell that is missing in the original takes no part, whatever it becomes: there was nothing to
// lose. One that was emptied says nothing any more and counts 1, and so does a text that means
// nothing to the column. A column's figure is the mean over its cells that take part, a table's the
// mean over the columns that have such cells. EAN's loss of a record (information_loss.h) sums the
// same losses, but divides them by all records.
//
// Example: of τ with four leaves, two of them below b, the cells a leaf, b, emptied, and missing
// before: lm = (0 + 1/3 + 1) / 3.
//
// Paper:   thesis eq 3-4; LM: Iyengar, Transforming data to satisfy privacy constraints.
// Choice:  leaves are counted once, also those absent from the data. A column without a taxonomy
//          has nothing but leaves.
// Cost:    what lies below each different released value, once.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/interval_text.h"
#include "semveil/frequency_table.h"

namespace semveil {

struct Generality {
  double lm = 0, ncp = 0;
};

// Intervals that stand in a column of numbers, by their values beyond missing_value().
struct KnownIntervals {
  double range = 0;  // of the numbers before
  std::map<ConceptId, NumberInterval> by_value;
};

class ValueGenerality {  // not thread-safe: it remembers
 public:
  explicit ValueGenerality(const Attribute& attribute, KnownIntervals intervals = {});
  // 1 of missing_value() and of what is beyond it, but for intervals; 0 of a value without a
  // taxonomy.
  Generality of(ConceptId value) const;

 private:
  const Attribute& attribute_;
  KnownIntervals intervals_;
  std::uint64_t all_leaves_ = 0;
  mutable std::map<ConceptId, Generality> known_;
};

class ColumnGenerality {
 public:
  explicit ColumnGenerality(const Attribute& attribute, KnownIntervals intervals = {})
      : missing_(attribute.missing_value()), generality_(attribute, std::move(intervals)) {}
  // So many cells that became `after`; missing_value() for a missing one.
  void add(ConceptId before, ConceptId after, std::uint64_t cells);
  std::optional<Generality> mean() const;  // nothing: no cell takes part
  // The same losses over so many records, of which some may take no part.
  Generality mean_of_records(std::uint64_t records) const;

 private:
  ConceptId missing_;
  ValueGenerality generality_;
  std::map<ConceptId, std::uint64_t> cells_;  // by released value
};

// Of the columns that have a mean; 0 of none.
Generality mean_of(const std::vector<std::optional<Generality>>& columns);

}  // namespace semveil
