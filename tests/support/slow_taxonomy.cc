#include "support/slow_taxonomy.h"

#include <algorithm>
#include <deque>

namespace semveil::test {

using Node = SlowTaxonomy::Node;

SlowTaxonomy::SlowTaxonomy(const GeneratedTaxonomy& taxonomy) {
  for (const std::string& id : taxonomy.ids) add(id);
  for (const auto& [child, parent] : taxonomy.links) link(child, parent);
  finish();
}

SlowTaxonomy SlowTaxonomy::of(const Ontology& ontology) {
  const auto taxonomy = value_or_throw(ontology.taxonomy());
  const auto names = value_or_throw(ontology.names());
  SlowTaxonomy out;
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    if (!taxonomy->is_virtual(c)) out.add(std::string(names->id(c)));
  }
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    for (const ConceptId parent : taxonomy->parents(c)) {
      if (taxonomy->is_virtual(parent)) continue;  // finish() joins the roots anew
      out.link(out.node(std::string(names->id(c))), out.node(std::string(names->id(parent))));
    }
  }
  out.finish();
  return out;
}

void SlowTaxonomy::add(const std::string& id) {
  if (!node_of_.emplace(id, ids_.size()).second) throw std::logic_error("id twice: " + id);
  ids_.push_back(id);
  parents_.emplace_back();
  children_.emplace_back();
}

void SlowTaxonomy::link(Node child, Node parent) {
  parents_[child].insert(parent);
  children_[parent].insert(child);
}

// 1.1: "Several roots: join them under one virtual root. It has depth 1 (real roots 2)".
void SlowTaxonomy::finish(bool with_virtual_root) {
  std::vector<Node> roots;
  for (Node n = 0; n < size(); ++n) {
    if (parents_[n].empty()) roots.push_back(n);
  }
  virtual_root_ = with_virtual_root || roots.size() > 1;
  if (roots.empty() && !virtual_root_) throw std::logic_error("no root");
  if (!virtual_root_) root_ = roots.front();
  if (virtual_root_) {
    root_ = size();
    add("");
    for (const Node n : roots) link(n, root_);
  }
  std::map<Node, unsigned> known;
  for (Node n = 0; n < size(); ++n) depth_.push_back(longest_way(n, known));
}

// 1.1: "number of NODES on the LONGEST is-a path from the root to c, both included".
unsigned SlowTaxonomy::longest_way(Node n, std::map<Node, unsigned>& known) const {
  if (const auto it = known.find(n); it != known.end()) return it->second;
  unsigned longest_above = 0;
  for (const Node parent : parents_[n]) {
    longest_above = std::max(longest_above, longest_way(parent, known));
  }
  return known[n] = longest_above + 1;
}

unsigned SlowTaxonomy::max_depth() const { return *std::max_element(depth_.begin(), depth_.end()); }

// 1.1: "path(c, a): FEWEST is-a links from c up to its subsumer a": breadth first.
std::map<Node, unsigned> SlowTaxonomy::subsumers(Node n) const {
  std::map<Node, unsigned> path = {{n, 0}};
  std::deque<Node> queue = {n};
  while (!queue.empty()) {
    const Node next = queue.front();
    queue.pop_front();
    for (const Node parent : parents_[next]) {
      if (path.emplace(parent, path.at(next) + 1).second) queue.push_back(parent);
    }
  }
  return path;
}

std::set<Node> SlowTaxonomy::descendants(Node n) const {
  std::set<Node> below = {n};
  std::deque<Node> queue = {n};
  while (!queue.empty()) {
    const Node next = queue.front();
    queue.pop_front();
    for (const Node child : children_[next]) {
      if (below.insert(child).second) queue.push_back(child);
    }
  }
  return below;
}

SlowTaxonomy::Pair SlowTaxonomy::pair(Node a, Node b) const {
  Pair out{a, b, {}};
  const std::map<Node, unsigned> above_a = subsumers(a), above_b = subsumers(b);
  for (const auto& [node, path_a] : above_a) {
    if (const auto it = above_b.find(node); it != above_b.end()) {
      out.common.push_back({node, path_a, it->second});
    }
  }
  return out;
}

// 1.1: "the common subsumer of greatest depth; ties: smallest path(c1,a)+path(c2,a); then smallest
// id", in the byte order of ids (std::string compares its bytes as unsigned).
SlowTaxonomy::Common SlowTaxonomy::lcs(const Pair& pair) const {
  const auto comes_before = [this](const Common& x, const Common& y) {
    if (depth(x.node) != depth(y.node)) return depth(x.node) > depth(y.node);
    const unsigned sum_x = x.path_a + x.path_b, sum_y = y.path_a + y.path_b;
    if (sum_x != sum_y) return sum_x < sum_y;
    return id(x.node) < id(y.node);
  };
  return *std::min_element(pair.common.begin(), pair.common.end(), comes_before);
}

// The same for a list: the sum runs over its entries, so a repeated concept counts repeatedly.
Node SlowTaxonomy::lcs(const std::vector<Node>& list) const {
  std::map<Node, unsigned> sum = subsumers(list.front());
  for (std::size_t i = 1; i < list.size(); ++i) {
    const std::map<Node, unsigned> above = subsumers(list[i]);
    std::map<Node, unsigned> common;
    for (const auto& [node, path] : sum) {
      if (const auto it = above.find(node); it != above.end()) common[node] = path + it->second;
    }
    sum = common;
  }
  const auto comes_before = [this](const auto& x, const auto& y) {
    if (depth(x.first) != depth(y.first)) return depth(x.first) > depth(y.first);
    if (x.second != y.second) return x.second < y.second;
    return id(x.first) < id(y.first);
  };
  return std::min_element(sum.begin(), sum.end(), comes_before)->first;
}

SlowTaxonomy SlowTaxonomy::restricted_to(const std::set<Node>& members) const {
  SlowTaxonomy out;
  for (const Node n : members) {
    if (!(virtual_root_ && n == root_)) out.add(ids_[n]);  // finish() joins the roots anew
  }
  for (const Node n : members) {
    for (const Node parent : parents_[n]) {
      if (members.contains(parent) && !(virtual_root_ && parent == root_)) {
        out.link(out.node(ids_[n]), out.node(ids_[parent]));
      }
    }
  }
  // The virtual root stays even above a single branch: depths are counted from the domain's root.
  out.finish(virtual_root_ && members.contains(root_));
  return out;
}

SlowTaxonomy SlowTaxonomy::subtree(Node root) const { return restricted_to(descendants(root)); }

SlowTaxonomy SlowTaxonomy::branches(Node root, const std::set<Node>& values) const {
  const std::set<Node> below = descendants(root);
  std::set<Node> members = {root};
  for (const Node value : values) {
    if (!below.contains(value)) continue;
    for (const auto& [node, path] : subsumers(value)) {
      if (below.contains(node)) members.insert(node);
    }
  }
  return restricted_to(members);
}

Twins::Twins(const Ontology& ontology, SlowTaxonomy twin)
    : Twins(Domain::whole(value_or_throw(ontology.taxonomy())), *value_or_throw(ontology.names()),
            std::move(twin)) {
  names = value_or_throw(ontology.names());
}

Twins::Twins(const Domain& domain, const Names& all_names, SlowTaxonomy twin)
    : fast(domain.taxonomy()), slow(std::move(twin)) {
  if (fast->size() != slow.size()) throw std::logic_error("the twins differ in size");
  concept_id.resize(slow.size());
  for (ConceptId c = 0; c < fast->size(); ++c) {
    node.push_back(fast->is_virtual(c)
                       ? slow.root()
                       : slow.node(std::string(all_names.id(domain.in_ontology(c)))));
    concept_id[node.back()] = c;
  }
}

}  // namespace semveil::test
