#include "base/stop.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "base/bytes.h"
#include "base/parallel.h"
#include "base/pipeline.h"
#include "base/write_behind.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using namespace std::chrono_literals;

// Asks for a stop after a while, from another thread.
class StopLater {
 public:
  explicit StopLater(std::chrono::milliseconds when = 50ms)
      : asking_([this, when](const std::stop_token&) {
          std::this_thread::sleep_for(when);
          source_.request_stop();
        }) {}
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread asking_;
};

Status work_for_ever() {
  for (;;) check_stop();
}

void expect_stopped(const Status& status) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
}

TEST(Stop, WhatIsNotStoppedAnswersAsItIs) {
  std::stop_source source;
  EXPECT_EQ(*stoppable(source.get_token(), [] { return Result<int>(7); }), 7);
  const auto failed =
      stoppable(source.get_token(), [] { return Result<int>(fail(data_error("no"))); });
  EXPECT_EQ(failed.error().message, "no");
}

TEST(Stop, EndsALoopThatAsks) {
  const StopLater later;
  expect_stopped(stoppable(later.token(), work_for_ever));
}

TEST(Stop, ATokenThatWasAskedBeforeLetsNothingBegin) {
  std::stop_source source;
  source.request_stop();
  bool begun = false;
  expect_stopped(stoppable(source.get_token(), [&] {
    begun = true;
    return Status();
  }));
  EXPECT_FALSE(begun);
}

TEST(Stop, WithoutATokenNobodyAsks) {
  check_stop();
  EXPECT_FALSE(stop_requested());
  EXPECT_TRUE(stoppable({}, [] {
    check_stop();
    return Status();
  }));
}

// The answer of what is inside might be kept or shown: it gives none.
TEST(Stop, OfTheOuterWorkPassesThroughTheInner) {
  const StopLater later;
  std::stop_source inner;
  bool answered = false;
  expect_stopped(stoppable(later.token(), [&] {
    (void)stoppable(inner.get_token(), work_for_ever);
    answered = true;
    return Status();
  }));
  EXPECT_FALSE(answered);
}

TEST(Stop, OfTheInnerWorkIsAnAnswerToTheOuter) {
  const StopLater later;
  std::stop_source outer;
  EXPECT_TRUE(stoppable(outer.get_token(), [&] {
    expect_stopped(stoppable(later.token(), work_for_ever));
    check_stop();
    return Status();
  }));
}

TEST(Stop, TheSameTokenInsideIsCaughtOutside) {
  const StopLater later;
  bool answered = false;
  expect_stopped(stoppable(later.token(), [&] {
    (void)stoppable(later.token(), work_for_ever);
    answered = true;
    return Status();
  }));
  EXPECT_FALSE(answered);
}

TEST(Stop, ReachesTheThreadsOfALoop) {
  for (const unsigned threads : {1U, 4U}) {
    const StopLater later;
    expect_stopped(stoppable(later.token(), [&] {
      in_parallel(threads, 8, [](std::size_t) { (void)work_for_ever(); });
      return Status();
    }));
  }
}

TEST(Stop, EndsALoopOfShortPieces) {
  for (const unsigned threads : {1U, 4U}) {
    const StopLater later;
    expect_stopped(stoppable(later.token(), [&] {
      in_parallel(threads, ~std::size_t{0}, [](std::size_t) {});
      return Status();
    }));
  }
}

TEST(Stop, EndsAPipeline) {
  for (const unsigned threads : {1U, 3U}) {
    const StopLater later;
    expect_stopped(stoppable(later.token(), [&] {
      return run_pipeline(
          threads, [] { return Result<std::unique_ptr<int>>(std::make_unique<int>(1)); },
          [](std::unique_ptr<int> one) { return Result<int>(*one); }, [](int) { return Status(); });
    }));
  }
}

TEST(Stop, NothingStopsACommit) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  EXPECT_THROW(check_stop(), Stopped);
  {
    const Unstoppable commit;
    check_stop();
    EXPECT_FALSE(stop_requested());
  }
  EXPECT_TRUE(stop_requested());
}

TEST(Stop, ChecksOnceInSoManyRounds) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  StopCheck check(3);
  check();
  check();
  EXPECT_THROW(check(), Stopped);
}

// ---- Pipes --------------------------------------------------------------------------------------

class StopOfAPipe : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0); }
  std::string path() const { return folder_.path() + "/pipe"; }

  test::TemporaryFolder folder_;
};

TEST_F(StopOfAPipe, NobodyWrites) {
  const StopLater later;
  expect_stopped(stoppable(later.token(), [&]() -> Status {
    const auto stream = InputStream::open(path());
    return stream ? Status() : fail(stream.error());
  }));
}

TEST_F(StopOfAPipe, TheWriterStandsStill) {
  const StopLater later(200ms);
  std::atomic<bool> stopped = false;
  const std::jthread writer([&] {
    std::ofstream out(path());
    out << "some" << std::flush;
    while (!stopped) std::this_thread::sleep_for(5ms);
  });
  std::string read;
  expect_stopped(stoppable(later.token(), [&]() -> Status {
    const auto stream = InputStream::open(path());
    if (!stream) return fail(stream.error());
    std::array<char, 16> buffer{};
    for (;;) {
      const auto got = (*stream)->read(buffer.data(), buffer.size());
      if (!got || *got == 0) return {};
      read.append(buffer.data(), *got);
    }
  }));
  stopped = true;
  EXPECT_EQ(read, "some");
}

TEST_F(StopOfAPipe, NobodyReads) {
  const StopLater later;
  expect_stopped(stoppable(later.token(), [&]() -> Status {
    const auto file = PendingFile::create(path());
    return file ? Status() : fail(file.error());
  }));
}

TEST_F(StopOfAPipe, TheReaderStandsStill) {
  const StopLater later(200ms);
  std::atomic<bool> stopped = false;
  const std::jthread reader([&] {
    std::ifstream in(path());
    while (!stopped) std::this_thread::sleep_for(5ms);
  });
  expect_stopped(stoppable(later.token(), [&]() -> Status {
    auto file = PackedFile::create(path());
    if (!file) return fail(file.error());
    WriteBehind out(*std::move(file));
    const auto piece = std::make_shared<Growing<char>>();
    const std::string bytes(std::size_t{1} << 18U, 'x');
    piece->append(bytes.data(), bytes.size());
    for (;;) {
      if (Status put = out.append(piece); !put) return put;
    }
  }));
  stopped = true;
}

// What is written is the same, whether somebody might stop it or not.
TEST_F(StopOfAPipe, EverythingArrives) {
  std::string expected(3'000'001, ' ');
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<char>('a' + i % 25);
  const std::jthread writer([&] {
    std::stop_source source;
    const Status written =
        stoppable(source.get_token(), [&] { return write_file(path(), expected); });
    EXPECT_TRUE(written);
  });
  std::stop_source source;
  const auto read =
      stoppable(source.get_token(), [&] { return FileBytes::read(path(), Unpack::kNo); });
  ASSERT_TRUE(read);
  EXPECT_EQ(read->view(), expected);
}

}  // namespace
}  // namespace semveil
