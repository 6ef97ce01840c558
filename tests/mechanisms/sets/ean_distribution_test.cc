// Sets are drawn as they should be: where the true value stands, which categories are chosen, which
// value of each, and in what order.
//
// Each check is a χ² test of 200,000 sets with a false-alarm rate of 1e-7 (sample_checks.h); there
// are fewer than 60, so that a right program needs another key once in 150,000 times. Every check
// refuses the twin when it is wrong in the point that the check is about.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "support/sample_checks.h"
#include "support/set_table.h"

namespace semveil::test {
namespace {

constexpr std::size_t kSets = 200'000;

using Groups = std::vector<std::vector<std::uint64_t>>;

struct SetSample {
  SetCase from;
  std::vector<ConceptId> cells;  // the true values
  std::vector<ConceptId> sets;   // l for each
};

std::vector<ConceptId> cells_of(const SetCase& c) {
  const std::vector<ConceptId> once = c.column().cells;
  std::vector<ConceptId> out;
  for (std::size_t i = 0; i < kSets; ++i) out.push_back(once[i % once.size()]);
  return out;
}

SetSample engine_sample(const SetCase& c, bool by_person = false) {
  SetSample out{c, cells_of(c), {}};
  GeneratedTable table = c.table();
  const auto plan = value_or_throw(c.mechanism(by_person)->fit(table.frequencies(), key()));
  table.columns[0].cells = out.cells;
  if (by_person) {
    for (std::size_t i = 0; i < kSets; ++i) table.persons.push_back(std::to_string(i));
  }
  MaskedBatch masked;
  plan->apply(table.whole(), masked);
  out.sets = std::move(masked.columns[0]);
  return out;
}

SetSample twin_sample(const SetCase& c, SetMutant mutant = SetMutant::kNone) {
  SetSample out{c, cells_of(c), {}};
  const SlowSets slow = c.slow();
  Random random(5);
  for (const ConceptId cell : out.cells) {
    const auto set = slow.anonymized(
        cell, [&](std::uint64_t count, std::uint64_t) { return random.below(count); }, mutant);
    out.sets.insert(out.sets.end(), set.begin(), set.end());
  }
  return out;
}

// Calls fn(true value, set).
template <class Fn>
void each_set(const SetSample& sample, const Fn& fn) {
  const std::size_t l = sample.from.size_of_set();
  for (std::size_t i = 0; i < sample.cells.size(); ++i) {
    fn(sample.cells[i], std::span(sample.sets).subspan(i * l, l));
  }
}

// ---- The checks ---------------------------------------------------------------------------------

// By true value: where it stands.
testing::AssertionResult stands_anywhere(const SetSample& sample) {
  Groups groups(sample.from.values(), std::vector<std::uint64_t>(sample.from.size_of_set()));
  each_set(sample, [&](ConceptId v, std::span<const ConceptId> set) {
    ++groups[v][static_cast<std::size_t>(std::find(set.begin(), set.end(), v) - set.begin())];
  });
  return is_uniform(groups);
}

// By category of the true value and category: which value of it.
testing::AssertionResult draws_values_rightly(const SetSample& sample) {
  const SetCase& c = sample.from;
  const auto lists = c.lists();
  const auto category = c.categories();
  const std::size_t m = lists.size();
  Groups groups(m * m);
  std::vector<std::vector<double>> shares(m * m);
  for (std::size_t g = 0; g < m * m; ++g) {
    groups[g].resize(lists[g % m].size());
    double records = 0;
    for (const std::uint64_t count : c.counts[g % m]) records += static_cast<double>(count);
    for (const std::uint64_t count : c.counts[g % m]) {
      shares[g].push_back(c.draw == SetDraw::kUniform ? 1 / static_cast<double>(groups[g].size())
                                                      : static_cast<double>(count) / records);
    }
  }
  each_set(sample, [&](ConceptId v, std::span<const ConceptId> set) {
    for (const ConceptId u : set) {
      if (u == v) continue;
      const auto& list = lists[category[u]];
      const auto at = std::find(list.begin(), list.end(), u) - list.begin();
      ++groups[category[v] * m + category[u]][static_cast<std::size_t>(at)];
    }
  });
  return has_shares(groups, shares);
}

// By category of the true value: which others (`an`: which other values), all ways equally likely.
testing::AssertionResult chooses_any_others(const SetSample& sample) {
  const SetCase& c = sample.from;
  const auto category = c.categories();
  const std::size_t among = c.by_category ? c.counts.size() : c.values();
  const auto of = [&](ConceptId v) { return c.by_category ? category[v] : v; };
  std::vector<std::size_t> ways;  // of l − 1 among all: bits
  for (std::size_t bits = 0; bits < std::size_t{1} << among; ++bits) {
    if (static_cast<std::size_t>(__builtin_popcountll(bits)) + 1 == c.size_of_set()) {
      ways.push_back(bits);
    }
  }
  std::vector<std::map<std::size_t, std::uint64_t>> counts(among);
  for (std::size_t own = 0; own < among; ++own) {
    for (const std::size_t bits : ways) {
      if ((bits >> own & 1U) == 0) counts[own][bits] = 0;
    }
  }
  each_set(sample, [&](ConceptId v, std::span<const ConceptId> set) {
    std::size_t bits = 0;
    for (const ConceptId u : set) bits |= u == v ? 0 : std::size_t{1} << of(u);
    ++counts[of(v)].at(bits);
  });
  Groups groups;
  for (const auto& own : counts) {
    auto& group = groups.emplace_back();
    for (const auto& [bits, count] : own) group.push_back(count);
  }
  return is_uniform(groups);
}

// By category of the true value: the categories in the order they stand in, all orders alike. For
// sets of all categories.
testing::AssertionResult stands_in_any_order(const SetSample& sample) {
  const auto category = sample.from.categories();
  const std::size_t l = sample.from.size_of_set();
  std::vector<std::size_t> order(l);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::map<std::vector<std::size_t>, std::size_t> number;
  do {
    number.emplace(order, number.size());
  } while (std::next_permutation(order.begin(), order.end()));
  Groups groups(l, std::vector<std::uint64_t>(number.size()));
  each_set(sample, [&](ConceptId v, std::span<const ConceptId> set) {
    for (std::size_t i = 0; i < l; ++i) order[i] = category[set[i]];
    ++groups[category[v]][number.at(order)];
  });
  return is_uniform(groups);
}

// ---- What is drawn ------------------------------------------------------------------------------

SetCase all_four(SetDraw draw = SetDraw::kUniform) {
  return {.counts = {{5, 1, 0}, {2, 2}, {1, 9, 3, 4, 1}, {6}}, .draw = draw};
}
SetCase three_of_five(SetDraw draw = SetDraw::kUniform) {
  return {.counts = {{5, 1, 0}, {2, 2}, {1, 9, 3, 4, 1}, {6}, {2, 8}}, .l = 3, .draw = draw};
}
SetCase nine(SetDraw draw = SetDraw::kUniform) {  // too many to have their orders listed
  SetCase out{.counts = {}, .draw = draw};
  for (std::uint64_t i = 0; i < 9; ++i) out.counts.push_back({1 + i, 3});
  return out;
}
SetCase values_alone() {
  return {.counts = {{5, 1, 0}, {2, 2}, {1, 9}}, .l = 4, .by_category = false};
}

TEST(EanDistribution, TheTrueValueStandsAnywhere) {
  for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
    EXPECT_TRUE(stands_anywhere(engine_sample(all_four(draw))));
    EXPECT_TRUE(stands_anywhere(engine_sample(three_of_five(draw))));
    EXPECT_TRUE(stands_anywhere(engine_sample(nine(draw))));
  }
  EXPECT_TRUE(stands_anywhere(engine_sample(values_alone())));
  EXPECT_TRUE(stands_anywhere(engine_sample(all_four(), true)));
  EXPECT_TRUE(stands_anywhere(twin_sample(all_four())));
  EXPECT_FALSE(stands_anywhere(twin_sample(all_four(), SetMutant::kTrueFirst)));
  EXPECT_FALSE(stands_anywhere(twin_sample(three_of_five(), SetMutant::kTrueFirst)));
  EXPECT_FALSE(stands_anywhere(twin_sample(values_alone(), SetMutant::kTrueFirst)));
}

TEST(EanDistribution, EveryValueOfACategoryIsAsLikely) {
  EXPECT_TRUE(draws_values_rightly(engine_sample(all_four())));
  EXPECT_TRUE(draws_values_rightly(engine_sample(three_of_five())));
  EXPECT_TRUE(draws_values_rightly(engine_sample(nine())));
  EXPECT_TRUE(draws_values_rightly(engine_sample(all_four(), true)));
  EXPECT_TRUE(draws_values_rightly(twin_sample(all_four())));
  EXPECT_FALSE(draws_values_rightly(twin_sample(all_four(), SetMutant::kFirstValueTwice)));
  EXPECT_FALSE(draws_values_rightly(twin_sample(three_of_five(), SetMutant::kFirstValueTwice)));
}

TEST(EanDistribution, ValuesAreAsLikelyAsTheyAreFrequent) {
  using enum SetDraw;
  EXPECT_TRUE(draws_values_rightly(engine_sample(all_four(kFrequency))));
  EXPECT_TRUE(draws_values_rightly(engine_sample(three_of_five(kFrequency))));
  EXPECT_TRUE(draws_values_rightly(engine_sample(nine(kFrequency))));
  EXPECT_TRUE(draws_values_rightly(twin_sample(all_four(kFrequency))));
  EXPECT_FALSE(draws_values_rightly(twin_sample(nine(kFrequency), SetMutant::kIgnoresRecords)));
  EXPECT_FALSE(draws_values_rightly(twin_sample(nine(kFrequency), SetMutant::kFirstValueTwice)));
}

TEST(EanDistribution, AnyOtherCategoriesAreChosen) {
  for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
    for (const unsigned l : {2U, 3U, 4U}) {
      SetCase c = three_of_five(draw);
      c.l = l;
      EXPECT_TRUE(chooses_any_others(engine_sample(c)));
      EXPECT_FALSE(chooses_any_others(twin_sample(c, SetMutant::kCategoryLeftOut)));
    }
  }
  EXPECT_TRUE(chooses_any_others(twin_sample(three_of_five())));
}

TEST(AnDistribution, AnyOtherValuesAreChosen) {
  for (const unsigned l : {2U, 4U, 6U}) {
    SetCase c = values_alone();
    c.l = l;
    EXPECT_TRUE(chooses_any_others(engine_sample(c)));
    EXPECT_FALSE(chooses_any_others(twin_sample(c, SetMutant::kCategoryLeftOut)));
  }
}

TEST(EanDistribution, AllOrdersAreAsLikely) {
  for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
    EXPECT_TRUE(stands_in_any_order(engine_sample(all_four(draw))));
  }
  SetCase six = nine();
  six.counts.resize(6);
  EXPECT_TRUE(stands_in_any_order(engine_sample(six)));
  EXPECT_TRUE(stands_in_any_order(twin_sample(all_four())));
  EXPECT_FALSE(stands_in_any_order(twin_sample(all_four(), SetMutant::kSwapsWithAny)));
  EXPECT_FALSE(stands_in_any_order(twin_sample(all_four(), SetMutant::kTrueFirst)));
}

// ---- What is believed ---------------------------------------------------------------------------

// The mean posterior of 200,000 sets or more against its expectation over all sets, by enumeration:
// a normal bound, 1e-7. The variance is that of a record drawn at random, which is more than that
// of these records.
testing::AssertionResult is_believed_as(const SetCase& expected, const SetCase& released) {
  const std::size_t times = kSets / expected.column().cells.size() + 1;
  const GeneratedTable table = released.table(times);
  const auto plan =
      value_or_throw(released.mechanism()->fit(released.table().frequencies(), key()));
  MaskedBatch out;
  plan->apply(table.whole(), out);
  const auto [mean, variance] = expected.slow().expected_posterior();
  const auto n = static_cast<double>(table.rows());
  const double found = out.tallies[0].posteriors.value() / n;
  // A posterior that is always the same is so to the last digit that a sum keeps.
  const double z = std::abs(found - mean) / std::max(std::sqrt(variance / n), 1e-10);
  if (z <= kNormalBound) return testing::AssertionSuccess() << z;
  return testing::AssertionFailure() << found << " instead of " << mean << ": " << z;
}

TEST(EanDistribution, ThePosteriorIsOnAverageWhatAllSetsTogetherSay) {
  using enum SetDraw;
  EXPECT_TRUE(is_believed_as(all_four(), all_four()));
  EXPECT_TRUE(is_believed_as(all_four(kFrequency), all_four(kFrequency)));
  EXPECT_TRUE(is_believed_as(three_of_five(), three_of_five()));
  EXPECT_TRUE(is_believed_as(three_of_five(kFrequency), three_of_five(kFrequency)));
  EXPECT_TRUE(is_believed_as(values_alone(), values_alone()));
  EXPECT_FALSE(is_believed_as(all_four(), all_four(kFrequency)));
  EXPECT_FALSE(is_believed_as(three_of_five(kFrequency), three_of_five()));
  SetCase as_categories = values_alone();
  as_categories.by_category = true;
  as_categories.l = 3;
  SetCase as_values = as_categories;
  as_values.by_category = false;
  EXPECT_FALSE(is_believed_as(as_categories, as_values));
}

}  // namespace
}  // namespace semveil::test
