// The figures of rank swapping's experiment against the definitions, record by record.
#include "reproduce/swap_trial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/generated_table.h"
#include "support/slow_statistics.h"

namespace semveil::test {
namespace {

using reproduction::Records;
using reproduction::SwapBench;
using reproduction::SwapFigures;

constexpr SwapAlgorithm kAlgorithms[] = {SwapAlgorithm::kFixed, SwapAlgorithm::kDynamic,
                                         SwapAlgorithm::kMultivariate, SwapAlgorithm::kRandom,
                                         SwapAlgorithm::kDistributional};

Records generated_records(const TwinDomain& domain, std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  const Taxonomy& taxonomy = *domain.domain->taxonomy();
  Records out;
  for (const char* name : {"a", "b", "c"}) {
    out.attributes.push_back(make_attribute(name, domain, {"wu-palmer"}));
  }
  out.columns.push_back(draw_cells(taxonomy, rows, 12, 0, random));
  out.columns.push_back(draw_related_cells(taxonomy, out.columns[0], 0, random));
  out.columns.push_back(draw_related_cells(taxonomy, out.columns[0], 0, random));
  return out;
}

// Records one by one, before and after: what the engine gives for the first key.
struct Swapped {
  std::vector<std::vector<ConceptId>> before, after;  // by column
  double kept = 0;
};
Swapped swap_first(const Records& records, SwapAlgorithm algorithm, std::uint64_t k) {
  const FrequencyTable table = reproduction::count(records);
  std::vector<SwapSpace> spaces;
  SwapInput input;
  spaces.reserve(table.columns.size());
  for (const FrequencyColumn& column : table.columns) {
    spaces.push_back(SwapSpace::nominal(column.attribute->measure, column.values.values));
    input.columns.push_back({column.attribute->name, &spaces.back()});
  }
  input.tuples = table.tuples;
  input.counts = table.tuple_counts;
  const SwapOutcome outcome =
      *swap_records(input, {.algorithm = algorithm, .k = k},
                    stream_key(reproduction::trial_key(0), table.digest(), ""));
  Swapped out;
  for (std::size_t j = 0; j < spaces.size(); ++j) {
    const std::vector<ConceptId>& values = table.columns[j].values.values;
    std::vector<ConceptId>& before = out.before.emplace_back();
    std::vector<ConceptId>& after = out.after.emplace_back();
    for (std::size_t t = 0; t < input.counts.size(); ++t) {
      before.insert(before.end(), input.counts[t], values[input.tuples[t * spaces.size() + j]]);
    }
    for (std::size_t at = j; at < outcome.values.size(); at += spaces.size()) {
      after.push_back(values[outcome.values[at]]);
    }
    out.kept += static_cast<double>(outcome.columns[j].kept);
  }
  return out;
}

double slow_correlation(const Measure& measure, const std::vector<ConceptId>& a,
                        const std::vector<ConceptId>& b) {
  const auto centred = [&](const std::vector<ConceptId>& column) {
    return slow_centred(slow_distances(column.size(), [&](std::size_t i, std::size_t j) {
      return measure.distance(column[i], column[j]);
    }));
  };
  const SlowMatrix of_a = centred(a);
  const SlowMatrix of_b = centred(b);
  const double both =
      std::sqrt(slow_covariance_squared(of_a, of_a) * slow_covariance_squared(of_b, of_b));
  return both == 0 ? 0 : std::sqrt(std::max(0.0, slow_covariance_squared(of_a, of_b)) / both);
}

TEST(SwapBench, TellsWhatBecameOfTheRecords) {
  const TwinDomain domain(generate(Shape::kTree, 40, 3));
  const Records records = generated_records(domain, 90, 5);
  const Measure& measure = *records.attributes[0]->measure;
  const SwapBench bench(records);
  std::map<std::vector<ConceptId>, int> tuples;
  for (std::size_t i = 0; i < records.size(); ++i) {
    ++tuples[{records.columns[0][i], records.columns[1][i], records.columns[2][i]}];
  }
  EXPECT_EQ(bench.tuples(), tuples.size());
  double moved = 0;
  double unchanged_somewhere = 0;
  for (const SwapAlgorithm algorithm : kAlgorithms) {
    SCOPED_TRACE(static_cast<int>(algorithm));
    const Swapped slow = swap_first(records, algorithm, 4);
    const SwapFigures fast = *bench.run_trials(algorithm, 4, 1, 1);
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < records.size(); ++i) {
        const double sd = measure.distance(slow.before[j][i], slow.after[j][i]);
        sum += sd * sd;
      }
      EXPECT_NEAR(fast.rmse[j], std::sqrt(sum / 90), 1e-12);
      moved += sum;
    }
    std::size_t pair = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = a + 1; b < 3; ++b, ++pair) {
        const double before = slow_correlation(measure, slow.before[a], slow.before[b]);
        const double after = slow_correlation(measure, slow.after[a], slow.after[b]);
        EXPECT_NEAR(bench.correlation()[pair], before, 1e-9);
        EXPECT_NEAR(fast.correlation[pair], after, 1e-9);
        EXPECT_NEAR(fast.loss[pair], std::abs(after - before), 1e-9);
      }
    }
    double unchanged = 0;
    std::size_t uniques = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (tuples.at({slow.before[0][i], slow.before[1][i], slow.before[2][i]}) > 1) continue;
      ++uniques;
      bool same = true;
      for (std::size_t j = 0; j < 3; ++j) same = same && slow.before[j][i] == slow.after[j][i];
      unchanged += same ? 1 : 0;
    }
    EXPECT_EQ(bench.uniques(), uniques);
    EXPECT_EQ(fast.unchanged_uniques, unchanged);
    EXPECT_EQ(fast.kept, slow.kept);
    EXPECT_TRUE(fast.same_values);
    unchanged_somewhere += unchanged;
  }
  EXPECT_GT(moved, 0);  // else there was nothing to compare
  EXPECT_GT(unchanged_somewhere, 0);
}

TEST(SwapBench, AveragesTheSameForAnyNumberOfThreads) {
  const TwinDomain domain(generate(Shape::kDag, 40, 9));
  const SwapBench bench(generated_records(domain, 70, 6));
  const SwapFigures one = *bench.run_trials(SwapAlgorithm::kMultivariate, 3, 7, 1);
  const SwapFigures three = *bench.run_trials(SwapAlgorithm::kMultivariate, 3, 7, 3);
  EXPECT_EQ(one.rmse, three.rmse);
  EXPECT_EQ(one.loss, three.loss);
  EXPECT_EQ(one.unchanged_uniques, three.unchanged_uniques);
  const SwapFigures first = *bench.run_trials(SwapAlgorithm::kMultivariate, 3, 1, 1);
  EXPECT_NE(one.rmse, first.rmse);  // other keys, other swaps
}

// Rank swapping paper, Table 5 at k = 2.
TEST(SwapBench, NothingChangesWhereEveryRecordIsMoreFrequentThanK) {
  const TwinDomain domain(generate(Shape::kTree, 40, 4));
  const Records once = generated_records(domain, 30, 8);
  for (const std::uint64_t k : {1, 2, 5, 10}) {
    SCOPED_TRACE(k);
    Records often = once;
    for (auto& column : often.columns) {
      const std::vector<ConceptId> cells = column;
      for (std::uint64_t i = 0; i < k; ++i) {
        column.insert(column.end(), cells.begin(), cells.end());
      }
    }
    const SwapBench bench(often);
    EXPECT_EQ(bench.frequent_records(k), 1);
    EXPECT_EQ(bench.frequent_cells(k), 1);
    for (const SwapAlgorithm algorithm : {SwapAlgorithm::kDynamic, SwapAlgorithm::kMultivariate}) {
      const SwapFigures figures = *bench.run_trials(algorithm, k, 5, 1);
      EXPECT_EQ(figures.mean_rmse(), 0);
      EXPECT_EQ(figures.mean_loss(), 0);
    }
    EXPECT_GT(bench.run_trials(SwapAlgorithm::kFixed, k, 5, 1)->mean_rmse(), 0);
  }
}

// Leaves of a star are equally far from each other. Three, with 3, 2 and 2 records: one of the
// rarer two is the most distant, the other two are tied; by frequency the rarer two are.
TEST(SwapBench, TellsHowMixedARankingIs) {
  const TwinDomain domain(generate(Shape::kStar, 8, 1));
  const Taxonomy& taxonomy = *domain.domain->taxonomy();
  std::vector<ConceptId> leaves;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (!taxonomy.parents(c).empty()) leaves.push_back(c);
  }
  Records records;
  for (const char* name : {"a", "b"}) {
    records.attributes.push_back(make_attribute(name, domain, {"wu-palmer"}));
    records.columns.push_back(
        {leaves[0], leaves[0], leaves[0], leaves[1], leaves[1], leaves[2], leaves[2]});
  }
  const SwapBench bench(records);
  // Of the 5 records tied 20 ordered pairs, 8 of them equal; of the 4 records 12, 4 of them equal.
  EXPECT_DOUBLE_EQ(bench.mixed(SwapAlgorithm::kFixed), 5.0 * (1 - 8.0 / 20) / 7);
  EXPECT_DOUBLE_EQ(bench.mixed(SwapAlgorithm::kDistributional), 4.0 * (1 - 4.0 / 12) / 7);
}

}  // namespace
}  // namespace semveil::test
