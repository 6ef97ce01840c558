// Whether the n-th record of a release is the n-th record of the original.
//
// Nobody says so where records are paired by position. A release whose rows were shuffled has as
// many records as the original, and every figure of single records would be one of strangers:
// linkage next to 0, a release that looks safe. So the tables themselves are asked. Columns that
// should have come through, by [mask], or without it those with role other or undeclared, are
// compared byte by byte; a column agrees if 99 % of its rows are equal.
//
// Left out is a column in which strangers would agree as well, in 99 % of the rows: a column of one
// value, a flag that few have. Of the others:
//
//   all agree        believed
//   some agree       believed if those that agree tell half of the records from all others; what
//                    does not agree was changed
//   none agrees, or  believed if the pairs are closer to each other than strangers, by more than
//   there is none    kStandardErrors:  d̄ < r̄ − 4 · s_r √(1/n + 1/m),  d the mean distance of a
//                    pair over the declared columns (of a set: whether the value is in it), r that
//                    of m = kDrawn pairs of strangers, s_r its deviation; or if the plan's method
//                    makes values that have nothing to do with the original, where no distance can
//                    tell: a finding. Not, however, if a column has the very same cells in another
//                    order: these rows were shuffled.
//
// A plan that shuffles is never believed by position.
//
// Example: 30,162 records of Adult, eight columns masked by noise, nothing else in the table: the
// pairs are at 0.3 where strangers are at 0.5, 180 standard errors apart. Shuffled: at 0.5.
//
// Choice:  strangers are drawn with a fixed key, so the answer is the same every time. The chance
// of
//          agreeing is asked of each column alone, as agreeing is: two flags of 0.4 % ones agree in
//          0.992 of any rows each, though together in 0.984.
// Cost:    the pass that compares cells, one for every eight columns that should have come through,
//          one more where only some agree, and kDrawn distances.
#pragma once

#include <functional>
#include <optional>

#include "audit/compared_cells.h"
#include "semveil/finding.h"
#include "semveil/plan_file.h"

namespace semveil {

struct PositionEvidence {
  const Table& original;
  const PlanFile& plan;
  const std::vector<ComparedColumn>& columns;  // compared by position
  std::uint64_t records = 0;
  // The mean distance of a record of the original and one of the release.
  std::function<double(std::uint64_t, std::uint64_t)> distance;
  const WorkProgress& progress;
};

struct Belief {
  bool believed = false;
  std::string seen;                // why not, for people: what was seen, no cell of a table
  std::optional<Finding> finding;  // where it rests on the plan's word alone
};

Result<Belief> believe_position(const PositionEvidence& evidence);

// Distances of pairs, and of strangers.
struct PairDistances {
  double own = 0, strangers = 0;  // means
  double standard_error = 0;      // of `own`, were the pairs strangers
  bool tell() const;              // the pairs belong together
};
PairDistances pair_distances(std::uint64_t records,
                             const std::function<double(std::uint64_t, std::uint64_t)>& distance);

}  // namespace semveil
