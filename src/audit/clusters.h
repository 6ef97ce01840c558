// Whether an analysis finds the same groups of records in a masked table as in the original.
#pragma once

#include "audit/paired.h"

namespace semveil {

inline constexpr std::size_t kUsualClusters = 14;  // the thesis's visitor profiles

// The cluster of each class, by Ward over record distances, the mean over the columns of sd.
std::vector<std::uint32_t> semantic_clusters(
    const std::vector<std::shared_ptr<const Attribute>>& attributes, const Classes& classes,
    std::size_t clusters);

// How different two partitions of the same records are; a[i] and b[i] are the parts of counts[i]
// records.
//
//   d(A, B) = (2 I(A ∩ B) − I(A) − I(B)) / I(A ∩ B),   I the entropy, A ∩ B all A_i ∩ B_j
//
// 0 for equal partitions, also of one part each; 1 where one tells nothing of the other.
//
// Paper:  thesis eq 23-26; López de Mántaras, A distance-based attribute selection measure for
//         decision tree induction, 1991.
double partition_distance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                          std::span<const std::uint64_t> counts);

// The partition distance of the clusters before and after, each side clustered on its own.
double cluster_distance(const Paired& pairs, std::size_t clusters = kUsualClusters);

}  // namespace semveil
