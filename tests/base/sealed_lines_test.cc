// Files of lines with checksums that several processes add to.
#include "base/sealed_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/bytes.h"
#include "base/limits.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr SealedForm kWordsForm{.name = "a list of words", .first_line = "words 1"};

class SealedLines : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/words"; }
  Status add(std::string_view line, bool keeps = true) const {
    Result<LockedLines> file = LockedLines::open(path(), kWordsForm);
    if (!file) return fail(file.error());
    Status status = file->append(line, Sync::kNo);
    if (keeps) file->keep();
    return status;
  }
  std::vector<std::string> lines() const {
    return value_or_throw(read_sealed_lines(path(), kWordsForm))
        .value_or(std::vector<std::string>());
  }
  Error read_error_of() const {
    const auto read = read_sealed_lines(path(), kWordsForm);
    EXPECT_FALSE(read);
    EXPECT_FALSE(LockedLines::open(path(), kWordsForm)) << "what cannot be read is not added to";
    return read ? Error() : read.error();
  }
  std::string content() const {
    return std::string(value_or_throw(FileBytes::read(path(), Unpack::kNo)).view());
  }
  void write(std::string_view content) const {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << content;
  }

  test::TemporaryFolder folder_;
};

TEST_F(SealedLines, AreKeptInTheirOrder) {
  EXPECT_FALSE(value_or_throw(read_sealed_lines(path(), kWordsForm)));
  ASSERT_TRUE(add("lion"));
  ASSERT_TRUE(add("cat"));
  EXPECT_THAT(lines(), ElementsAre("lion", "cat"));
}

// XXH3-64 of no bytes is a published test vector.
TEST_F(SealedLines, HaveTheBytesOfTheDocumentation) {
  ASSERT_TRUE(add(""));
  EXPECT_EQ(content(), "words 1\n2d06800538d394c2 \n");
}

TEST_F(SealedLines, CanBeReadByTheirOwnerAlone) {
  const mode_t before = ::umask(0);
  ASSERT_TRUE(add("lion"));
  ::umask(before);
  struct stat about{};
  ASSERT_EQ(::stat(path().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & ACCESSPERMS, 0600U);
}

TEST_F(SealedLines, AreTakenBackUnlessKept) {
  ASSERT_TRUE(add("lion", false));
  EXPECT_FALSE(std::filesystem::exists(path()));
  ASSERT_TRUE(add("lion"));
  const std::string before = content();
  ASSERT_TRUE(add("cat", false));
  EXPECT_EQ(content(), before);
}

TEST_F(SealedLines, OfAFileThatWasOnlyOpenedLeaveNone) {
  {
    ASSERT_TRUE(LockedLines::open(path(), kWordsForm));
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
}

// A kill in the middle of writing, at every byte.
TEST_F(SealedLines, ThatAreTornCountForNothingAndMakeRoom) {
  ASSERT_TRUE(add("lion"));
  const std::string one = content();
  ASSERT_TRUE(add("cat"));
  const std::string two = content();
  for (std::size_t size = 0; size < two.size(); ++size) {
    write(two.substr(0, size));
    const bool first_is_whole = size + 1 >= one.size();  // but for its end
    const bool second_is_whole = size + 1 == two.size();
    std::vector<std::string> whole;
    if (first_is_whole) whole.emplace_back("lion");
    if (second_is_whole) whole.emplace_back("cat");
    EXPECT_EQ(lines(), whole) << size;
    ASSERT_TRUE(add("dog")) << size;
    whole.emplace_back("dog");
    EXPECT_EQ(lines(), whole) << size;
    EXPECT_TRUE(content().ends_with("\n"));
  }
}

// Some file systems show zeros where the power went before the bytes came.
TEST_F(SealedLines, ThatAreZerosCountForNothing) {
  write(std::string(100, '\0'));
  EXPECT_THAT(lines(), IsEmpty());
  ASSERT_TRUE(add("lion"));
  write(content() + std::string(100, '\0'));
  EXPECT_THAT(lines(), ElementsAre("lion"));
  // A torn line that is longer than what takes its place does not show behind it.
  ASSERT_TRUE(add("cat", false));
  EXPECT_THAT(lines(), ElementsAre("lion"));
  ASSERT_TRUE(add("cat"));
  EXPECT_THAT(lines(), ElementsAre("lion", "cat"));
}

TEST_F(SealedLines, ThatAreDamagedAreToldByTheirNumber) {
  for (const char* word : {"lion", "cat", "dog"}) ASSERT_TRUE(add(word));
  const std::string good = content();
  for (std::size_t at = good.find('\n') + 1; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = bad[at] == 'x' ? 'y' : 'x';
    write(bad);
    if (at + 1 == good.size()) continue;  // the last line's end: it is torn
    const Error error = read_error_of();
    EXPECT_EQ(error.code, ErrorCode::kData) << at;
    EXPECT_EQ(error.place.file, path());
    EXPECT_GE(error.place.line, 2U);
    EXPECT_LE(error.place.line, 4U);
    EXPECT_EQ(content(), bad) << "it stays as it is";
  }
}

TEST_F(SealedLines, AreNoneInAFileOfSomethingElse) {
  for (const char* other : {"words 2\n", "id,name\n1,lion\n", "x", "words 1 and more\n"}) {
    write(other);
    const Error error = read_error_of();
    EXPECT_EQ(error.code, ErrorCode::kData) << other;
    EXPECT_THAT(error.message, HasSubstr("this is not a list of words"));
    EXPECT_EQ(content(), other);
  }
}

TEST_F(SealedLines, AreNotLookedForInPipesDevicesFoldersAndLinks) {
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(read_error_of().code, ErrorCode::kData);  // and nobody waits
  std::filesystem::remove(path());
  for (const char* target : {"/dev/zero", "elsewhere"}) {
    std::filesystem::create_symlink(target, path());
    EXPECT_EQ(read_error_of().code, ErrorCode::kData) << target;
    std::filesystem::remove(path());
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/elsewhere"));
  std::filesystem::create_directory(path());
  EXPECT_FALSE(read_sealed_lines(path(), kWordsForm));
  EXPECT_FALSE(LockedLines::open(path(), kWordsForm));
}

TEST_F(SealedLines, OfAHugeFileAreNotRead) {
  ASSERT_TRUE(add("lion"));
  std::filesystem::resize_file(path(), kMostSealedBytes + 1);
  EXPECT_THAT(read_error_of().message, HasSubstr("16 MiB at most"));
  // Nor does a file grow beyond that.
  std::filesystem::remove(path());
  const std::string half(kMostSealedBytes / 2, 'x');
  ASSERT_TRUE(add(half));
  const Status status = add(half, false);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("16 MiB at most"));
  EXPECT_THAT(lines(), ElementsAre(half));
}

TEST_F(SealedLines, OfSeveralProcessesNeitherMixNorGetLost) {
  constexpr int kProcesses = 4, kLines = 50;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    bool done = true;
    for (int line = 0; line < kLines; ++line) {
      done = done && add(std::string(1, static_cast<char>('a' + i)) + std::to_string(line));
      done = done && add("taken back", false);
    }
    ::_exit(done ? 0 : 1);
  }
  for (const pid_t child : children) {
    int ended = -1;
    ASSERT_EQ(::waitpid(child, &ended, 0), child);
    EXPECT_EQ(ended, 0);
  }
  const std::vector<std::string> all = lines();
  ASSERT_EQ(all.size(), static_cast<std::size_t>(kProcesses * kLines));
  std::vector<int> next(kProcesses);
  for (const std::string& line : all) {
    int& number = next.at(static_cast<std::size_t>(line.front() - 'a'));
    EXPECT_EQ(line.substr(1), std::to_string(number++));
  }
}

}  // namespace
}  // namespace semveil
