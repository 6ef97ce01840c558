// The slow twins of the distances and of the intrinsic information contents: the formulas of the
// semantics page 1.4, one by one, over SlowTaxonomy.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "semveil/measure.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {

struct SlowIc {
  std::vector<double> of;  // by node
  double max = 0;
};
SlowIc slow_seco(const SlowTaxonomy& taxonomy);
SlowIc slow_sanchez(const SlowTaxonomy& taxonomy);

enum class IcModel : std::uint8_t { kNone, kSeco, kSanchez };

// One way to measure: a name and, for the measures on information content, a model and a rule.
struct MeasureCase {
  std::string name;
  IcModel ic = IcModel::kNone;
  LcsRule rule = LcsRule::kDeepest;

  bool uses_ic() const { return ic != IcModel::kNone; }
  // Measures without logarithms: the twin gives the same bits.
  bool is_exact() const { return !uses_ic() && name != "leacock-chodorow" && name != "sanchez"; }
  std::string title() const;
};
// Every measure × IC model × LCS rule.
const std::vector<MeasureCase>& measure_cases();

class SlowMeasure {
 public:
  // `ic` is that of which.ic over the same taxonomy; nothing where that is kNone.
  SlowMeasure(const SlowTaxonomy& taxonomy, MeasureCase which, std::shared_ptr<const SlowIc> ic);

  const MeasureCase& which() const { return which_; }

  double distance(const SlowTaxonomy::Pair& pair) const;
  // The common subsumer the distance is computed from. `path` and `leacock-chodorow` take any of
  // the least path sum; here the first.
  SlowTaxonomy::Common subsumer(const SlowTaxonomy::Pair& pair) const;
  // The formula with that common subsumer in the place of the LCS.
  double distance_through(const SlowTaxonomy::Pair& pair, const SlowTaxonomy::Common& l) const;
  // How far a value may be off because two libraries' logarithms differ in the last place.
  double tolerance(const SlowTaxonomy::Pair& pair) const;

 private:
  const SlowTaxonomy& taxonomy_;
  MeasureCase which_;
  std::shared_ptr<const SlowIc> ic_;
  unsigned max_depth_;
};

// One twin for each of measure_cases(). The taxonomy must outlive them.
std::vector<SlowMeasure> slow_measures(const SlowTaxonomy& taxonomy);

// The engine's measure of the same kind.
std::unique_ptr<const Measure> engine_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                              const MeasureCase& which);

}  // namespace semveil::test
