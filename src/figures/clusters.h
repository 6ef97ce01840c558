// Whether an analysis finds the same groups of records in a masked table as in the original.
#pragma once

#include "figures/paired.h"
#include "semveil/audit_figures.h"

namespace semveil {

inline constexpr std::size_t kUsualClusters = 14;  // the thesis's visitor profiles
// With kBestClusters (audit_figures.h) each side is cut on its own where best_cut() says, into 2 to
// 30 clusters.
inline constexpr std::size_t kFewestClusters = 2, kMostClusters = 30;
// Of distinct tuples that are clustered as they are; it takes their square in memory.
inline constexpr std::size_t kMostTuples = 8000;

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

// Both sides' clusters and how these would be joined further: dendrograms whose leaves are the
// clusters of the cut, numbered as in semantic_clusters, the last node their root.
//
//   leaves   0 … c − 1, height 0
//   others   c … 2 c − 2, by height: √D of the merge (ward.h), which SciPy calls the distance
//
// Labels of leaves are empty: the tuple beside each, the most frequent of its cluster and of
// several the first by id, is for the caller to name.
struct ClusterTrees {
  Clusters clusters;
  std::vector<std::vector<ConceptId>> original, masked;  // by leaf
};
// A side with more than `most` distinct tuples is not clustered whole: then both are by `most`
// records that a fixed key draws, the same in both tables.
//
// Cost: of 8,000 tuples 256 MB and some two seconds a side; two threads take both at once.
ClusterTrees cluster_trees(const Paired& pairs, std::size_t clusters = kUsualClusters,
                           unsigned threads = 1, std::size_t most = kMostTuples);

// So many of the records, drawn without putting back; whoever orders or splits the pairs, the same
// ones. All of them where there are no more.
Paired sampled_records(const Paired& pairs, std::uint64_t records);
// Whole released combinations, drawn until no other would fit into so many pairs (of one at least
// all): what holds of classes of k records holds of those drawn.
Paired sampled_combinations(const Paired& pairs, std::size_t most);

}  // namespace semveil
