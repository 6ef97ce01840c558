// Rows of distances, the targets shared out among threads.
//
// visit(i, first, row) gets the distances from sources[i] to targets[first …]. For one block of
// targets the calls come in the order i = 0, 1, …, from one thread; blocks run side by side. So a
// sum kept per target is always added up in the order of the sources, however many threads there
// are.
//
// Cost:   one sweep over what lies above a block, for every few sources. Memory: a few MB a thread.
#pragma once

#include <algorithm>

#include "base/parallel.h"
#include "semveil/measure.h"

namespace semveil {

inline constexpr std::size_t kMostTargetsOfABlock = 16384;

template <class Visit>
void rows_in_blocks(const Measure& measure, std::span<const ConceptId> sources,
                    std::span<const ConceptId> targets, unsigned threads, const Visit& visit) {
  const std::size_t share = targets.size() / std::max(1U, threads) + 1;
  const std::size_t block = std::min(share, kMostTargetsOfABlock);
  const std::size_t blocks = (targets.size() + block - 1) / block;
  in_parallel(threads, blocks, [&](std::size_t k) {
    const std::size_t first = k * block;
    const auto some = targets.subspan(first, std::min(block, targets.size() - first));
    measure.rows(sources, some,
                 [&](std::size_t i, std::span<const double> row) { visit(i, first, row); });
  });
}

// Σ_i weights[i] · sd(sources[i], targets[j]) for every j.
inline std::vector<double> weighted_distances(const Measure& measure,
                                              std::span<const ConceptId> sources,
                                              std::span<const std::uint64_t> weights,
                                              std::span<const ConceptId> targets,
                                              unsigned threads) {
  std::vector<double> sums(targets.size(), 0.0);
  rows_in_blocks(measure, sources, targets, threads,
                 [&](std::size_t i, std::size_t first, std::span<const double> row) {
                   const auto weight = static_cast<double>(weights[i]);
                   double* const sum = sums.data() + first;
                   for (std::size_t j = 0; j < row.size(); ++j) sum[j] += weight * row[j];
                 });
  return sums;
}

}  // namespace semveil
