// Numbering. Concepts are sorted by depth, then by number of parents, then by their smallest
// parent, then by id. So parents come before children (every parent is less deep), runs of
// concepts with equally many parents need no test inside a sweep, and a sweep reads the parents'
// values nearly in sequence.
//
// Cost: O(links + concepts), but for sorting each concept's own few parents and children.
#include "ontology/taxonomy_builder.h"

#include <algorithm>
#include <numeric>

namespace semveil {
namespace {

struct Adjacency {  // neighbours of each node, side by side
  std::vector<std::uint32_t> begin, items;
  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(items).subspan(begin[node], begin[node + 1] - begin[node]);
  }
};

Adjacency adjacency(std::size_t nodes, std::span<const TaxonomyLink> links,
                    std::uint32_t TaxonomyLink::* from, std::uint32_t TaxonomyLink::* to) {
  Adjacency result;
  result.begin.assign(nodes + 1, 0);
  for (const TaxonomyLink& link : links) ++result.begin[link.*from + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.items.resize(links.size());
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  for (const TaxonomyLink& link : links) result.items[next[link.*from]++] = link.*to;
  return result;
}

// Each node's parents ascending and once. `links` may hold repeats.
Adjacency parents_of(std::size_t nodes, std::span<const TaxonomyLink> links) {
  Adjacency all = adjacency(nodes, links, &TaxonomyLink::child, &TaxonomyLink::parent);
  std::uint32_t kept = 0;
  std::uint32_t begin = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::uint32_t end = all.begin[node + 1];
    const auto first = all.items.begin() + begin;
    auto last = all.items.begin() + end;
    if (end - begin > 1) {
      std::sort(first, last);
      last = std::unique(first, last);
    }
    std::copy(first, last, all.items.begin() + kept);
    kept += static_cast<std::uint32_t>(last - first);
    begin = end;
    all.begin[node + 1] = kept;
  }
  all.items.resize(kept);
  return all;
}

Adjacency reversed(const Adjacency& parents) {
  const std::size_t nodes = parents.begin.size() - 1;
  Adjacency children{std::vector<std::uint32_t>(nodes + 1, 0),
                     std::vector<std::uint32_t>(parents.items.size())};
  for (const std::uint32_t p : parents.items) ++children.begin[p + std::size_t{1}];
  std::partial_sum(children.begin.begin(), children.begin.end(), children.begin.begin());
  std::vector<std::uint32_t> next(children.begin.begin(), children.begin.end() - 1);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (const std::uint32_t p : parents.of(node)) children.items[next[p]++] = node;
  }
  return children;
}

// Depths by peeling off concepts whose parents are all done; 0 is left on cycles and below them.
std::vector<std::uint32_t> depths(const Adjacency& parents, const Adjacency& children) {
  const std::size_t nodes = parents.begin.size() - 1;
  std::vector<std::uint32_t> depth(nodes, 0);
  std::vector<std::uint32_t> waiting(nodes);
  std::vector<std::uint32_t> ready;
  ready.reserve(nodes);
  for (std::uint32_t c = 0; c < nodes; ++c) {
    waiting[c] = static_cast<std::uint32_t>(parents.of(c).size());
    if (waiting[c] == 0) ready.push_back(c);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const std::uint32_t c = ready[i];
    std::uint32_t above = 0;
    for (const std::uint32_t p : parents.of(c)) above = std::max(above, depth[p]);
    depth[c] = above + 1;
    for (const std::uint32_t child : children.of(c)) {
      if (--waiting[child] == 0) ready.push_back(child);
    }
  }
  return depth;
}

// Walks up among the concepts without a depth until one comes again.
std::vector<std::uint32_t> find_cycle(const Adjacency& parents,
                                      std::span<const std::uint32_t> depth) {
  const auto unfinished = [&](std::uint32_t c) { return depth[c] == 0; };
  auto at = static_cast<std::uint32_t>(std::find(depth.begin(), depth.end(), 0U) - depth.begin());
  std::vector<std::uint32_t> way;
  std::vector<bool> met(depth.size(), false);
  while (!met[at]) {
    met[at] = true;
    way.push_back(at);
    const auto above = parents.of(at);
    at = *std::find_if(above.begin(), above.end(), unfinished);
  }
  way.erase(way.begin(), std::find(way.begin(), way.end(), at));
  return way;
}

// node_at[ConceptId], by depth, number of parents, smallest parent, id. Nodes are numbered by id,
// and going through the concepts already placed in order meets every child first at its smallest
// parent: so the nodes of a level come sorted by parent and id, and only have to be told apart by
// their number of parents.
std::vector<std::uint32_t> number(const Adjacency& parents, const Adjacency& children,
                                  std::span<const std::uint32_t> depth) {
  const std::size_t nodes = depth.size();
  const std::uint32_t deepest = *std::max_element(depth.begin(), depth.end());
  std::vector<std::vector<std::uint32_t>> level(deepest + std::size_t{1});
  std::vector<bool> met(nodes, false);
  std::vector<std::uint32_t> node_at;
  node_at.reserve(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (depth[node] == 1) level[1].push_back(node);  // the root
  }
  for (std::uint32_t d = 1; d <= deepest; ++d) {
    std::stable_sort(level[d].begin(), level[d].end(), [&](std::uint32_t a, std::uint32_t b) {
      return parents.of(a).size() < parents.of(b).size();
    });
    for (const std::uint32_t node : level[d]) {
      node_at.push_back(node);
      for (const std::uint32_t child : children.of(node)) {
        if (met[child]) continue;
        met[child] = true;
        level[depth[child]].push_back(child);
      }
    }
  }
  return node_at;
}

struct Storage {
  std::vector<std::uint16_t> depth;
  Adjacency parents;
  std::vector<std::uint32_t> id_rank;
};

// The same neighbours under the new numbers, ascending.
Adjacency renumber(const Adjacency& old, std::span<const ConceptId> place,
                   std::span<const std::uint32_t> node_at) {
  Adjacency result;
  result.begin.reserve(old.begin.size());
  result.items.reserve(old.items.size());
  result.begin.push_back(0);
  for (const std::uint32_t node : node_at) {
    const auto first = static_cast<std::ptrdiff_t>(result.items.size());
    for (const std::uint32_t neighbour : old.of(node)) result.items.push_back(place[neighbour]);
    std::sort(result.items.begin() + first, result.items.end());
    result.begin.push_back(static_cast<std::uint32_t>(result.items.size()));
  }
  return result;
}

}  // namespace

BuiltTaxonomy build_taxonomy(std::vector<TaxonomyLink> links, std::span<const std::uint32_t> rank,
                             bool want_virtual_root) {
  const std::size_t concepts = rank.size();
  std::vector<bool> has_parent(concepts, false);
  for (TaxonomyLink& link : links) {  // from here on a node is its id's rank
    link = {rank[link.child], rank[link.parent]};
    has_parent[link.child] = true;
  }
  const auto roots = std::count(has_parent.begin(), has_parent.end(), false);
  const bool virtual_root = roots > 1 || want_virtual_root;
  const std::size_t nodes = concepts + (virtual_root ? 1 : 0);
  if (virtual_root) {
    for (std::uint32_t c = 0; c < concepts; ++c) {
      if (!has_parent[c]) links.push_back({c, static_cast<std::uint32_t>(concepts)});
    }
  }
  const Adjacency parents = parents_of(nodes, links);
  const Adjacency children = reversed(parents);
  const std::vector<std::uint32_t> depth = depths(parents, children);
  BuiltTaxonomy built;
  if (std::find(depth.begin(), depth.end(), 0U) != depth.end()) {
    std::vector<std::uint32_t> index_of(concepts);
    for (std::uint32_t i = 0; i < concepts; ++i) index_of[rank[i]] = i;
    for (const std::uint32_t node : find_cycle(parents, depth)) {
      built.cycle.push_back(index_of[node]);
    }
    return built;
  }
  if (*std::max_element(depth.begin(), depth.end()) > Taxonomy::kMaxDepth) {
    built.too_deep = true;
    return built;
  }

  auto storage = std::make_shared<Storage>();
  storage->id_rank = number(parents, children, depth);
  std::vector<ConceptId> place(nodes);
  for (ConceptId c = 0; c < nodes; ++c) place[storage->id_rank[c]] = c;
  storage->parents = renumber(parents, place, storage->id_rank);
  storage->depth.reserve(nodes);
  for (const std::uint32_t node : storage->id_rank) {
    storage->depth.push_back(static_cast<std::uint16_t>(depth[node]));
  }
  built.place.reserve(concepts);
  for (const std::uint32_t node : rank) built.place.push_back(place[node]);
  const Taxonomy::Arrays arrays{storage->depth, storage->parents.begin, storage->parents.items,
                                storage->id_rank, virtual_root};
  built.taxonomy = std::make_shared<const Taxonomy>(arrays, storage);
  return built;
}

}  // namespace semveil
