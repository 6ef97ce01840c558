// The slow twins of the audit: every record on its own, every definition word for word.
#pragma once

#include <functional>
#include <vector>

#include "figures/paired.h"

namespace semveil::test {

struct SlowPair {
  std::vector<ConceptId> before, after;
};
std::vector<SlowPair> slow_pairs(const Paired& pairs);

double slow_quality(const Paired& pairs);
std::uint64_t slow_discernibility(const Paired& pairs);
double slow_c_avg(const Paired& pairs, std::uint64_t k);
double slow_lm(const Paired& pairs);
double slow_ncp(const Paired& pairs);
double slow_linkage(const Paired& pairs);

// Ward by its own words: of all pairs of clusters the one is joined whose union adds least to the
// sum over clusters of Σ_{x<y} d(x,y)² / |cluster|. Until so many are left; the cluster of each
// item.
std::vector<std::size_t> slow_ward(std::size_t items,
                                   const std::function<double(std::size_t, std::size_t)>& distance,
                                   std::size_t clusters);
// The number of clusters, least … most, with the greatest (between / (c − 1)) / (within / (n − c)),
// every cut made anew that leaves
// something within; of several the fewest.
std::size_t slow_best_cut(std::size_t items,
                          const std::function<double(std::size_t, std::size_t)>& distance,
                          std::size_t least, std::size_t most);
// By eq 23-26, with binary logarithms.
double slow_partition_distance(const std::vector<std::size_t>& a,
                               const std::vector<std::size_t>& b);

// At or below, by walking up.
bool lies_below(const Taxonomy& taxonomy, ConceptId c, ConceptId top);

}  // namespace semveil::test
