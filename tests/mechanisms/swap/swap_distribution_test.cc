// Rank swapping against its slow twin: over many keys every outcome, and every beginning of the
// trace, comes as often from the engine as from single records.
//
// Each comparison is a χ² test of two samples with a false-alarm rate of 1e-7; there are fewer
// than 2,500 in this file, so that a right engine and twin need other keys once in 4,000 times.
// The twin's mutants, each wrong in one point, are rejected by the same judge.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "support/sample_checks.h"
#include "support/slow_swap.h"

namespace semveil::test {
namespace {

constexpr std::size_t kRuns = 2000;

using Frequencies = std::map<std::string, std::uint64_t>;

Key swap_run_key(std::uint64_t number) {
  std::array<unsigned char, Key::kSize> bytes{1};
  for (std::size_t i = 0; i < 8; ++i) bytes[8 + i] = static_cast<unsigned char>(number >> (8 * i));
  return Key::from_bytes(bytes);
}

// What was observed in many runs: outcomes, how the traces begin, how many could be picked, and who
// was reference after whom.
struct SwapSample {
  Frequencies outcomes, traces, intervals, references;
};

std::string text(const SwapCase& data, const SwapStep& step) {
  return std::to_string(step.step) + ',' + std::to_string(step.column) + ':' +
         std::to_string(data.tuple[step.slot]) + '>' +
         (step.partner ? std::to_string(data.tuple[*step.partner]) : "-") + '/' +
         std::to_string(step.interval) + ' ';
}

// The records of a tuple are interchangeable: what they become is a multiset.
void observe(const SwapCase& data, const std::vector<std::vector<Code>>& records,
             const std::vector<SwapStep>& trace, SwapSample& sample) {
  std::map<std::size_t, std::multiset<std::vector<Code>>> by_tuple;
  for (std::size_t i = 0; i < records.size(); ++i) by_tuple[data.tuple[i]].insert(records[i]);
  std::string outcome;
  for (const auto& [tuple, became] : by_tuple) {
    for (const std::vector<Code>& record : became) {
      for (const Code cell : record) outcome += std::to_string(static_cast<int>(cell)) + ',';
      outcome += ';';
    }
    outcome += '|';
  }
  ++sample.outcomes[outcome];
  std::string beginning, intervals, references;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (i < 3) beginning += text(data, trace[i]);
    intervals += std::to_string(trace[i].interval) + ' ';
    if (trace[i].step < 4) references += std::to_string(data.tuple[trace[i].slot]) + ' ';
  }
  ++sample.traces[beginning];
  ++sample.intervals[intervals];
  ++sample.references[references];
}

SwapSample engine_sample(const SwapCase& data, SwapOptions options, std::size_t runs = kRuns) {
  options.traced = true;
  SwapSample sample;
  const std::size_t width = data.input.columns.size();
  for (std::size_t run = 0; run < runs; ++run) {
    const SwapOutcome out = *swap_records(data.input, options, swap_run_key(run));
    std::vector<std::vector<Code>> records;
    for (std::size_t i = 0; i < data.tuple.size(); ++i) {
      const auto first = out.values.begin() + static_cast<std::ptrdiff_t>(i * width);
      records.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
    }
    observe(data, records, out.trace, sample);
  }
  return sample;
}

SwapSample twin_sample(const SwapCase& data, const SwapOptions& options,
                       SwapMutant mutant = SwapMutant::kNone, std::size_t runs = kRuns) {
  SwapSample sample;
  Random random(99);
  for (std::size_t run = 0; run < runs; ++run) {
    const SlowSwapOutcome out = slow_swap(data.slow, options, random, mutant);
    observe(data, out.records, out.trace, sample);
  }
  return sample;
}

// Two samples of one size: Σ (a − b)² / (a + b), rare answers taken together.
testing::AssertionResult alike(const Frequencies& a, const Frequencies& b) {
  std::map<std::string, std::pair<double, double>> both;
  for (const auto& [answer, count] : a) both[answer].first = static_cast<double>(count);
  for (const auto& [answer, count] : b) both[answer].second = static_cast<double>(count);
  std::pair<double, double> rare{0, 0};
  double chi_square = 0, answers = 0;
  const auto add = [&](const std::pair<double, double>& counts) {
    const double sum = counts.first + counts.second;
    if (sum == 0) return;
    chi_square += (counts.first - counts.second) * (counts.first - counts.second) / sum;
    ++answers;
  };
  for (const auto& [answer, counts] : both) {
    if (counts.first + counts.second < 20) {
      rare.first += counts.first;
      rare.second += counts.second;
    } else {
      add(counts);
    }
  }
  add(rare);
  const double df = answers - 1;
  if (df == 0) return testing::AssertionSuccess() << "one answer";
  const double spread = 2 / (9 * df);  // Wilson and Hilferty 1931
  const double z = (std::cbrt(chi_square / df) - (1 - spread)) / std::sqrt(spread);
  if (z <= kNormalBound) return testing::AssertionSuccess() << z;
  return testing::AssertionFailure() << "chi-square " << chi_square << " at " << df << ", z " << z;
}

testing::AssertionResult alike(const SwapSample& a, const SwapSample& b) {
  for (const auto& [what, member] :
       {std::pair("outcomes", &SwapSample::outcomes), std::pair("traces", &SwapSample::traces),
        std::pair("intervals", &SwapSample::intervals),
        std::pair("references", &SwapSample::references)}) {
    const testing::AssertionResult answer = alike(a.*member, b.*member);
    if (!answer) return testing::AssertionFailure() << what << ": " << answer.message();
  }
  return testing::AssertionSuccess();
}

// Small tables with many ties and duplicates, missing cells, numbers, and spaces with values that
// do not occur.
std::vector<SwapCase> small_cases(std::size_t columns) {
  std::vector<SwapCase> out;
  const auto add = [&](SwapCaseShape shape, std::uint64_t seed) {
    shape.columns = columns;
    out.push_back(make_swap_case(shape, seed));
  };
  add({.shape = Shape::kTree, .records = 6, .distinct = 4}, 1);
  add({.shape = Shape::kStar, .records = 7, .distinct = 4}, 2);
  add({.shape = Shape::kDag, .records = 5, .distinct = 5, .missing_one_in = 4}, 3);
  add({.shape = Shape::kChain, .numeric = 1, .records = 8, .distinct = 3}, 4);
  add({.shape = Shape::kSeveralRoots, .records = 7, .distinct = 3, .missing_one_in = 3}, 5);
  add({.shape = Shape::kTree, .numeric = 1, .records = 4, .distinct = 6}, 6);
  add({.shape = Shape::kChain, .records = 8, .distinct = 8}, 7);
  return out;
}

class EverySwap : public testing::TestWithParam<std::tuple<SwapAlgorithm, Exhausted, std::size_t>> {
};

TEST_P(EverySwap, ComesOutAsOftenAsOnSingleRecords) {
  const auto [algorithm, exhausted, columns] = GetParam();
  for (const SwapCase& data : small_cases(columns)) {
    for (const std::uint64_t k : {1, 2, 3, 5}) {
      if (algorithm == SwapAlgorithm::kRandom && k > 1) continue;  // has no interval
      const SwapOptions options{.algorithm = algorithm, .k = k, .exhausted = exhausted};
      EXPECT_TRUE(alike(engine_sample(data, options), twin_sample(data, options)))
          << "k = " << k << ", " << data.tuple.size() << " records";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, EverySwap,
    testing::Combine(testing::Values(SwapAlgorithm::kFixed, SwapAlgorithm::kDynamic,
                                     SwapAlgorithm::kMultivariate, SwapAlgorithm::kRandom,
                                     SwapAlgorithm::kDistributional),
                     testing::Values(Exhausted::kKeep, Exhausted::kExtend),
                     testing::Values(std::size_t{1}, std::size_t{2})));

// Values equally far apart and equally frequent: who was reference lately is less likely to be
// next, because fewer of its records are left.
TEST(SwapReferences, AreDrawnByTheRecordsThatAreLeft) {
  for (const std::size_t columns : {1, 2}) {
    SwapCase data = make_swap_case({.columns = columns, .numeric = columns, .distinct = 9}, 2);
    for (auto& space : data.spaces) {
      // Beyond the divisor all numbers are at distance 1.
      space = std::make_unique<const SwapSpace>(SwapSpace::numeric({0, 1, 2}, 0.5));
    }
    for (std::size_t j = 0; j < columns; ++j) {
      data.input.columns[j].space = data.spaces[j].get();
      data.slow.distances[j].assign(3, std::vector<std::uint64_t>(3, kSwapUnit));
      for (std::size_t v = 0; v < 3; ++v) data.slow.distances[j][v][v] = 0;
    }
    std::vector<std::vector<Code>> records;
    for (Code i = 0; i < 12; ++i) records.emplace_back(columns, i % 3);
    data = with_records(std::move(data), records);
    for (const std::uint64_t k : {1, 11}) {
      const SwapOptions options{.algorithm = SwapAlgorithm::kMultivariate, .k = k};
      EXPECT_TRUE(alike(engine_sample(data, options, 10'000),
                        twin_sample(data, options, SwapMutant::kNone, 10'000)));
    }
  }
}

// Whether one of the small tables tells the mutant from the engine.
bool is_rejected(SwapMutant mutant, SwapAlgorithm algorithm, std::size_t columns,
                 Exhausted exhausted = Exhausted::kKeep) {
  for (const SwapCase& data : small_cases(columns)) {
    for (const std::uint64_t k : {1, 2, 3}) {
      if (k == 1 && mutant == SwapMutant::kIntervalWithReference) continue;
      const SwapOptions options{.algorithm = algorithm, .k = k, .exhausted = exhausted};
      if (!alike(engine_sample(data, options), twin_sample(data, options, mutant))) return true;
    }
  }
  return false;
}

TEST(SwapJudge, RejectsEveryMutant) {
  for (const SwapMutant mutant : {SwapMutant::kTiesByValue, SwapMutant::kIntervalOfUnswapped,
                                  SwapMutant::kIntervalWithReference, SwapMutant::kNextIsNearest,
                                  SwapMutant::kFirstIsAny, SwapMutant::kEdgeInAnyOrder,
                                  SwapMutant::kPartnerByValue, SwapMutant::kRanksFromTheNearest}) {
    EXPECT_TRUE(is_rejected(mutant, SwapAlgorithm::kDynamic, 1)) << static_cast<int>(mutant);
    EXPECT_TRUE(is_rejected(mutant, SwapAlgorithm::kMultivariate, 2)) << static_cast<int>(mutant);
  }
  EXPECT_TRUE(is_rejected(SwapMutant::kEdgeByAttribute, SwapAlgorithm::kMultivariate, 2));
  EXPECT_TRUE(is_rejected(SwapMutant::kMissingIsNear, SwapAlgorithm::kMultivariate, 2));
  EXPECT_TRUE(
      is_rejected(SwapMutant::kExtendsToAny, SwapAlgorithm::kDynamic, 1, Exhausted::kExtend));
  for (const SwapMutant mutant : {SwapMutant::kIntervalWithReference, SwapMutant::kTiesInOrder,
                                  SwapMutant::kRanksFromTheNearest}) {
    EXPECT_TRUE(is_rejected(mutant, SwapAlgorithm::kFixed, 1)) << static_cast<int>(mutant);
  }
  EXPECT_TRUE(is_rejected(SwapMutant::kTiesInOrder, SwapAlgorithm::kDistributional, 1));
  EXPECT_TRUE(is_rejected(SwapMutant::kIntervalWithReference, SwapAlgorithm::kDistributional, 1));
}

}  // namespace
}  // namespace semveil::test
