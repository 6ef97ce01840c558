// Ward's hierarchical clustering of weighted items by their distances.
//
// Of all pairs of clusters the one is joined whose union adds least to the sum of squares,
//
//   D(A, B) = 2 |A| |B| / (|A| + |B|) · d(A, B)²     of single items, each of weight |A|
//   D(A ∪ B, C) = ((|A|+|C|) D(A,C) + (|B|+|C|) D(B,C) − |C| D(A,B)) / (|A|+|B|+|C|)
//
// which for points of a Euclidean space is twice what the union adds. Semantic distances need not
// be Euclidean; the recurrence is then the definition. An item of weight w is w records at distance
// 0 from each other, so that clustering distinct tuples is clustering records.
//
// Choice:  ties go to the smallest pair of indices, a cluster's index being its smallest item.
// Holds:   D(A ∪ B, C) ≥ min(D(A,C), D(B,C)), so nearest neighbours need a new search only where
//          they vanished.
// Cost:    items² / 2 distances and doubles of memory; usually a small multiple of items² in time.
// Paper:   Ward, Hierarchical grouping to optimize an objective function, 1963; Lance and Williams,
//          1967. The thesis, section 5.4, cuts at 14 clusters.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace semveil {

struct WardMerge {
  std::uint32_t kept, joined;  // indices of the clusters, kept < joined; the union has kept's
  double cost;                 // D
};

// items − 1 merges, in their order. `distance` is asked for each pair i < j once; weights are not
// 0.
std::vector<WardMerge> ward_tree(std::span<const std::uint64_t> weights,
                                 const std::function<double(std::size_t, std::size_t)>& distance);
// The same by rows: `distances` fills in those from i to i + 1, i + 2, … and is asked for each i
// once, ascending.
using LaterDistances = std::function<void(std::size_t i, std::span<double> to_later)>;
std::vector<WardMerge> ward_tree_by_rows(std::span<const std::uint64_t> weights,
                                         const LaterDistances& distances);
// The cluster of each item where `clusters` of them are left, or as many as there are items.
// Numbered 0, 1, … by their smallest items.
std::vector<std::uint32_t> cut_tree(std::size_t items, std::span<const WardMerge> tree,
                                    std::size_t clusters);

// Into how many clusters the tree is best cut, from `least` to `most`: where
//
//   (between / (c − 1)) / (within / (n − c))
//
// is greatest, n the records (Caliński and Harabasz, A dendrite method for cluster analysis, 1974;
// thesis section 5.4: the ratio between inter and intra cluster variability). `within` is the sum
// of squares that the merges before the cut added, `between` what those after it would add: half of
// their D. Where nothing is left within the clusters the ratio means nothing, and that cut is
// taken only if there is no other. Of several the fewest; fewer than `least` where there are fewer
// items.
//
// Cost:  items.
std::size_t best_cut(std::uint64_t records, std::span<const WardMerge> tree, std::size_t least,
                     std::size_t most);

}  // namespace semveil
