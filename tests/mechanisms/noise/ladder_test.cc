// Ladders against the slow twin, where drawn errors hardly ever fall: on the distances themselves,
// and closer to them than the tolerance. Every value × reference × edge of every rung.
#include "mechanisms/noise/ladder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "mechanisms/noise/ladder_shelf.h"
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

// ---- Steps ------------------------------------------------------------------------------------

// Bits around every edge of a step, with the lowest and the highest bits of a key, and some others.
std::vector<std::uint64_t> telling_bits(const Ladder& ladder, const ErrorKeys& keys) {
  std::set<std::uint32_t> around = {0, ErrorKeys::kMiddle, 0xFFFFFFFF};
  for (const ErrorSide side : {ErrorSide::kCloser, ErrorSide::kFarther, ErrorSide::kAny}) {
    for (const Ladder::Rung& rung : ladder.distances(side)) {
      const std::uint32_t reached = keys.reached(rung.distance);
      around.insert({ErrorKeys::kMiddle + reached, ErrorKeys::kMiddle - reached});
    }
  }
  std::vector<std::uint64_t> bits = spread_bits(1000);
  for (const std::uint32_t key : around) {
    for (std::uint32_t off = 0; off < 20; ++off) {
      const std::uint64_t near = std::uint64_t{key + off - 10} << 32U;
      bits.insert(bits.end(), {near, near + 1, near + 0x80000000, near + 0xFFFFFFFF});
    }
  }
  return bits;
}

// How many bits the keys told the step of, of all.
std::pair<std::size_t, std::size_t> expect_steps(const Attribute& attribute, double deviation,
                                                 NoiseDistribution distribution) {
  const CandidateList candidates(attribute);
  const ErrorKeys keys(deviation, distribution);
  const auto reference = static_cast<ConceptId>(attribute.taxonomy().size() / 2);
  const LadderShelf shelf(attribute, candidates, reference, AtReference::kFree, false, &keys);
  std::size_t told = 0, all = 0;
  for (ConceptId x = 0; x < attribute.taxonomy().size(); x += 3) {
    const Ladder& ladder = shelf.of(x);
    if (ladder.steps().empty()) continue;
    for (const std::uint64_t bits : telling_bits(ladder, keys)) {
      const Ladder::Pick pick = ladder.choose(keys.error(bits));
      const LadderSteps::Step* const step = ladder.steps().at(bits);
      ++all;
      if (step == nullptr) continue;
      ++told;
      EXPECT_EQ(step->begin, pick.rung->begin) << "value " << x << ", bits " << bits;
      EXPECT_EQ(step->count, pick.rung->count) << "value " << x << ", bits " << bits;
    }
  }
  return {told, all};
}

TEST_P(LadderOnEveryShape, HasStepsThatLeadWhereTheErrorsLead) {
  const TwinDomain domain(generate(GetParam(), 60, 4));
  for (const char* measure : {"wu-palmer", "path", "leacock-chodorow"}) {
    const auto attribute = make_attribute("column", domain, {measure});
    for (const double deviation : {0.002, 0.1, 0.5, 20.0}) {
      for (const auto distribution : {NoiseDistribution::kNormal, NoiseDistribution::kLaplace}) {
        SCOPED_TRACE(std::string(measure) + ", deviation " + std::to_string(deviation));
        const auto [told, all] = expect_steps(*attribute, deviation, distribution);
        ASSERT_GE(told, all / 3);  // of the bits around edges 8 keys of 20 are not told
      }
    }
  }
}

TEST(ErrorKeys, AreNotUsedWhereErrorsAreTooCloseToEachOther) {
  EXPECT_FALSE(ErrorKeys(0, NoiseDistribution::kNormal).usable());
  EXPECT_FALSE(ErrorKeys(1e-6, NoiseDistribution::kNormal).usable());
  EXPECT_TRUE(ErrorKeys(0.3, NoiseDistribution::kLaplace).usable());
}

TEST(ErrorKeys, SayHowManyErrorsADistanceReaches) {
  const ErrorKeys keys(0.5, NoiseDistribution::kNormal);
  for (const double distance : {0.01, 0.2, 0.5, 0.9, 1.0}) {
    const std::uint64_t first_beyond = ErrorKeys::kMiddle + std::uint64_t{keys.reached(distance)};
    EXPECT_GT(keys.error((first_beyond + 1) << 32U) - kErrorTolerance, distance);
    EXPECT_LE(keys.error((first_beyond - 2) << 32U) - kErrorTolerance, distance);
  }
  EXPECT_EQ(keys.reached(100), ErrorKeys::kMiddle);
}

// ---- Places -------------------------------------------------------------------------------------

// Every place has the candidate that sorting by distance, side and number puts there.
void expect_sorted(const Attribute& attribute, ConceptId x, ConceptId r) {
  const CandidateList candidates(attribute);
  const ReferenceLevels reference(attribute, r);
  attribute.measure->levels({&x, 1}, [&](std::size_t, const Levels& levels) {
    const Ladder ladder(attribute, candidates, x, &levels, &reference, false);
    std::vector<std::array<std::uint32_t, 3>> sorted;
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
      const ConceptId c = candidates[i];
      if (c == x) continue;
      const std::uint32_t far = reference.of(c), x_far = reference.of(x);
      sorted.push_back({levels.of[c], far < x_far ? 0U : far == x_far ? 1U : 2U, i});
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::uint32_t place = 0; place < sorted.size(); ++place) {
      ASSERT_EQ(ladder.candidate(place), sorted[place][2])
          << "value " << x << ", reference " << r << ", place " << place;
    }
  });
}

class LadderPlaces : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { allow_avx2() = GetParam(); }
  void TearDown() override { allow_avx2() = true; }
};

TEST_P(LadderPlaces, AreThoseOfTheSortedCandidates) {
  for (const Shape shape : {Shape::kTree, Shape::kDag, Shape::kSkips, Shape::kStar}) {
    const TwinDomain domain(generate(shape, 700, 5));
    const auto attribute = make_attribute("column", domain, {"wu-palmer"});
    const auto size = static_cast<ConceptId>(domain.twins.fast->size());
    for (ConceptId x = 1; x < size; x += 23) {
      for (ConceptId r = 0; r < size; r += 97) {
        ASSERT_NO_FATAL_FAILURE(expect_sorted(*attribute, x, r)) << to_string(shape);
      }
    }
  }
}

// Siblings of 1,406 groups, every other one a group of x's own ancestor: more runs of 5 in a block
// than a ladder looks at at once.
TEST_P(LadderPlaces, AreThoseOfTheSortedCandidatesWhereRunsAreShortAndMany) {
  GeneratedTaxonomy made;
  made.ids = {"r", "a", "c", "d"};
  made.links = {{1, 0}, {2, 0}, {3, 0}};
  for (std::size_t g = 0; g < 1406; ++g) {
    const std::size_t group = made.ids.size();
    made.ids.push_back("g" + std::to_string(10000 + g));
    made.links.emplace_back(group, 1);
    made.links.emplace_back(group, g % 2 == 0 ? 2 : 3);
    for (std::size_t leaf = 0; leaf < 5; ++leaf) {
      made.links.emplace_back(made.ids.size(), group);
      made.ids.push_back(made.ids[group] + "." + std::to_string(leaf));
    }
  }
  made.links.emplace_back(made.ids.size(), 3);
  made.ids.emplace_back("x");
  const TwinDomain domain(made);
  const auto attribute = make_attribute("column", domain, {"wu-palmer"});
  const auto concept_of = [&](const char* id) {
    return domain.twins.concept_id[domain.twins.slow.node(id)];
  };
  for (const char* r : {"r", "d", "g10004.3", "g10005"}) {
    ASSERT_NO_FATAL_FAILURE(expect_sorted(*attribute, concept_of("x"), concept_of(r)));
    ASSERT_NO_FATAL_FAILURE(expect_sorted(*attribute, concept_of("g10700.3"), concept_of(r)));
  }
}

// Blocks are as long as runs are: from 128 places to all of them.
TEST_P(LadderPlaces, AreThoseOfTheSortedCandidatesWhereRunsAreLong) {
  for (const std::size_t children : {std::size_t{6}, std::size_t{70}, std::size_t{20'000}}) {
    GeneratedTaxonomy made;
    for (std::size_t c = 0; c < 20'000; ++c) {
      made.ids.push_back(std::to_string(100'000 + c));
      if (c > 0) made.links.emplace_back(c, (c - 1) / children);
    }
    const Ontology ontology = to_ontology(made);
    Attribute attribute;
    attribute.name = "column";
    attribute.domain = std::make_shared<const Domain>(Domain::whole(*ontology.taxonomy()));
    attribute.names = *ontology.names();
    attribute.measure = *make_measure(*ontology.taxonomy());
    attribute.candidates =
        std::make_shared<const Candidates>(*Candidates::of(attribute.taxonomy(), {}));
    for (const ConceptId x : {0U, 5U, 300U, 19'999U}) {
      ASSERT_NO_FATAL_FAILURE(expect_sorted(attribute, x, 17));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LadderPlaces, testing::Bool(),
                         [](const auto& test) { return test.param ? "avx2" : "plain"; });

}  // namespace
}  // namespace semveil::test
