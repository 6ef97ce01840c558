// Taxonomies made from a seed, of every shape that has ever been trouble: trees, DAGs whose longest
// and shortest ways differ, ladders full of LCS ties, chains, stars, several roots, and the least
// ones of one and two concepts.
//
// The generator is our own (splitmix64, Steele, Lea & Flood 2014), without the distributions of the
// standard library: the same seed gives the same taxonomy on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "semveil/ontology.h"

namespace semveil::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // 0 … n − 1; n > 0. The bias of the remainder does not matter to a test.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::uint64_t state_;
};

struct GeneratedTaxonomy {
  std::vector<std::string> ids;
  std::vector<std::pair<std::size_t, std::size_t>> links;  // child, parent; some stand there twice
};

enum class Shape : std::uint8_t {
  kTree,          // one parent each
  kDag,           // one to three parents, anywhere above
  kSkips,         // a parent just above and another near the top: longest ≠ shortest way
  kLadder,        // layers, each rung linked to many of the layer above: LCS ties down to the id
  kSeveralRoots,  // joined by the virtual root
  kFork,          // a trunk with long arms: great depths and great path sums
  kChain,
  kStar,
  kTwo,
  kSingle,
};
inline constexpr Shape kShapes[] = {
    Shape::kTree, Shape::kDag,   Shape::kSkips, Shape::kLadder, Shape::kSeveralRoots,
    Shape::kFork, Shape::kChain, Shape::kStar,  Shape::kTwo,    Shape::kSingle};
const char* to_string(Shape shape);

// `size` concepts (kTwo and kSingle have their own). The order of the ids says nothing of the
// structure; they differ in length, and some are the beginning of others, so that their byte order
// is neither that of numbers nor that of a signed char.
GeneratedTaxonomy generate(Shape shape, std::size_t size, std::uint64_t seed);

// The same concepts and links, added in another order.
GeneratedTaxonomy reordered(const GeneratedTaxonomy& taxonomy, std::uint64_t seed);

// The taxonomies of this shape that every comparison with a twin runs over: a few of different
// sizes, together some 9,000 ordered pairs (all shapes: 66 taxonomies, 73,000 pairs).
std::vector<GeneratedTaxonomy> samples_of(Shape shape);

Ontology to_ontology(const GeneratedTaxonomy& taxonomy);

}  // namespace semveil::test
