// What is believed of the true value of a set: by brute force, and by who compares two releases.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "mechanisms/sets/set_beliefs.h"
#include "mechanisms/sets/set_column.h"
#include "support/set_table.h"

namespace semveil::test {
namespace {

const std::vector<SetCase>& small_cases() {
  static const std::vector<SetCase> all = {
      {.counts = {{3, 1}, {4, 2, 1}, {5}}},
      {.counts = {{3, 1}, {4, 2, 1}, {5}}, .draw = SetDraw::kFrequency},
      {.counts = {{3, 0}, {4, 0, 1}, {5, 2}, {1, 1}}, .l = 2},
      {.counts = {{3, 0}, {4, 0, 1}, {5, 2}, {1, 1}}, .l = 3},
      {.counts = {{3, 0}, {4, 0, 1}, {5, 2}, {1, 1}}, .l = 3, .draw = SetDraw::kFrequency},
      {.counts = {{9}, {1}}},
      {.counts = {{3, 0}, {4, 0, 1}, {5, 2}}, .l = 3, .by_category = false},
      {.counts = {{3, 2}, {4, 7, 1}}, .l = 2, .by_category = false},
      {.counts = {{3, 2}, {4, 7}}, .l = 4, .by_category = false},
  };
  return all;
}

// ---- Posteriors ---------------------------------------------------------------------------------

TEST(SetBeliefs, AreThoseOfAllSetsThatCouldHaveBeen) {
  for (const SetCase& c : small_cases()) {
    const auto plan = fit(c);
    const SetColumn& column = set_fit(*plan)->columns[0];
    const SlowSets slow = c.slow();
    SetBeliefs beliefs([&](ConceptId v) { return column.weights[v]; },
                       [&](ConceptId v) { return gives_itself_away(column, v); });
    std::size_t sets = 0;
    for (ConceptId v = 0; v < c.values(); ++v) {
      double whole = 0;
      for (const auto& [set, probability] : slow.probabilities(v)) {
        whole += probability;
        if (probability == 0) continue;
        beliefs.look_at(set);
        double likeliest = 0;
        for (const ConceptId u : set) {
          const double expected = slow.posterior(set, u);
          ASSERT_NEAR(beliefs.belief(u), expected, 1e-12);
          likeliest = std::max(likeliest, expected);
        }
        ASSERT_NEAR(static_cast<double>(beliefs.largest()) / static_cast<double>(beliefs.sum()),
                    likeliest, 1e-12);
        ++sets;
      }
      EXPECT_NEAR(whole, 1, 1e-12);
    }
    EXPECT_GT(sets, 1U);
  }
}

TEST(Ean, TalliesWhatIsBelievedOfEverySet) {
  for (const SetCase& c : small_cases()) {
    const auto plan = fit(c);
    const SlowSets slow = c.slow();
    GeneratedTable table = c.table(40);
    for (ConceptId v = 0; v < c.values(); ++v) {  // also those that the fit did not see
      table.columns[0].cells.insert(table.columns[0].cells.end(), 20, v);
    }
    MaskedBatch out;
    plan->apply(table.whole(), out);
    double posteriors = 0, guesses = 0, worst = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto set = set_of(*plan, out, 0, row);
      const double of_true = slow.posterior(set, table.columns[0].cells[row]);
      double best = 0;
      std::size_t possible = 0;
      for (const ConceptId v : set) {
        best = std::max(best, slow.posterior(set, v));
        possible += slow.posterior(set, v) > 0 ? 1 : 0;
      }
      posteriors += of_true;
      guesses += best;
      worst = std::max(worst, of_true);
      ASSERT_EQ(out.single_origin[row], possible == 1) << "row " << row;
    }
    const ColumnTally& tally = out.tallies[0];
    EXPECT_NEAR(tally.posteriors.value(), posteriors, 1e-6);
    EXPECT_NEAR(tally.guesses.value(), guesses, 1e-6);
    EXPECT_NEAR(tally.worst_posterior, worst, 1e-12);
    EXPECT_EQ(out.joint.records, 0U);
  }
}

// The bound of the paper holds where the weights are equal, and not elsewhere.
TEST(Ean, IsBelievedAtOneOfLWhereCategoriesAreBalanced) {
  const auto tally = [](SetDraw draw) {
    const SetCase c{.counts = {{90, 10}, {50, 30, 20}, {100}, {25, 75}}, .draw = draw};
    MaskedBatch out;
    const GeneratedTable table = c.table();
    fit(c)->apply(table.whole(), out);
    return out.tallies[0];
  };
  EXPECT_EQ(tally(SetDraw::kFrequency).worst_posterior, 0.25);
  EXPECT_NEAR(tally(SetDraw::kFrequency).posteriors.value(), 100, 1e-6);
  // 50 records · 3 values, beside 10 · 2, 100 · 1 and 25 · 2.
  EXPECT_EQ(tally(SetDraw::kUniform).worst_posterior, 150.0 / (150 + 20 + 100 + 50));
}

// ---- Releases that are compared -----------------------------------------------------------------

// The records whose true value is all that two releases have in common.
double revealed(const SetCase& c, const GeneratedTable& table, const FittedMethod& one,
                const FittedMethod& two) {
  MaskedBatch a, b;
  one.apply(table.whole(), a);
  two.apply(table.whole(), b);
  std::size_t out = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto s = set_of(one, a, 0, row), t = set_of(two, b, 0, row);
    std::size_t common = 0;
    for (const ConceptId v : s) {
      common += static_cast<std::size_t>(std::count(t.begin(), t.end(), v));
    }
    EXPECT_GE(common, 1U);
    out += common == 1 ? 1 : 0;
  }
  EXPECT_EQ(one.width(0), c.size_of_set());
  return static_cast<double>(out) / static_cast<double>(table.rows());
}

// Five categories of ten values: two independent sets share nothing but the true value with
// probability 0.9^4 = 0.656. 20,000 records: a deviation of 0.0034; the bound is 5.33 of them, a
// false alarm in 1e-7.
TEST(Ean, TwoReleasesRevealMostValuesUnlessDrawnByPerson) {
  SetCase c;
  for (std::size_t i = 0; i < 5; ++i) c.counts.emplace_back(10, 40);
  GeneratedTable table = c.table(10);
  for (std::size_t i = 0; i < table.rows(); ++i) table.persons.push_back(std::to_string(i));
  const FrequencyTable frequencies = table.frequencies();
  const auto plan = [&](const Key& stream, bool by_person) {
    return value_or_throw(c.mechanism(by_person)->fit(frequencies, stream));
  };
  const auto first = plan(stream_key(key(), "digest", "2026"), false);
  const auto second = plan(stream_key(key(), "digest", "2027"), false);
  EXPECT_NEAR(revealed(c, table, *first, *second), 0.6561, 5.33 * 0.0034);
  const auto by_person = plan(person_stream_key(key()), true);
  const auto again = plan(person_stream_key(key()), true);
  EXPECT_EQ(revealed(c, table, *by_person, *again), 0);
  // Whatever row the person stands in.
  GeneratedTable turned = table;
  std::reverse(turned.persons.begin(), turned.persons.end());
  std::reverse(turned.columns[0].cells.begin(), turned.columns[0].cells.end());
  MaskedBatch a, b;
  by_person->apply(table.whole(), a);
  again->apply(turned.whole(123), b);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ASSERT_EQ(set_of(*again, b, 0, table.rows() - 1 - row), set_of(*by_person, a, 0, row));
  }
}

}  // namespace
}  // namespace semveil::test
