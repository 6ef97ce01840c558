// The slow twin of Taxonomy and Domain: the definitions of the semantics page 1.1 and 1.2 written
// down word for word over std::map and std::set, with no eye on speed. It shares no code and no
// numbering with the engine; ids are the bridge between the two.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "semveil/domain.h"
#include "semveil/ontology.h"
#include "support/generate.h"

namespace semveil::test {

class SlowTaxonomy {
 public:
  using Node = std::size_t;  // index into the ids; the virtual root, where there is one, is last

  struct Common {  // a common subsumer of two concepts
    Node node;
    unsigned path_a, path_b;
  };
  struct Pair {
    Node a, b;
    std::vector<Common> common;  // all of them
  };

  explicit SlowTaxonomy(const GeneratedTaxonomy& taxonomy);
  // Reads the links back through the public interface.
  static SlowTaxonomy of(const Ontology& ontology);

  // 1.2: everything at or below `root`; of that, for branches, what is at or above a value.
  SlowTaxonomy subtree(Node root) const;
  SlowTaxonomy branches(Node root, const std::set<Node>& values) const;

  std::size_t size() const { return ids_.size(); }  // N of 1.4: the virtual root counts
  bool has_virtual_root() const { return virtual_root_; }
  Node root() const { return root_; }
  const std::string& id(Node n) const { return ids_[n]; }  // "" for the virtual root
  Node node(const std::string& id) const { return node_of_.at(id); }
  bool contains(const std::string& id) const { return node_of_.contains(id); }
  const std::set<Node>& parents(Node n) const { return parents_[n]; }
  const std::set<Node>& children(Node n) const { return children_[n]; }
  bool is_leaf(Node n) const { return children_[n].empty(); }

  unsigned depth(Node n) const { return depth_[n]; }
  unsigned max_depth() const;  // D of 1.4
  // n and everything above it, each with the fewest links up to it.
  std::map<Node, unsigned> subsumers(Node n) const;
  // n and everything below it.
  std::set<Node> descendants(Node n) const;

  Pair pair(Node a, Node b) const;
  Common lcs(const Pair& pair) const;
  Common lcs(Node a, Node b) const { return lcs(pair(a, b)); }
  Node lcs(const std::vector<Node>& list) const;

 private:
  SlowTaxonomy() = default;
  void add(const std::string& id);
  void link(Node child, Node parent);
  void finish(bool with_virtual_root = false);  // joins several roots, counts depths
  unsigned longest_way(Node n, std::map<Node, unsigned>& known) const;
  SlowTaxonomy restricted_to(const std::set<Node>& members) const;

  std::vector<std::string> ids_;
  std::map<std::string, Node> node_of_;
  std::vector<std::set<Node>> parents_, children_;
  std::vector<unsigned> depth_;
  Node root_ = 0;
  bool virtual_root_ = false;
};

// The engine and its twin over the same concepts, and the way between their numberings.
struct Twins {
  Twins(const Ontology& ontology, SlowTaxonomy twin);
  Twins(const Domain& domain, const Names& names, SlowTaxonomy twin);
  explicit Twins(const GeneratedTaxonomy& taxonomy)
      : Twins(to_ontology(taxonomy), SlowTaxonomy(taxonomy)) {}
  static Twins of(const Ontology& ontology) { return {ontology, SlowTaxonomy::of(ontology)}; }

  std::shared_ptr<const Taxonomy> fast;
  std::shared_ptr<const Names> names;  // of the ontology, not of a domain
  SlowTaxonomy slow;
  std::vector<SlowTaxonomy::Node> node;  // by ConceptId
  std::vector<ConceptId> concept_id;     // by node
};

// What a Result holds, or an exception with the error's text.
template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(describe(result.error(), Quote::kShow));
  return *std::move(result);
}

}  // namespace semveil::test
