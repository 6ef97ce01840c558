#include "ontology/ancestor_index.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/cpu.h"
#include "base/stop.h"

namespace semveil {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 29;
// Entries of lists that are looked at when the lists are built: some seconds.
constexpr std::uint64_t kMostMerged = std::uint64_t{1} << 32;

// All entries of one block against kBlocks blocks of the other list, which stay in registers. Keys
// are below the sign bit. Where padding meets padding the sum is negative and loses against 0.
template <int kBlocks, class Word, class Lanes, class Block>
[[gnu::always_inline]] inline void compare(const Block* longer, const Block& other, Word mask,
                                           Lanes& best) {
  using Lists = AncestorLists<std::make_unsigned_t<Word>>;
  const Lanes path_mask = Lanes{} + static_cast<Word>(Lists::kPathMask);
  const Lanes masks = Lanes{} + mask;
  Lanes ids[kBlocks];
  Lanes keys[kBlocks];
  for (int b = 0; b < kBlocks; ++b) {
    ids[b] = *reinterpret_cast<const Lanes*>(longer[b].id);
    keys[b] = (*reinterpret_cast<const Lanes*>(longer[b].key) & masks) - path_mask;
  }
  for (std::size_t i = 0; i < Lists::kLanes; ++i) {
    const Lanes id = Lanes{} + static_cast<Word>(other.id[i]);
    const Lanes key = Lanes{} + static_cast<Word>(other.key[i]);
    for (int b = 0; b < kBlocks; ++b) {
      const Lanes found = (keys[b] + (key & path_mask)) & (ids[b] == id);
      best = best > found ? best : found;
    }
  }
}

// best = the greater of each lane and the one kShift lanes on.
template <std::size_t kShift, class Lanes, std::size_t... kLane>
[[gnu::always_inline]] inline void fold(Lanes& best, std::index_sequence<kLane...>) {
  const Lanes moved = __builtin_shufflevector(best, best, (kLane + kShift) % sizeof...(kLane)...);
  best = best > moved ? best : moved;
}

// The greatest key over the ids in both lists.
template <class Block, class Unsigned>
[[gnu::always_inline]] inline Unsigned best_of(const Block* a, std::size_t a_blocks, const Block* b,
                                               std::size_t b_blocks, Unsigned mask) {
  using Word = std::make_signed_t<Unsigned>;
  using Lanes [[gnu::vector_size(32), gnu::may_alias]] = Word;
  constexpr std::size_t kLanes = sizeof(Lanes) / sizeof(Word);
  Lanes best = {};
  const Word word_mask = static_cast<Word>(mask);
  std::size_t block = 0;
  for (; block + 2 <= a_blocks; block += 2) {
    for (std::size_t s = 0; s < b_blocks; ++s) compare<2>(a + block, b[s], word_mask, best);
  }
  if (block < a_blocks) {
    for (std::size_t s = 0; s < b_blocks; ++s) compare<1>(a + block, b[s], word_mask, best);
  }
  constexpr std::make_index_sequence<kLanes> kAll;
  if constexpr (kLanes == 16) fold<8>(best, kAll);
  fold<4>(best, kAll);
  fold<2>(best, kAll);
  fold<1>(best, kAll);
  return static_cast<Unsigned>(best[0]);
}

template <class Block, class Unsigned>
SEMVEIL_TARGET_AVX2 Unsigned best_of_avx2(const Block* a, std::size_t a_blocks, const Block* b,
                                          std::size_t b_blocks, Unsigned mask) {
  return best_of(a, a_blocks, b, b_blocks, mask);
}

std::size_t count_inner(const Taxonomy& taxonomy) {
  std::size_t inner = 0;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) inner += taxonomy.is_leaf(c) ? 0 : 1;
  return inner;
}

}  // namespace

template <class Word>
bool AncestorLists<Word>::fits(const Taxonomy& taxonomy, std::size_t concepts_with_children) {
  const std::size_t deepest = kPathMask / 2;  // keys stay below the sign bit, path sums below 2^b
  return taxonomy.max_depth() <= deepest &&
         concepts_with_children < std::numeric_limits<Word>::max();
}

template <class Word>
AncestorLists<Word>::AncestorLists(const Taxonomy& taxonomy) {
  const std::size_t concepts = taxonomy.size();
  home_.resize(concepts);
  inner_of_.resize(concepts);
  StopCheck check;
  for (ConceptId c = 0; c < concepts && usable_; ++c) {
    check();
    const auto parents = taxonomy.parents(c);
    const bool leaf = taxonomy.is_leaf(c);
    if (!leaf) {
      inner_of_[c] = static_cast<std::uint32_t>(inner_.size());
      inner_.push_back(c);
    }
    if (leaf && parents.size() == 1) {
      home_[c] = home_[parents[0]];
      home_[c].links = 1;
      home_[c].leaf = true;
    } else {
      usable_ = append(taxonomy, c);
    }
  }
  inner_of_ = {};
  greatest_ = {};
  if (!usable_) blocks_ = {};
}

// c itself, if it has children, and the union of its parents' lists, one link farther (a key less
// by one), by descending id.
template <class Word>
bool AncestorLists<Word>::append(const Taxonomy& taxonomy, ConceptId c) {
  std::vector<Entry> merged;
  const bool leaf = taxonomy.is_leaf(c);
  if (!leaf) {
    merged.push_back({static_cast<Word>(inner_of_[c]),
                      static_cast<Word>(taxonomy.depth(c) << kBits | kPathMask)});
  }
  const auto parents = taxonomy.parents(c);
  std::uint64_t entries = 0;
  for (const ConceptId p : parents) entries += home_[p].size;
  merged_ += entries;
  // Of several ways to an ancestor the shortest has the greatest key. Many entries are sorted by
  // counting.
  if (entries < inner_.size()) {
    const std::size_t own = merged.size();
    for_each_above(parents, [&](const Entry& e) { merged.push_back(e); });
    if (parents.size() > 1) {
      std::sort(merged.begin() + static_cast<std::ptrdiff_t>(own), merged.end(),
                [](const Entry& x, const Entry& y) {
                  return x.id != y.id ? x.id > y.id : x.key > y.key;
                });
      const auto same = [](const Entry& x, const Entry& y) { return x.id == y.id; };
      merged.erase(std::unique(merged.begin(), merged.end(), same), merged.end());
    }
  } else {
    greatest_.assign(inner_.size(), 0);
    for_each_above(parents,
                   [&](const Entry& e) { greatest_[e.id] = std::max(greatest_[e.id], e.key); });
    for (std::size_t id = greatest_.size(); id-- > 0;) {
      if (greatest_[id] != 0) merged.push_back({static_cast<Word>(id), greatest_[id]});
    }
  }
  if (merged.size() > std::numeric_limits<std::uint16_t>::max() ||
      blocks_.size() * sizeof(Block) > kMaxBytes || merged_ > kMostMerged) {
    return false;
  }
  home_[c] = {static_cast<std::uint32_t>(blocks_.size()), static_cast<std::uint16_t>(merged.size()),
              0, leaf};
  for (std::size_t i = 0; i < merged.size(); i += kLanes) {
    Block& block = blocks_.emplace_back();
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const bool filled = i + lane < merged.size();
      block.id[lane] = filled ? merged[i + lane].id : std::numeric_limits<Word>::max();
      block.key[lane] = filled ? merged[i + lane].key : 0;
    }
  }
  return true;
}

// Calls visit(id, key, other key) for each concept in both lists, deepest first.
template <class Word>
template <class Visit>
void AncestorLists<Word>::merge(ConceptId a, ConceptId b, Visit visit) const {
  const Home list_a = home_[a];
  const Home list_b = home_[b];
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < list_a.size && j < list_b.size) {
    const Entry at_i = entry(list_a, i);
    const Entry at_j = entry(list_b, j);
    if (at_i.id == at_j.id) visit(inner_[at_i.id], at_i.key, at_j.key);
    i += at_i.id >= at_j.id ? 1 : 0;
    j += at_j.id >= at_i.id ? 1 : 0;
  }
}

template <class Word>
Word AncestorLists<Word>::best_key(ConceptId a, ConceptId b, Word mask) const {
  const Home list_a = home_[a];
  const Home list_b = home_[b];
  const auto links = static_cast<Word>(list_a.links + list_b.links);
  // Comparing all with all is quadratic: long lists are merged instead.
  constexpr std::size_t kMostEntries = 128;
  if (list_a.size > kMostEntries || list_b.size > kMostEntries) {
    Word best = 0;
    merge(a, b, [&](ConceptId, Word key, Word other) {
      best = std::max(best, static_cast<Word>((key & mask) - paths_of(other)));
    });
    return static_cast<Word>(best - links);
  }
  const auto blocks = [](const Home& home) { return (home.size + kLanes - 1) / kLanes; };
  const auto kernel = has_avx2() ? best_of_avx2<Block, Word> : best_of<Block, Word>;
  const Word best = kernel(blocks_.data() + list_a.block, blocks(list_a),
                           blocks_.data() + list_b.block, blocks(list_b), mask);
  return static_cast<Word>(best - links);
}

template <class Word>
ConceptId AncestorLists<Word>::lcs(ConceptId a, ConceptId b,
                                   std::span<const std::uint32_t> id_rank) const {
  ConceptId best = Taxonomy::root();
  Word best_key = 0;
  merge(a, b, [&](ConceptId id, Word key, Word other) {
    const auto both = static_cast<Word>(key - paths_of(other));
    if (both < best_key || (both == best_key && id_rank[id] > id_rank[best])) return;
    best = id;
    best_key = both;
  });
  return best;
}

template <class Word>
ConceptId AncestorLists<Word>::heaviest(ConceptId a, ConceptId b,
                                        std::span<const std::uint32_t> weight) const {
  ConceptId best = Taxonomy::root();
  merge(a, b, [&](ConceptId id, Word, Word) {
    if (weight[id] > weight[best]) best = id;
  });
  return best;
}

std::variant<AncestorIndex::Narrow, AncestorIndex::Wide> AncestorIndex::make(
    const Taxonomy& taxonomy) {
  if (Narrow::fits(taxonomy, count_inner(taxonomy))) return Narrow(taxonomy);
  return Wide(taxonomy);
}

AncestorIndex::AncestorIndex(const Taxonomy& taxonomy)
    : lists_(make(taxonomy)),
      id_rank_(taxonomy.arrays().id_rank),
      usable_(std::visit([](const auto& lists) { return lists.usable(); }, lists_)) {}

namespace {
template <class Word>
DepthAndPaths unpacked(const AncestorLists<Word>&, Word key) {
  using Lists = AncestorLists<Word>;
  return {static_cast<unsigned>(key >> Lists::kBits),
          static_cast<unsigned>(Lists::kPathMask - (key & Lists::kPathMask))};
}
}  // namespace

std::vector<Ancestor> AncestorIndex::ancestors(ConceptId c) const {
  std::vector<Ancestor> found;
  for_each_ancestor(c, [&](ConceptId a, unsigned path) { found.push_back({a, path}); });
  return found;
}

DepthAndPaths AncestorIndex::deepest(ConceptId a, ConceptId b) const {
  if (const auto* narrow = std::get_if<Narrow>(&lists_)) {
    return unpacked(*narrow, narrow->best_key(a, b, std::numeric_limits<std::uint16_t>::max()));
  }
  const auto& wide = *std::get_if<Wide>(&lists_);
  return unpacked(wide, wide.best_key(a, b, std::numeric_limits<std::uint32_t>::max()));
}

unsigned AncestorIndex::shortest(ConceptId a, ConceptId b) const {
  if (const auto* narrow = std::get_if<Narrow>(&lists_)) {
    return unpacked(*narrow, narrow->best_key(a, b, Narrow::kPathMask)).paths;
  }
  const auto& wide = *std::get_if<Wide>(&lists_);
  return unpacked(wide, wide.best_key(a, b, Wide::kPathMask)).paths;
}

ConceptId AncestorIndex::lcs(ConceptId a, ConceptId b) const {
  return std::visit([&](const auto& lists) { return lists.lcs(a, b, id_rank_); }, lists_);
}

ConceptId AncestorIndex::heaviest(ConceptId a, ConceptId b,
                                  std::span<const std::uint32_t> weight) const {
  return std::visit([&](const auto& lists) { return lists.heaviest(a, b, weight); }, lists_);
}

}  // namespace semveil
