// Swapping as a mechanism: what a fit tells of who can still be found, what it refuses, and what a
// saved plan must look like.
#include "semveil/swap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>

#include "semveil/noise.h"
#include "support/generated_table.h"
#include "support/slow_swap.h"

namespace semveil::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Key swap_key(unsigned char number) {
  return Key::from_bytes(std::array<unsigned char, Key::kSize>{3, number});
}

struct Made {
  std::unique_ptr<const TwinDomain> domain;
  GeneratedTable table;
  std::vector<std::shared_ptr<const Attribute>> attributes() const {
    std::vector<std::shared_ptr<const Attribute>> out;
    for (const TableColumn& column : table.columns) out.push_back(column.attribute);
    return out;
  }
};

struct TableShape {
  std::size_t columns = 2, rows = 80, distinct = 6, missing_one_in = 0;
  bool missing_is_value = false, numeric = false;
};

Made make(const TableShape& shape, std::uint64_t seed) {
  Made out;
  out.domain = std::make_unique<const TwinDomain>(generate(Shape::kSeveralRoots, 40, seed));
  Random random(seed);
  for (std::size_t j = 0; j < shape.columns; ++j) {
    TableColumn column;
    const std::string name = "c" + std::to_string(j);
    if (shape.numeric && j + 1 == shape.columns) {
      column.attribute =
          std::make_shared<const Attribute>(numeric_attribute(name, {-1, 0, 0.5, 10, 12}, 4));
      column.cells = draw_numbers(5, shape.rows, shape.missing_one_in, random);
    } else {
      column.attribute =
          make_attribute(name, *out.domain, {"wu-palmer"}, {}, shape.missing_is_value);
      column.cells = draw_cells(*out.domain->twins.fast, shape.rows, shape.distinct,
                                shape.missing_one_in, random);
    }
    out.table.columns.push_back(std::move(column));
  }
  return out;
}

Result<std::unique_ptr<const FittedMethod>> try_fit(const Made& made, const SwapOptions& options,
                                                    unsigned char number = 1) {
  return make_swap(options)->fit(made.table.frequencies(), swap_key(number));
}
std::unique_ptr<const FittedMethod> fit(const Made& made, const SwapOptions& options,
                                        unsigned char number = 1) {
  return value_or_throw(try_fit(made, options, number));
}

// ---- Who can still be found ---------------------------------------------------------------------

// Record by record, from what is released.
SwapFit brute_force(const Made& made, const FittedMethod& plan) {
  MaskedBatch out;
  plan.apply(made.table.whole(), out);
  const std::size_t width = made.table.columns.size(), rows = made.table.rows();
  std::vector<std::vector<ConceptId>> before(rows), after(rows);
  std::vector<bool> part(rows, false);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      before[i].push_back(made.table.columns[j].cells[i]);
      after[i].push_back(out.columns[j][i]);
      part[i] =
          part[i] || before[i][j] != kMissing || made.table.columns[j].attribute->missing_is_value;
    }
  }
  SwapFit found;
  for (std::size_t i = 0; i < rows; ++i) {
    if (!part[i]) continue;
    double like = 0, unchanged = 0, alike = 0;
    for (std::size_t other = 0; other < rows; ++other) {
      if (before[other] == before[i]) {
        ++like;
        unchanged += after[other] == before[other] ? 1 : 0;
      }
      alike += part[other] && after[other] == before[i] ? 1 : 0;
    }
    if (like == 1) {
      ++found.uniques;
      found.unchanged_uniques += unchanged == 1 ? 1 : 0;
    }
    if (unchanged > 0) found.risk = std::max(found.risk, unchanged / like / alike);
  }
  return found;
}

TEST(Swap, CountsWhoCanStillBeFound) {
  std::uint64_t seed = 0, uniques = 0, unchanged = 0;
  std::set<double> risks;
  for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
    for (const std::size_t columns : {1, 2, 3}) {
      for (const std::size_t rows : {1, 2, 30, 120}) {
        const Made made = make({.columns = columns,
                                .rows = rows,
                                .distinct = 3 + rows / 10,
                                .missing_one_in = seed % 3 == 0 ? 4U : 0U,
                                .missing_is_value = seed % 2 == 0,
                                .numeric = seed % 4 == 1},
                               ++seed);
        const auto plan = fit(made, {.algorithm = algorithm, .k = 1 + seed % 6});
        const SwapFit* told = swap_fit(*plan);
        ASSERT_NE(told, nullptr);
        const SwapFit found = brute_force(made, *plan);
        SCOPED_TRACE(testing::Message() << to_string(algorithm) << " seed " << seed);
        EXPECT_EQ(told->uniques, found.uniques);
        EXPECT_EQ(told->unchanged_uniques, found.unchanged_uniques);
        EXPECT_NEAR(told->risk, found.risk, 1e-12);
        ASSERT_EQ(told->columns.size(), columns);
        EXPECT_FALSE(told->trace.has_value());
        const FrequencyTable table = made.table.frequencies();
        for (std::size_t j = 0; j < columns; ++j) {
          EXPECT_EQ(told->columns[j].swapped + told->columns[j].kept,
                    table.columns[j].values.total());
        }
        uniques += found.uniques;
        unchanged += found.unchanged_uniques;
        risks.insert(found.risk);
      }
    }
  }
  // What was compared was not all of one kind.
  EXPECT_GT(uniques, 500U);
  EXPECT_GT(unchanged, 20U);
  EXPECT_GT(risks.size(), 10U);
}

TEST(Swap, CountsCellsWithMoreThanKOfTheirLike) {
  std::set<std::uint64_t> seen;
  for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
    const bool by_distance =
        algorithm == SwapAlgorithm::kDynamic || algorithm == SwapAlgorithm::kMultivariate;
    for (std::uint64_t k = 1; k <= 12; ++k) {
      const Made made = make({.rows = 60, .distinct = 5, .missing_one_in = 6}, k);
      const auto plan = fit(made, {.algorithm = algorithm, .k = k});
      const auto& columns = made.table.columns;
      for (std::size_t j = 0; j < columns.size(); ++j) {
        std::uint64_t expected = 0;
        for (std::size_t i = 0; i < made.table.rows(); ++i) {
          if (columns[j].cells[i] == kMissing || !by_distance) continue;
          std::uint64_t like = 0;
          for (std::size_t other = 0; other < made.table.rows(); ++other) {
            bool equal = columns[j].cells[other] == columns[j].cells[i];
            if (algorithm == SwapAlgorithm::kMultivariate) {
              for (const auto& column : columns) equal &= column.cells[other] == column.cells[i];
            }
            like += equal ? 1 : 0;
          }
          expected += like > k ? 1 : 0;
        }
        EXPECT_EQ(swap_fit(*plan)->columns[j].among_equals, expected)
            << to_string(algorithm) << ", k = " << k << ", column " << j;
        seen.insert(expected);
      }
    }
  }
  EXPECT_GT(seen.size(), 10U);  // not all, not none
}

TEST(Swap, TellsTheSameOfASavedPlan) {
  const Made made = make({.columns = 3, .missing_one_in = 7, .numeric = true}, 5);
  const auto plan = fit(made, {.k = 4});
  const std::string saved = plan->save();
  const auto loaded =
      value_or_throw(load_fitted(make_swap({})->name(), saved, made.attributes(), swap_key(1)));
  EXPECT_EQ(loaded->save(), saved);
  const SwapFit &a = *swap_fit(*plan), &b = *swap_fit(*loaded);
  EXPECT_EQ(a.uniques, b.uniques);
  EXPECT_EQ(a.unchanged_uniques, b.unchanged_uniques);
  EXPECT_EQ(a.risk, b.risk);
  ASSERT_EQ(b.columns.size(), 3U);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(a.columns[j].swapped, b.columns[j].swapped);
    EXPECT_EQ(a.columns[j].kept, b.columns[j].kept);
  }
  MaskedBatch of_plan, of_loaded;
  plan->apply(made.table.whole(), of_plan);
  loaded->apply(made.table.whole(), of_loaded);
  EXPECT_EQ(of_plan.columns, of_loaded.columns);
  EXPECT_EQ(of_plan.dealt, of_loaded.dealt);
}

TEST(Swap, KeepsATraceIfAskedTo) {
  const Made made = make({.missing_one_in = 7}, 5);
  const auto plain = fit(made, {.k = 4});
  const auto traced = fit(made, {.k = 4, .traced = true});
  EXPECT_EQ(plain->save(), traced->save());
  EXPECT_FALSE(swap_fit(*plain)->trace.has_value());
  ASSERT_TRUE(swap_fit(*traced)->trace.has_value());
  std::uint64_t cells = 0;
  for (const SwapStep& step : *swap_fit(*traced)->trace) cells += step.partner ? 2 : 1;
  std::uint64_t all = 0;
  const FrequencyTable table = made.table.frequencies();
  for (const FrequencyColumn& column : table.columns) all += column.values.total();
  EXPECT_EQ(cells, all);
}

TEST(Swap, IsNotFoundInOtherPlans) {
  const Made made = make({}, 5);
  const auto naive = value_or_throw(
      make_baseline(Baseline::kNaive, false)->fit(made.table.frequencies(), swap_key(1)));
  EXPECT_EQ(swap_fit(*naive), nullptr);
}

// ---- What is refused ----------------------------------------------------------------------------

TEST(Swap, RefusesARiskAboveTheDemand) {
  const Made made = make({.rows = 12, .distinct = 4}, 1);
  std::size_t met = 0, refused = 0;
  for (unsigned char number = 0; number < 60; ++number) {
    for (const std::uint64_t k : {1, 2, 3, 4}) {
      const SwapOptions options{.k = k};
      const SwapFit found = *swap_fit(*fit(made, options, number));
      SwapOptions demanding = options;
      demanding.demands_risk = true;
      const auto plan = try_fit(made, demanding, number);
      ASSERT_EQ(plan.has_value(), found.risk * static_cast<double>(k) <= 1 + 1e-12) << found.risk;
      ++(plan ? met : refused);
      if (plan) continue;
      EXPECT_EQ(plan.error().code, ErrorCode::kGuarantee);
      EXPECT_THAT(plan.error().message, HasSubstr("probabilistic-k"));
      EXPECT_THAT(plan.error().message,
                  HasSubstr(std::to_string(found.unchanged_uniques) + " of " +
                            std::to_string(found.uniques) + " unique records"));
    }
  }
  EXPECT_GT(met, 40U);
  EXPECT_GT(refused, 10U);
}

TEST(Swap, RefusesAnIntervalOfNobody) { EXPECT_FALSE(try_fit(make({}, 1), {.k = 0})); }

TEST(Swap, TakesAnIntervalOfMoreThanAll) {
  for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
    const Made made = make({.rows = 20}, 3);
    const auto all = fit(made, {.algorithm = algorithm, .k = 19});
    const auto more =
        fit(made, {.algorithm = algorithm, .k = std::numeric_limits<std::uint64_t>::max()});
    MaskedBatch of_all, of_more;
    all->apply(made.table.whole(), of_all);
    more->apply(made.table.whole(), of_more);
    EXPECT_EQ(of_all.columns, of_more.columns) << to_string(algorithm);
  }
}

// ---- Saved plans --------------------------------------------------------------------------------

class DamagedSwap : public testing::Test {
 protected:
  void SetUp() override {
    saved_ = json::parse(fit(made_, {.algorithm = SwapAlgorithm::kRandom, .k = 1})->save());
    ASSERT_TRUE(loads(saved_));
  }
  bool loads(const json& saved) const {
    return load_fitted(make_swap({})->name(), saved.dump(), made_.attributes(), swap_key(1))
        .has_value();
  }
  void expect_refused(const char* what, const std::function<void(json&)>& damage) {
    json damaged = saved_;
    damage(damaged);
    ASSERT_NE(damaged, saved_) << what;
    EXPECT_FALSE(loads(damaged)) << what;
  }
  static void insert_tuple(json& saved, std::size_t at, const json& a, const json& b, int count) {
    const std::array<json, 2> cells = {a, b};
    const auto place = static_cast<std::ptrdiff_t>(at);
    saved["tuples"].insert(saved["tuples"].begin() + 2 * place, cells[1]);
    saved["tuples"].insert(saved["tuples"].begin() + 2 * place, cells[0]);
    saved["counts"].insert(saved["counts"].begin() + place, count);
  }
  const Made made_ = make({.columns = 2, .rows = 50, .distinct = 5, .missing_one_in = 4}, 8);
  json saved_;
};

// Whoever has a model without its key must not learn who swapped with whom; and two releases of one
// model must not share their swaps.
TEST(Swap, SavesNothingOfItsSwaps) {
  const Made made = make({.rows = 200, .distinct = 14}, 5);
  const auto plan = fit(made, {.k = 20}, 1);
  EXPECT_EQ(plan->save(), fit(made, {.k = 20}, 2)->save());
  const auto other = value_or_throw(
      load_fitted(make_swap({})->name(), plan->save(), made.attributes(), swap_key(2)));
  MaskedBatch of_plan, of_other, of_second;
  plan->apply(made.table.whole(), of_plan);
  other->apply(made.table.whole(), of_other);
  EXPECT_NE(of_plan.columns, of_other.columns);
  fit(made, {.k = 20}, 2)->apply(made.table.whole(), of_second);
  EXPECT_EQ(of_other.columns, of_second.columns);
}

TEST(Swap, ChecksTheDemandOfASavedPlanAgain) {
  const Made made = make({.rows = 12, .distinct = 4}, 1);
  std::size_t met = 0, refused = 0;
  std::string saved;
  for (unsigned char number = 0; number < 60 && saved.empty(); ++number) {
    if (const auto plan = try_fit(made, {.k = 2, .demands_risk = true}, number)) {
      saved = (*plan)->save();
    }
  }
  ASSERT_FALSE(saved.empty());
  for (unsigned char number = 0; number < 60; ++number) {
    const bool holds = try_fit(made, {.k = 2, .demands_risk = true}, number).has_value();
    const auto loaded =
        load_fitted(make_swap({})->name(), saved, made.attributes(), swap_key(number));
    ASSERT_EQ(loaded.has_value(), holds);
    ++(holds ? met : refused);
  }
  EXPECT_GT(met, 2U);
  EXPECT_GT(refused, 2U);
}

TEST_F(DamagedSwap, HasListsOfOneLength) {
  for (const char* list : {"tuples", "counts", "columns"}) {
    expect_refused(list, [&](json& s) { s[list].erase(s[list].size() - 1); });
    expect_refused(list, [&](json& s) { s[list].push_back(s[list].back()); });
    expect_refused(list, [&](json& s) { s[list] = json::array(); });
    expect_refused(list, [&](json& s) { s.erase(list); });
  }
}

TEST_F(DamagedSwap, HasEveryTupleOnceInOrderAndWithRecords) {
  expect_refused("a count of 0", [](json& s) { s["counts"][0] = 0; });
  expect_refused("a count below 0", [](json& s) { s["counts"][0] = -1; });
  expect_refused("counts that add up to the same, with a 0 among them", [](json& s) {
    s["counts"][1] = s["counts"][0].get<int>() + s["counts"][1].get<int>();
    s["counts"][0] = 0;
  });
  expect_refused("counts beyond any table",
                 [](json& s) { s["counts"][0] = std::numeric_limits<std::uint64_t>::max(); });
  expect_refused("a tuple twice", [](json& s) {
    s["tuples"][2] = s["tuples"][0];
    s["tuples"][3] = s["tuples"][1];
  });
  expect_refused("a place that there is not", [](json& s) { s["tuples"][0] = 1000000; });
}

// Damage that leaves everything else sound.
TEST_F(DamagedSwap, HasNoTupleInTwoPiecesOutOfOrderOrOfNobody) {
  const std::size_t tuples = saved_["counts"].size();
  std::size_t often = 0;
  while (saved_["counts"][often] == 1) ++often;
  expect_refused("two pieces", [&](json& s) {
    s["counts"][often] = s["counts"][often].get<int>() - 1;
    insert_tuple(s, often, s["tuples"][2 * often], s["tuples"][2 * often + 1], 1);
  });
  expect_refused("out of order", [&](json& s) {  // the first tuple last, with all that is its own
    std::rotate(s["tuples"].begin(), s["tuples"].begin() + 2, s["tuples"].end());
    std::rotate(s["counts"].begin(), s["counts"].begin() + 1, s["counts"].end());
  });
  const auto is_there = [&](std::size_t a, std::size_t b) {
    for (std::size_t t = 0; t < tuples; ++t) {
      if (saved_["tuples"][2 * t] == a && saved_["tuples"][2 * t + 1] == b) return true;
    }
    return false;
  };
  const std::size_t of_b = saved_["columns"][1].size();
  std::size_t a = 0, b = 0;
  while (is_there(a, b)) b + 1 < of_b ? ++b : (++a, b = 0);
  ASSERT_LT(a, saved_["columns"][0].size());
  expect_refused("nobody", [&](json& s) {
    std::size_t at = 0;
    const auto cell = [&](std::size_t i) { return s["tuples"][i].get<std::size_t>(); };
    while (cell(2 * at) < a || (cell(2 * at) == a && cell(2 * at + 1) < b)) ++at;
    insert_tuple(s, at, a, b, 0);
  });
}

TEST_F(DamagedSwap, HasATupleOnlyWithACell) {
  // A record without any cell is never dealt to: such a plan could never be used up.
  expect_refused("nothing but gaps", [](json& s) {
    for (int i = 0; i < 2; ++i) {
      s["tuples"].push_back(kMissing);
    }
    s["counts"].push_back(1);
  });
}

TEST_F(DamagedSwap, HasKnownChoices) {
  expect_refused("an unknown algorithm", [](json& s) { s["algorithm"] = 5; });
  expect_refused("an unknown rule", [](json& s) { s["exhausted"] = 2; });
  expect_refused("an interval of nobody", [](json& s) { s["k"] = 0; });
}

TEST_F(DamagedSwap, HasValuesOfTheDomain) {
  const auto values = [](json& s) -> json& { return s["columns"][0]; };
  expect_refused("an unknown id", [&](json& s) { values(s)[0] = "nobody"; });
  expect_refused("the virtual root", [&](json& s) { values(s)[0] = ""; });
  expect_refused("missing where it is no value",
                 [&](json& s) { values(s)[values(s).size() - 1] = nullptr; });
  expect_refused("one value twice", [&](json& s) { values(s)[1] = values(s)[0]; });
  expect_refused("another order", [&](json& s) { std::swap(values(s)[0], values(s)[1]); });
}

// ---- Numbers ------------------------------------------------------------------------------------

TEST(NumericAttribute, MeasuresByItsUnit) {
  const Attribute attribute = numeric_attribute("age", {-2, 0, 0.5, 3, 100}, 4);
  EXPECT_TRUE(attribute.is_numeric());
  EXPECT_EQ(attribute.size(), 5U);
  EXPECT_DOUBLE_EQ(attribute.distance(0, 1), 0.5);
  EXPECT_DOUBLE_EQ(attribute.distance(2, 1), 0.125);
  EXPECT_DOUBLE_EQ(attribute.distance(0, 3), 1);  // 5 / 4
  EXPECT_DOUBLE_EQ(attribute.distance(4, 0), 1);
  EXPECT_EQ(attribute.distance(3, 3), 0);
}

TEST(NumericAttribute, HasNoDistancesWithoutAUnit) {
  const Attribute attribute = numeric_attribute("age", {1, 2}, 0);
  EXPECT_EQ(attribute.distance(0, 1), 0);
}

TEST(NumericAttribute, KnowsMissingAsOneMoreValue) {
  const Attribute attribute = numeric_attribute("age", {1, 2}, 0.5);
  EXPECT_EQ(attribute.missing_value(), 2U);
  EXPECT_EQ(attribute.distance(2, 0), 1);
  EXPECT_EQ(attribute.distance(1, 2), 1);
  EXPECT_EQ(attribute.distance(2, 2), 0);
  EXPECT_EQ(attribute.id(2), "");
  EXPECT_EQ(attribute.id(kMissing), "");
}

TEST(NumericAttribute, NamesANumberByTheFewestDigitsThatGiveItBack) {
  const std::vector<double> numbers = {-1.5, 0.1, 0.1 + 0.2, 1, 1e22, 1.7976931348623157e308};
  const Attribute attribute = numeric_attribute("age", numbers, 1);
  EXPECT_EQ(attribute.id(0), "-1.5");
  EXPECT_EQ(attribute.id(1), "0.1");
  EXPECT_EQ(attribute.id(3), "1");
  for (ConceptId c = 0; c < numbers.size(); ++c) {
    EXPECT_EQ(std::stod(std::string(attribute.id(c))), numbers[c]);
  }
}

TEST(NumericAttribute, IsSwappedByItsUnit) {
  Made made;
  std::vector<double> numbers(21);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  TableColumn column;
  column.attribute = std::make_shared<const Attribute>(numeric_attribute("age", numbers, 20));
  for (ConceptId c = 0; c < numbers.size(); ++c) column.cells.push_back(c);
  made.table.columns.push_back(std::move(column));
  const auto plan = fit(made, {.algorithm = SwapAlgorithm::kDynamic, .k = 2, .traced = true});
  std::size_t exchanged = 0;
  for (const SwapStep& step : *swap_fit(*plan)->trace) {  // each number once: its slot is its place
    if (!step.partner) continue;
    ++exchanged;
    const double apart =
        std::abs(static_cast<double>(step.slot) - static_cast<double>(*step.partner));
    EXPECT_DOUBLE_EQ(step.distance, apart / 20);
    EXPECT_LE(apart, 2);
  }
  EXPECT_GE(exchanged, 5U);
}

TEST(NumericAttribute, IsRankedFromEitherEndWhereBothAreAsFar) {
  Made made;
  made.table.columns = {
      {std::make_shared<const Attribute>(numeric_attribute("n", {0, 1, 2}, 2)), {0, 1, 2}}};
  std::set<ConceptId> in_the_middle;
  for (unsigned char number = 0; number < 40; ++number) {
    MaskedBatch out;
    fit(made, {.algorithm = SwapAlgorithm::kFixed, .k = 1}, number)->apply(made.table.whole(), out);
    in_the_middle.insert(out.columns[0][1]);
  }
  EXPECT_EQ(in_the_middle, (std::set<ConceptId>{0, 2}));
}

TEST(NumericAttribute, SharesItsDomainWithNobody) {
  const Attribute attribute = numeric_attribute("age", {1, 2}, 1);
  const Made made = make({.columns = 1}, 1);
  EXPECT_FALSE(same_domain(attribute, attribute));
  EXPECT_FALSE(same_domain(attribute, *made.table.columns[0].attribute));
  EXPECT_FALSE(same_domain(*made.table.columns[0].attribute, attribute));
}

}  // namespace
}  // namespace semveil::test
