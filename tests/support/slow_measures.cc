#include "support/slow_measures.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace semveil::test {

using Common = SlowTaxonomy::Common;
using Node = SlowTaxonomy::Node;
using Pair = SlowTaxonomy::Pair;

namespace {

struct Counts {  // strictly below each node, every concept once
  std::vector<double> concepts, leaves;
};

// Each node is counted at everything above it: a few steps per node, where collecting the
// descendants of every node of WordNet would take minutes.
Counts count_below(const SlowTaxonomy& taxonomy) {
  Counts below{std::vector<double>(taxonomy.size()), std::vector<double>(taxonomy.size())};
  for (Node n = 0; n < taxonomy.size(); ++n) {
    for (const auto& [above, path] : taxonomy.subsumers(n)) {
      if (above == n) continue;
      below.concepts[above] += 1;
      if (taxonomy.is_leaf(n)) below.leaves[above] += 1;
    }
  }
  return below;
}

}  // namespace

// 1.4: "Seco: IC = 1 − ln(hypo+1)/ln N, hypo without c, maxIC 1" (Seco, Veale & Hayes 2004, eq 2).
// One concept: IC(root of τ) = 0.
SlowIc slow_seco(const SlowTaxonomy& taxonomy) {
  const auto N = static_cast<double>(taxonomy.size());
  if (taxonomy.size() == 1) return {{0.0}, 1.0};
  const Counts below = count_below(taxonomy);
  SlowIc ic{{}, 1.0};
  for (Node n = 0; n < taxonomy.size(); ++n) {
    ic.of.push_back(1 - std::log(below.concepts[n] + 1) / std::log(N));
  }
  return ic;
}

// 1.4: "Sánchez: IC = −ln((leaves/|subsumers|+1)/(leaves(τ)+1)), leaves below c without c,
// subsumers with c, maxIC = ln(leaves(τ)+1)" (Sánchez, Batet & Isern 2011, eq 8).
SlowIc slow_sanchez(const SlowTaxonomy& taxonomy) {
  if (taxonomy.size() == 1) return {{0.0}, 1.0};
  const Counts below = count_below(taxonomy);
  double all_leaves = 0;
  for (Node n = 0; n < taxonomy.size(); ++n) all_leaves += taxonomy.is_leaf(n) ? 1 : 0;
  SlowIc ic{{}, std::log(all_leaves + 1)};
  for (Node n = 0; n < taxonomy.size(); ++n) {
    const auto subsumers = static_cast<double>(taxonomy.subsumers(n).size());
    ic.of.push_back(-std::log((below.leaves[n] / subsumers + 1) / (all_leaves + 1)));
  }
  return ic;
}

std::string MeasureCase::title() const {
  std::string text = name;
  if (ic == IcModel::kSeco) text += ", seco";
  if (ic == IcModel::kSanchez) text += ", sanchez";
  if (rule == LcsRule::kMica) text += ", mica";
  return text;
}

const std::vector<MeasureCase>& measure_cases() {
  static const std::vector<MeasureCase> kCases = [] {
    std::vector<MeasureCase> cases;
    for (const char* name :
         {"wu-palmer", "wu-palmer-edges", "path", "leacock-chodorow", "sanchez"}) {
      cases.push_back({name});
    }
    for (const char* name : {"resnik", "lin", "jiang-conrath"}) {
      for (const IcModel ic : {IcModel::kSeco, IcModel::kSanchez}) {
        for (const LcsRule rule : {LcsRule::kDeepest, LcsRule::kMica}) {
          cases.push_back({name, ic, rule});
        }
      }
    }
    return cases;
  }();
  return kCases;
}

SlowMeasure::SlowMeasure(const SlowTaxonomy& taxonomy, MeasureCase which,
                         std::shared_ptr<const SlowIc> ic)
    : taxonomy_(taxonomy),
      which_(std::move(which)),
      ic_(std::move(ic)),
      max_depth_(taxonomy.max_depth()) {}

std::vector<SlowMeasure> slow_measures(const SlowTaxonomy& taxonomy) {
  const auto seco = std::make_shared<const SlowIc>(slow_seco(taxonomy));
  const auto sanchez = std::make_shared<const SlowIc>(slow_sanchez(taxonomy));
  std::vector<SlowMeasure> out;
  for (const MeasureCase& which : measure_cases()) {
    out.emplace_back(taxonomy, which,
                     which.ic == IcModel::kSeco      ? seco
                     : which.ic == IcModel::kSanchez ? sanchez
                                                     : nullptr);
  }
  return out;
}

Common SlowMeasure::subsumer(const Pair& pair) const {
  if (which_.name == "path" || which_.name == "leacock-chodorow") {
    // 1.4: "p the least over all common subsumers".
    return *std::min_element(
        pair.common.begin(), pair.common.end(),
        [](const Common& x, const Common& y) { return x.path_a + x.path_b < y.path_a + y.path_b; });
  }
  if (which_.rule == LcsRule::kMica) {
    // 1.4: "greatest IC, then depth, then id".
    return *std::min_element(pair.common.begin(), pair.common.end(),
                             [this](const Common& x, const Common& y) {
                               const double ic_x = ic_->of[x.node], ic_y = ic_->of[y.node];
                               if (ic_x != ic_y) return ic_x > ic_y;
                               const unsigned depth_x = taxonomy_.depth(x.node);
                               const unsigned depth_y = taxonomy_.depth(y.node);
                               if (depth_x != depth_y) return depth_x > depth_y;
                               return taxonomy_.id(x.node) < taxonomy_.id(y.node);
                             });
  }
  return taxonomy_.lcs(pair);
}

double SlowMeasure::distance(const Pair& pair) const {
  return distance_through(pair, subsumer(pair));
}

// S0 = semantic noise, S2 = rank swapping, S3 = framework, S4 = master thesis.
double SlowMeasure::distance_through(const Pair& pair, const Common& l) const {
  if (pair.a == pair.b) return 0;  // 1.4: "c1 = c2 → sd 0"
  const auto ratio = [](double x, double y) { return y == 0 ? 0 : x / y; };
  const double depth = taxonomy_.depth(l.node);
  const double p1 = l.path_a, p2 = l.path_b;
  const double D = max_depth_;

  if (which_.name == "wu-palmer") {  // S2 eq 3, S3 eq 11-12
    return 1 - 2 * depth / (2 * depth + p1 + p2);
  }
  if (which_.name == "wu-palmer-edges") {  // S4 eq 7, N3 = links from the LCS to the root
    const double N3 = depth - 1;
    return 1 - 2 * N3 / (p1 + p2 + 2 * N3);
  }
  if (which_.name == "path") {  // S4 eq 5, over the longest possible
    return ratio(p1 + p2, 2 * (D - 1));
  }
  if (which_.name == "leacock-chodorow") {
    // S4 eq 6: sim = −ln(Np/2D), which runs from −ln 1 = 0 up to ln 2D at Np = 1; so
    // 1 − sim/ln 2D = ln Np / ln 2D.
    const double Np = p1 + p2 + 1;
    return ratio(std::log(Np), std::log(2 * D));
  }
  if (which_.name == "sanchez") {  // 1.4: "log2(1 + (|A∪B|−|A∩B|)/|A∪B|) on ancestor sets"
    const double common = static_cast<double>(pair.common.size());
    const double all = static_cast<double>(taxonomy_.subsumers(pair.a).size()) +
                       static_cast<double>(taxonomy_.subsumers(pair.b).size()) - common;
    return std::log2(1 + (all - common) / all);
  }
  const double ic1 = ic_->of[pair.a], ic2 = ic_->of[pair.b], ic = ic_->of[l.node];
  if (which_.name == "resnik") {  // S4 eq 14
    return ic_->max == 0 ? 0 : 1 - ic / ic_->max;
  }
  if (which_.name == "lin") {  // S4 eq 15
    return ic1 + ic2 == 0 ? 0 : 1 - 2 * ic / (ic1 + ic2);
  }
  if (which_.name == "jiang-conrath") {  // S4 eq 16
    return ratio(ic1 + ic2 - 2 * ic, 2 * ic_->max);
  }
  throw std::logic_error("no such measure: " + which_.name);
}

// An IC is off by a few units in the last place of 1. Lin divides by IC(a) + IC(b), and on a long
// chain the concept below the root has an IC of 1/(N ln N): the quotient magnifies the error.
double SlowMeasure::tolerance(const Pair& pair) const {
  constexpr double kTolerance = 1e-12;
  if (which_.is_exact()) return 0;
  if (which_.name != "lin" || pair.a == pair.b) return kTolerance;
  constexpr double kIcError = 1e-15;
  return std::max(kTolerance, kIcError / (ic_->of[pair.a] + ic_->of[pair.b]));
}

std::unique_ptr<const Measure> engine_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                              const MeasureCase& which) {
  MeasureOptions options;
  options.name = which.name;
  options.lcs = which.rule;
  if (which.ic == IcModel::kSeco) {
    options.ic = std::make_shared<InformationContent>(InformationContent::seco(*taxonomy));
  }
  if (which.ic == IcModel::kSanchez) {
    options.ic = std::make_shared<InformationContent>(InformationContent::sanchez(*taxonomy));
  }
  return value_or_throw(make_measure(std::move(taxonomy), options));
}

}  // namespace semveil::test
