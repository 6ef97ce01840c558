// The centroids of groups: what the records of a group are replaced with, column by column.
//
//   concepts   the semantic mean, or the allowed concept nearest to being it (group_means.h)
//   numbers    the mean, rounded (number_means.h)
//   texts      the most frequent one; ties: the smallest bytes
//
// Each over the cells that are not missing; missing where all are.
#pragma once

#include "mechanisms/microaggregate/group_means.h"
#include "mechanisms/microaggregate/mdav.h"
#include "mechanisms/microaggregate/number_means.h"

namespace semveil {

// A cell of a centroid. Numbers need not be among those of the table.
struct CentroidCell {
  ConceptId value = 0;                  // concepts and texts; missing_value() for any column
  std::optional<WrittenNumber> number;  // of a numeric column, where not missing
};

class Centroids {  // immutable, thread-safe
 public:
  // The table must outlive it.
  explicit Centroids(const ClassTable& table);
  // By group, then column.
  std::vector<CentroidCell> of(const TupleGroups& groups, unsigned threads) const;

 private:
  const ClassTable& table_;
  std::vector<std::unique_ptr<const GroupMeans>> means_;  // by column; null for other kinds
  std::vector<std::unique_ptr<const NumberMeans>> numbers_;
};

}  // namespace semveil
