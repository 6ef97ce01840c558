#include "audit/clusters.h"

#include <algorithm>
#include <map>

#include "audit/ward.h"
#include "base/math.h"

namespace semveil {
namespace {

// Parts by size, so that equal partitions have equal entropies to the last bit, whatever their
// parts are called.
template <class Part>
double entropy(const std::map<Part, std::uint64_t>& parts, double all) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(parts.size());
  for (const auto& [part, count] : parts) sizes.push_back(count);
  std::ranges::sort(sizes);
  double sum = 0;
  for (const std::uint64_t size : sizes) {
    const double share = static_cast<double>(size) / all;
    sum -= share * ln(share);
  }
  return sum;
}

}  // namespace

std::vector<std::uint32_t> semantic_clusters(
    const std::vector<std::shared_ptr<const Attribute>>& attributes, const Classes& classes,
    std::size_t clusters) {
  const auto distance = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t j = 0; j < attributes.size(); ++j) {
      sum += attributes[j]->distance(classes.tuple(a)[j], classes.tuple(b)[j]);
    }
    return sum / static_cast<double>(attributes.size());
  };
  return cut_tree(classes.size(), ward_tree(classes.counts, distance), clusters);
}

double partition_distance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                          std::span<const std::uint64_t> counts) {
  std::map<std::uint32_t, std::uint64_t> of_a;
  std::map<std::uint32_t, std::uint64_t> of_b;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> of_both;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    of_a[a[i]] += counts[i];
    of_b[b[i]] += counts[i];
    of_both[{a[i], b[i]}] += counts[i];
    all += counts[i];
  }
  if (of_both.size() < 2) return 0;
  const auto records = static_cast<double>(all);
  const double both = entropy(of_both, records);
  const double between = 2 * both - entropy(of_a, records) - entropy(of_b, records);
  return std::clamp(between / both, 0.0, 1.0);
}

double cluster_distance(const Paired& pairs, std::size_t clusters) {
  const auto of_pairs = [&](Side side) {
    const Classes classes = classes_of(pairs, side);
    const auto of_classes = semantic_clusters(pairs.attributes, classes, clusters);
    std::vector<std::uint32_t> out(pairs.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = of_classes[classes.of[i]];
    return out;
  };
  return partition_distance(of_pairs(Side::kBefore), of_pairs(Side::kAfter), pairs.counts);
}

}  // namespace semveil
