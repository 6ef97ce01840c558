#include "support/slow_categories.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace semveil::test {
namespace {

using Node = SlowTaxonomy::Node;

// The missing value has the number after the last.
std::map<ConceptId, std::uint64_t> occurring(const Twins& twins, const ValueCounts& column) {
  std::map<ConceptId, std::uint64_t> out;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const bool is_concept = column.values[i] < twins.fast->size();
    if (is_concept && column.counts[i] > 0) out[column.values[i]] = column.counts[i];
  }
  return out;
}

std::set<ConceptId> subsumers(const Twins& twins, ConceptId c) {
  std::set<ConceptId> out;
  for (const auto& [node, path] : twins.slow.subsumers(twins.node[c])) {
    out.insert(twins.concept_id[node]);
  }
  return out;
}

// Calls `visit` with the begins of the categories, 0 among them, leftmost cuts first.
void every_cut(std::size_t values, std::size_t count,
               const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> begins{0};
  const std::function<void()> extend = [&] {
    if (begins.size() == count) return visit(begins);
    const std::size_t left = count - begins.size() - 1;  // cuts to come behind the next
    for (std::size_t next = begins.back() + 1; next + left < values; ++next) {
      begins.push_back(next);
      extend();
      begins.pop_back();
    }
  };
  extend();
}

}  // namespace

std::optional<std::vector<SlowCategory>> slow_categories_below(const Twins& twins,
                                                               const std::vector<ConceptId>& roots,
                                                               const ValueCounts& column) {
  const auto roots_above = [&](ConceptId c) {
    std::vector<std::size_t> out;
    const std::set<ConceptId> above = subsumers(twins, c);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (above.contains(roots[i])) out.push_back(i);
    }
    return out;
  };
  for (const ConceptId root : roots) {
    if (roots_above(root).size() != 1) return std::nullopt;
  }
  std::vector<SlowCategory> out(roots.size());
  for (const auto& [value, count] : occurring(twins, column)) {
    const std::vector<std::size_t> above = roots_above(value);
    if (above.size() != 1) return std::nullopt;
    out[above[0]].insert(value);
  }
  for (const SlowCategory& category : out) {
    if (category.empty()) return std::nullopt;
  }
  return out;
}

std::optional<std::set<SlowCategory>> slow_categories_at_depth(const Twins& twins, unsigned depth,
                                                               const ValueCounts& column) {
  std::map<ConceptId, SlowCategory> by_root;
  for (const auto& [value, count] : occurring(twins, column)) {
    std::set<ConceptId> roots;
    for (const ConceptId c : subsumers(twins, value)) {
      if (twins.slow.depth(twins.node[c]) == depth) roots.insert(c);
    }
    if (twins.slow.depth(twins.node[value]) < depth) roots = {value};
    if (roots.size() != 1) return std::nullopt;
    by_root[*roots.begin()].insert(value);
  }
  if (by_root.size() < 2) return std::nullopt;
  std::set<SlowCategory> out;
  for (const auto& [root, category] : by_root) out.insert(category);
  return out;
}

std::vector<ConceptId> slow_walk(const Twins& twins, const ValueCounts& column) {
  const std::map<ConceptId, std::uint64_t> values = occurring(twins, column);
  std::vector<ConceptId> out;
  const std::function<void(ConceptId)> visit = [&](ConceptId c) {
    if (values.contains(c)) out.push_back(c);
    std::set<ConceptId> children;
    for (const Node child : twins.slow.children(twins.node[c])) {
      std::set<ConceptId> parents;
      for (const Node p : twins.slow.parents(child)) parents.insert(twins.concept_id[p]);
      if (*parents.begin() == c) children.insert(twins.concept_id[child]);
    }
    for (const ConceptId child : children) visit(child);
  };
  visit(twins.concept_id[twins.slow.root()]);
  return out;
}

double ways_to_cut(std::size_t values, std::size_t count) {
  double ways = 1;
  for (std::size_t i = 1; i < count; ++i) {
    ways *= static_cast<double>(values - i) / static_cast<double>(i);
  }
  return ways;
}

SlowCut slow_balanced_categories(const Twins& twins, const SlowMeasure& measure, std::size_t count,
                                 const ValueCounts& column) {
  std::map<ConceptId, std::uint64_t> counts = occurring(twins, column);
  const std::vector<ConceptId> row = slow_walk(twins, column);
  std::uint64_t records = 0;
  for (const auto& [value, n] : counts) records += n;
  const auto greatest = [&](const std::vector<std::size_t>& begins) {
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : row.size();
      std::uint64_t sum = 0;
      for (std::size_t v = begins[i]; v < end; ++v) sum += counts[row[v]];
      most = std::max(most, sum);
    }
    return most;
  };
  std::vector<double> parted(row.size(), 0);  // the similarity to the neighbour before
  for (std::size_t v = 1; v < row.size(); ++v) {
    parted[v] = 1 - measure.distance(twins.slow.pair(twins.node[row[v - 1]], twins.node[row[v]]));
  }

  SlowCut out;
  out.most = records;
  every_cut(row.size(), count, [&](const std::vector<std::size_t>& begins) {
    out.most = std::min(out.most, greatest(begins));
  });
  while ((out.most + 1) * count * 4 <= records * 5) ++out.most;  // 1.25 times its share

  constexpr double kTied = 1e-8;
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> best;
  every_cut(row.size(), count, [&](const std::vector<std::size_t>& begins) {
    if (greatest(begins) > out.most) return;
    double cost = 0;
    for (std::size_t i = 1; i < begins.size(); ++i) cost += parted[begins[i]];
    if (cost >= least - kTied) return;
    least = cost;
    best = begins;
  });
  for (std::size_t i = 0; i < best.size(); ++i) {
    const std::size_t end = i + 1 < best.size() ? best[i + 1] : row.size();
    SlowCategory category;
    for (std::size_t v = best[i]; v < end; ++v) category.insert(row[v]);
    out.categories.push_back(category);
  }
  return out;
}

}  // namespace semveil::test
