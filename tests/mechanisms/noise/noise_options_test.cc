// What noise refuses, and with which error: the noise page's last paragraphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "semveil/noise.h"
#include "support/generated_table.h"

namespace semveil::test {
namespace {

Key some_key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{1, 2, 3}); }

class NoiseOptionsTest : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 60;

  NoiseOptionsTest()
      : domain_(generate(Shape::kTree, 30, 1)), other_(generate(Shape::kTree, 30, 2)) {}

  GeneratedTable table(std::size_t columns, const SlowCandidateRules& rules = {}) const {
    Random random(5);
    GeneratedTable out;
    for (std::size_t j = 0; j < columns; ++j) {
      out.columns.push_back(
          {make_attribute("column " + std::to_string(j), domain_, {"wu-palmer"}, rules),
           draw_cells(*domain_.twins.fast, kRows, 8, 0, random)});
    }
    return out;
  }

  static Result<std::unique_ptr<const FittedMethod>> fit(const NoiseOptions& options,
                                                         const GeneratedTable& table) {
    return make_noise(options)->fit(table.frequencies(), some_key());
  }
  // The message must be one to act on: it names the column, where there is one to blame.
  static void expect_refused(const NoiseOptions& options, const GeneratedTable& table,
                             ErrorCode code) {
    const auto plan = fit(options, table);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, code) << plan.error().message;
    EXPECT_GT(plan.error().message.size(), 20U);
  }

  TwinDomain domain_, other_;
};

TEST_F(NoiseOptionsTest, AlphaMustBePositive) {
  NoiseOptions options;
  for (const double alpha :
       {0.0, -0.0, -0.3, -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SCOPED_TRACE(alpha);
    options.alpha = alpha;
    expect_refused(options, table(1), ErrorCode::kData);
  }
  options.alpha = 1e-12;
  EXPECT_TRUE(fit(options, table(1)));
}

TEST_F(NoiseOptionsTest, PairsNeedAnEvenNumberOfColumns) {
  NoiseOptions options;
  options.reference = NoiseReference::kPair;
  for (const std::size_t columns : {1, 3}) {
    expect_refused(options, table(columns), ErrorCode::kData);
  }
  EXPECT_TRUE(fit(options, table(2)));
  EXPECT_TRUE(fit(options, table(4)));
}

TEST_F(NoiseOptionsTest, NamedPairsMustTakeEveryColumnOnce) {
  NoiseOptions options;
  options.reference = NoiseReference::kPair;
  for (const auto& pairs :
       {std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}},  // 2 and 3 are left
        {{0, 1}, {1, 2}},
        {{0, 0}, {1, 2}},
        {{0, 1}, {2, 4}},
        {{0, 1}, {2, 3}, {0, 1}}}) {
    SCOPED_TRACE(testing::PrintToString(pairs));
    options.pairs = pairs;
    expect_refused(options, table(4), ErrorCode::kData);
  }
  options.pairs = {{3, 1}, {0, 2}};
  EXPECT_TRUE(fit(options, table(4)));
}

TEST_F(NoiseOptionsTest, PairsLiveInOneDomain) {
  NoiseOptions options;
  options.reference = NoiseReference::kPair;
  GeneratedTable two = table(2);
  Random random(6);
  two.columns[1] = {make_attribute("elsewhere", other_, {"wu-palmer"}),
                    draw_cells(*other_.twins.fast, kRows, 8, 0, random)};
  expect_refused(options, two, ErrorCode::kData);
  options.reference = NoiseReference::kRoot;
  EXPECT_TRUE(fit(options, two));
}

TEST_F(NoiseOptionsTest, LaplaceIsNotCorrelated) {
  NoiseOptions options;
  options.distribution = NoiseDistribution::kLaplace;
  options.correlated = true;
  expect_refused(options, table(2), ErrorCode::kData);
  options.correlated = false;
  EXPECT_TRUE(fit(options, table(2)));
}

// A column of one value has no variance: no error would ever move it.
TEST_F(NoiseOptionsTest, AConstantColumnIsRefusedUnlessItMayStay) {
  for (const NoiseReference reference :
       {NoiseReference::kMean, NoiseReference::kPair, NoiseReference::kRoot}) {
    for (const bool correlated : {false, true}) {
      SCOPED_TRACE(std::string(to_string(reference)) + (correlated ? ", correlated" : ""));
      NoiseOptions options;
      options.reference = reference;
      options.correlated = correlated;
      GeneratedTable constant = table(2);
      for (ConceptId& cell : constant.columns[1].cells) cell = 5;
      expect_refused(options, constant, ErrorCode::kGuarantee);

      options.allow_unmasked = true;
      const auto plan = fit(options, constant);
      ASSERT_TRUE(plan) << plan.error().message;
      MaskedBatch out;
      out.traced = true;
      (*plan)->apply(constant.whole(), out);
      EXPECT_EQ(out.columns[1], constant.columns[1].cells);
      EXPECT_NE(out.columns[0], constant.columns[0].cells);
      EXPECT_EQ(out.tallies[1].changed, 0U);
      // What is released can have been nothing else.
      EXPECT_EQ(out.single_origin, std::vector<bool>(kRows, true));
      EXPECT_EQ(out.tallies[1].rules[static_cast<std::size_t>(Rule::kZero)], kRows);
    }
  }
}

// Only one concept may be written: whoever has it keeps it.
TEST_F(NoiseOptionsTest, ASingleCandidateIsRefusedUnlessItMayStay) {
  SlowCandidateRules rules;
  const SlowTaxonomy& slow = domain_.twins.slow;
  const GeneratedTable free = table(1);
  const ConceptId only = free.columns[0].cells[0];
  for (SlowTaxonomy::Node n = 0; n < slow.size(); ++n) {
    if (n != domain_.node(only)) rules.deny.insert(slow.id(n));
  }
  const GeneratedTable narrow = table(1, rules);
  NoiseOptions options;
  expect_refused(options, narrow, ErrorCode::kGuarantee);

  options.allow_unmasked = true;
  const auto plan = fit(options, narrow);
  ASSERT_TRUE(plan) << plan.error().message;
  MaskedBatch out;
  out.traced = true;
  (*plan)->apply(narrow.whole(), out);
  EXPECT_EQ(out.columns[0], std::vector<ConceptId>(kRows, only));
  for (const TraceLine& line : out.trace) {
    EXPECT_EQ(line.rule == Rule::kAlone, line.value == only) << line.row;
  }
}

// One concept is enough for those who have others.
TEST_F(NoiseOptionsTest, ASingleCandidateThatNobodyHasIsTaken) {
  const std::vector<ConceptId> cells = table(1).columns[0].cells;
  ConceptId only = 0;
  while (std::find(cells.begin(), cells.end(), only) != cells.end()) ++only;
  SlowCandidateRules rules;
  const SlowTaxonomy& slow = domain_.twins.slow;
  for (SlowTaxonomy::Node n = 0; n < slow.size(); ++n) {
    if (n != domain_.node(only)) rules.deny.insert(slow.id(n));
  }
  const auto plan = fit({}, table(1, rules));
  EXPECT_TRUE(plan) << plan.error().message;
}

TEST_F(NoiseOptionsTest, RulesAndOptionsHaveTheNamesOfTheTrace) {
  std::string names;
  for (std::size_t i = 0; i < kRules; ++i) {
    names += std::string(to_string(static_cast<Rule>(i))) + " ";
  }
  EXPECT_EQ(names, "zero paper truncated nosign farthest alone ");
  EXPECT_EQ(to_string(NoiseReference::kMean), "mean");
  EXPECT_EQ(to_string(NoiseReference::kPair), "pair");
  EXPECT_EQ(to_string(NoiseReference::kRoot), "root");
  EXPECT_EQ(to_string(NoiseDistribution::kNormal), "normal");
  EXPECT_EQ(to_string(NoiseDistribution::kLaplace), "laplace");
}

}  // namespace
}  // namespace semveil::test
