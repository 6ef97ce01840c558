#include "support/slow_features.h"

#include <algorithm>
#include <cmath>

#include "ontology/draft.h"

namespace semveil::test {
namespace {

using Texts = std::set<std::string>;

constexpr std::size_t kWordsThatCount = 255;  // of a definition, the first different ones

double common(const Texts& A, const Texts& B) {
  return static_cast<double>(
      std::count_if(A.begin(), A.end(), [&](const std::string& x) { return B.contains(x); }));
}

std::set<SlowTaxonomy::Node> linked(
    const std::map<SlowTaxonomy::Node, std::set<SlowTaxonomy::Node>>& links, SlowTaxonomy::Node n) {
  const auto found = links.find(n);
  return found == links.end() ? std::set<SlowTaxonomy::Node>() : found->second;
}

double jaccard(const Texts& A, const Texts& B) {
  Texts both = A;
  both.insert(B.begin(), B.end());
  return both.empty() ? 0 : common(A, B) / static_cast<double>(both.size());
}

}  // namespace

GeneratedTexts with_texts(const GeneratedTaxonomy& taxonomy, std::uint64_t seed,
                          Definitions definitions) {
  Random random(seed);
  OntologyDraft draft;
  std::map<std::string, ConceptTexts> of;
  const std::size_t pool = taxonomy.ids.size() / 2 + 2;
  // The words of definitions: of a few, or of many in turn.
  const std::size_t vocabulary =
      definitions == Definitions::kSomeTooLong ? 2 * kWordsThatCount : 30;
  const auto word = [](std::size_t i) { return "w" + std::to_string(i); };
  for (const std::string& id : taxonomy.ids) {
    const OntologyDraft::Index c = draft.add_concept(id);
    ConceptTexts& texts = of[id];
    const std::size_t names = 1 + random.below(3);
    for (std::size_t i = 0; i < names; ++i) {
      const std::size_t number = random.below(pool);
      const std::string first = word(number * 7 % vocabulary);
      const std::string second = "n" + std::to_string(number);
      const std::string spellings[] = {first + " " + second, "W" + first.substr(1) + "-" + second,
                                       first + "_N" + second.substr(1), " " + first + second};
      const std::size_t spelling = random.below(4);
      draft.add_term(c, i == 0 ? TermKind::kLabel : TermKind::kExactSynonym, spellings[spelling]);
      texts.names.insert(first + second);
      if (spelling < 3) texts.name_words.insert(first);  // else it is one word that nobody shares
    }
    draft.add_term(c, TermKind::kXref, "X:1");  // no name
    if (definitions == Definitions::kNone || random.one_in(5)) continue;
    const bool too_long = definitions == Definitions::kSomeTooLong && random.one_in(3);
    const std::size_t begin = random.below(vocabulary);
    const std::size_t words = too_long ? kWordsThatCount + 60 : random.below(7);
    std::string gloss;
    for (std::size_t i = 0; i < words; ++i) {
      const std::string next = word(too_long ? (begin + i) % vocabulary : random.below(vocabulary));
      gloss += (random.one_in(2) ? " of the " : ", ") + next + (random.one_in(3) ? "; x" : "");
      if (too_long && random.one_in(4)) gloss += " " + word(begin);  // counts once
      if (texts.words.size() < kWordsThatCount) texts.words.insert(next);
    }
    draft.set_definition(c, gloss);
  }
  for (const auto& [child, parent] : taxonomy.links) {
    draft.add_link(static_cast<OntologyDraft::Index>(child),
                   static_cast<OntologyDraft::Index>(parent));
  }
  for (std::size_t i = 0; seed % 3 != 0 && i < taxonomy.ids.size(); ++i) {
    const std::size_t part = random.below(taxonomy.ids.size());
    const std::size_t whole = random.below(taxonomy.ids.size());
    if (part == whole) continue;
    draft.add_part(static_cast<OntologyDraft::Index>(part),
                   static_cast<OntologyDraft::Index>(whole));
    of[taxonomy.ids[part]].wholes.insert(taxonomy.ids[whole]);
  }
  return {std::move(of), value_or_throw(std::move(draft).finish("generated"))};
}

SlowFeatures::SlowFeatures(const SlowTaxonomy& taxonomy,
                           const std::map<std::string, ConceptTexts>& all,
                           const FeatureWeights& weights)
    : taxonomy_(taxonomy), texts_(all), weights_(weights) {
  for (Node part = 0; part < taxonomy_.size(); ++part) {
    for (Node whole = 0; whole < taxonomy_.size(); ++whole) {
      if (!texts(part).wholes.contains(taxonomy_.id(whole))) continue;
      wholes_[part].insert(whole);
      parts_[whole].insert(part);
    }
  }
  for (Node n = 0; n < taxonomy_.size(); ++n) {
    for (const std::string& w : texts(n).words) glosses_[w].insert(n);
  }
  has_words_ = !glosses_.empty();
  // Words of one gloss tell nothing, and very frequent ones little.
  const std::size_t most = std::max<std::size_t>(50, taxonomy_.size() / 500);
  std::erase_if(glosses_, [&](const auto& word) {
    return word.second.size() < 2 || word.second.size() > most;
  });
}

const ConceptTexts& SlowFeatures::texts(Node n) const {
  static const ConceptTexts kNone;
  const auto found = texts_.find(taxonomy_.id(n));
  return found == texts_.end() ? kNone : found->second;
}

Texts SlowFeatures::names_of(const std::set<Node>& nodes) const {
  Texts all;
  for (const Node n : nodes) all.insert(texts(n).names.begin(), texts(n).names.end());
  return all;
}

Texts SlowFeatures::names_above(Node n) const {
  std::set<Node> nodes;
  for (const auto& [above, path] : taxonomy_.subsumers(n)) nodes.insert(above);
  return names_of(nodes);
}

// Eq 8 and 9, as printed.
double SlowFeatures::tversky(const Texts& A, const Texts& B, Node a, Node b) const {
  const double depth_a = taxonomy_.depth(a), depth_b = taxonomy_.depth(b);
  const double gamma =
      depth_a <= depth_b ? depth_a / (depth_a + depth_b) : 1 - depth_a / (depth_a + depth_b);
  const double both = common(A, B);
  if (both == 0) return 0;
  return both / (both + gamma * (static_cast<double>(A.size()) - both) +
                 (1 - gamma) * (static_cast<double>(B.size()) - both));
}

// Eq 17: each word of a concept brings the words it occurs with, once for every gloss.
const std::map<std::string, double>& SlowFeatures::vector(Node n) const {
  if (const auto known = vectors_.find(n); known != vectors_.end()) return known->second;
  Texts words = texts(n).words;
  words.insert(texts(n).name_words.begin(), texts(n).name_words.end());
  for (const Node p : taxonomy_.parents(n)) {
    words.insert(texts(p).words.begin(), texts(p).words.end());
  }
  std::map<std::string, double>& sum = vectors_[n];
  for (const std::string& w : words) {
    const auto glosses = glosses_.find(w);
    if (glosses == glosses_.end()) continue;
    for (const Node gloss : glosses->second) {
      for (const std::string& v : texts(gloss).words) {
        if (glosses_.contains(v)) sum[v] += 1;
      }
    }
  }
  return sum;
}

Texts SlowFeatures::names_of_parts_above(Node n) const {
  std::set<Node> nodes;
  for (const auto& [above, path] : taxonomy_.subsumers(n)) nodes.merge(linked(parts_, above));
  return names_of(nodes);
}

// Eq 10.
double SlowFeatures::rodriguez_egenhofer(Node a, Node b) const {
  const auto around = [&](Node n) {
    std::set<Node> nodes = taxonomy_.parents(n);
    nodes.insert(taxonomy_.children(n).begin(), taxonomy_.children(n).end());
    nodes.insert(n);
    nodes.merge(linked(parts_, n));
    nodes.merge(linked(wholes_, n));
    return names_of(nodes);
  };
  const double names = weights_.names * tversky(texts(a).names, texts(b).names, a, b);
  const double neighbours = weights_.neighbours * tversky(around(a), around(b), a, b);
  if (!has_words_ && parts_.empty()) {
    return (names + neighbours) / (weights_.names + weights_.neighbours);
  }
  const double features = std::max(tversky(texts(a).words, texts(b).words, a, b),
                                   tversky(names_of_parts_above(a), names_of_parts_above(b), a, b));
  return names + neighbours + weights_.features * features;
}

double SlowFeatures::similarity(const std::string& measure, Node a, Node b) const {
  const Texts& own_a = texts(a).names;
  const Texts& own_b = texts(b).names;
  const Texts& words_a = texts(a).words;
  const Texts& words_b = texts(b).words;
  if (measure == "tversky") return tversky(names_above(a), names_above(b), a, b);
  if (measure == "rodriguez-egenhofer") return rodriguez_egenhofer(a, b);
  if (measure == "x-similarity") {  // eq 11-12
    if (common(own_a, own_b) > 0) return 1;
    const auto parts_of = [&](Node n) { return linked(parts_, n); };
    const auto wholes_of = [&](Node n) { return linked(wholes_, n); };
    return std::max({jaccard(names_above(a), names_above(b)),
                     jaccard(names_of(taxonomy_.children(a)), names_of(taxonomy_.children(b))),
                     jaccard(names_of(parts_of(a)), names_of(parts_of(b))),
                     jaccard(names_of(wholes_of(a)), names_of(wholes_of(b))),
                     jaccard(words_a, words_b)});
  }
  if (measure == "gloss-vector") {
    double product = 0, length_a = 0, length_b = 0;
    const auto& vector_a = vector(a);
    const auto& vector_b = vector(b);
    for (const auto& [v, x] : vector_a) {
      length_a += x * x;
      if (vector_b.contains(v)) product += x * vector_b.at(v);
    }
    for (const auto& [v, x] : vector_b) length_b += x * x;
    if (length_a == 0 || length_b == 0) return 0;
    return product / (std::sqrt(length_a) * std::sqrt(length_b));
  }
  throw std::logic_error("no such measure: " + measure);
}

double SlowFeatures::directed(const std::string& measure, Node a, Node b) const {
  return a == b ? 0 : 1 - similarity(measure, a, b);
}

double SlowFeatures::distance(const std::string& measure, Node a, Node b) const {
  return (directed(measure, a, b) + directed(measure, b, a)) / 2;
}

}  // namespace semveil::test
