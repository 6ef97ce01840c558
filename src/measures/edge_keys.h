// Keys of the edge-counting measures: depth and path sum of a common subsumer in one integer whose
// order is "deeper, then shorter".
#pragma once

#include "measures/sweep.h"

namespace semveil {

template <class Key>
struct EdgeKeys {
  static constexpr unsigned kBits = sizeof(Key) * 4;
  static constexpr unsigned kLow = (1U << kBits) - 1;

  // Greatest path sum of a taxonomy this deep is 2(D − 1); one link more may be asked of a key.
  static constexpr bool fits(unsigned max_depth) { return 2 * max_depth - 1 <= kLow; }
  static constexpr Key key(unsigned depth, unsigned paths) {
    return static_cast<Key>(depth << kBits | (kLow - paths));
  }
  static constexpr unsigned depth(std::size_t key) { return static_cast<unsigned>(key >> kBits); }
  static constexpr unsigned paths(std::size_t key) {
    return kLow - static_cast<unsigned>(key & kLow);
  }
};

// Keys from up to kLanes sources to every slot; without `by_depth` only the path sum counts. A
// source that has no slot (a leaf of the whole taxonomy's graph) is taken at its parent, one link
// farther; its own key is not among them.
template <class Key, std::size_t kLanes>
void sweep_edge_keys(const Taxonomy& taxonomy, const SweepGraph& graph,
                     std::span<const ConceptId> sources, bool by_depth, Key* keys) {
  const auto make_key = [&](const Ancestor& a) {
    return EdgeKeys<Key>::key(by_depth ? taxonomy.depth(a.concept_id) : 0, a.path);
  };
  const std::vector<Preset<Key>> presets = presets_for<Key>(taxonomy, graph, sources, make_key);
  sweep<Key, kLanes>(graph, presets, Key{1}, keys);
}

template <class Key, std::size_t kLanes>
[[gnu::always_inline]] inline void spread_keys_body(const SweepGraph& graph, const Key* slots,
                                                    Key* all) {
  using Keys = typename SlotKeys<Key, kLanes>::Type;
  const Keys* const from = reinterpret_cast<const Keys*>(slots);
  Keys* const to = reinterpret_cast<Keys*>(all);
  const std::span<const std::uint32_t> codes = graph.codes();
  for (std::size_t c = 0; c < codes.size(); ++c) {
    const Keys links = Keys{} + static_cast<Key>(SweepGraph::links_of(codes[c]));
    to[c] = from[SweepGraph::slot_of(codes[c])] - links;
  }
}
template <class Key, std::size_t kLanes>
SEMVEIL_TARGET_AVX2 void spread_keys_avx2(const SweepGraph& graph, const Key* slots, Key* all) {
  spread_keys_body<Key, kLanes>(graph, slots, all);
}

// The keys of all concepts from those of the whole taxonomy's slots; a source without a slot has
// its siblings' key and must be set by the caller.
template <class Key, std::size_t kLanes>
void spread_keys(const SweepGraph& graph, const Key* slots, Key* all) {
  if (has_avx2()) {
    spread_keys_avx2<Key, kLanes>(graph, slots, all);
  } else {
    spread_keys_body<Key, kLanes>(graph, slots, all);
  }
}

}  // namespace semveil
