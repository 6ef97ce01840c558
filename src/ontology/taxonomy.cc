#include "semveil/taxonomy.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <numeric>

#include "ontology/ancestor_index.h"
#include "ontology/subsumers.h"
#include "ontology/sweep_graph.h"

namespace semveil {

// Derived structures, made when first asked for: a snapshot must open in microseconds.
struct Taxonomy::Lazy {
  template <class T>
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const T> made;
    std::atomic<const T*> ready = nullptr;  // spares the hot path the once_flag

    const T& get(const Taxonomy& taxonomy) {
      const T* pointer = ready.load(std::memory_order_acquire);
      if (pointer != nullptr) return *pointer;
      std::call_once(once, [&] {
        made = std::make_unique<const T>(taxonomy);
        ready.store(made.get(), std::memory_order_release);
      });
      return *made;
    }
  };
  struct Children {
    explicit Children(const Taxonomy& taxonomy)
        : begin(taxonomy.size() + 1, 0), items(taxonomy.arrays().parents.size()) {
      for (const ConceptId p : taxonomy.arrays().parents) ++begin[p + std::size_t{1}];
      std::partial_sum(begin.begin(), begin.end(), begin.begin());
      std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
      for (ConceptId c = 0; c < taxonomy.size(); ++c) {
        for (const ConceptId p : taxonomy.parents(c)) items[next[p]++] = c;
      }
    }
    std::vector<std::uint32_t> begin;
    std::vector<ConceptId> items;
  };
  Slot<Children> children;
  Slot<AncestorIndex> ancestors;
  Slot<SweepGraph> sweep;
  std::atomic<unsigned> dense_climbs = 0;
};

Taxonomy::Taxonomy(Arrays arrays, std::shared_ptr<const void> owner)
    : arrays_(arrays), owner_(std::move(owner)), lazy_(std::make_unique<Lazy>()) {}
Taxonomy::~Taxonomy() = default;

namespace {

// A concept's number is greater than its ancestors', so taking the greatest number first, and of
// its ways the shortest, settles every path before it is passed on. Gives up, and empties `found`,
// where more than `most` ways are open or were: links are dense then.
void climb_by_heap(const Taxonomy& taxonomy, ConceptId c, std::size_t most,
                   std::vector<Ancestor>& found) {
  const auto later = [](const Ancestor& a, const Ancestor& b) {
    return a.concept_id != b.concept_id ? a.concept_id < b.concept_id : a.path > b.path;
  };
  std::vector<Ancestor> open;  // a heap
  std::size_t opened = 0;
  Ancestor next{c, 0};
  for (;;) {
    if (found.empty() || found.back().concept_id != next.concept_id) {
      found.push_back(next);
      const std::span<const ConceptId> above = taxonomy.parents(next.concept_id);
      if (open.empty() && above.size() == 1) {  // most ways up are single files
        next = {above[0], next.path + 1};
        continue;
      }
      opened += above.size();
      if (opened > most) return found.clear();
      for (const ConceptId p : above) {
        open.push_back({p, next.path + 1});
        std::push_heap(open.begin(), open.end(), later);
      }
    }
    if (open.empty()) return;
    std::pop_heap(open.begin(), open.end(), later);
    next = open.back();
    open.pop_back();
  }
}

// The same by looking at every smaller number: a link costs a comparison.
void climb_by_number(const Taxonomy& taxonomy, ConceptId c, std::vector<Ancestor>& found) {
  constexpr std::uint32_t kNoWay = 0xffffffff;
  std::vector<std::uint32_t> path(std::size_t{c} + 1, kNoWay);
  path[c] = 0;
  for (ConceptId a = c;; --a) {
    if (path[a] != kNoWay) {
      found.push_back({a, path[a]});
      for (const ConceptId p : taxonomy.parents(a)) path[p] = std::min(path[p], path[a] + 1);
    }
    if (a == Taxonomy::root()) return;
  }
}

}  // namespace

std::vector<Ancestor> Taxonomy::ancestors(ConceptId c) const {
  // A way in a heap costs about as much as 16 numbers looked at.
  constexpr std::size_t kNumbersOfAWay = 16, kUsualWays = 256;
  std::vector<Ancestor> found;
  found.reserve(32);
  climb_by_heap(*this, c, kUsualWays + c / kNumbersOfAWay, found);
  if (!found.empty()) return found;
  // Who asks often is answered from the lists, which cost some thousand such climbs.
  constexpr unsigned kMostDenseClimbs = 256;
  const bool often = lazy_->dense_climbs.load(std::memory_order_relaxed) >= kMostDenseClimbs;
  if (often && ancestor_index().usable()) return ancestor_index().ancestors(c);
  if (!often) lazy_->dense_climbs.fetch_add(1, std::memory_order_relaxed);
  climb_by_number(*this, c, found);
  return found;
}

std::vector<ConceptId> Taxonomy::descendants(ConceptId c) const {
  std::vector<ConceptId> found{c};
  std::vector<bool> seen(size(), false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const ConceptId child : children(found[i])) {
      if (seen[child]) continue;
      seen[child] = true;
      found.push_back(child);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Subsumer Taxonomy::lcs(ConceptId a, ConceptId b) const {
  return best_common(*this, a, b, [this](const Subsumer& s, const Subsumer& than) {
    return closer_subsumer(*this, s, than);
  });
}

std::vector<ConceptId> Taxonomy::way_up(ConceptId c, ConceptId subsumer) const {
  constexpr std::uint32_t kFar = 0xffffffff;
  const std::vector<Ancestor> above = ancestors(c);
  std::map<ConceptId, std::uint32_t> links;  // from an ancestor of c up to the subsumer
  for (auto a = above.rbegin(); a != above.rend(); ++a) {
    std::uint32_t least = a->concept_id == subsumer ? 0 : kFar;
    for (const ConceptId p : parents(a->concept_id)) {
      if (links[p] != kFar) least = std::min(least, links[p] + 1);
    }
    links[a->concept_id] = least;
  }
  if (links[c] == kFar) return {};
  std::vector<ConceptId> way{c};
  while (way.back() != subsumer) {
    ConceptId next = way.back();
    for (const ConceptId p : parents(way.back())) {
      const bool on_a_shortest = links[p] + 1 == links[way.back()];
      if (on_a_shortest && (next == way.back() || id_rank(p) < id_rank(next))) next = p;
    }
    way.push_back(next);
  }
  return way;
}

ConceptId Taxonomy::lcs(std::span<const ConceptId> list) const {
  std::vector<std::uint32_t> above(size(), 0);  // how many of the list a concept subsumes
  std::vector<std::uint64_t> path_sum(size(), 0);
  for (const ConceptId c : list) {
    for (const Ancestor& a : ancestors(c)) {
      ++above[a.concept_id];
      path_sum[a.concept_id] += a.path;
    }
  }
  ConceptId best = root();
  for (ConceptId c = 0; c < size(); ++c) {
    if (above[c] != list.size() || depth(c) < depth(best)) continue;
    const bool closer =
        path_sum[c] != path_sum[best] ? path_sum[c] < path_sum[best] : id_rank(c) < id_rank(best);
    if (depth(c) > depth(best) || closer) best = c;
  }
  return best;
}

std::span<const ConceptId> Taxonomy::children(ConceptId c) const {
  const Lazy::Children& children = lazy_->children.get(*this);
  return slice(std::span<const ConceptId>(children.items), children.begin, c);
}

const AncestorIndex& Taxonomy::ancestor_index() const { return lazy_->ancestors.get(*this); }
const SweepGraph& Taxonomy::sweep_graph() const { return lazy_->sweep.get(*this); }

}  // namespace semveil
