// Groups of at least k records that are alike: MDAV, maximum distance to average vector.
//
//   while 3k records or more are left                                                  line 1
//     r = the tuple farthest from the centroid of those left                           line 2
//     a group of r and the tuples nearest to it, until it has k records                line 3
//     s = the tuple farthest from r; a group of s in the same way                      line 4-5
//   while 2k or more are left: a group of the tuple farthest from the centroid          line 6
//   what is left is a group                                                            line 7
//
// Centroid:  in Euclidean space the squared distance to the centroid is, up to a constant, the mean
//            squared distance to the records (König, Huygens). So the farthest from the centroid is
//            the tuple of the greatest mean squared distance to the records left, which needs no
//            mean of concepts; mdav_column.h has the integers.
// Choices:   the unit is the tuple with its records, which stay together: plans look tuples up.
//            Ties: the smallest tuple.
//            A tuple of k records or more is a group from the start and not among those left. A
//            centre r or s joins the nearest of these, h, instead of having a group of its own, if
//              |h| / (|r| + |h|) · d²(r, h) < 5/4 · mean of d²(r, ·) over the records of its group:
//            what it adds to the squared error there, by record, against what it has here. (More
//            than 1: a centre is an outlier, its group costs the others as well.) Adult, 12 columns
//            of 0/1 distances, k = 3: 0.540 of squared error; 0.549 if none joins; 0.548 if such
//            tuples are left with the others.
//            Fewer than k records in other tuples: each tuple joins the nearest of k or more.
// Persons:   where they are told, k is a number of different persons, and so is what is left: those
//            with a record in a tuple that is in no group.
// Sizes:     k … 2k − 1 records, up to 2k − 2 where the last tuple taken had several. If a group
//            would leave 1 … k − 1 records, they join it, up to 3k − 3: once a table. Groups of a
//            tuple of k records or more are as large as they become.
// Cost:      n²/k sums of tuple_sums.h, n distinct tuples.
// Paper:     Domingo-Ferrer and Torra, Ordinal, continuous and heterogeneous k-anonymity through
//            microaggregation, 2005, algorithm MDAV-generic.
#pragma once

#include "mechanisms/classes/class_table.h"

namespace semveil {

using TupleGroups = std::vector<std::vector<std::uint32_t>>;  // tuples

struct Ratio {
  unsigned of, over;
};
inline constexpr Ratio kJoinShare{5, 4};

// The table has k records or more; k > 0. Tuples in a group as they were taken.
TupleGroups mdav_groups(const ClassTable& table, std::uint64_t k, unsigned threads);

}  // namespace semveil
