// Ladders against the slow twin, where drawn errors hardly ever fall: on the distances themselves,
// and closer to them than the tolerance. Every value × reference × edge of every rung.
#include "mechanisms/ladder.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "mechanisms/ladder_shelf.h"
#include "support/generated_table.h"
#include "support/slow_noise.h"

namespace semveil::test {
namespace {

using Node = SlowTaxonomy::Node;

// 2^64 / count apart, so that each of at most `count` equally likely answers comes at least once.
std::vector<std::uint64_t> spread_bits(std::size_t count) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(~std::uint64_t{0} / count * i + ~std::uint64_t{0} / (2 * count));
  }
  out.push_back(0);
  out.push_back(~std::uint64_t{0});
  return out;
}

void expect_as_twin(const TwinDomain& domain, const CandidateList& candidates, const Ladder& ladder,
                    const SlowNoise& slow, Node x, double error, std::optional<Node> reference) {
  const SlowNoise::Answer answer = slow.replace(x, error, reference);
  ASSERT_EQ(ladder.alone(), answer.rule == Rule::kAlone);
  if (ladder.alone()) return;
  const Ladder::Pick pick = ladder.choose(error);
  ASSERT_EQ(to_string(pick.rule), to_string(answer.rule));
  std::set<Node> picked;
  for (const std::uint64_t bits : spread_bits(2 * answer.admissible.size())) {
    picked.insert(domain.node(candidates[ladder.random(pick, bits)]));
  }
  ASSERT_EQ(picked, answer.admissible);
  ASSERT_EQ(domain.node(candidates[ladder.first(pick)]), slow.first(answer.admissible));
  ASSERT_NEAR(pick.rung->distance, slow.sd(x, *picked.begin()), 1e-9);
}

void expect_as_twin(const TwinDomain& domain, const MeasureCase& measure,
                    const SlowCandidateRules& rules, bool missing_is_value) {
  const auto attribute = make_attribute("column", domain, measure, rules, missing_is_value);
  const SlowNoise slow(domain.twins.slow, measure, rules, missing_is_value);
  const CandidateList candidates(*attribute);
  const PairShelf shelf(*attribute, candidates, true);
  const auto size = static_cast<ConceptId>(domain.twins.fast->size());
  for (ConceptId x = 0; x < size + (missing_is_value ? 1 : 0); ++x) {
    if (domain.twins.fast->is_virtual(x)) continue;
    std::set<double> errors = {1e-3, 2};
    for (const Node c : slow.candidates()) {
      const double distance = slow.sd(domain.node(x), c);
      for (const double off : {-2e-9, -5e-10, 0.0, 5e-10, 2e-9}) {
        if (distance > 0) errors.insert(distance + off);
      }
    }
    for (ConceptId r = 0; r <= size; ++r) {  // the last: no reference
      const bool without = r == size;
      const auto ladder = shelf.of(x, without ? std::nullopt : std::optional(r));
      const std::optional<Node> reference = without ? std::nullopt : std::optional(domain.node(r));
      for (const double error : errors) {
        for (const double sign : {1.0, -1.0}) {
          SCOPED_TRACE("value " + std::to_string(x) + ", reference " + std::to_string(r) +
                       ", error " + std::to_string(sign * error));
          ASSERT_NO_FATAL_FAILURE(expect_as_twin(domain, candidates, *ladder, slow, domain.node(x),
                                                 sign * error, reference));
        }
      }
    }
  }
}

class LadderOnEveryShape : public testing::TestWithParam<Shape> {};

TEST_P(LadderOnEveryShape, GivesWhatTheTwinGivesAtTheEdgesOfEveryRung) {
  const TwinDomain domain(generate(GetParam(), 14, 3));
  SlowCandidateRules leaves;
  leaves.leaves_only = true;
  for (const MeasureCase& measure :
       {MeasureCase{"wu-palmer"}, MeasureCase{"wu-palmer-edges"}, MeasureCase{"path"},
        MeasureCase{"leacock-chodorow"}, MeasureCase{"lin", IcModel::kSeco, LcsRule::kDeepest},
        MeasureCase{"resnik", IcModel::kSanchez, LcsRule::kMica}}) {
    SCOPED_TRACE(measure.title());
    ASSERT_NO_FATAL_FAILURE(expect_as_twin(domain, measure, {}, false));
    ASSERT_NO_FATAL_FAILURE(expect_as_twin(domain, measure, {}, true));
    ASSERT_NO_FATAL_FAILURE(expect_as_twin(domain, measure, leaves, false));
  }
}

INSTANTIATE_TEST_SUITE_P(All, LadderOnEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

}  // namespace
}  // namespace semveil::test
