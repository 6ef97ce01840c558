// Groups are merged until each has what is demanded of it in the sensitive columns.
//
//   while a group misses a demand: the one of the fewest records (ties: the one with the smallest
//   tuple) goes together with the group for which that costs least
//
//   cost of merging a and b = |a| |b| / (|a| + |b|) · squared distance of their centroids,
//
// in Euclidean space the growth of the sum of squared errors (Ward). Centroids as they are
// released, distances as in mdav_column.h but in doubles, column after column. Ties: the group with
// the smallest tuple.
//
// Cost:   a merge looks at every group, and at every distinct value of their centroids.
#pragma once

#include "mechanisms/classes/demands.h"
#include "mechanisms/microaggregate/group_centroids.h"

namespace semveil {

struct GroupsWithCentroids {
  TupleGroups groups;  // tuples ascending
  std::vector<CentroidCell> centroids;
};

// All records together meet the demands. Groups come out in the order of their smallest tuples.
void merge_until_met(const ClassTable& table, const Demands& demands, const Centroids& centroids,
                     GroupsWithCentroids& of);

}  // namespace semveil
