// The engine of rank swapping (semveil/swap.h has the algorithms).
//
// It sees distinct tuples with their counts, no table. The records of one tuple are
// interchangeable, so its answer is given for slots: tuple t has counts[t] of them, numbered
// consecutively over all tuples; whoever deals the slots out to records does so at random.
//
// All but kMultivariate treat each column alone. Every choice the method leaves open is uniform
// over records: a value with more unswapped records is picked more often.
//
// Missing:  a missing cell takes no part and stays. In the distance of records a pair in which one
//           of the two cells is missing counts 1, both 0. A record without any cell takes no part.
// Interval: the k records closest to the reference, itself excluded, swapped or not. Of those tied
//           at its edge unswapped ones (with any attribute unswapped) come first, then random. An
//           attribute picks among the interval's records whose own attribute is unswapped.
// Paper:    rank swapping for nominal data, Algorithms 1-3, eq 4-12.
#pragma once

#include <string>
#include <vector>

#include "mechanisms/swap/swap_space.h"
#include "semveil/key.h"
#include "semveil/swap.h"

namespace semveil {

struct SwapColumn {
  std::string name;  // addresses the column's randomness
  const SwapSpace* space = nullptr;
};

struct SwapInput {
  std::vector<SwapColumn> columns;
  // Row-major, distinct, ascending: the place of a value in its column's space, or kMissing.
  std::vector<Code> tuples;
  std::vector<std::uint64_t> counts;  // of each tuple, none 0

  std::uint64_t records() const;
};

struct SwapOutcome {
  std::vector<Code> values;  // by slot, then column: the new value, or kMissing as before
  std::vector<SwapTally> columns;
  std::vector<SwapStep> trace;  // if asked for, in order; column after column or reference by
                                // reference
};

// A k of 0, more than 255 columns or 2^32 records are errors. Pure: the same input and key give the
// same outcome for any number of threads. The spaces must outlive the call.
// Cost (n records, t distinct tuples or values, m columns):
//   kFixed, kRandom, kDistributional  O(n + d²), d values of a column
//   kDynamic, kMultivariate           a reference costs m·t additions at most; what lies around a
//                                     tuple that will be reference again is kept
// Memory: 12 m + 24 bytes a record, 56 for a line of the trace; tables of distances up to 256 MB,
//         what is kept up to 128 MB for each column that is swapped at the same time.
Result<SwapOutcome> swap_records(const SwapInput& input, const SwapOptions& options,
                                 const Key& key);

}  // namespace semveil
