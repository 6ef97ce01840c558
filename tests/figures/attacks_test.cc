// The attacks against their definitions, and what they must score on an unmasked release and on
// columns shuffled independently.
#include "figures/attacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "figures/attack_figures.h"
#include "figures/semantic_linkage.h"
#include "support/adult_pairs.h"
#include "support/attacked_pairs.h"
#include "support/data.h"
#include "support/slow_attacks.h"

namespace semveil::test {
namespace {

template <class Check>
void for_pairs_and_control(const Check& check) {
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      // The control: some records of the table, some others.
      const Paired others = attacked_pairs(domain, 25, seed + 100);
      const Paired pairs = attacked_pairs(domain, 40, seed);
      Paired control = others;
      control.before.insert(control.before.end(), pairs.before.begin(), pairs.before.begin() + 40);
      control.counts.insert(control.counts.end(), 10, 1);
      check(pairs, classes_of(control, Side::kBefore));
    }
  }
}

TEST(Linkability, SharesTheRecordsNearestInBothHalves) {
  for_pairs_and_control([](const Paired& pairs, const Classes& control) {
    const auto found = linkability(pairs, &control, 2);
    ASSERT_TRUE(found.has_value());
    const Classes before = classes_of(pairs, Side::kBefore);
    EXPECT_NEAR(*found->rate, slow_linkability(pairs, slow_records(before)), 1e-12);
    EXPECT_NEAR(*found->control, slow_linkability(pairs, slow_records(control)), 1e-12);
    EXPECT_DOUBLE_EQ(*found->baseline, 1 / static_cast<double>(pairs.records()));
  });
}

TEST(Linkability, NeedsTwoHalves) {
  EXPECT_FALSE(linkability(texts({0, 1}, {0, 1}, 1), nullptr, 1).has_value());
}

TEST(Inference, IsTheShareOfTheSecretAmongTheNearest) {
  for_pairs_and_control([](const Paired& pairs, const Classes& control) {
    const Attack found = inference(pairs, &control, 2);
    const Classes before = classes_of(pairs, Side::kBefore);
    EXPECT_EQ(found.about, "d");
    EXPECT_NEAR(*found.rate, slow_inference(pairs, slow_records(before)), 1e-12);
    EXPECT_NEAR(*found.control, slow_inference(pairs, slow_records(control)), 1e-12);
  });
}

// (known, secret): p→r, p→s, q→s unmasked. Of p one guess in two is right, of q always.
TEST(Inference, OfThreeRecordsByHand) {
  const Attack found = inference(texts({0, 2, 0, 3, 1, 3}, {0, 2, 0, 3, 1, 3}, 2), nullptr, 1);
  EXPECT_DOUBLE_EQ(*found.rate, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*found.baseline, 1.0 / 9 + 4.0 / 9);
  EXPECT_DOUBLE_EQ(*found.risk, (2.0 / 3 - 5.0 / 9) / (4.0 / 9));
}

// ---- Figures ------------------------------------------------------------------------------------

// Newcombe 1998 (two-sided intervals for the single proportion), Table I, method 3: 81 of 263.
TEST(WilsonInterval, IsAsPrinted) {
  EXPECT_NEAR(wilson_interval(81.0 / 263, 263).low, 0.2553, 5e-5);
  EXPECT_NEAR(wilson_interval(81.0 / 263, 263).high, 0.3662, 5e-5);
  EXPECT_EQ(wilson_interval(0, 20).low, 0);
  EXPECT_NEAR(wilson_interval(0, 20).high, 0.1611, 5e-5);
}

// An exact control leaves the interval of the attack, carried over.
TEST(RiskInterval, OfAVastControlIsThatOfTheRate) {
  Attack attack;
  attack.tried = 200;
  attack.rate = 0.4;
  finish(attack, ControlRate{0.1, 1e12});
  EXPECT_NEAR(*attack.risk, 0.3 / 0.9, 1e-12);
  EXPECT_NEAR(attack.risk_interval.low, (attack.interval.low - 0.1) / 0.9, 1e-5);
  EXPECT_NEAR(attack.risk_interval.high, (attack.interval.high - 0.1) / 0.9, 1e-5);
}

// 2,000 draws of both samples at true rates with risk 0.25. At 95 % coverage fewer than 1,820 have
// a chance below 1e-8; an interval that left the control's error out would cover about 1,600.
TEST(RiskInterval, CoversTheTruthAsOftenAsItSays) {
  const double p = 0.4, c = 0.2, truth = (p - c) / (1 - c);
  Random random(1);
  int both = 0, without_control = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto draw = [&](double chance, int trials) {
      int right = 0;
      for (int i = 0; i < trials; ++i) {
        right += static_cast<double>(random.next() >> 11U) * 0x1p-53 < chance ? 1 : 0;
      }
      return static_cast<double>(right) / trials;
    };
    Attack attack;
    attack.tried = 200;
    attack.rate = draw(p, 200);
    const double control = draw(c, 50);
    const auto covers = [&](const Interval& interval) {
      return interval.low <= truth && truth <= interval.high ? 1 : 0;
    };
    finish(attack, ControlRate{control, 50});
    both += covers(attack.risk_interval);
    attack.control.reset();
    attack.baseline = control;
    finish(attack, std::nullopt);
    without_control += covers(attack.risk_interval);
  }
  EXPECT_GE(both, 1820);
  EXPECT_LT(without_control, 1700);
}

TEST(RiskInterval, HoldsTheRiskAtEveryExtreme) {
  for (const double rate : {0.0, 0.001, 0.5, 0.999, 1.0}) {
    for (const double control : {0.0, 0.001, 0.5, 0.999, 1.0}) {
      for (const double trials : {1.0, 30.0, 1e6}) {
        SCOPED_TRACE(testing::Message() << rate << " against " << control << " of " << trials);
        Attack attack;
        attack.tried = 30;
        attack.rate = rate;
        finish(attack, ControlRate{control, trials});
        EXPECT_LE(0, attack.risk_interval.low);
        EXPECT_LE(attack.risk_interval.low, *attack.risk);
        EXPECT_LE(*attack.risk, attack.risk_interval.high);
        EXPECT_LE(attack.risk_interval.high, 1);
      }
    }
  }
}

// ---- Calibration --------------------------------------------------------------------------------

void expect_true_uniqueness(const Paired& pairs) {
  const Classes classes = classes_of(pairs, Side::kBefore);
  const auto n = static_cast<double>(pairs.records());
  const double distinct = static_cast<double>(classes.size()) / n;
  EXPECT_NEAR(*linkability(pairs, nullptr, 2)->rate, distinct, 1e-12);
  EXPECT_NEAR(linked_by_meaning(pairs, 2).mean, distinct, 1e-12);
  std::map<std::vector<ConceptId>, double> known;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto tuple = classes.tuple(c);
    known[{tuple.begin(), tuple.end() - 1}] += static_cast<double>(classes.counts[c]);
  }
  double right = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto tuple = classes.tuple(c);
    const auto count = static_cast<double>(classes.counts[c]);
    right += count * count / known.at({tuple.begin(), tuple.end() - 1});
  }
  EXPECT_NEAR(*inference(pairs, nullptr, 2).rate, right / n, 1e-12);
}

// Over all shuffles the sums of link scores are 1 or less on average and nearly Poisson: above 10
// in 1e-8 of them. Inference stays within six deviations of what guessing gives.
void expect_about_nothing(const Paired& shuffled) {
  const auto n = static_cast<double>(shuffled.records());
  EXPECT_LT(linked_by_meaning(shuffled, 2).mean * n, 10);
  const Attack linked = *linkability(shuffled, nullptr, 2);
  EXPECT_LT(*linked.rate * n, 10);
  const auto deviations = [&](double p) { return 6 * std::sqrt(p * (1 - p) / n) + 10 / n; };
  const Attack inferred = inference(shuffled, nullptr, 2);
  EXPECT_NEAR(*inferred.rate, *inferred.baseline, deviations(*inferred.baseline));
}

TEST(Calibration, UnmaskedTablesScoreTheirUniqueness) {
  for_pairs_and_control(
      [](const Paired& pairs, const Classes&) { expect_true_uniqueness(unmasked(pairs)); });
}

TEST(Calibration, ShuffledColumnsScoreNothing) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const TwinDomain domain(generate(Shape::kTree, 60, seed));
    expect_about_nothing(shuffled_columns(attacked_pairs(domain, 300, seed), seed));
  }
}

// A tie broken by position makes an unmasked table of words look safe.
TEST(Calibration, CatchesTiesBrokenByPosition) {
  const TwinDomain domain(generate(Shape::kTree, 25, 1));
  const Paired pairs = unmasked(attacked_pairs(domain, 60, 1));
  const SlowRecords targets = slow_records(classes_of(pairs, Side::kBefore));
  const double right = *linkability(pairs, nullptr, 1)->rate;
  EXPECT_GT(right, 2 * slow_linkability(pairs, targets, Ties::kFirst));
}

TEST(Calibration, OfAdult) {
  const std::optional<Paired> pairs = adult_pairs();
  if (!pairs) SEMVEIL_SKIP_WITHOUT("adult/adult.data.gz");
  EXPECT_EQ(pairs->records(), 30162U);
  EXPECT_EQ(pairs->size(), 18109U);
  expect_true_uniqueness(*pairs);
  expect_about_nothing(shuffled_columns(*pairs, 1));
}

}  // namespace
}  // namespace semveil::test
