// Singling out against its definition, and what it must score: unchanged tables 1, shuffled ones
// nothing, lifted ones not nothing, classes of k records no guess.
#include "figures/singling_out.h"

#include <gtest/gtest.h>

#include "support/adult_pairs.h"
#include "support/attacked_pairs.h"
#include "support/slow_attacks.h"
#include "support/slow_figures.h"

namespace semveil::test {
namespace {

SinglingOut attacked(const Paired& pairs, const Classes* control = nullptr,
                     MissingRule missing = MissingRule::kKeep) {
  return singling_out(pairs.attributes, classes_of(pairs, Side::kBefore),
                      classes_of(pairs, Side::kAfter), control, missing, 2);
}

// Every set of so many columns of four.
std::vector<std::vector<std::size_t>> sets(std::size_t size) {
  std::vector<std::vector<std::size_t>> out;
  for (unsigned bits = 0; bits < 16; ++bits) {
    std::vector<std::size_t> set;
    for (std::size_t j = 0; j < 4; ++j) {
      if ((bits >> j & 1U) != 0) set.push_back(j);
    }
    if (set.size() == size) out.push_back(set);
  }
  return out;
}

// Of so few records every guess is drawn.
TEST(SinglingOut, IsThatOfTheDefinition) {
  std::size_t lifted = 0;
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      const Paired pairs = mixed_pairs(domain, 30, seed);
      const SlowRecords before = slow_records(classes_of(pairs, Side::kBefore));
      const SlowRecords after = slow_records(classes_of(pairs, Side::kAfter));
      const auto n = static_cast<double>(before.size());
      for (const bool wildcard : {false, true}) {
        const SinglingOut found =
            attacked(pairs, nullptr, wildcard ? MissingRule::kWildcard : MissingRule::kKeep);
        const SlowGuesses all = slow_singling_out(pairs, before, after, {0, 1, 2, 3}, wildcard);
        ASSERT_EQ(found.attack.tried, all.guesses);
        if (all.guesses > 0) {
          EXPECT_DOUBLE_EQ(*found.attack.rate,
                           static_cast<double>(all.right) / static_cast<double>(all.guesses));
          EXPECT_DOUBLE_EQ(*found.attack.pointed_at,
                           static_cast<double>(all.pointed_at.size()) / n);
          lifted += all.right;
        } else {
          EXPECT_FALSE(found.attack.rate || found.attack.risk || found.attack.pointed_at);
        }
        ASSERT_EQ(found.attack.by_columns.size(), 3U);
        for (std::size_t s = 1; s <= 3; ++s) {
          SlowGuesses sum;
          for (const std::vector<std::size_t>& columns : sets(s)) {
            const SlowGuesses each = slow_singling_out(pairs, before, after, columns, wildcard);
            sum.guesses += each.guesses;
            sum.right += each.right;
            sum.pointed_at.insert(each.pointed_at.begin(), each.pointed_at.end());
          }
          const Attack& fewer = found.attack.by_columns[s - 1];
          EXPECT_EQ(fewer.columns, s);
          ASSERT_EQ(fewer.tried, sum.guesses);
          if (sum.guesses == 0) continue;
          EXPECT_DOUBLE_EQ(*fewer.rate,
                           static_cast<double>(sum.right) / static_cast<double>(sum.guesses));
          EXPECT_DOUBLE_EQ(*fewer.pointed_at, static_cast<double>(sum.pointed_at.size()) / n);
          EXPECT_EQ(fewer.baseline.has_value(), s > 1);  // of one column none
          EXPECT_EQ(fewer.risk.has_value(), s > 1);
        }
      }
    }
  }
  EXPECT_GT(lifted, 20U);
}

// Originals p p q r; released p q q r: p and r are guessed, r is right. Released combinations p, q
// and r: one original alone fits q, and r.
TEST(SinglingOut, OfFourRecordsByHand) {
  const Paired pairs = texts({0, 0, 1, 2}, {0, 1, 1, 2}, 1);
  const SinglingOut alone = attacked(pairs);
  EXPECT_EQ(alone.attack.tried, 2U);
  EXPECT_EQ(alone.attack.rate, 0.5);
  EXPECT_EQ(alone.attack.pointed_at, 0.25);
  EXPECT_FALSE(alone.attack.baseline.has_value());
  EXPECT_FALSE(alone.attack.risk.has_value());
  EXPECT_DOUBLE_EQ(alone.one_origin->share, 2.0 / 3);
  EXPECT_FALSE(alone.one_origin->shuffled.has_value());
  // Of four drawn from six exactly one is a p with chance 4/6, and so with r.
  const Classes control = classes_of(texts({0, 1, 3, 3, 1, 2}, {}, 1), Side::kBefore);
  EXPECT_DOUBLE_EQ(*attacked(pairs, &control).attack.control, 4.0 / 6);
  // p twice: of four drawn from six exactly one is a p with chance 2 · 4/6 · 2/5.
  const Classes twice = classes_of(texts({0, 0, 1, 3, 3, 2}, {}, 1), Side::kBefore);
  EXPECT_DOUBLE_EQ(*attacked(pairs, &twice).attack.control, (2 * 4.0 / 6 * 2 / 5 + 4.0 / 6) / 2);
  // Of two records one is an r: of four it would be twice as often, as far as anybody can tell.
  const Classes few = classes_of(texts({2, 3}, {}, 1), Side::kBefore);
  EXPECT_DOUBLE_EQ(*attacked(pairs, &few).attack.control, 1);
}

// Two records of each combination: nobody can be guessed, and that is not called a risk of 0.
TEST(SinglingOut, OfPairsIsNoGuess) {
  const SinglingOut found = attacked(texts({0, 0, 1, 1, 2, 2, 3, 3}, {0, 0, 0, 0, 2, 2, 2, 2}, 2));
  EXPECT_EQ(found.attack.tried, 0U);
  EXPECT_FALSE(found.attack.rate || found.attack.risk || found.attack.pointed_at);
  for (const Attack& fewer : found.attack.by_columns) EXPECT_FALSE(fewer.rate.has_value());
  EXPECT_EQ(found.one_origin->share, 1);  // though both combinations are somebody's
  // Where two originals have each combination, none is of one origin.
  EXPECT_EQ(
      attacked(texts({0, 0, 0, 0, 2, 2, 2, 2}, {0, 0, 0, 0, 2, 2, 2, 2}, 2)).one_origin->share, 0);
}

TEST(SinglingOut, DrawsAlikeByAnyThreads) {
  const TwinDomain domain(generate(Shape::kTree, 60, 3));
  const Paired pairs = attacked_pairs(domain, 200, 3);
  const auto with = [&](unsigned threads) {
    const SinglingOut found =
        singling_out(pairs.attributes, classes_of(pairs, Side::kBefore),
                     classes_of(pairs, Side::kAfter), nullptr, MissingRule::kKeep, threads);
    std::vector<double> out{*found.attack.rate, *found.attack.baseline,
                            *found.one_origin->shuffled};
    for (const Attack& each : found.attack.by_columns) out.push_back(each.rate.value_or(-1));
    return out;
  };
  EXPECT_EQ(with(1), with(4));
}

TEST(SinglingOut, ShufflesKeepEveryColumn) {
  const TwinDomain domain(generate(Shape::kTree, 60, 3));
  const Paired pairs = attacked_pairs(domain, 100, 3);
  const Classes all = classes_of(pairs, Side::kBefore);
  const Classes shuffled = shuffled_columns(pairs.attributes, all, 1);
  EXPECT_NE(shuffled.tuples, all.tuples);
  EXPECT_NE(shuffled.tuples, shuffled_columns(pairs.attributes, all, 2).tuples);
  for (std::size_t j = 0; j < pairs.width(); ++j) {
    const std::size_t one[] = {j};
    const Classes a = classes_over(all, pairs.attributes, one);
    const Classes b = classes_over(shuffled, pairs.attributes, one);
    EXPECT_EQ(a.tuples, b.tuples);
    EXPECT_EQ(a.counts, b.counts);
  }
}

// ---- Adult, eight columns -----------------------------------------------------------------------

void expect_nothing(const Attack& attack) {
  ASSERT_TRUE(attack.risk.has_value());
  EXPECT_EQ(attack.risk_interval.low, 0)
      << attack.columns << " columns, rate " << *attack.rate << ", baseline " << *attack.baseline;
}

TEST(SinglingOut, OfAdultUnchangedIsOne) {
  const std::optional<Paired> pairs = adult_pairs();
  if (!pairs) SEMVEIL_SKIP_WITHOUT("adult/adult.data.gz");
  const SinglingOut found = attacked(*pairs);
  const Classes classes = classes_of(*pairs, Side::kBefore);
  EXPECT_EQ(found.attack.tried, static_cast<std::uint64_t>(std::ranges::count(classes.counts, 1U)));
  EXPECT_EQ(found.attack.rate, 1);
  EXPECT_EQ(found.attack.risk, 1);
  for (const Attack& fewer : found.attack.by_columns) {
    EXPECT_EQ(fewer.rate, 1);
    EXPECT_EQ(fewer.risk.has_value(), fewer.columns > 1);
    if (fewer.columns > 1) {
      EXPECT_EQ(fewer.risk, 1);
    }
  }
  EXPECT_NEAR(*found.attack.baseline, 0.066, 0.005);  // not 0.104, that of draws from the marginals
}

TEST(SinglingOut, OfAdultShuffledIsNothing) {
  std::optional<Paired> pairs = adult_pairs();
  if (!pairs) SEMVEIL_SKIP_WITHOUT("adult/adult.data.gz");
  const Attack found = attacked(shuffled_columns(*pairs, 1)).attack;
  expect_nothing(found);
  EXPECT_GT(found.tried, 10'000U);
  expect_nothing(found.by_columns[1]);
  expect_nothing(found.by_columns[2]);
  EXPECT_FALSE(found.by_columns[0].risk.has_value());
}

// Every value one level up, everybody who is unique then is linked: by equality the risk was 0.
TEST(SinglingOut, OfAdultLiftedOneLevelIsNotNothing) {
  std::optional<Paired> pairs = adult_pairs();
  if (!pairs) SEMVEIL_SKIP_WITHOUT("adult/adult.data.gz");
  for (std::size_t i = 0; i < pairs->after.size(); ++i) {
    const Attribute& attribute = *pairs->attributes[i % pairs->width()];
    pairs->after[i] = attribute.levels->at(pairs->after[i], 1);
  }
  const SinglingOut found = attacked(*pairs);
  EXPECT_GT(found.attack.tried, 100U);
  EXPECT_EQ(found.attack.rate, 1);  // who fits a lifted record that stands alone was lifted to it
  EXPECT_EQ(found.attack.risk, 1);
}

}  // namespace
}  // namespace semveil::test
