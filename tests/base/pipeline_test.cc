#include "base/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>

#include "base/parallel.h"

namespace semveil {
namespace {

// Numbers 0 … count − 1 go through; `fails_at` and `throws_at` of a stage are numbers of batches.
struct Trouble {
  int fails_at = -1, throws_at = -1;
  Status meet(int i) const {
    if (i == throws_at) throw std::runtime_error("thrown");
    if (i == fails_at) return fail(data_error("failed"));
    return {};
  }
};

struct Passage {
  Status status;
  std::vector<int> written;
  int most_under_way = 0;
};

Passage run(unsigned threads, int count, Trouble read = {}, Trouble work = {}, Trouble write = {}) {
  Passage result;
  int next = 0;
  std::atomic<int> under_way = 0;
  result.status = run_pipeline(
      threads,
      [&]() -> Result<std::unique_ptr<int>> {
        if (const Status met = read.meet(next); !met) return fail(met.error());
        if (next == count) return nullptr;
        result.most_under_way = std::max(result.most_under_way, ++under_way);
        return std::make_unique<int>(next++);
      },
      [&](std::unique_ptr<int> i) -> Result<int> {
        // Later batches are ready before earlier ones.
        if (threads > 1) std::this_thread::sleep_for(std::chrono::microseconds(*i * 37 % 11 * 20));
        if (const Status met = work.meet(*i); !met) return fail(met.error());
        return *i;
      },
      [&](int i) -> Status {
        --under_way;
        if (const Status met = write.meet(i); !met) return met;
        result.written.push_back(i);
        return {};
      });
  return result;
}

std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

class EveryNumberOfThreads : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Pipeline, EveryNumberOfThreads, ::testing::Values(0, 1, 2, 3, 8));

TEST_P(EveryNumberOfThreads, KeepsTheOrderAndTheBound) {
  for (const int count : {0, 1, 2, 200}) {
    const Passage done = run(GetParam(), count);
    ASSERT_TRUE(done.status);
    EXPECT_EQ(done.written, numbers(count));
    EXPECT_LE(done.most_under_way, static_cast<int>(2 * GetParam() + 1));
  }
}

TEST_P(EveryNumberOfThreads, WritesWhatCameBeforeAnErrorAndNothingBehindIt) {
  const Trouble fails{.fails_at = 50, .throws_at = -1};
  for (const Passage& done : {run(GetParam(), 200, fails), run(GetParam(), 200, {}, fails),
                              run(GetParam(), 200, {}, {}, fails)}) {
    ASSERT_FALSE(done.status);
    EXPECT_EQ(done.status.error().message, "failed");
    EXPECT_EQ(done.written, numbers(50));
  }
}

TEST_P(EveryNumberOfThreads, ThrowsWhatAStageThrows) {
  const Trouble throws{.fails_at = -1, .throws_at = 50};
  EXPECT_THROW(run(GetParam(), 200, throws), std::runtime_error);
  EXPECT_THROW(run(GetParam(), 200, {}, throws), std::runtime_error);
  EXPECT_THROW(run(GetParam(), 200, {}, {}, throws), std::runtime_error);
}

TEST(InParallel, VisitsEveryNumberOnce) {
  for (const unsigned threads : {0U, 1U, 3U, 50U}) {
    std::vector<int> visits(40, 0);
    in_parallel(threads, visits.size(), [&](std::size_t i) { ++visits[i]; });
    EXPECT_THAT(visits, ::testing::Each(1));
  }
  EXPECT_THROW(in_parallel(3, 9,
                           [](std::size_t i) {
                             if (i == 8) throw std::runtime_error("x");
                           }),
               std::runtime_error);
}

}  // namespace
}  // namespace semveil
