// The slow twins of the measures that compare names and definitions: the formulas of the master
// thesis, eq 8-12 and 17, over sets of texts; and taxonomies with made-up names and definitions.
#pragma once

#include <map>
#include <set>
#include <string>

#include "semveil/measure.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {

struct ConceptTexts {
  std::set<std::string> names;  // as they are compared: folded, without blanks
  std::set<std::string> words;  // of the definition, those that count
  std::set<std::string> name_words;
  std::set<std::string> wholes;  // ids of what it is a part of
};

struct GeneratedTexts {
  std::map<std::string, ConceptTexts> of;  // by id
  Ontology ontology;
};
enum class Definitions : std::uint8_t { kNone, kShort, kSomeTooLong };
// Few texts for many concepts, so that most are shared; in all spellings that mean the same. Names
// have words of definitions. Some definitions are empty, some, where asked for, have more words
// than count; then names have words of their tails. Of two seeds in three some concepts are parts
// of others.
GeneratedTexts with_texts(const GeneratedTaxonomy& taxonomy, std::uint64_t seed,
                          Definitions definitions = Definitions::kShort);

class SlowFeatures {
 public:
  SlowFeatures(const SlowTaxonomy& taxonomy, const std::map<std::string, ConceptTexts>& texts,
               const FeatureWeights& weights = {});

  using Node = SlowTaxonomy::Node;
  double distance(const std::string& measure, Node a, Node b) const;
  double directed(const std::string& measure, Node a, Node b) const;

 private:
  using Texts = std::set<std::string>;
  const ConceptTexts& texts(Node n) const;
  Texts names_of(const std::set<Node>& nodes) const;
  Texts names_above(Node n) const;
  Texts names_of_parts_above(Node n) const;
  double rodriguez_egenhofer(Node a, Node b) const;
  double tversky(const Texts& A, const Texts& B, Node a, Node b) const;
  double similarity(const std::string& measure, Node a, Node b) const;
  const std::map<std::string, double>& vector(Node n) const;

  const SlowTaxonomy& taxonomy_;
  const std::map<std::string, ConceptTexts>& texts_;
  std::map<std::string, std::set<Node>> glosses_;                  // by word that counts
  mutable std::map<Node, std::map<std::string, double>> vectors_;  // those computed so far
  std::map<Node, std::set<Node>> parts_, wholes_;                  // inside the taxonomy
  FeatureWeights weights_;
  bool has_words_ = false;
};

}  // namespace semveil::test
