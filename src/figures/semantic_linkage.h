// Who can be found again by looking for the originals that mean most nearly the same.
//
// A released record r is linked to the originals nearest to it, T(r): the mean over the columns of
// sd is least, and within 1e-9 (of the columns' sum) all are equally near.
//
//   P(r) = [r's own original is in T(r)] / records in T(r)
//
// Example, one column, records (before → after):  cold → cold, cold → flu, flu → flu.
//   T(cold) = the two colds, T(flu) = the one flu:  P = 1/2, 0, 1;  mean 1/2.
//
// The surest link is that of a combination, not of a record: who holds one of the |g| records of a
// released combination g cannot tell which of them is linked rightly. Five released A's and one
// original A give 1/5.
//
//   from the release     greatest over released combinations of the mean of P(r) over their records
//   from the originals   the same for original combinations, and the released records nearest to
//                        them
//
// Both are at most 1/k where each released combination stands in k records: of those of g at most
// |T| have their original in T, and the records nearest to an original are whole combinations.
// Suppressed records link to nobody in particular: they are left out of the surest link.
//
// Records of one original tuple share its link, so an unmasked table scores its distinct tuples
// over its records; columns shuffled independently score at most 1 / records on average.
//
// Paper:  thesis, future work of section 4 (distance-based record linkage with sd); Pagliuca and
//         Seri 1999 for the attack; ties shared as in eq 27-28.
// Cost:   tuple_distances.h, on distinct tuples.
#pragma once

#include "figures/paired.h"

namespace semveil {

struct LinkedRecords {
  double mean = 0;              // over the records
  double worst = 0;             // the surest link from the release
  std::vector<double> by_pair;  // P of each of its records
};
// Of no records: 0.
LinkedRecords linked_by_meaning(const Paired& pairs, unsigned threads);

// The surest link from the originals; of no records 0.
double surest_from_originals(const Paired& pairs, unsigned threads);

// From P by pair to the figures.
LinkedRecords linked_records(const Paired& pairs, std::vector<double> by_pair);

// What linkage would be without a column, by column.
struct WithoutColumn {
  double linkage = 0;  // by all other columns
  double uniques = 0;  // share of released records that no other equals in them
};
std::vector<WithoutColumn> without_each_column(const Paired& pairs, unsigned threads);

// The originals that have a value, and how surely they are linked.
struct ValueRisk {
  std::size_t column = 0;
  ConceptId value = 0;  // a cell of `before`
  std::uint64_t records = 0;
  double linked = 0;  // mean of P over them
  bool operator==(const ValueRisk&) const = default;
};
// At most so many, the surest first; then those of more records, by column, by value.
std::vector<ValueRisk> risky_values(const Paired& pairs, std::span<const double> by_pair,
                                    std::size_t most);

}  // namespace semveil
