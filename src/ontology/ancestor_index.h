// Ancestor lists of all concepts, laid out so that the LCS of a pair is a few vector instructions.
//
// For a pair (a, b) the LCS is the common ancestor of greatest key
//
//   key = depth << b | (2^b − 1 − path(a, ·) − path(b, ·))
//
// A list is cut into blocks of ids and keys (depth << b | 2^b − 1 − path), one cache line each.
// Every entry of one list is compared with all blocks of the other; where ids agree the pair's key
// is the one entry's key minus the other's path, and the greatest survives. No branch depends on
// what is in the lists.
//
// Only concepts with children can be common ancestors of two different concepts, so only they are
// listed, under numbers of their own: in most taxonomies these fit 16 bits, as do the keys of
// taxonomies up to 127 deep, and a block holds 16 entries. Larger ones have blocks of eight.
// A leaf with a single parent p has no list: for any other concept its common ancestors are p's,
// one link farther. So WordNet's 82,115 nouns need 18,894 lists, mostly of one cache line.
//
// Cost: O(|ancestors(a)| · |ancestors(b)| / lanes) a pair, no allocation; 3 ms to build for
// WordNet.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "semveil/taxonomy.h"

namespace semveil {

// Depth of the wanted common subsumer and sum of the two paths to it.
struct DepthAndPaths {
  unsigned depth, paths;
};

template <class Word>
class AncestorLists {
 public:
  static constexpr unsigned kBits = sizeof(Word) * 4;
  static constexpr Word kPathMask = static_cast<Word>((1U << kBits) - 1);
  static constexpr std::size_t kLanes = 32 / sizeof(Word);
  struct alignas(64) Block {
    Word id[kLanes];
    Word key[kLanes];
  };

  static bool fits(const Taxonomy& taxonomy, std::size_t concepts_with_children);
  // Gives up, leaving usable() false, where the lists would take more than half a gigabyte, or
  // a minute to make.
  explicit AncestorLists(const Taxonomy& taxonomy);
  bool usable() const { return usable_; }

  Word best_key(ConceptId a, ConceptId b, Word mask) const;
  ConceptId lcs(ConceptId a, ConceptId b, std::span<const std::uint32_t> id_rank) const;
  ConceptId heaviest(ConceptId a, ConceptId b, std::span<const std::uint32_t> weight) const;

  // visit(concept, fewest links up to it), c first, then by descending ConceptId.
  template <class Visit>
  void for_each_ancestor(ConceptId c, Visit visit) const {
    const Home home = home_[c];
    if (home.leaf) visit(c, 0U);
    for (std::uint32_t i = 0; i < home.size; ++i) {
      const Entry e = entry(home, i);
      visit(inner_[e.id], static_cast<unsigned>(paths_of(e.key)) + home.links);
    }
  }

 private:
  struct Home {  // where the list that stands for a concept is
    std::uint32_t block = 0;
    std::uint16_t size = 0;
    std::uint8_t links = 0;  // from the concept up to the owner of the list: 0 or 1
    bool leaf = false;
  };
  struct Entry {
    Word id, key;
  };

  Entry entry(const Home& home, std::uint32_t i) const {
    const Block& block = blocks_[home.block + i / kLanes];
    return {block.id[i % kLanes], block.key[i % kLanes]};
  }
  static Word paths_of(Word key) { return static_cast<Word>(kPathMask - (key & kPathMask)); }
  bool append(const Taxonomy& taxonomy, ConceptId c);
  // The entries of the concepts' lists, one link farther: a key less by one.
  template <class Visit>
  void for_each_above(std::span<const ConceptId> concepts, Visit visit) const {
    for (const ConceptId c : concepts) {
      const Home list = home_[c];
      for (std::uint32_t i = 0; i < list.size; ++i) {
        const Entry e = entry(list, i);
        visit(Entry{e.id, static_cast<Word>(e.key - 1)});
      }
    }
  }
  template <class Visit>
  void merge(ConceptId a, ConceptId b, Visit visit) const;

  std::vector<Home> home_;
  std::vector<Block> blocks_;
  std::vector<ConceptId> inner_;  // concepts with children, ascending; ids are places in it
  // During the build.
  std::vector<std::uint32_t> inner_of_;  // by ConceptId
  std::vector<Word> greatest_;           // key by id, of the list that is made; 0: not in it
  std::uint64_t merged_ = 0;             // entries that were looked at
  bool usable_ = true;
};

class AncestorIndex {
 public:
  explicit AncestorIndex(const Taxonomy& taxonomy);

  // False for taxonomies whose lists would take more than half a gigabyte (chains of many
  // thousands) or minutes (tens of thousands of concepts, each with hundreds of parents); then
  // nothing below may be called.
  bool usable() const { return usable_; }

  // Depth and path sum of the LCS of a ≠ b.
  DepthAndPaths deepest(ConceptId a, ConceptId b) const;
  // The fewest links from a to b ≠ a through any common subsumer.
  unsigned shortest(ConceptId a, ConceptId b) const;
  // The LCS of a ≠ b.
  ConceptId lcs(ConceptId a, ConceptId b) const;
  // The common subsumer of a ≠ b with the greatest weight (weights are distinct).
  ConceptId heaviest(ConceptId a, ConceptId b, std::span<const std::uint32_t> weight) const;
  // As Taxonomy::ancestors(), at the cost of what it finds.
  std::vector<Ancestor> ancestors(ConceptId c) const;
  // visit(concept, fewest links up to it) for these.
  template <class Visit>
  void for_each_ancestor(ConceptId c, Visit visit) const {
    std::visit([&](const auto& lists) { lists.for_each_ancestor(c, visit); }, lists_);
  }

 private:
  using Narrow = AncestorLists<std::uint16_t>;
  using Wide = AncestorLists<std::uint32_t>;
  static std::variant<Narrow, Wide> make(const Taxonomy& taxonomy);

  std::variant<Narrow, Wide> lists_;
  std::span<const std::uint32_t> id_rank_;
  bool usable_;
};

}  // namespace semveil
