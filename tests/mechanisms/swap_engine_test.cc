// What holds for every swap, whatever was drawn: columns are permuted, each cell at most once, and
// every partner stands where the paper's definitions say, checked by brute force on the trace.
#include "mechanisms/swap_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/cpu.h"
#include "support/slow_swap.h"

namespace semveil::test {
namespace {

constexpr SwapAlgorithm kAlgorithms[] = {SwapAlgorithm::kFixed, SwapAlgorithm::kDynamic,
                                         SwapAlgorithm::kMultivariate, SwapAlgorithm::kRandom,
                                         SwapAlgorithm::kDistributional};

Key key(unsigned char number) {
  return Key::from_bytes(std::array<unsigned char, Key::kSize>{7, number});
}

SwapOutcome swap_all(const SwapCase& data, const SwapOptions& options, unsigned char number = 0) {
  return *swap_records(data.input, options, key(number));
}

// Replays a trace on single records.
class Replay {
 public:
  Replay(const SwapCase& data, const SwapOptions& options) : data_(data), options_(options) {
    for (const std::vector<Code>& record : data.slow.records) {
      cells_.insert(cells_.end(), record.begin(), record.end());
    }
    open_.resize(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) open_[i] = cells_[i] != kMissing;
    tallies_.resize(width());
  }

  void check(const SwapOutcome& outcome) {
    for (const SwapStep& step : outcome.trace) {
      ASSERT_TRUE(is_open(step.slot, step.column));
      const bool begins =
          !last_ || last_->step != step.step || (!multivariate() && last_->column != step.column);
      if (dynamic() && begins) {
        before_ = open_;
        check_reference(step);
      }
      if (dynamic()) check_interval(step);
      if (!dynamic() && options_.algorithm != SwapAlgorithm::kRandom) {
        ASSERT_LE(step.interval, options_.k);
      }
      apply(step);
      last_ = step;
    }
    ASSERT_EQ(cells_, outcome.values);
    ASSERT_TRUE(std::ranges::none_of(open_, [](bool open) { return open; }));
    for (std::size_t j = 0; j < width(); ++j) {
      EXPECT_EQ(tallies_[j].swapped, outcome.columns[j].swapped);
      EXPECT_EQ(tallies_[j].kept, outcome.columns[j].kept);
    }
  }

 private:
  std::size_t width() const { return data_.input.columns.size(); }
  std::size_t size() const { return data_.slow.records.size(); }
  bool multivariate() const { return options_.algorithm == SwapAlgorithm::kMultivariate; }
  bool dynamic() const { return multivariate() || options_.algorithm == SwapAlgorithm::kDynamic; }
  bool is_open(std::size_t i, std::size_t j) const { return open_[i * width() + j]; }

  // Columns that the step's distances are made of.
  std::vector<std::size_t> attributes(const SwapStep& step) const {
    if (!multivariate()) return {step.column};
    std::vector<std::size_t> all(width());
    for (std::size_t j = 0; j < width(); ++j) all[j] = j;
    return all;
  }
  std::uint64_t sd(std::size_t i, std::size_t l, const std::vector<std::size_t>& over) const {
    std::uint64_t sum = 0;
    for (const std::size_t j : over) {
      const Code a = data_.slow.records[i][j];
      const Code b = data_.slow.records[l][j];
      if (a == kMissing || b == kMissing) {
        sum += a == b ? 0 : kSwapUnit;
      } else {
        sum += data_.slow.distances[j][a][b];
      }
    }
    return sum;
  }
  bool takes_part(std::size_t i, const std::vector<std::size_t>& over) const {
    return std::ranges::any_of(over, [&](auto j) { return data_.slow.records[i][j] != kMissing; });
  }
  bool unfinished(const std::vector<bool>& open, std::size_t i,
                  const std::vector<std::size_t>& over) const {
    return std::ranges::any_of(over, [&](auto j) { return open[i * width() + j]; });
  }

  // The most distant of all, then the farthest from the last that is not done.
  void check_reference(const SwapStep& step) {
    const std::vector<std::size_t> over = attributes(step);
    const bool first = !last_ || (!multivariate() && last_->column != step.column);
    const auto figure = [&](std::size_t i) {
      if (!first) return sd(i, last_->slot, over);
      std::uint64_t sum = 0;
      for (std::size_t l = 0; l < size(); ++l) sum += takes_part(l, over) ? sd(i, l, over) : 0;
      return sum;
    };
    const std::uint64_t mine = figure(step.slot);
    for (std::size_t i = 0; i < size(); ++i) {
      if (unfinished(open_, i, over)) {
        ASSERT_LE(figure(i), mine);
      }
    }
  }

  void check_interval(const SwapStep& step) {
    const std::vector<std::size_t> over = attributes(step);
    std::vector<std::uint64_t> distances;
    for (std::size_t i = 0; i < size(); ++i) {
      if (i != step.slot && takes_part(i, over)) distances.push_back(sd(i, step.slot, over));
    }
    std::ranges::sort(distances);
    const bool all = distances.size() <= options_.k;
    const std::uint64_t edge = all ? kSwapUnit * 256ULL : distances[options_.k - 1];
    const auto closer = static_cast<std::uint64_t>(
        std::ranges::count_if(distances, [&](std::uint64_t d) { return d < edge; }));
    const std::uint64_t places = all ? 0 : options_.k - closer;
    std::uint64_t inside = 0, at_edge = 0, undone_at_edge = 0, beyond = 0;
    std::uint64_t nearest = kSwapUnit * 256ULL;
    for (std::size_t i = 0; i < size(); ++i) {
      if (i == step.slot) continue;
      const std::uint64_t d = sd(i, step.slot, over);
      undone_at_edge += d == edge && unfinished(before_, i, over) ? 1 : 0;
      if (!is_open(i, step.column)) continue;
      ++(d < edge ? inside : d == edge ? at_edge : beyond);
      nearest = std::min(nearest, d);
    }
    const std::uint64_t most = inside + std::min(places, at_edge);
    // Of the edge's undone records the places go to any: at least so many are this attribute's.
    const std::uint64_t others = undone_at_edge - at_edge;
    const std::uint64_t least =
        inside +
        (undone_at_edge <= places ? at_edge : std::min(at_edge, places - std::min(places, others)));
    const bool extended =
        options_.exhausted == Exhausted::kExtend &&
        (least == 0 && step.partner && inside == 0 && sd(*step.partner, step.slot, over) >= edge);
    if (!step.partner) {
      ASSERT_EQ(least, 0U);
      ASSERT_EQ(step.interval, 0U);
      if (options_.exhausted == Exhausted::kExtend) {
        ASSERT_EQ(inside + at_edge + beyond, 0U);
      }
      return;
    }
    if (extended) {
      ASSERT_EQ(sd(*step.partner, step.slot, over), nearest);
      return;
    }
    ASSERT_LE(sd(*step.partner, step.slot, over), edge);
    ASSERT_LE(step.interval, most);
    ASSERT_GE(step.interval, least);
  }

  void apply(const SwapStep& step) {
    const std::size_t mine = step.slot * width() + step.column;
    open_[mine] = false;
    if (!step.partner) {
      ++tallies_[step.column].kept;
      return;
    }
    ASSERT_NE(*step.partner, step.slot);
    ASSERT_TRUE(is_open(*step.partner, step.column));
    const std::size_t theirs = *step.partner * width() + step.column;
    open_[theirs] = false;
    ASSERT_EQ(step.distance,
              data_.input.columns[step.column].space->distance(cells_[mine], cells_[theirs]));
    std::swap(cells_[mine], cells_[theirs]);
    tallies_[step.column].swapped += 2;
  }

  const SwapCase& data_;
  const SwapOptions& options_;
  std::vector<Code> cells_;
  std::vector<bool> open_, before_;
  std::vector<SwapTally> tallies_;
  std::optional<SwapStep> last_;
};

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
          for (const SwapAlgorithm algorithm : kAlgorithms) {
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
  for (const SwapAlgorithm algorithm : kAlgorithms) {
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
  for (const SwapAlgorithm algorithm : kAlgorithms) {
    const SwapOutcome outcome = swap_all(data, {.algorithm = algorithm, .k = 100});
    EXPECT_EQ(outcome.columns[0].swapped + outcome.columns[0].kept, 2U);
    EXPECT_EQ(outcome.columns[1].swapped + outcome.columns[1].kept, 3U);
    EXPECT_EQ(std::ranges::count(outcome.values, kMissing), 3);
  }
  const SwapCase nothing = with_records(std::move(data), {{kMissing, kMissing}});
  for (const SwapAlgorithm algorithm : kAlgorithms) {
    EXPECT_EQ(swap_all(nothing, {.algorithm = algorithm}).values,
              (std::vector<Code>{kMissing, kMissing}));
  }
}

TEST(SwapEngine, AnswersAnEmptyTable) {
  SwapInput input;
  const SwapSpace space = SwapSpace::numeric({}, 0);
  input.columns.push_back({"x", &space});
  for (const SwapAlgorithm algorithm : kAlgorithms) {
    EXPECT_TRUE(swap_records(input, {.algorithm = algorithm}, key(0))->values.empty());
  }
}

TEST(SwapEngine, DependsOnTheKeyAloneAndNotOnThreads) {
  const SwapCase data = make_swap_case(
      {.shape = Shape::kDag, .columns = 3, .numeric = 1, .records = 400, .distinct = 60}, 8);
  for (const SwapAlgorithm algorithm : kAlgorithms) {
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
  const auto answer = swap_records(data.input, {.k = 0}, key(0));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kData);
}

}  // namespace
}  // namespace semveil::test
