#include "support/slow_noise.h"

#include <algorithm>
#include <cmath>

namespace semveil::test {

using Node = SlowTaxonomy::Node;

namespace {

constexpr double kTolerance = 1e-9;  // page 3, rule 3: "against ε with a tolerance of 1e-9"

}  // namespace

SlowNoise::SlowNoise(const SlowTaxonomy& taxonomy, const MeasureCase& measure,
                     const SlowCandidateRules& rules, bool missing_is_value)
    : taxonomy_(taxonomy),
      // Rule 3: "Distances are ratios of small integers: compare them exactly"; page 10:
      // "non-integer measures within 1e-9 are tied".
      tied_(measure.is_exact() ? 0 : kTolerance),
      distance_(taxonomy.size() + 1, std::vector<double>(taxonomy.size() + 1, 1.0)) {
  const auto pairs = slow_pairs(taxonomy);
  for (const SlowMeasure& slow : slow_measures(taxonomy)) {
    if (slow.which().title() == measure.title()) statistics_.emplace(taxonomy, slow, pairs);
  }
  for (Node a = 0; a < taxonomy.size(); ++a) {
    for (Node b = 0; b < taxonomy.size(); ++b) distance_[a][b] = statistics_->distance(a, b);
  }
  distance_[missing()][missing()] = 0;
  for (Node n = 0; n < taxonomy.size(); ++n) {
    if (taxonomy.has_virtual_root() && n == taxonomy.root()) continue;  // 1.1: never a replacement
    if (rules.deny.contains(taxonomy.id(n))) continue;                  // 1.2
    if (rules.leaves_only && !taxonomy.is_leaf(n)) continue;
    if (taxonomy.depth(n) < rules.min_depth) continue;
    candidates_.insert(n);
  }
  // Page 9: "may be replaced or assigned like any value". The rules speak of concepts only.
  if (missing_is_value) candidates_.insert(missing());
}

bool SlowNoise::less(double a, double b) const { return a < b - tied_; }

std::set<Node> SlowNoise::nearest(Node x, const std::set<Node>& of) const {
  double least = 2;
  for (const Node c : of) least = std::min(least, sd(c, x));
  std::set<Node> out;
  for (const Node c : of) {
    if (!less(least, sd(c, x))) out.insert(c);
  }
  return out;
}

std::set<Node> SlowNoise::farthest(Node x, const std::set<Node>& of) const {
  double greatest = -1;
  for (const Node c : of) greatest = std::max(greatest, sd(c, x));
  std::set<Node> out;
  for (const Node c : of) {
    if (!less(sd(c, x), greatest)) out.insert(c);
  }
  return out;
}

SlowNoise::Answer SlowNoise::replace(Node x, double error, std::optional<Node> r) const {
  // 1. "ε = 0 → keep x."
  if (error == 0) return {Rule::kZero, {x}};
  // 3. "x is never its own replacement when ε ≠ 0; a domain with no other candidate keeps it".
  std::set<Node> others = candidates_;
  others.erase(x);
  if (others.empty()) return {Rule::kAlone, {x}};

  // 2. "If ε > 0 keep those farther from r than x is: sd(c,r) > sd(x,r); if ε < 0 those closer".
  std::set<Node> on_side, far, both;
  for (const Node c : others) {
    const bool side = !r || (error > 0 ? less(sd(x, *r), sd(c, *r)) : less(sd(c, *r), sd(x, *r)));
    // "C = {c in τ : sd(c,x) ≥ |ε|}".
    const bool far_enough = sd(c, x) >= std::abs(error) - kTolerance;
    if (side) on_side.insert(c);
    if (far_enough) far.insert(c);
    if (side && far_enough) both.insert(c);
  }
  // 3. "Replace by the c of smallest sd(c,x)."
  if (!both.empty()) return {Rule::kPaper, nearest(x, both)};
  // 4. "among concepts that satisfy the sign condition take the farthest from x (truncation)".
  if (!on_side.empty()) return {Rule::kTruncated, farthest(x, on_side)};
  // "If none satisfies the sign condition: drop it and take the smallest sd ≥ |ε|".
  if (!far.empty()) return {Rule::kNoSign, nearest(x, far)};
  // "failing that the farthest".
  return {Rule::kFarthest, farthest(x, others)};
}

Node SlowNoise::first(const std::set<Node>& admissible) const {
  return *std::min_element(admissible.begin(), admissible.end(), [this](Node a, Node b) {
    if (a == missing() || b == missing()) return a < b;
    return taxonomy_.id(a) < taxonomy_.id(b);
  });
}

// Between two neighbouring distances every error of one sign gives the same answer, so errors at
// the distances themselves and one beyond them all are enough.
std::set<Node> SlowNoise::reachable(Node x, std::optional<Node> r, bool first_only) const {
  std::set<double> sizes = {2.0};
  for (const Node c : candidates_) {
    if (c != x && sd(c, x) > 0) sizes.insert(sd(c, x));
  }
  sizes.insert(*sizes.begin() / 2);
  std::set<Node> out;
  for (const double size : sizes) {
    for (const double error : {size, -size}) {
      const std::set<Node> admissible = replace(x, error, r).admissible;
      if (first_only) {
        out.insert(first(admissible));
      } else {
        out.insert(admissible.begin(), admissible.end());
      }
    }
  }
  return out;
}

SlowColumn SlowNoise::records(const std::map<Node, std::uint64_t>& counts) const {
  SlowColumn out;
  for (const auto& [v, count] : counts) {
    out.insert(out.end(), count, v == missing() ? std::nullopt : std::optional(v));
  }
  return out;
}

std::optional<Node> SlowNoise::mean(const std::map<Node, std::uint64_t>& counts) const {
  return statistics_->mean(records(counts));
}

double SlowNoise::variance(const std::map<Node, std::uint64_t>& counts, Node mean) const {
  return statistics_->variance(records(counts), mean);
}

}  // namespace semveil::test
