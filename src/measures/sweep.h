// One concept to all others as a dynamic programme.
//
// Give every common subsumer of a source s and a concept c a key such that the wanted one has the
// greatest, and such that one more link down from c lowers the key by a constant `step`. Then
//
//   key(c) = max( preset(c) if c is s or above it,  max over parents p of c of key(p) − step )
//
// because a subsumer common to s and c ≠ s is either c itself or common to s and a parent of c, on
// whose shortest way down to c that parent lies. Concepts are numbered by depth, so one pass in
// ascending order does it. Exact on every DAG.
//
//   Wu-Palmer       depth(l) << b | (2^b − 1 − path sum)          step 1
//   path            2^b − 1 − path sum                            step 1
//   LCS itself      depth << 48 | (65535 − path sum) << 32 | ~rank  step 2^32
//   mica            place of l in the order of IC, depth, id      step 0
//
// Sixteen sources ride in one vector of 16-bit keys; the cost per slot is a load, a subtraction
// and a store, whatever the number of lanes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <vector>

#include "base/cpu.h"
#include "base/stop.h"
#include "ontology/sweep_graph.h"

namespace semveil {

template <class Key>
struct Preset {
  SweepGraph::Slot slot;
  std::uint32_t lane;
  Key key;
};

// Lanes of one sweep: 32 bytes' worth.
template <class Key>
inline constexpr std::size_t kSweepLanes = 32 / sizeof(Key);

template <class Key>
class SweepKeys {  // slots × lanes, aligned for vectors
 public:
  SweepKeys(std::size_t slots, std::size_t lanes)
      : keys_(static_cast<Key*>(
            ::operator new[](slots * lanes * sizeof(Key), std::align_val_t{kAlignment}))) {}
  Key* data() { return keys_.get(); }
  const Key* data() const { return keys_.get(); }

 private:
  static constexpr std::size_t kAlignment = 64;
  struct Free {
    void operator()(Key* p) const { ::operator delete[](p, std::align_val_t{kAlignment}); }
  };
  std::unique_ptr<Key[], Free> keys_;
};

// The keys of one slot as one value: a vector, or a plain key where there is one lane.
template <class Key, std::size_t kLanes>
struct SlotKeys {
  using Type [[gnu::vector_size(sizeof(Key) * kLanes), gnu::may_alias]] = Key;
};
template <class Key>
struct SlotKeys<Key, 1> {
  using Type = Key;
};

template <class Key, std::size_t kLanes>
[[gnu::always_inline]] inline void sweep_body(const SweepGraph& graph,
                                              std::span<const Preset<Key>> presets, Key step,
                                              Key* keys) {
  using Keys = typename SlotKeys<Key, kLanes>::Type;
  Keys* const slots = reinterpret_cast<Keys*>(keys);
  const Keys steps = Keys{} + step;
  std::size_t next = 0;
  for (const SweepGraph::Run& run : graph.runs()) {
    const SweepGraph::Slot* parent = graph.parents().data() + run.parents;
    SweepGraph::Slot slot = run.first;
    while (slot < run.last) {
      const SweepGraph::Slot preset_slot = next < presets.size() ? presets[next].slot : run.last;
      const SweepGraph::Slot stop = std::min(run.last, preset_slot + 1);
      if (run.fan_in == 1) {
        for (; slot < stop; ++slot, ++parent) slots[slot] = slots[*parent] - steps;
      } else {
        for (; slot < stop; ++slot) {
          Keys best = {};
          for (std::uint32_t i = 0; i < run.fan_in; ++i, ++parent) {
            const Keys from = slots[*parent];
            best = best > from ? best : from;
          }
          slots[slot] = best - steps;
        }
      }
      for (; next < presets.size() && presets[next].slot + 1 == slot; ++next) {
        Key& key = keys[presets[next].slot * kLanes + presets[next].lane];
        // The root has no parents, so what the loop left there means nothing.
        key = run.fan_in == 0 ? presets[next].key : std::max(key, presets[next].key);
      }
    }
  }
}

template <class Key, std::size_t kLanes>
SEMVEIL_TARGET_AVX2 void sweep_avx2(const SweepGraph& graph, std::span<const Preset<Key>> presets,
                                    Key step, Key* keys) {
  sweep_body<Key, kLanes>(graph, presets, step, keys);
}

// keys[slot · kLanes + lane] for every slot. `presets` ascending by slot; every lane that is used
// has one for the root.
template <class Key, std::size_t kLanes>
void sweep(const SweepGraph& graph, std::span<const Preset<Key>> presets, Key step, Key* keys) {
  check_stop();
  if (has_avx2()) {
    sweep_avx2<Key, kLanes>(graph, presets, step, keys);
  } else {
    sweep_body<Key, kLanes>(graph, presets, step, keys);
  }
}

// The presets of several sources, one per lane: preset(ancestor) is the key of each concept at or
// above its source.
template <class Key, class MakeKey>
std::vector<Preset<Key>> presets_for(const Taxonomy& taxonomy, const SweepGraph& graph,
                                     std::span<const ConceptId> sources, MakeKey make_key) {
  std::vector<Preset<Key>> presets;
  for (std::uint32_t lane = 0; lane < sources.size(); ++lane) {
    for (const Ancestor& a : taxonomy.ancestors(sources[lane])) {
      if (!graph.holds(a.concept_id)) continue;  // above no target
      const std::uint32_t code = graph.code(a.concept_id);
      if (SweepGraph::links_of(code) != 0) continue;  // a source without a slot of its own
      presets.push_back({SweepGraph::slot_of(code), lane, make_key(a)});
    }
  }
  if (presets.size() < graph.slots()) {
    std::sort(presets.begin(), presets.end(), [](const Preset<Key>& x, const Preset<Key>& y) {
      return x.slot != y.slot ? x.slot < y.slot : x.lane < y.lane;
    });
    return presets;
  }
  // Where much lies above each source, presets are counted into their places, lane by lane.
  std::vector<std::size_t> place(graph.slots() + 1, 0);
  for (const Preset<Key>& preset : presets) ++place[preset.slot + std::size_t{1}];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Preset<Key>> in_order(presets.size());
  for (const Preset<Key>& preset : presets) in_order[place[preset.slot]++] = preset;
  return in_order;
}

}  // namespace semveil
