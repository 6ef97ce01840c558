// The channel of sets against all sets that could have been, and its limits.
#include "mechanisms/channel/set_channel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "figures/set_attacks.h"
#include "support/set_table.h"
#include "support/slow_channel.h"

namespace semveil::test {
namespace {

std::vector<SetCase> set_cases() {
  return {
      {.counts = {{3, 1}, {4, 2, 1}, {5}}},
      {.counts = {{3, 1}, {4, 2, 1}, {5}}, .draw = SetDraw::kFrequency},
      {.counts = {{3, 0}, {4, 0, 1}, {5, 2}, {1, 1}}, .l = 2},
      {.counts = {{3, 0}, {4, 0, 1}, {5, 2}, {1, 1}}, .l = 3},
      {.counts = {{3, 0}, {4, 0, 1}, {5, 2}, {1, 1}}, .l = 3, .draw = SetDraw::kFrequency},
      {.counts = {{900}, {1}}},
      {.counts = {{300, 2}, {1, 70, 1}, {20, 20, 20}, {4, 4}, {1}}, .l = 4},
      {.counts = {{3, 0}, {4, 0, 1}, {5, 2}}, .l = 3, .by_category = false},
      {.counts = {{3, 2}, {4, 7, 1}}, .l = 2, .by_category = false},
      {.counts = {{3, 2}, {4, 7}}, .l = 4, .by_category = false},
  };
}

// p(x) P(S | x) by value with records, then set.
std::vector<std::vector<double>> all_sets(const SetCase& c, std::vector<ConceptId>& values) {
  const SlowSets slow = c.slow();
  double records = 0;
  for (const auto& [v, count] : slow.records) records += static_cast<double>(count);
  std::map<std::vector<ConceptId>, std::size_t> place;
  for (const auto& [v, count] : slow.records) {
    for (const auto& [set, p] : slow.probabilities(v)) place.try_emplace(set, place.size());
  }
  std::vector<std::vector<double>> joint;
  for (const auto& [v, count] : slow.records) {
    values.push_back(v);
    joint.emplace_back(place.size(), 0.0);
    for (const auto& [set, p] : slow.probabilities(v)) {
      joint.back()[place.at(set)] = p * static_cast<double>(count) / records;
    }
  }
  return joint;
}

// About 10^6 records, masked by the plan: how often the likeliest value of a set is the true one,
// and what is believed of the true one on average. False alarm: 1e-7 for each mean, by Hoeffding.
TEST(SetChannel, IsWhatAMillionSetsShow) {
  constexpr double kApart = 0.003;  // √(ln(2 / 1e-7) / (2 · 10^6))
  bool is_told_from_prior = false;
  for (SetCase c : set_cases()) {
    std::uint64_t records = 0;
    for (const auto& category : c.counts) {
      for (const std::uint64_t count : category) records += count;
    }
    for (auto& category : c.counts) {
      for (std::uint64_t& count : category) count *= 1'000'000 / records;
    }
    const auto plan = fit(c);
    const GeneratedTable table = c.table();
    const auto risks = value_or_throw(channel_risks(*plan, table.frequencies(), {}));
    MaskedBatch out;
    plan->apply(table.whole(), out);
    const SetColumn& column = set_fit(*plan)->columns[0];
    const ReleasedSets sets{table.columns[0].cells, out.columns[0], column.l};
    const SetGuess guess = skewness_attack(sets, column.weights);
    EXPECT_NEAR(guess.right, risks[0].vulnerability, kApart);
    EXPECT_NEAR(attribute_disclosure(sets, column.weights).mean, risks[0].expected, kApart);
    is_told_from_prior = is_told_from_prior || std::abs(guess.right - risks[0].prior) > 2 * kApart;
  }
  EXPECT_TRUE(is_told_from_prior);
}

TEST(SetChannel, IsThatOfAllSetsThatCouldHaveBeen) {
  for (const SetCase& c : set_cases()) {
    const auto plan = fit(c);
    const FrequencyTable table = c.table().frequencies();
    const auto risks = value_or_throw(channel_risks(*plan, table, {}));
    ASSERT_EQ(risks.size(), 1U);
    std::vector<ConceptId> values;
    const auto joint = all_sets(c, values);
    const SlowRisk slow = slow_risk(joint);
    EXPECT_EQ(risks[0].how, ChannelRisk::How::kExact);
    EXPECT_NEAR(risks[0].prior, slow.prior, 1e-14);
    EXPECT_NEAR(risks[0].vulnerability, slow.vulnerability, 1e-12);
    EXPECT_NEAR(risks[0].expected, slow.expected, 1e-12);
    EXPECT_NEAR(risks[0].expected, c.slow().expected_posterior().mean, 1e-12);
    EXPECT_NEAR(risks[0].worst, slow.worst, 1e-12);
    EXPECT_EQ(risks[0].unchanged, 0);
    ASSERT_EQ(risks[0].values.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      double p = 0, expected = 0, worst = 0;
      for (std::size_t s = 0; s < joint[i].size(); ++s) {
        double sum = 0;
        for (const auto& row : joint) sum += row[s];
        p += joint[i][s];
        if (joint[i][s] == 0) continue;
        expected += joint[i][s] * joint[i][s] / sum;
        worst = std::max(worst, joint[i][s] / sum);
      }
      EXPECT_EQ(risks[0].values[i].value, values[i]);
      EXPECT_NEAR(risks[0].values[i].expected, expected / p, 1e-12);
      EXPECT_NEAR(risks[0].values[i].worst, worst, 1e-12);
    }
  }
}

// The bound of the paper: equal weights.
TEST(SetChannel, IsOneOfLWhereCategoriesAreBalanced) {
  const SetCase c{.counts = {{90, 10}, {50, 30, 20}, {100}, {25, 75}}, .draw = SetDraw::kFrequency};
  const auto risk = set_channel_risk(*c.table().columns[0].attribute, *set_fit(*fit(c)), 0);
  EXPECT_NEAR(risk.expected, 0.25, 1e-13);
  EXPECT_NEAR(risk.worst, 0.25, 1e-13);
  EXPECT_NEAR(risk.vulnerability, 0.25, 1e-13);
}

// Larger than any enumeration: 400 values, sets of 12 of them. Against plain order statistics.
TEST(SetChannel, OfManySetsHasTheGreatestOfTheChosen) {
  SetCase c{.counts = {{}}, .l = 12, .by_category = false};
  for (std::uint64_t v = 0; v < 400; ++v) c.counts[0].push_back(1 + v * v % 97);
  const auto risk = set_channel_risk(*c.table().columns[0].attribute, *set_fit(*fit(c)), 0);
  std::vector<double> sorted(c.counts[0].begin(), c.counts[0].end());
  std::sort(sorted.begin(), sorted.end());
  double records = 0, expected = 0;
  for (const double w : sorted) records += w;
  for (std::size_t k = 11; k < 400; ++k) {  // the k-th is the greatest of 12
    double p = 12.0 / 400;                  // C(k, 11) / C(400, 12)
    for (std::size_t i = 0; i < 11; ++i) {
      p *= static_cast<double>(k - i) / static_cast<double>(399 - i);
    }
    expected += p * sorted[k] / records;
  }
  EXPECT_NEAR(risk.vulnerability, expected * 400 / 12, 1e-12);
  EXPECT_GT(risk.expected, 1.0 / 12);
  EXPECT_LT(risk.expected, risk.vulnerability);
}

// Two columns: the estimate against all pairs of sets.
TEST(SetChannel, OfTwoColumnsIsEstimatedWithAnIntervalThatHolds) {
  const SetCase c{.counts = {{3, 1}, {4, 2}, {5}}, .l = 2};
  GeneratedTable table{{c.column(4, "a"), c.column(4, "b")}, {}};
  Random random(3);
  random.shuffle(table.columns[1].cells);
  const FrequencyTable frequencies = table.frequencies();
  const auto plan = value_or_throw(make_ean(c.options(2))->fit(frequencies, key()));
  const auto risks =
      value_or_throw(channel_risks(*plan, frequencies, {.threads = 2, .simulated = 200'000}));
  ASSERT_EQ(risks.size(), 3U);
  const SlowSets slow = c.slow();
  std::map<std::pair<std::vector<ConceptId>, std::vector<ConceptId>>, std::size_t> place;
  std::vector<std::vector<double>> joint;
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t t = 0; t < frequencies.tuple_counts.size(); ++t) {
      if (pass == 1) joint.emplace_back(place.size(), 0.0);
      const auto value = [&](std::size_t j) {
        return frequencies.columns[j].values.values[frequencies.tuples[2 * t + j]];
      };
      for (const auto& [a, p] : slow.probabilities(value(0))) {
        for (const auto& [b, q] : slow.probabilities(value(1))) {
          const std::size_t at = place.try_emplace({a, b}, place.size()).first->second;
          if (pass == 0) continue;
          joint.back()[at] = p * q * static_cast<double>(frequencies.tuple_counts[t]) /
                             static_cast<double>(frequencies.records);
        }
      }
    }
  }
  const SlowRisk expected = slow_risk(joint);
  const ChannelRisk& both = risks[2];
  EXPECT_EQ(both.how, ChannelRisk::How::kSimulated);
  ASSERT_TRUE(both.half_width.has_value());
  EXPECT_NEAR(both.vulnerability, expected.vulnerability, *both.half_width);
  EXPECT_LT(*both.half_width, 0.003);
  EXPECT_NEAR(both.expected, expected.expected, 0.005);
  EXPECT_NEAR(both.worst, expected.worst, 1e-12);
  EXPECT_NEAR(both.prior, expected.prior, 1e-12);
}

}  // namespace
}  // namespace semveil::test
