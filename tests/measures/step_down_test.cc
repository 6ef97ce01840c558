// What Measure::step_down promises, pair by pair; and that no greater promise could be kept.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/generate.h"
#include "support/slow_measures.h"

namespace semveil::test {
namespace {

struct Tightest {
  double loss = 1e300;  // least sd(c,v) − sd(p,v) beyond the promised one
  double gain = 1e300;
};

Tightest expect_promises_kept(const Measure& measure) {
  const Taxonomy& taxonomy = measure.taxonomy();
  Tightest tightest;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (taxonomy.parents(c).size() != 1) continue;
    const ConceptId p = taxonomy.parents(c)[0];
    const StepDown step = measure.step_down(c);
    const std::vector<ConceptId> below = taxonomy.descendants(c);
    for (ConceptId v = 0; v < taxonomy.size(); ++v) {
      const double farther = measure.distance(c, v) - measure.distance(p, v);
      if (std::binary_search(below.begin(), below.end(), v)) {
        EXPECT_LE(-farther, step.greatest_gain + 1e-14) << c << ", " << v;
        tightest.gain = std::min(tightest.gain, step.greatest_gain + farther);
      } else {
        if (step.least_loss >= 0) {
          EXPECT_GE(farther, 0) << c << ", " << v;
        }
        EXPECT_GE(farther, step.least_loss - 1e-14) << c << ", " << v;
        tightest.loss = std::min(tightest.loss, farther - step.least_loss);
      }
    }
  }
  return tightest;
}

class StepDownOnEveryShape : public testing::TestWithParam<Shape> {};

TEST_P(StepDownOnEveryShape, KeepsItsPromises) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    for (const MeasureCase& which : measure_cases()) {
      SCOPED_TRACE(which.title());
      expect_promises_kept(*engine_measure(twins.fast, which));
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, StepDownOnEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

// Two arms from the root reach every bound.
TEST(StepDown, PromisesAsMuchAsItCan) {
  GeneratedTaxonomy arms{{"root"}, {}};
  for (std::size_t c = 1; c <= 40; ++c) {
    arms.ids.push_back("c" + std::to_string(c));
    arms.links.emplace_back(c, c <= 2 ? 0 : c - 2);
  }
  const Twins twins(arms);
  for (const char* name : {"wu-palmer", "path", "leacock-chodorow"}) {
    const Tightest tightest = expect_promises_kept(*engine_measure(twins.fast, {name}));
    EXPECT_NEAR(tightest.loss, 0, 1e-12) << name;
    EXPECT_NEAR(tightest.gain, 0, 1e-12) << name;
  }
}

}  // namespace
}  // namespace semveil::test
