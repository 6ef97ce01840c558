// Who can be found again after rank swapping by somebody who knows its k.
//
// Swapping moves a value only within a window, so an original can only have become a released
// record if, in every swapped column, the released value was in reach of it. Those originals are
// the candidates C(r); columns that were not swapped must be equal.
//
//   P(r) = [r's own original is in C(r)] / records in C(r)
//
// In reach, of an original with value x and a released z, n records in all:
//   fixed            some order of tied records puts a record of x at most k ranks from one of z,
//                    ranked by distance from a value most distant from all; any of those if several
//   distributional   the same, ranked by how often a value occurs
//   dynamic          z is among the k records closest to x, or x among the k closest to z; all that
//                    tie at the edge are in, as any of them may have been drawn
//   multivariate     the same for whole records: some original y has z in that column, and y is
//                    among the k closest to x or x among the k closest to y
//   random           any
// A value always reaches itself: cells may stay. Cells that swapping leaves alone (missing ones
// unless missing is a value, texts that mean nothing) reach themselves only, and count in no
// window of a single column.
//
// Example, fixed, k = 1, ranked a b c d:  released b may come from a, b, c.
//
// Paper:   Nin, Herranz and Torra 2008, "Rethinking rank swapping to decrease disclosure risk",
//          section 3: the intersection of the columns' windows; theirs are ranks of numbers.
// Choice:  an own original outside its window counts 0. This happens where a swap was told to look
//          beyond the interval (exhausted = "extend") or the release is not of this swap.
// Holds:   distances are whole numbers of 2^-24, as swapping has them, so windows are the same.
// Cost:    columns alone: values² look-ups; multivariate: what the k closest of each tuple cost.
//          Then tuples² / 64 · columns words. Memory: tuples × distinct released values bits.
#pragma once

#include <functional>

#include "figures/semantic_linkage.h"
#include "semveil/swap.h"

namespace semveil {

struct WindowOptions {
  SwapAlgorithm algorithm = SwapAlgorithm::kMultivariate;
  std::uint64_t k = 10;              // at least 1
  std::vector<std::size_t> swapped;  // columns, ascending
  unsigned threads = 1;
};
// C(r) of each released combination: classes of the originals, ascending. Visits come from any
// thread.
void for_each_window(const Paired& pairs, const Classes& before, const Classes& after,
                     const WindowOptions& options,
                     const std::function<void(std::size_t, std::span<const std::uint32_t>)>& visit);
LinkedRecords linked_by_window(const Paired& pairs, const WindowOptions& options);

}  // namespace semveil
