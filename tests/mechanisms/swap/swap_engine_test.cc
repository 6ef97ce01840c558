// What holds for every swap, whatever was drawn: columns are permuted, each cell at most once, and
// every partner stands where the paper's definitions say, checked by brute force on the trace.
#include "mechanisms/swap/swap_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/cpu.h"
#include "support/slow_swap.h"
#include "support/swap_replay.h"

namespace semveil::test {
namespace {

Key swap_engine_key(unsigned char number) {
  return Key::from_bytes(std::array<unsigned char, Key::kSize>{7, number});
}

SwapOutcome swap_all(const SwapCase& data, const SwapOptions& options, unsigned char number = 0) {
  return *swap_records(data.input, options, swap_engine_key(number));
}

void expect_sound(const SwapCase& data, const SwapOptions& options) {
  const SwapOutcome outcome = swap_all(data, options);
  Replay(data, options).check(outcome);
  const std::size_t width = data.input.columns.size();
  for (std::size_t j = 0; j < width; ++j) {
    std::multiset<Code> before, after;
    for (std::size_t i = 0; i < data.tuple.size(); ++i) {
      before.insert(data.slow.records[i][j]);
      after.insert(outcome.values[i * width + j]);
    }
    EXPECT_EQ(before, after);
  }
}

TEST(SwapEngine, DoesWhatTheDefinitionsSayOnGeneratedTables) {
  std::uint64_t seed = 100;
  for (const Shape shape : kShapes) {
    for (const std::size_t columns : {1, 2, 3}) {
      for (const std::size_t distinct : {1, 3, 12, 40}) {
        for (const std::size_t records : {1, 2, 9, 60}) {
          const SwapCase data = make_swap_case({.shape = shape,
                                                .columns = columns,
                                                .numeric = seed % 3 == 0 ? 1U : 0U,
                                                .records = records,
                                                .distinct = distinct,
                                                .missing_one_in = seed % 2 == 0 ? 4U : 0U},
                                               ++seed);
          for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
            const std::uint64_t k = 1 + seed % 7 + (seed % 5 == 0 ? records : 0);
            const Exhausted exhausted = seed % 4 < 2 ? Exhausted::kKeep : Exhausted::kExtend;
            SCOPED_TRACE(testing::Message() << to_string(shape) << " seed " << seed << " algorithm "
                                            << static_cast<int>(algorithm) << " k " << k);
            expect_sound(data,
                         {.algorithm = algorithm, .k = k, .exhausted = exhausted, .traced = true});
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// More items than a block of the scan, and more candidates than it holds at a time.
TEST(SwapEngine, DoesWhatTheDefinitionsSayOnTablesOfManyTuples) {
  for (const std::uint64_t k : {1, 40, 300, 899}) {
    for (const std::size_t columns : {1, 2, 3}) {
      const SwapCase data = make_swap_case({.shape = Shape::kDag,
                                            .columns = columns,
                                            .numeric = columns > 1 ? 1U : 0U,
                                            .records = 900,
                                            .distinct = 500,
                                            .missing_one_in = 9},
                                           k + columns);
      for (const SwapAlgorithm algorithm :
           {SwapAlgorithm::kFixed, SwapAlgorithm::kDynamic, SwapAlgorithm::kMultivariate}) {
        expect_sound(data, {.algorithm = algorithm, .k = k, .traced = true});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(SwapEngine, ChangesNothingWhereEveryTupleIsMoreFrequentThanK) {
  SwapCase data = make_swap_case({.columns = 2, .records = 8, .distinct = 5}, 4);
  std::vector<std::vector<Code>> records;
  for (const std::vector<Code>& record : data.slow.records) {
    for (int copies = 0; copies < 7; ++copies) records.push_back(record);
  }
  data = with_records(std::move(data), records);
  for (const SwapAlgorithm algorithm : {SwapAlgorithm::kDynamic, SwapAlgorithm::kMultivariate}) {
    const SwapOutcome outcome = swap_all(data, {.algorithm = algorithm, .k = 6});
    std::vector<Code> before;
    for (const auto& record : data.slow.records) {
      before.insert(before.end(), record.begin(), record.end());
    }
    EXPECT_EQ(outcome.values, before);
    EXPECT_GT(outcome.columns[0].swapped, 0U);
    EXPECT_NE(swap_all(data, {.algorithm = SwapAlgorithm::kFixed, .k = 6}).values, before);
  }
}

TEST(SwapEngine, KeepsASingleRecordAndTheOddOne) {
  for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
    const SwapCase one = make_swap_case({.columns = 2, .records = 1}, 5);
    const SwapOutcome kept = swap_all(one, {.algorithm = algorithm, .k = 3});
    EXPECT_EQ(kept.columns[1].kept, 1U);
    EXPECT_EQ(kept.columns[1].swapped, 0U);
    // Everybody is in every interval, so that only an odd one stays.
    for (const std::size_t records : {10, 11}) {
      const SwapCase some = make_swap_case({.records = records}, 6);
      const SwapOutcome outcome = swap_all(some, {.algorithm = algorithm, .k = 1000});
      EXPECT_EQ(outcome.columns[0].kept, records % 2);
      EXPECT_EQ(outcome.columns[0].swapped, 10U);
    }
  }
}

TEST(SwapEngine, LeavesRecordsWithoutAnyCellOut) {
  SwapCase data = make_swap_case({.columns = 2, .records = 1}, 5);
  data = with_records(std::move(data), {{0, 0}, {1, 1}, {kMissing, kMissing}, {kMissing, 0}});
  for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
    const SwapOutcome outcome = swap_all(data, {.algorithm = algorithm, .k = 100});
    EXPECT_EQ(outcome.columns[0].swapped + outcome.columns[0].kept, 2U);
    EXPECT_EQ(outcome.columns[1].swapped + outcome.columns[1].kept, 3U);
    EXPECT_EQ(std::ranges::count(outcome.values, kMissing), 3);
  }
  const SwapCase nothing = with_records(std::move(data), {{kMissing, kMissing}});
  for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
    EXPECT_EQ(swap_all(nothing, {.algorithm = algorithm}).values,
              (std::vector<Code>{kMissing, kMissing}));
  }
}

TEST(SwapEngine, AnswersAnEmptyTable) {
  SwapInput input;
  const SwapSpace space = SwapSpace::numeric({}, 0);
  input.columns.push_back({"x", &space});
  for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
    EXPECT_TRUE(swap_records(input, {.algorithm = algorithm}, swap_engine_key(0))->values.empty());
  }
}

TEST(SwapEngine, DependsOnTheKeyAloneAndNotOnThreads) {
  const SwapCase data = make_swap_case(
      {.shape = Shape::kDag, .columns = 3, .numeric = 1, .records = 400, .distinct = 60}, 8);
  for (const SwapAlgorithm algorithm : kSwapAlgorithms) {
    SwapOptions options{.algorithm = algorithm, .k = 5, .traced = true};
    const SwapOutcome one = swap_all(data, options);
    options.threads = 2;
    const SwapOutcome two = swap_all(data, options);
    options.threads = 7;
    allow_avx2() = false;
    const SwapOutcome plain = swap_all(data, options);
    allow_avx2() = true;
    EXPECT_EQ(one.values, two.values);
    EXPECT_EQ(one.trace, two.trace);
    EXPECT_EQ(one.trace, plain.trace);
    EXPECT_NE(one.values, swap_all(data, options, 1).values);
    options.traced = false;
    EXPECT_EQ(one.values, swap_all(data, options).values);
    EXPECT_TRUE(swap_all(data, options).trace.empty());
  }
}

TEST(SwapEngine, DrawsForEachColumnByItsName) {
  SwapCase data = make_swap_case({.columns = 1, .records = 50, .distinct = 50}, 9);
  std::vector<std::vector<Code>> records;
  for (const auto& record : data.slow.records) records.push_back({record[0], record[0]});
  data.input.columns.push_back({"another", data.spaces[0].get()});
  data.slow.distances.push_back(data.slow.distances[0]);
  data = with_records(std::move(data), records);
  const SwapOutcome outcome = swap_all(data, {.algorithm = SwapAlgorithm::kRandom});
  bool differ = false;
  for (std::size_t i = 0; i < 50; ++i) {
    differ = differ || outcome.values[2 * i] != outcome.values[2 * i + 1];
  }
  EXPECT_TRUE(differ);
}

TEST(SwapEngine, RefusesAnEmptyInterval) {
  const SwapCase data = make_swap_case({}, 1);
  const auto answer = swap_records(data.input, {.k = 0}, swap_engine_key(0));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kData);
}

}  // namespace
}  // namespace semveil::test
