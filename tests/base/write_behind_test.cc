#include "base/write_behind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/bytes.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using ::testing::HasSubstr;

WriteBehind::Piece piece(std::string_view text) {
  auto bytes = std::make_shared<Growing<char>>();
  bytes->append(text.data(), text.size());
  return bytes;
}

class WriteBehindTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  static std::string get(const std::string& file) {
    return std::string(FileBytes::read(file)->view());
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(WriteBehindTest, WritesPiecesAndTextsInTheOrderTheyCame) {
  for (const std::string name : {"t.csv", "t.csv.gz", "t.csv.zst"}) {
    std::string expected = "header\n";
    WriteBehind file(*PackedFile::create(path(name)));
    ASSERT_TRUE(file.append(std::string_view("header\n")));
    for (int i = 0; i < 1000; ++i) {
      const std::string text = std::to_string(i) + "\n";
      ASSERT_TRUE(i % 100 == 50 ? file.append(std::string_view(text)) : file.append(piece(text)));
      expected += text;
      if (i == 500) {
        ASSERT_TRUE(file.flush());
      }
    }
    ASSERT_TRUE(file.finish());
    EXPECT_FALSE(std::filesystem::exists(path(name))) << "it has no name yet";
    Result<PendingFile> written = file.take();
    ASSERT_TRUE(written && written->commit());
    EXPECT_EQ(get(path(name)), expected);
  }
}

TEST_F(WriteBehindTest, HasWrittenEverythingWhenItIsFinished) {
  WriteBehind file(*PackedFile::create(path("t.csv")));
  const std::string text(std::size_t{1} << 20, 'x');
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(file.append(piece(text)));
  ASSERT_TRUE(file.finish());
  EXPECT_EQ(std::filesystem::file_size(*file.readable_path()), 20 * text.size());
}

TEST_F(WriteBehindTest, LeavesNothingWhereItIsNotCommitted) {
  {
    WriteBehind file(*PackedFile::create(path("t.csv")));
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(file.append(piece("some bytes\n")));
  }
  EXPECT_FALSE(std::filesystem::exists(path("t.csv")));
}

TEST_F(WriteBehindTest, HasWrittenEverythingToAPipeWhenItGoes) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string text(std::size_t{1} << 18, 'x');
  for (std::size_t pieces = 1; pieces <= WriteBehind::kMostWaiting; ++pieces) {
    std::string got;
    std::jthread reader([&] {
      std::ifstream in(path("pipe"), std::ios::binary);
      got.assign(std::istreambuf_iterator<char>(in), {});
    });
    {
      WriteBehind file(*PackedFile::create(path("pipe")));
      for (std::size_t i = 0; i < pieces; ++i) ASSERT_TRUE(file.append(piece(text)));
    }
    reader.join();
    EXPECT_EQ(got.size(), pieces * text.size());
  }
}

TEST_F(WriteBehindTest, HasWrittenEverythingWhenItIsFlushed) {
  WriteBehind file(*PackedFile::create("/dev/full"));
  ASSERT_TRUE(file.append(piece("one piece that nobody waited for\n")));
  EXPECT_FALSE(file.flush());
  for (std::size_t pieces = 1; pieces <= WriteBehind::kMostWaiting; ++pieces) {
    WriteBehind other(*PackedFile::create("/dev/null"));
    std::vector<std::weak_ptr<const Growing<char>>> given;
    for (std::size_t i = 0; i < pieces; ++i) {
      WriteBehind::Piece bytes = piece("some bytes\n");
      given.push_back(bytes);
      ASSERT_TRUE(other.append(std::move(bytes)));
    }
    ASSERT_TRUE(other.flush());
    EXPECT_TRUE(std::ranges::all_of(given, [](const auto& one) { return one.expired(); }));
  }
}

TEST_F(WriteBehindTest, GivesPiecesBackAndHoldsFew) {
  WriteBehind file(*PackedFile::create(path("t.csv")));
  std::vector<std::weak_ptr<const Growing<char>>> given;
  for (int i = 0; i < 100; ++i) {
    WriteBehind::Piece bytes = piece("some bytes\n");
    given.push_back(bytes);
    ASSERT_TRUE(file.append(std::move(bytes)));
    const auto held =
        std::count_if(given.begin(), given.end(), [](const auto& one) { return !one.expired(); });
    EXPECT_LE(held, static_cast<std::ptrdiff_t>(WriteBehind::kMostWaiting));
  }
  ASSERT_TRUE(file.finish());
  EXPECT_TRUE(
      std::all_of(given.begin(), given.end(), [](const auto& one) { return one.expired(); }));
}

// A full disk is told at the latest when the file is finished, and again to whoever goes on.
TEST_F(WriteBehindTest, TellsAnErrorLaterAndThenAlways) {
  WriteBehind file(*PackedFile::create("/dev/full"));
  Status status;
  for (int i = 0; i < 100 && status; ++i) status = file.append(piece("some bytes\n"));
  ASSERT_FALSE(status) << "pieces wait for no more than a few others";
  EXPECT_THAT(status.error().message, HasSubstr("disk is full"));
  EXPECT_FALSE(file.append(piece("more")));
  EXPECT_FALSE(file.append(std::string_view("more")));
  EXPECT_FALSE(file.flush());
  EXPECT_FALSE(file.finish());
  EXPECT_FALSE(file.take());

  WriteBehind other(*PackedFile::create("/dev/full"));
  ASSERT_TRUE(other.append(piece("some bytes\n")));
  EXPECT_FALSE(other.finish());
}

}  // namespace
}  // namespace semveil
