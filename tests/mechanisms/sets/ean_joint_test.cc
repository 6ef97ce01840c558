// What is believed of the true values where sets are released in several columns: by hand, and by
// brute force over the records.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "semveil/ean.h"
#include "support/set_table.h"

namespace semveil::test {
namespace {

// ---- By hand ------------------------------------------------------------------------------------

SetOptions options_of(const std::vector<SetCase>& cases) {
  SetOptions out{.categories = {}, .l = cases[0].l, .draw = cases[0].draw};
  for (const SetCase& c : cases) out.categories.push_back(c.rule());
  return out;
}

GeneratedTable table_of(const std::vector<SetCase>& cases,
                        const std::vector<std::vector<ConceptId>>& cells) {
  GeneratedTable out;
  for (std::size_t j = 0; j < cases.size(); ++j) {
    out.columns.push_back(cases[j].column(1, "column " + std::to_string(j)));
    out.columns[j].cells = cells[j];
  }
  return out;
}

// a1 goes with b1 and b2, a2 with b3 and b4; categories of b {b1, b3} and {b2, b4}.
TEST(Ean, GivesAColumnAwayByAnother) {
  const std::vector<SetCase> cases = {{.counts = {{1}, {1}}}, {.counts = {{1, 1}, {1, 1}}}};
  constexpr ConceptId kB1 = 0, kB2 = 1;
  std::vector<std::vector<ConceptId>> cells(2);
  for (ConceptId i = 0; i < 200; ++i) {
    cells[0].push_back(i % 4 < 2 ? 0 : 1);
    cells[1].push_back(i % 4);
  }
  const GeneratedTable table = table_of(cases, cells);
  const auto plan = value_or_throw(make_ean(options_of(cases))->fit(table.frequencies(), key()));
  std::size_t certain = 0, open = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    MaskedBatch out;
    plan->apply(table.batch(row, 1), out);
    auto b = set_of(*plan, out, 1, 0);
    std::sort(b.begin(), b.end());
    const bool one_a = (b[0] < 2) == (b[1] < 2);
    if (b == std::vector<ConceptId>{kB1, kB2}) ++certain;
    open += one_a ? 0 : 1;
    ASSERT_EQ(out.joint.columns.size(), 2U);
    EXPECT_EQ(out.joint.columns[0].worst, one_a ? 1 : 0.5);
    EXPECT_EQ(out.joint.columns[0].posteriors.value(), one_a ? 1 : 0.5);
    EXPECT_EQ(out.joint.columns[1].worst, 0.5);
    EXPECT_EQ(out.joint.worst, 0.5);
    EXPECT_EQ(out.tallies[0].worst_posterior, 0.5);  // by its own set
  }
  EXPECT_GT(certain, 0U);
  EXPECT_GT(open, 0U);
}

// Fitted on 0 with 0 and 1 with 1; categories {0, 2} and {1, 3}.
TEST(Ean, BelievesAllAlikeWhereNoTupleIsPossible) {
  for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
    const SetCase c{.counts = {{1, 0}, {1, 0}}, .draw = draw};
    const GeneratedTable fitted = table_of({c, c}, {{0, 1}, {0, 1}});
    const auto plan =
        value_or_throw(make_ean(options_of({c, c}))->fit(fitted.frequencies(), key()));
    const GeneratedTable others =
        table_of({c, c}, {std::vector<ConceptId>(50, 2), std::vector<ConceptId>(50, 2)});
    std::size_t impossible = 0, misled = 0;
    for (std::size_t row = 0; row < others.rows(); ++row) {
      MaskedBatch out;
      plan->apply(others.batch(row, 1), out);
      const auto has_1 = [&](std::size_t j) {
        const auto set = set_of(*plan, out, j, 0);
        return std::find(set.begin(), set.end(), ConceptId{1}) != set.end();
      };
      const JointTally& joint = out.joint;
      ASSERT_EQ(joint.records, 1U);
      if (draw == SetDraw::kFrequency) {  // 2 is never drawn: it is the true one
        EXPECT_EQ(joint.worst, 1);
        EXPECT_EQ(joint.columns[0].worst, 1);
        EXPECT_EQ(joint.columns[1].worst, 1);
        continue;
      }
      const bool one_left = has_1(0) && has_1(1);  // 1 with 1, which is not the true tuple
      EXPECT_EQ(joint.worst, one_left ? 0 : 0.25);
      EXPECT_EQ(joint.columns[0].worst, one_left ? 0 : 0.5);
      EXPECT_EQ(joint.columns[1].worst, one_left ? 0 : 0.5);
      ++(one_left ? misled : impossible);
    }
    EXPECT_EQ(impossible > 0 && misled > 0, draw == SetDraw::kUniform);
    if (draw == SetDraw::kUniform) continue;
    MaskedBatch out;
    plan->apply(table_of({c, c}, {{2}, {1}}).whole(), out);
    EXPECT_EQ(out.joint.columns[0].worst, 1);
    EXPECT_EQ(out.joint.columns[1].worst, 0.5);
    EXPECT_EQ(out.joint.worst, 0.5);
  }
}

TEST(JointTally, AddsUpWhereOnlyOneHasColumns) {
  JointTally some;
  some.columns.resize(2);
  some.columns[1].posteriors.add(0.5);
  some.columns[1].worst = 0.5;
  JointTally sum;
  sum.add(some);
  sum.add(JointTally());
  sum.add(some);
  ASSERT_EQ(sum.columns.size(), 2U);
  EXPECT_EQ(sum.columns[0].posteriors.value(), 0);
  EXPECT_EQ(sum.columns[1].posteriors.value(), 1);
  EXPECT_EQ(sum.columns[1].worst, 0.5);
}

// ---- By brute force -----------------------------------------------------------------------------

struct SeveralColumns {
  std::vector<SetCase> cases;
  GeneratedTable table;

  SeveralColumns(std::size_t columns, SetDraw draw, unsigned l, bool by_category) {
    cases = {{.counts = {{1, 1}, {1, 1, 1}, {1}, {1, 1}}},
             {.counts = {{1}, {1, 1}, {1, 1}}},
             {.counts = {{1, 1}, {1}, {1}}}};
    cases.resize(columns);
    for (SetCase& c : cases) {
      c.l = l;
      c.draw = draw;
      c.by_category = by_category;
    }
    // Columns that mostly go together.
    std::vector<std::vector<ConceptId>> cells(columns);
    Random random(4);
    for (std::size_t i = 0; i < 400; ++i) {
      const std::size_t x = random.below(random.one_in(2) ? 3 : cases[0].values());
      for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t values = cases[j].values();
        const std::size_t v = j > 0 && random.one_in(4) ? random.below(values) : x % values;
        cells[j].push_back(random.one_in(15) ? kMissing : static_cast<ConceptId>(v));
      }
    }
    table = table_of(cases, cells);
    // The twins know the counts of this table.
    for (std::size_t j = 0; j < columns; ++j) {
      const auto lists = cases[j].lists();
      for (std::size_t k = 0; k < lists.size(); ++k) {
        for (std::size_t i = 0; i < lists[k].size(); ++i) {
          cases[j].counts[k][i] =
              static_cast<std::uint64_t>(std::count(cells[j].begin(), cells[j].end(), lists[k][i]));
        }
      }
    }
  }
  std::vector<std::size_t> complete_rows() const {
    std::vector<std::size_t> out;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      bool complete = true;
      for (const TableColumn& column : table.columns) complete &= column.cells[row] != kMissing;
      if (complete) out.push_back(row);
    }
    return out;
  }
};

void expect_like_bayes(const SeveralColumns& several, const FittedMethod& plan) {
  MaskedBatch out;
  plan.apply(several.table.whole(), out);
  const std::size_t columns = several.cases.size();
  const std::vector<std::size_t> rows = several.complete_rows();
  const auto cell = [&](std::size_t j, std::size_t row) {
    return several.table.columns[j].cells[row];
  };
  std::vector<SlowSets> slow;
  for (const SetCase& c : several.cases) slow.push_back(c.slow());
  std::vector<std::map<ConceptId, std::map<SlowSets::List, double>>> sets(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    for (const auto& [v, count] : slow[j].records) sets[j][v] = slow[j].probabilities(v);
  }
  // Bayes' rule over the records themselves.
  double posteriors = 0, worst = 0, alone = 0;
  std::vector<double> of_column(columns), worst_of_column(columns);
  for (const std::size_t row : rows) {
    std::vector<std::map<ConceptId, double>> likely(columns);  // by value: that it makes the set
    for (std::size_t j = 0; j < columns; ++j) {
      auto set = set_of(plan, out, j, row);
      alone += slow[j].posterior(set, cell(j, row));
      std::sort(set.begin(), set.end());
      for (const auto& [v, of_value] : sets[j]) {
        likely[j][v] = of_value.contains(set) ? of_value.at(set) : 0;
      }
    }
    double sum = 0, same = 0;
    std::vector<double> same_in(columns);
    for (const std::size_t other : rows) {
      double product = 1;
      bool is_same = true;
      for (std::size_t j = 0; j < columns; ++j) {
        product *= likely[j].at(cell(j, other));
        is_same &= cell(j, other) == cell(j, row);
      }
      sum += product;
      same += is_same ? product : 0;
      for (std::size_t j = 0; j < columns; ++j) {
        same_in[j] += cell(j, other) == cell(j, row) ? product : 0;
      }
    }
    posteriors += same / sum;
    worst = std::max(worst, same / sum);
    for (std::size_t j = 0; j < columns; ++j) {
      of_column[j] += same_in[j] / sum;
      worst_of_column[j] = std::max(worst_of_column[j], same_in[j] / sum);
    }
  }
  EXPECT_EQ(out.joint.records, rows.size());
  EXPECT_NEAR(out.joint.posteriors.value(), posteriors, 1e-6);
  EXPECT_NEAR(out.joint.worst, worst, 1e-12);
  ASSERT_EQ(out.joint.columns.size(), columns);
  double together = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    EXPECT_NEAR(out.joint.columns[j].posteriors.value(), of_column[j], 1e-6);
    EXPECT_NEAR(out.joint.columns[j].worst, worst_of_column[j], 1e-12);
    EXPECT_GE(of_column[j], posteriors - 1e-6);
    together += of_column[j];
  }
  // The other columns' sets tell more than a column's own.
  EXPECT_GT(together, alone * 1.05);
}

TEST(Ean, TalliesWhatIsBelievedOfSeveralColumnsTogether) {
  for (const std::size_t columns : {2U, 3U}) {
    for (const bool by_category : {true, false}) {
      for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
        for (const unsigned l : {2U, 3U}) {
          const SeveralColumns several(columns, draw, l, by_category);
          const SetOptions options = options_of(several.cases);
          const auto mechanism = by_category ? make_ean(options) : make_an(options);
          const auto plan = value_or_throw(mechanism->fit(several.table.frequencies(), key()));
          expect_like_bayes(several, *plan);
        }
      }
    }
  }
}

// More tuples are possible than a table has room for.
// Categories of 100, 300 and 700 values.
std::size_t size_of_category(ConceptId value) {
  return value < 100 ? 100 : value < 400 ? 300 : 700;
}

Result<Categories> three_categories(const FrequencyColumn&) {
  Categories out;
  for (const auto& [first, last] : {std::pair{0U, 100U}, {100U, 400U}, {400U, 1100U}}) {
    auto& values = out.list.emplace_back().values;
    for (ConceptId value = first; value < last; ++value) values.push_back(value);
  }
  return out;
}

TEST(SetJoint, LooksUpTuplesWhereManyArePossible) {
  constexpr std::size_t kValues = 1100;
  std::vector<std::string> texts;
  for (std::size_t v = 0; v < kValues; ++v) texts.push_back(std::to_string(10000 + v));
  GeneratedTable table;
  Random random(8);
  std::map<std::pair<ConceptId, ConceptId>, double> tuples;
  for (const char* name : {"a", "b"}) {
    table.columns.push_back({std::make_shared<const Attribute>(text_attribute(name, texts)), {}});
  }
  for (std::size_t i = 0; i < 8 * kValues; ++i) {
    const auto x = static_cast<ConceptId>(i % kValues);
    const auto y = static_cast<ConceptId>((x + random.below(3)) % kValues);
    table.columns[0].cells.push_back(x);
    table.columns[1].cells.push_back(y);
    ++tuples[{x, y}];
  }
  for (const bool by_category : {false, true}) {
    const auto mechanism = by_category
                               ? make_ean({.categories = {three_categories, three_categories}})
                               : make_an({.categories = {}, .l = 40});
    const auto plan = value_or_throw(mechanism->fit(table.frequencies(), key()));
    const auto weight = [&](ConceptId x, ConceptId y) {
      const auto found = tuples.find({x, y});
      const double likely =
          by_category ? static_cast<double>(size_of_category(x) * size_of_category(y)) : 1;
      return found == tuples.end() ? 0 : found->second * likely;
    };
    MaskedBatch out;
    const RecordBatch batch = table.batch(0, 500);
    plan->apply(batch, out);
    double posteriors = 0, of_a = 0;
    for (std::size_t row = 0; row < batch.rows; ++row) {
      const ConceptId a = batch.columns[0][row];
      double sum = 0, same_a = 0;
      for (const ConceptId x : set_of(*plan, out, 0, row)) {
        for (const ConceptId y : set_of(*plan, out, 1, row)) {
          sum += weight(x, y);
          same_a += x == a ? weight(x, y) : 0;
        }
      }
      posteriors += weight(a, batch.columns[1][row]) / sum;
      of_a += same_a / sum;
    }
    EXPECT_EQ(out.joint.records, 500U);
    EXPECT_NEAR(out.joint.posteriors.value(), posteriors, 1e-6);
    EXPECT_NEAR(out.joint.columns[0].posteriors.value(), of_a, 1e-6);
  }
}

TEST(Ean, CountsNoTuplesWhereThereAreTooMany) {
  GeneratedTable table;
  std::vector<std::string> texts;
  for (int v = 0; v < 70; ++v) texts.push_back(std::to_string(100 + v));
  for (const char* name : {"a", "b"}) {
    TableColumn column{std::make_shared<const Attribute>(text_attribute(name, texts)), {}};
    for (ConceptId v = 0; v < 70; ++v) column.cells.push_back(v);
    table.columns.push_back(std::move(column));
  }
  for (const auto& [l, records] : {std::pair{64U, 70U}, {65U, 0U}}) {
    const auto plan =
        value_or_throw(make_an({.categories = {}, .l = l})->fit(table.frequencies(), key()));
    MaskedBatch out;
    plan->apply(table.whole(), out);
    EXPECT_EQ(out.joint.records, records);
    EXPECT_EQ(out.joint.columns.size(), records == 0 ? 0U : 2U);
    EXPECT_EQ(set_fit(*plan)->combinations, static_cast<double>(l) * l);
  }
}

}  // namespace
}  // namespace semveil::test
