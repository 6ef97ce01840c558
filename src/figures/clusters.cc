#include "figures/clusters.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/math.h"
#include "base/parallel.h"
#include "figures/class_distances.h"
#include "figures/pairs_of_class.h"
#include "figures/ward.h"
#include "semveil/key.h"

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

std::vector<WardMerge> tree_of(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                               const Classes& classes) {
  ClassDistances distances(attributes, classes);
  return ward_tree_by_rows(classes.counts, [&](std::size_t i, std::span<double> to_later) {
    distances.to_later(i, to_later);
  });
}

std::size_t clusters_of(const Classes& classes, std::span<const WardMerge> tree,
                        std::size_t clusters) {
  if (clusters != kBestClusters) return clusters;
  const std::uint64_t records =
      std::accumulate(classes.counts.begin(), classes.counts.end(), std::uint64_t{0});
  return best_cut(records, tree, kFewestClusters, kMostClusters);
}

}  // namespace

std::vector<std::uint32_t> semantic_clusters(
    const std::vector<std::shared_ptr<const Attribute>>& attributes, const Classes& classes,
    std::size_t clusters) {
  const std::vector<WardMerge> tree = tree_of(attributes, classes);
  return cut_tree(classes.size(), tree, clusters_of(classes, tree, clusters));
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

// ---- Dendrograms --------------------------------------------------------------------------------

namespace {

struct Dendrogram {
  std::vector<std::uint32_t> cluster_of;  // a class
  std::vector<ClusterNode> nodes;
  std::vector<std::vector<ConceptId>> tuples;  // by leaf
};

Dendrogram dendrogram_of(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                         const Classes& classes, std::size_t clusters) {
  const std::vector<WardMerge> tree = tree_of(attributes, classes);
  Dendrogram out;
  out.cluster_of = cut_tree(classes.size(), tree, clusters_of(classes, tree, clusters));
  std::vector<std::uint64_t> most;  // records of a leaf's tuple
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::uint32_t leaf = out.cluster_of[c];
    if (leaf == out.nodes.size()) {  // numbered by their first classes
      ClusterNode node;
      node.left = node.right = leaf;
      out.nodes.push_back(node);
      out.tuples.emplace_back();
      most.push_back(0);
    }
    out.nodes[leaf].records += classes.counts[c];
    if (classes.counts[c] <= most[leaf]) continue;
    most[leaf] = classes.counts[c];
    out.tuples[leaf].assign(classes.tuple(c).begin(), classes.tuple(c).end());
  }
  const std::size_t leaves = out.nodes.size();
  std::vector<std::uint32_t> node_of = out.cluster_of;  // by the index of a cluster
  for (std::size_t m = classes.size() - leaves; m < tree.size(); ++m) {
    ClusterNode node;
    node.left = node_of[tree[m].kept];
    node.right = node_of[tree[m].joined];
    node.height = std::sqrt(tree[m].cost);
    node.records = out.nodes[node.left].records + out.nodes[node.right].records;
    node_of[tree[m].kept] = static_cast<std::uint32_t>(out.nodes.size());
    out.nodes.push_back(node);
  }
  return out;
}

constexpr unsigned char kSampleKey[Key::kSize + 1] = "semveil audit: sample of records";

}  // namespace

Paired sampled_combinations(const Paired& pairs, std::size_t most) {
  std::vector<std::size_t> columns(pairs.width());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const Paired all = pairs.over(columns);
  const Classes released = classes_of(all, Side::kAfter);
  std::vector<std::uint64_t> drawn(released.size());
  Draws(Key::from_bytes(std::span(kSampleKey).first<Key::kSize>()), "combinations")
      .of_rows(0, 0, drawn);
  std::vector<std::uint32_t> order(released.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return drawn[c]; });
  const PairsOfClass of_class(released);
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t c : order) {
    if (!kept.empty() && kept.size() + of_class[c].size() > most) break;
    kept.insert(kept.end(), of_class[c].begin(), of_class[c].end());
  }
  std::ranges::sort(kept);
  Paired out;
  out.attributes = all.attributes;
  for (const std::uint32_t i : kept) {
    const auto b = all.tuple(i, Side::kBefore), a = all.tuple(i, Side::kAfter);
    out.before.insert(out.before.end(), b.begin(), b.end());
    out.after.insert(out.after.end(), a.begin(), a.end());
    out.counts.push_back(all.counts[i]);
  }
  return out;
}

Paired sampled_records(const Paired& pairs, std::uint64_t records) {
  std::vector<std::size_t> columns(pairs.width());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  Paired all = pairs.over(columns);  // in the order of their tuples, each once
  std::uint64_t left = all.records(), wanted = records;
  if (left <= wanted) return all;
  const Draws draws(Key::from_bytes(std::span(kSampleKey).first<Key::kSize>()), "records");
  std::vector<std::uint64_t> drawn(4096);
  std::uint64_t row = 0;
  // Each record in turn with the chance of what is wanted among what is left (Knuth, algorithm S).
  for (std::uint64_t& count : all.counts) {
    std::uint64_t taken = 0;
    for (std::uint64_t i = 0; i < count; ++i, ++row, --left) {
      if (row % drawn.size() == 0) draws.of_rows(row, 0, drawn);
      __extension__ using Wide = unsigned __int128;
      const auto place = static_cast<std::uint64_t>(Wide{drawn[row % drawn.size()]} * left >> 64U);
      if (place >= wanted) continue;
      ++taken;
      --wanted;
    }
    count = taken;
  }
  Paired out;
  out.attributes = all.attributes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.counts[i] == 0) continue;
    const auto b = all.tuple(i, Side::kBefore), a = all.tuple(i, Side::kAfter);
    out.before.insert(out.before.end(), b.begin(), b.end());
    out.after.insert(out.after.end(), a.begin(), a.end());
    out.counts.push_back(all.counts[i]);
  }
  return out;
}

ClusterTrees cluster_trees(const Paired& pairs, std::size_t clusters, unsigned threads,
                           std::size_t most) {
  Classes before = classes_of(pairs, Side::kBefore), after = classes_of(pairs, Side::kAfter);
  ClusterTrees out;
  std::vector<std::uint64_t> counts = pairs.counts;
  if (std::max(before.size(), after.size()) > most) {
    const Paired sample = sampled_records(pairs, most);
    out.clusters.sampled = sample.records();
    before = classes_of(sample, Side::kBefore);
    after = classes_of(sample, Side::kAfter);
    counts = sample.counts;
  }
  const Classes* const sides[] = {&before, &after};
  Dendrogram found[2];
  std::vector<std::uint32_t> parts[2];  // by pair
  in_parallel(threads, 2, [&](std::size_t side) {
    found[side] = dendrogram_of(pairs.attributes, *sides[side], clusters);
    for (const std::uint32_t c : sides[side]->of) {
      parts[side].push_back(found[side].cluster_of[c]);
    }
  });
  out.clusters.partition_distance = partition_distance(parts[0], parts[1], counts);
  out.clusters.original = std::move(found[0].nodes);
  out.clusters.masked = std::move(found[1].nodes);
  out.original = std::move(found[0].tuples);
  out.masked = std::move(found[1].tuples);
  out.clusters.count = std::max(out.original.size(), out.masked.size());
  return out;
}

}  // namespace semveil
