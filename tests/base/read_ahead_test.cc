#include "base/read_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "support/small_pieces.h"

namespace semveil {
namespace {

using test::SmallPieces;
using ::testing::HasSubstr;

constexpr ReadAhead::Room kRoom{.before = 5, .bytes = 16, .behind = 3};

std::string_view behind_room(const Growing<char>& buffer) {
  return {buffer.data() + kRoom.before, buffer.size() - kRoom.before};
}

std::string letters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('a' + i % 26);
  return text;
}

TEST(ReadAhead, GivesTheSameBytesHoweverTheyCome) {
  for (const std::size_t size : {0, 1, 15, 16, 17, 32, 1000}) {
    for (const std::size_t piece : {1, 7, 16, 100}) {
      const std::string text = letters(size);
      SmallPieces stream(text, piece);
      ReadAhead ahead(stream, kRoom);
      std::string taken;
      Growing<char> buffer;
      while (*ahead.take(buffer)) {
        EXPECT_LE(behind_room(buffer).size(), kRoom.bytes);
        EXPECT_GE(buffer.capacity(), buffer.size() + kRoom.behind);
        taken += behind_room(buffer);
        EXPECT_EQ(ahead.position(), taken.size());
      }
      EXPECT_EQ(taken, text);
      EXPECT_FALSE(*ahead.take(buffer)) << "the end stays the end";
    }
  }
}

TEST(ReadAhead, BeginsWhereTheStreamStands) {
  SmallPieces stream("header\nrest", 100);
  char header[7];
  ASSERT_EQ(*stream.read(header, sizeof header), sizeof header);
  ReadAhead ahead(stream, kRoom);
  EXPECT_EQ(ahead.position(), 7U);
  Growing<char> buffer;
  ASSERT_TRUE(*ahead.take(buffer));
  EXPECT_EQ(behind_room(buffer), "rest");
}

TEST(ReadAhead, TellsAnErrorBehindWhatWasReadBeforeIt) {
  SmallPieces stream(letters(20), 6, SmallPieces::End::kError);
  ReadAhead ahead(stream, kRoom);
  Growing<char> buffer;
  ASSERT_TRUE(*ahead.take(buffer));
  EXPECT_EQ(behind_room(buffer), letters(16));
  ASSERT_TRUE(*ahead.take(buffer));
  EXPECT_EQ(behind_room(buffer), letters(20).substr(16));
  EXPECT_EQ(ahead.position(), 20U);
  for (int again = 0; again < 2; ++again) {
    const Result<bool> more = ahead.take(buffer);
    ASSERT_FALSE(more);
    EXPECT_THAT(more.error().message, HasSubstr("broken stream"));
  }
}

// Counts what is asked of it, and throws where it is told to.
class Endless : public InputStream {
 public:
  explicit Endless(int throws_at = -1) : throws_at_(throws_at) {}
  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (++reads == throws_at_) throw std::runtime_error("thrown");
    std::fill_n(buffer, size, 'x');
    return size;
  }
  std::uint64_t position() const override { return 0; }
  std::atomic<int> reads = 0;

 private:
  int throws_at_;
};

TEST(ReadAhead, ThrowsHereWhatTheStreamThrows) {
  Endless stream(3);
  ReadAhead ahead(stream, kRoom);
  Growing<char> buffer;
  EXPECT_TRUE(*ahead.take(buffer));
  EXPECT_TRUE(*ahead.take(buffer));
  EXPECT_THROW(static_cast<void>(ahead.take(buffer)), std::runtime_error);
}

TEST(ReadAhead, ReadsNoMoreThanIsReady) {
  Endless stream;
  {
    ReadAhead ahead(stream, kRoom);
    Growing<char> buffer;
    for (int taken = 1; taken <= 50; ++taken) {
      ASSERT_TRUE(*ahead.take(buffer));
      EXPECT_LE(stream.reads, taken + static_cast<int>(ReadAhead::kMostReady) + 1);
    }
  }  // ends though the stream does not
  EXPECT_GE(stream.reads, 50);
}

}  // namespace
}  // namespace semveil
