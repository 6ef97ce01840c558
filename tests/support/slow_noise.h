// The slow twin of noise: the noise page's rules 1-4, one by one over all candidates.
//
// For one value, error and reference it gives everything that may be put in the value's place, and
// the rule that says so. It works on SlowTaxonomy's numbering and shares no code with the engine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "semveil/mechanism.h"
#include "support/slow_measures.h"
#include "support/slow_statistics.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {

struct SlowCandidateRules {
  std::set<std::string> deny;
  bool leaves_only = false;
  unsigned min_depth = 1;
};

class SlowNoise {
 public:
  using Node = SlowTaxonomy::Node;

  struct Answer {
    Rule rule;
    std::set<Node> admissible;  // in order of nodes, not of ids
  };

  SlowNoise(const SlowTaxonomy& taxonomy, const MeasureCase& measure,
            const SlowCandidateRules& rules, bool missing_is_value = false);

  // Missing as a value has the number after the taxonomy's last.
  Node missing() const { return taxonomy_.size(); }
  // 1.4; missing lies at distance 1 from all others.
  double sd(Node a, Node b) const { return distance_[a][b]; }
  const std::set<Node>& candidates() const { return candidates_; }

  // `reference`: nothing where there is no sign condition.
  Answer replace(Node x, double error, std::optional<Node> reference) const;
  // The one that `ties = "first"` takes: the smallest id; missing, which has none, comes last.
  Node first(const std::set<Node>& admissible) const;
  // Everything that some error can put in the place of x.
  std::set<Node> reachable(Node x, std::optional<Node> reference, bool first_only) const;

  // By SlowStatistics; `counts` by node.
  std::optional<Node> mean(const std::map<Node, std::uint64_t>& counts) const;
  double variance(const std::map<Node, std::uint64_t>& counts, Node mean) const;

 private:
  SlowColumn records(const std::map<Node, std::uint64_t>& counts) const;
  bool less(double a, double b) const;  // by more than what counts as tied
  std::set<Node> nearest(Node x, const std::set<Node>& of) const;
  std::set<Node> farthest(Node x, const std::set<Node>& of) const;

  const SlowTaxonomy& taxonomy_;
  double tied_;
  std::optional<SlowStatistics> statistics_;
  std::vector<std::vector<double>> distance_;
  std::set<Node> candidates_;
};

}  // namespace semveil::test
