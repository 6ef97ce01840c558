#include "support/generate.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "ontology/draft.h"

namespace semveil::test {

std::uint64_t Random::next() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

namespace {

using Links = std::vector<std::pair<std::size_t, std::size_t>>;

Links tree(std::size_t size, Random& random) {
  Links links;
  for (std::size_t c = 1; c < size; ++c) links.emplace_back(c, random.below(c));
  return links;
}

Links dag(std::size_t size, Random& random) {
  Links links;
  for (std::size_t c = 1; c < size; ++c) {
    const std::size_t parents = 1 + random.below(3);
    for (std::size_t i = 0; i < parents; ++i) links.emplace_back(c, random.below(c));
  }
  return links;
}

Links skips(std::size_t size, Random& random) {
  Links links;
  for (std::size_t c = 1; c < size; ++c) {
    links.emplace_back(c, c - 1 - random.below(std::min<std::size_t>(c, 4)));  // just above
    if (random.one_in(2)) links.emplace_back(c, random.below(std::min<std::size_t>(c, 5)));
    if (random.one_in(4)) links.emplace_back(c, random.below(c));
  }
  return links;
}

// Every rung has a parent in the layer just above, so its depth is that of its layer; links that
// leap over layers change path sums alone.
Links ladder(std::size_t size, Random& random) {
  Links links;
  const std::size_t width = 2 + random.below(4);
  const auto layer_of = [&](std::size_t c) { return c == 0 ? 0 : 1 + (c - 1) / width; };
  for (std::size_t c = 1; c < size; ++c) {
    std::vector<std::size_t> above;
    for (std::size_t p = 0; p < c; ++p) {
      if (layer_of(p) + 1 == layer_of(c)) above.push_back(p);
    }
    links.emplace_back(c, above[random.below(above.size())]);
    for (const std::size_t p : above) {
      if (!random.one_in(3)) links.emplace_back(c, p);
    }
    if (random.one_in(6)) links.emplace_back(c, random.below(above.back() + 1));
  }
  return links;
}

Links several_roots(std::size_t size, Random& random) {
  Links links;
  const std::size_t roots = std::min(size, 2 + random.below(4));
  for (std::size_t c = roots; c < size; ++c) {
    links.emplace_back(c, random.below(c));
    if (random.one_in(3)) links.emplace_back(c, random.below(c));
  }
  return links;
}

Links fork(std::size_t size, Random& random) {
  Links links;
  const std::size_t trunk = 1 + random.below(std::max<std::size_t>(1, size / 8));
  const std::size_t arms = 2 + random.below(2);
  for (std::size_t c = 1; c < size; ++c) {
    const bool first_of_arm = c >= trunk && c - trunk < arms;
    links.emplace_back(c, c < trunk ? c - 1 : first_of_arm ? trunk - 1 : c - arms);
  }
  return links;
}

Links links_of(Shape shape, std::size_t size, Random& random) {
  switch (shape) {
    case Shape::kTree:
      return tree(size, random);
    case Shape::kDag:
      return dag(size, random);
    case Shape::kSkips:
      return skips(size, random);
    case Shape::kLadder:
      return ladder(size, random);
    case Shape::kSeveralRoots:
      return several_roots(size, random);
    case Shape::kFork:
      return fork(size, random);
    case Shape::kChain:
    case Shape::kStar: {
      Links links;
      for (std::size_t c = 1; c < size; ++c) {
        links.emplace_back(c, shape == Shape::kChain ? c - 1 : 0);
      }
      return links;
    }
    case Shape::kTwo:
      return {{1, 0}};
    case Shape::kSingle:
      return {};
  }
  throw std::logic_error("no such shape");
}

std::vector<std::string> distinct_ids(std::size_t size, Random& random) {
  static const std::vector<std::string> kPrefixes = {"", "", "", "C", "c", "C:", "\xC3\xA9"};
  std::set<std::string> ids;
  while (ids.size() < size) {
    // One to six digits: "9" > "10" as bytes, "1" begins "12".
    std::size_t limit = 10;
    for (std::size_t digits = random.below(6); digits > 0; --digits) limit *= 10;
    ids.insert(kPrefixes[random.below(kPrefixes.size())] + std::to_string(random.below(limit)));
  }
  std::vector<std::string> list(ids.begin(), ids.end());
  random.shuffle(list);
  return list;
}

}  // namespace

const char* to_string(Shape shape) {
  switch (shape) {
    case Shape::kTree:
      return "Tree";
    case Shape::kDag:
      return "Dag";
    case Shape::kSkips:
      return "Skips";
    case Shape::kLadder:
      return "Ladder";
    case Shape::kSeveralRoots:
      return "SeveralRoots";
    case Shape::kFork:
      return "Fork";
    case Shape::kChain:
      return "Chain";
    case Shape::kStar:
      return "Star";
    case Shape::kTwo:
      return "Two";
    case Shape::kSingle:
      return "Single";
  }
  throw std::logic_error("no such shape");
}

GeneratedTaxonomy generate(Shape shape, std::size_t size, std::uint64_t seed) {
  Random random(seed * 64 + static_cast<std::uint64_t>(shape));
  if (shape == Shape::kTwo) size = 2;
  if (shape == Shape::kSingle) size = 1;
  GeneratedTaxonomy made{distinct_ids(size, random), links_of(shape, size, random)};
  for (std::size_t i = made.links.size() / 10; i > 0; --i) {  // repeated links count once
    made.links.push_back(made.links[random.below(made.links.size())]);
  }
  return reordered(made, random.next());
}

GeneratedTaxonomy reordered(const GeneratedTaxonomy& taxonomy, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> place(taxonomy.ids.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  random.shuffle(place);
  GeneratedTaxonomy out;
  out.ids.resize(taxonomy.ids.size());
  for (std::size_t i = 0; i < place.size(); ++i) out.ids[place[i]] = taxonomy.ids[i];
  for (const auto& [child, parent] : taxonomy.links) {
    out.links.emplace_back(place[child], place[parent]);
  }
  random.shuffle(out.links);
  return out;
}

std::vector<GeneratedTaxonomy> samples_of(Shape shape) {
  if (shape == Shape::kSingle || shape == Shape::kTwo) return {generate(shape, 0, 1)};
  std::vector<GeneratedTaxonomy> samples;
  std::uint64_t seed = 1;
  for (const std::size_t size : {3, 7, 12, 20, 30, 40, 50, 60}) {
    samples.push_back(generate(shape, size, seed++));
  }
  return samples;
}

Ontology to_ontology(const GeneratedTaxonomy& taxonomy) {
  OntologyDraft draft;
  for (const std::string& id : taxonomy.ids) draft.add_concept(id);
  for (const auto& [child, parent] : taxonomy.links) {
    draft.add_link(static_cast<OntologyDraft::Index>(child),
                   static_cast<OntologyDraft::Index>(parent));
  }
  Result<Ontology> ontology = std::move(draft).finish("generated");
  if (!ontology) throw std::runtime_error(describe(ontology.error(), Quote::kShow));
  return *std::move(ontology);
}

}  // namespace semveil::test
