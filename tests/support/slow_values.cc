#include "support/slow_values.h"

#include <algorithm>

#include "ontology/draft.h"

namespace semveil::test {

Worded::Worded(Shape shape, std::size_t size, std::size_t vocabulary, std::uint64_t seed)
    : taxonomy(generate(shape, size, seed)), words(taxonomy.ids.size()) {
  Random random(seed + 1);
  for (std::set<std::string>& some : words) {
    for (std::size_t n = random.below(3); n > 0; --n) {
      some.insert("w" + std::to_string(random.below(vocabulary)));
    }
  }
}

Ontology Worded::ontology() const {
  OntologyDraft draft;
  draft.info.format = "edges";
  for (std::size_t c = 0; c < words.size(); ++c) {
    draft.add_concept(taxonomy.ids[c]);
    for (const std::string& word : words[c]) {
      draft.add_term(static_cast<OntologyDraft::Index>(c), TermKind::kExactSynonym, word);
    }
  }
  for (const auto& [child, parent] : taxonomy.links) {
    draft.add_link(static_cast<OntologyDraft::Index>(child),
                   static_cast<OntologyDraft::Index>(parent));
  }
  return *std::move(draft).finish("generated");
}

std::vector<std::string> Worded::senses(const std::string& word) const {
  std::vector<std::string> ids;
  for (std::size_t c = 0; c < words.size(); ++c) {
    if (words[c].contains(word)) ids.push_back(taxonomy.ids[c]);
  }
  std::ranges::sort(ids);
  return ids;
}

SlowValues::SlowValues(const std::vector<Worded>& ontologies,
                       const std::vector<std::string>& column, const std::string& root) {
  for (const Worded& worded : ontologies) {
    const SlowTaxonomy whole(worded.taxonomy);
    std::set<std::string> inside;
    if (!root.empty()) {
      const SlowTaxonomy part = whole.subtree(whole.node(root));
      for (const std::string& id : worded.taxonomy.ids) {
        const auto l = whole.lcs(whole.node(id), whole.node(root));
        if (l.node == whole.node(root)) inside.insert(id);
      }
    }
    std::vector<SlowTaxonomy::Node> all;
    std::map<std::string, std::vector<std::string>>& senses = senses_.emplace_back();
    for (const std::string& word : column) {
      for (const std::string& id : worded.senses(word)) {
        if (!root.empty() && !inside.contains(id)) continue;
        senses[word].push_back(id);
        all.push_back(whole.node(id));
      }
      senses[word];
    }
    wholes_.push_back(root.empty() ? whole : whole.subtree(whole.node(root)));
    domains_.push_back(!root.empty() || all.empty() ? wholes_.back()
                                                    : whole.subtree(whole.lcs(all)));
  }
}

bool SlowValues::known(const std::string& word) const {
  return std::ranges::any_of(senses_, [&](const auto& of) { return !of.at(word).empty(); });
}

bool SlowValues::alike(const std::string& a, const std::string& b) const {
  return std::ranges::all_of(senses_, [&](const auto& of) { return of.at(a) == of.at(b); });
}

double SlowValues::wu_palmer(const SlowTaxonomy& domain, const std::string& a,
                             const std::string& b) {
  const auto l = domain.lcs(domain.node(a), domain.node(b));
  const double d = domain.depth(l.node);
  const double paths = l.path_a + l.path_b;
  return paths == 0 ? 0 : 1 - 2 * d / (2 * d + paths);
}

double SlowValues::distance(const std::string& a, const std::string& b) const {
  if (alike(a, b)) return 0;
  double least = 1;
  for (std::size_t o = 0; o < domains_.size(); ++o) {
    for (const std::string& x : senses_[o].at(a)) {
      for (const std::string& y : senses_[o].at(b)) {
        least = std::min(least, wu_palmer(domains_[o], x, y));
      }
    }
  }
  return least;
}

std::string SlowValues::resolved(const std::string& word,
                                 const std::map<std::string, std::uint64_t>& column) const {
  std::string best;
  double least = 0;
  for (const std::string& sense : senses_.front().at(word)) {
    double cost = 0;
    double records = 0;
    for (const auto& [other, count] : column) {
      if (senses_.front().at(other).empty()) continue;
      double nearest = 1;
      for (const std::string& of : senses_.front().at(other)) {
        nearest = std::min(nearest, wu_palmer(wholes_.front(), sense, of));
      }
      cost += static_cast<double>(count) * nearest;
      records += static_cast<double>(count);
    }
    cost /= records;
    if (!best.empty() && cost >= least - 1e-9) continue;
    best = sense;
    least = cost;
  }
  return best;
}

}  // namespace semveil::test
