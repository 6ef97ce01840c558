// What is believed of a record's true values together, where sets are released in several columns.
//
//   P(v1 … vm | S1 … Sm) = n(v1 … vm) Π L_j(v_j) / Σ_{u ∈ S1 × … × Sm} n(u) Π L_j(u_j)
//
// with n the records that have the tuple and L_j(v) = weight_j(v) / count_j(v): how likely v makes
// its set, but for what all values of the set share. Columns that go together give each other away:
// the others of a set are drawn without regard to the other columns. Tuples without records are
// believed to be impossible; where no other is left, all are believed alike.
//
// Of one column, P(v_j | S1 … Sm) is the sum over the tuples that have v_j there: never less than
// what is believed of the whole tuple, and often more than the set S_j tells by itself.
//
//   a1 goes with b1 and b2, a2 with b3 and b4; categories of b {b1, b3} and {b2, b4}
//   a2|a1, b1|b2    a1 for certain, b1 and b2 by their weights
//
// A value that gives itself away (set_column.h) is known whatever stands beside it. No record has
// it, so of the other columns all is believed alike.
//
// Cost:  Π l_j look-ups a record, at most kMostCombinations; tuples in a table while it is small.
#pragma once

#include "base/tuple_counter.h"
#include "semveil/ean.h"

namespace semveil {

class SetJoint {  // immutable, thread-safe
 public:
  // Complete tuples of values, one after the other, and their records.
  SetJoint(const std::vector<SetColumn>& columns, std::vector<ConceptId> tuples,
           std::vector<std::uint64_t> counts);

  const std::vector<ConceptId>& tuples() const { return tuples_; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }

  // Adds the records of a batch with a set in every column.
  void count(const std::vector<std::span<const ConceptId>>& cells,
             const std::vector<std::vector<ConceptId>>& sets, std::size_t rows,
             JointTally& tally) const;

 private:
  class Row;
  bool make_places(const std::vector<SetColumn>& columns);
  double weight(std::span<const ConceptId> tuple) const;

  std::vector<std::size_t> widths_;
  std::size_t combinations_ = 1;  // Π l_j; 0: too many
  std::vector<ConceptId> tuples_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::vector<bool>> certain_;  // by column and value; a column without any is empty
  // While few tuples are possible: weights by Σ of places_, which stand for a value of a column.
  // Values without records share a place that no tuple has.
  std::vector<std::vector<std::size_t>> places_;
  std::vector<double> table_;
  // Beyond that: weights by tuple.
  TupleCounter index_;
  std::vector<double> weights_;
};

}  // namespace semveil
