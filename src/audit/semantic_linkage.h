// Who can be found again by looking for the originals that mean most nearly the same.
//
// A released record r is linked to the originals nearest to it, T(r): the mean over the columns of
// sd is least, and within 1e-9 (of the columns' sum) all are equally near.
//
//   P(r) = [r's own original is in T(r)] / records in T(r)
//
// Example, one column, records (before → after):  cold → cold, cold → flu, flu → flu.
//   T(cold) = the two colds, T(flu) = the one flu:  P = 1/2, 0, 1;  mean 1/2, worst 1.
//
// Records of one original tuple share its link, so an unmasked table scores its distinct tuples
// over its records; columns shuffled independently score at most 1 / records on average.
//
// Paper:  thesis, future work of section 4 (distance-based record linkage with sd); Pagliuca and
//         Seri 1999 for the attack; ties shared as in eq 27-28.
// Cost:   tuple_distances.h, on distinct tuples.
#pragma once

#include "audit/paired.h"

namespace semveil {

struct LinkedRecords {
  double mean = 0;              // over the records
  double worst = 0;             // of the surest link
  std::vector<double> by_pair;  // P of each of its records
};
// Of no records: 0.
LinkedRecords linked_by_meaning(const Paired& pairs, unsigned threads);

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
