// Words with several senses, and how far apart they are by definition.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "semveil/ontology.h"
#include "support/generate.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {

// An ontology whose concepts carry words, some of them several, some words several concepts.
struct Worded {
  GeneratedTaxonomy taxonomy;
  std::vector<std::set<std::string>> words;  // by concept

  Worded(Shape shape, std::size_t size, std::size_t vocabulary, std::uint64_t seed);
  Ontology ontology() const;
  std::vector<std::string> senses(const std::string& word) const;  // ids
};

// The definition, word for word: least Wu-Palmer distance over ontologies and senses, counted below
// the LCS of all senses of the column or, where one is named, below a root.
class SlowValues {
 public:
  SlowValues(const std::vector<Worded>& ontologies, const std::vector<std::string>& column,
             const std::string& root = "");
  bool known(const std::string& word) const;
  bool alike(const std::string& a, const std::string& b) const;  // the same set of senses
  double distance(const std::string& a, const std::string& b) const;
  // Of one ontology: the sense s of least Σ f(w) · min over senses w' of w of sd(s, w'), counted in
  // the whole ontology or below the root. Generated words have their senses in the order of ids.
  std::string resolved(const std::string& word,
                       const std::map<std::string, std::uint64_t>& column) const;

 private:
  static double wu_palmer(const SlowTaxonomy& domain, const std::string& a, const std::string& b);

  std::vector<SlowTaxonomy> domains_, wholes_;
  std::vector<std::map<std::string, std::vector<std::string>>> senses_;  // by ontology and word
};

}  // namespace semveil::test
