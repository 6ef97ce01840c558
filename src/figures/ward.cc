#include "figures/ward.h"

#include <algorithm>
#include <limits>

#include "base/stop.h"

namespace semveil {
namespace {

class WardClustering {
 public:
  WardClustering(std::span<const std::uint64_t> weights, const LaterDistances& distances)
      : size_(weights.begin(), weights.end()), nearest_(weights.size()) {
    const std::size_t n = size_.size();
    costs_.resize(n * (n - 1) / 2);
    std::size_t begin = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      check_stop();
      alive_.push_back(i);
      const std::span<double> row = std::span(costs_).subspan(begin, n - i - 1);
      begin += row.size();
      distances(i, row);
      for (std::size_t at = 0; at < row.size(); ++at) {
        const std::size_t j = i + 1 + at;
        const double d = row[at];
        row[at] = 2 * size_[i] * size_[j] / (size_[i] + size_[j]) * (d * d);
      }
    }
    for (std::size_t at = 0; at < n; ++at) {
      check_stop();
      search(at);
    }
  }

  WardMerge merge() {
    const auto closest = std::ranges::min_element(
        alive_, {}, [this](std::uint32_t i) { return nearest_[i].cost; });  // the first of several
    const std::uint32_t a = *closest;
    const auto [cost, b] = nearest_[a];
    for (const std::uint32_t c : alive_) {
      if (c != a && c != b) join(a, b, c, cost);
    }
    size_[a] += size_[b];
    alive_.erase(std::ranges::lower_bound(alive_, b));
    for (std::size_t at = 0; at < alive_.size() && alive_[at] < b; ++at) {
      const std::uint32_t c = alive_[at];
      Neighbour& nearest = nearest_[c];
      if (c == a || nearest.index == a || nearest.index == b) {
        search(at);
      } else if (c < a && closer({cost_of(c, a), a}, nearest)) {  // by rounding only
        nearest = {cost_of(c, a), a};
      }
    }
    return {a, b, cost};
  }

 private:
  struct Neighbour {
    double cost = std::numeric_limits<double>::infinity();
    std::uint32_t index = 0;
  };
  static bool closer(const Neighbour& a, const Neighbour& b) {
    return a.cost < b.cost || (a.cost == b.cost && a.index < b.index);
  }

  // Rows of the upper triangle, one after the other.
  double& cost_of(std::size_t i, std::size_t j) {
    if (i > j) std::swap(i, j);
    return costs_[i * (2 * size_.size() - i - 1) / 2 + (j - i - 1)];
  }

  void join(std::uint32_t a, std::uint32_t b, std::uint32_t c, double cost) {
    double& to_a = cost_of(a, c);
    to_a =
        ((size_[a] + size_[c]) * to_a + (size_[b] + size_[c]) * cost_of(b, c) - size_[c] * cost) /
        (size_[a] + size_[b] + size_[c]);
  }

  // The nearest of those with a greater index.
  void search(std::size_t at) {
    Neighbour best;
    for (std::size_t later = at + 1; later < alive_.size(); ++later) {
      const double cost = cost_of(alive_[at], alive_[later]);
      if (cost < best.cost) best = {cost, alive_[later]};
    }
    nearest_[alive_[at]] = best;
  }

  std::vector<double> size_;  // records, by index
  std::vector<double> costs_;
  std::vector<Neighbour> nearest_;
  std::vector<std::uint32_t> alive_;  // ascending
};

}  // namespace

std::vector<WardMerge> ward_tree_by_rows(std::span<const std::uint64_t> weights,
                                         const LaterDistances& distances) {
  std::vector<WardMerge> tree;
  if (weights.empty()) return tree;
  WardClustering clustering(weights, distances);
  while (tree.size() + 1 < weights.size()) {
    check_stop();
    tree.push_back(clustering.merge());
  }
  return tree;
}

std::vector<WardMerge> ward_tree(std::span<const std::uint64_t> weights,
                                 const std::function<double(std::size_t, std::size_t)>& distance) {
  return ward_tree_by_rows(weights, [&](std::size_t i, std::span<double> to_later) {
    for (std::size_t at = 0; at < to_later.size(); ++at) to_later[at] = distance(i, i + 1 + at);
  });
}

std::size_t best_cut(std::uint64_t records, std::span<const WardMerge> tree, std::size_t least,
                     std::size_t most) {
  constexpr double kTie = 1e-9;  // relative: sums in another order differ by less
  const std::size_t items = tree.size() + 1;
  double within = 0;  // for one cluster, all of it; the last merges are taken away one by one
  for (const WardMerge& merge : tree) within += merge.cost;
  const double all = within;
  double between = 0;
  double best = -1;
  std::size_t chosen = std::min(least, items);
  for (std::size_t c = 2; c <= std::min(most, items); ++c) {
    const double cost = tree[items - c].cost;
    between += cost;
    within = c == items ? 0 : within - cost;
    if (c < least) continue;
    if (within <= kTie * all) break;  // nothing is left to part
    const double ratio =
        between / static_cast<double>(c - 1) / (within / static_cast<double>(records - c));
    if (ratio <= best * (1 + kTie)) continue;
    best = ratio;
    chosen = c;
  }
  return chosen;
}

std::vector<std::uint32_t> cut_tree(std::size_t items, std::span<const WardMerge> tree,
                                    std::size_t clusters) {
  std::vector<std::uint32_t> up(items);
  for (std::uint32_t i = 0; i < items; ++i) up[i] = i;
  const std::size_t merges = items > clusters ? items - std::max<std::size_t>(clusters, 1) : 0;
  for (std::size_t m = 0; m < merges; ++m) up[tree[m].joined] = tree[m].kept;
  // What a cluster was joined to has a smaller index, and is numbered before it.
  std::vector<std::uint32_t> out(items);
  std::uint32_t numbered = 0;
  for (std::uint32_t i = 0; i < items; ++i) out[i] = up[i] == i ? numbered++ : out[up[i]];
  return out;
}

}  // namespace semveil
