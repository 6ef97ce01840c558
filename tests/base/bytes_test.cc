#include "base/bytes.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "support/temporary_folder.h"

namespace semveil {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string gzip(std::string_view text) {
  z_stream zip{};
  EXPECT_EQ(deflateInit2(&zip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string copy(text);
  std::string packed(deflateBound(&zip, copy.size()) + 64, '\0');
  zip.next_in = reinterpret_cast<Bytef*>(copy.data());
  zip.avail_in = static_cast<uInt>(copy.size());
  zip.next_out = reinterpret_cast<Bytef*>(packed.data());
  zip.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&zip, Z_FINISH), Z_STREAM_END);
  packed.resize(zip.total_out);
  deflateEnd(&zip);
  return packed;
}

std::string zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

// Compressible, but not to nothing; longer than every buffer on the way.
std::string long_text() {
  std::string text;
  for (unsigned i = 0; text.size() < 3'000'000; ++i) text += std::to_string(i * 2654435761U) + '\n';
  return text;
}

class Bytes : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string put(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  static std::string get(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Names in the folder: no temporary file may be left.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static void expect_unpacks(const std::string& file, std::string_view content) {
    const auto whole = FileBytes::read(file);
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->view(), content);
    auto stream = InputStream::open(file);
    ASSERT_TRUE(stream) << stream.error().message;
    std::string pieces;
    std::array<char, 1000> buffer{};
    for (;;) {
      const auto got = (*stream)->read(buffer.data(), buffer.size());
      ASSERT_TRUE(got) << got.error().message;
      if (*got == 0) break;
      pieces.append(buffer.data(), *got);
    }
    EXPECT_EQ(pieces, content);
  }
  static void expect_fails(const std::string& file, ErrorCode code, const char* message) {
    const auto whole = FileBytes::read(file);
    ASSERT_FALSE(whole);
    EXPECT_EQ(whole.error().code, code);
    EXPECT_EQ(whole.error().place.file, file);
    EXPECT_THAT(whole.error().message, HasSubstr(message));
  }

  test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(Bytes, PlainFilesComeAsTheyAre) {
  expect_unpacks(put("plain", "one\ntwo\n"), "one\ntwo\n");
  expect_unpacks(put("empty", ""), "");
  expect_unpacks(put("short", "a"), "a");
  expect_unpacks(put("binary", std::string_view("\0\x1F\0", 3)), std::string_view("\0\x1F\0", 3));
  const std::string text = long_text();
  expect_unpacks(put("long", text), text);
}

TEST_F(Bytes, PackingIsToldByTheFirstBytesNotTheName) {
  const std::string text = long_text();
  expect_unpacks(put("a.txt", gzip(text)), text);
  expect_unpacks(put("b.gz", zstd(text)), text);
  expect_unpacks(put("c.gz", "plain"), "plain");
  expect_unpacks(put("d", gzip("")), "");
  expect_unpacks(put("e", zstd("")), "");
}

TEST_F(Bytes, JoinedPackedFilesAreOne) {
  expect_unpacks(put("a.gz", gzip("one\n") + gzip("") + gzip("two\n")), "one\ntwo\n");
  expect_unpacks(put("b.zst", zstd("one\n") + zstd("") + zstd("two\n")), "one\ntwo\n");
  const std::string skippable("\x50\x2A\x4D\x18\x02\x00\x00\x00xx", 10);
  expect_unpacks(put("c.zst", skippable + zstd("one\n")), "one\n");
}

TEST_F(Bytes, ZeroBytesMayFillUpAGzipFile) {
  expect_unpacks(put("a.gz", gzip("one\n") + std::string(600, '\0')), "one\n");
}

TEST_F(Bytes, DamagedPackedFilesAreErrors) {
  const std::string text = long_text();
  const std::string gz = gzip(text);
  const std::string zst = zstd(text);
  expect_fails(put("a.gz", gz.substr(0, gz.size() / 2)), ErrorCode::kData, "ends too early");
  expect_fails(put("b.gz", gz.substr(0, gz.size() - 1)), ErrorCode::kData, "ends too early");
  expect_fails(put("c.gz", gz.substr(0, 2)), ErrorCode::kData, "ends too early");
  expect_fails(put("d.gz", gz + "garbage"), ErrorCode::kData, "gzip -t");
  expect_fails(put("e.gz", gz + std::string("\0x", 2)), ErrorCode::kData, "other bytes");
  expect_fails(put("f.zst", zst.substr(0, zst.size() / 2)), ErrorCode::kData, "ends too early");
  expect_fails(put("g.zst", zst.substr(0, 4)), ErrorCode::kData, "ends too early");
  expect_fails(put("h.zst", zst + "garbage"), ErrorCode::kData, "zstd -t");
  std::string flipped = gz;
  flipped[gz.size() / 2] = static_cast<char>(flipped[gz.size() / 2] ^ 0x40);
  expect_fails(put("i.gz", flipped), ErrorCode::kData, "is corrupt");
  std::string checksum = gz;
  checksum[gz.size() - 6] = static_cast<char>(checksum[gz.size() - 6] ^ 1);
  expect_fails(put("j.gz", checksum), ErrorCode::kData, "is corrupt");
}

TEST_F(Bytes, OtherPackingsAreNamed) {
  expect_fails(put("a", "BZh91AY&SY\xB1"), ErrorCode::kData, "a bzip2 file: unpack it");
  expect_fails(put("b", std::string_view("\xFD\x37zXZ\0\0", 7)), ErrorCode::kData, "an xz file");
  expect_fails(put("c", std::string_view("PK\x03\x04\x14\0", 6)), ErrorCode::kData, "as CSV");
  expect_fails(put("d", "7z\xBC\xAF\x27\x1C"), ErrorCode::kData, "a 7z archive");
  expect_fails(put("e", "\xD0\xCF\x11\xE0\xA1"), ErrorCode::kData, "as CSV");
  for (const std::string_view text : {"BZh", "BZh9", "BZhaus,place\n", "PK,name\n", "7z\n"}) {
    expect_unpacks(put("text", text), text);
  }
}

TEST_F(Bytes, WhatCannotBeReadIsTold) {
  expect_fails(path("absent"), ErrorCode::kData, "no such file");
  expect_fails(put("file", "x") + "/below", ErrorCode::kData, "no such file");
  expect_fails(folder_.string(), ErrorCode::kData, "a folder");
  expect_fails(put("nul", "x") + std::string("\0y", 2), ErrorCode::kData, "no such file");
  EXPECT_FALSE(InputStream::open(path("absent")));
  EXPECT_FALSE(InputStream::open(folder_.string()));
  if (::geteuid() == 0) return;  // root may read everything
  fs::permissions(put("secret", "x"), fs::perms::none);
  expect_fails(path("secret"), ErrorCode::kSystem, "no permission");
}

TEST_F(Bytes, APipeIsReadToItsEnd) {
  const std::string fifo = path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string text = long_text();
  std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << gzip(text); });
  const auto whole = FileBytes::read(fifo);
  writer.join();
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->view(), text);
}

TEST_F(Bytes, ViewsOutliveTheObjectTheyWereCopiedFrom) {
  std::optional<FileBytes> first = *FileBytes::read(put("plain", "text"));
  const FileBytes second = *first;
  first.reset();
  EXPECT_EQ(second.view(), "text");
}

TEST_F(Bytes, WritingReplacesTheWholeFile) {
  const std::string file = put("out", "something longer");
  ASSERT_TRUE(write_file(file, "new"));
  EXPECT_EQ(get(file), "new");
  const std::array<std::string_view, 3> pieces = {"a", "", "bc"};
  ASSERT_TRUE(write_file(path("pieces"), pieces));
  EXPECT_EQ(get(path("pieces")), "abc");
  EXPECT_THAT(names(), ::testing::ElementsAre("out", "pieces"));
}

TEST_F(Bytes, ModesAreGivenAndNeverWidened) {
  const auto mode_of = [](const std::string& file) {
    struct stat about{};
    EXPECT_EQ(::stat(file.c_str(), &about), 0);
    return about.st_mode & 0777;
  };
  const mode_t before = ::umask(022);
  ASSERT_TRUE(write_file(path("open"), "x"));
  ASSERT_TRUE(write_file(path("private"), "x", 0600));
  EXPECT_EQ(mode_of(path("open")), 0644U);
  EXPECT_EQ(mode_of(path("private")), 0600U);
  ASSERT_TRUE(write_file(path("private"), "y"));
  EXPECT_EQ(mode_of(path("private")), 0600U);
  ::umask(before);
}

TEST_F(Bytes, LinksAreFollowedAndStayLinks) {
  const std::string file = put("real", "old");
  fs::create_directory(path("sub"));
  fs::create_symlink("../real", path("sub/link"));
  fs::create_symlink("sub/link", path("chain"));
  fs::create_symlink("later", path("dangling"));
  ASSERT_TRUE(write_file(path("chain"), "new"));
  EXPECT_EQ(get(file), "new");
  EXPECT_TRUE(fs::is_symlink(path("chain")));
  ASSERT_TRUE(write_file(path("dangling"), "there"));
  EXPECT_EQ(get(path("later")), "there");
  EXPECT_TRUE(fs::is_symlink(path("dangling")));
  fs::create_symlink("loop", path("loop"));
  const auto looped = write_file(path("loop"), "x");
  ASSERT_FALSE(looped);
  EXPECT_EQ(looped.error().code, ErrorCode::kSystem);
}

TEST_F(Bytes, DevicesAndPipesAreWrittenDirectly) {
  ASSERT_TRUE(write_file("/dev/null", "gone"));
  struct stat about{};
  ASSERT_EQ(::stat("/dev/null", &about), 0);
  EXPECT_TRUE(S_ISCHR(about.st_mode));

  const std::string fifo = path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = get(fifo); });
  EXPECT_TRUE(write_file(fifo, "through"));
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST_F(Bytes, FailedWritesLeaveEverythingAsItWas) {
  const auto expect_system_error = [](const Status& status, const char* message) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kSystem);
    EXPECT_THAT(status.error().message, HasSubstr(message));
  };
  expect_system_error(write_file("/dev/full", "x"), "disk is full");
  expect_system_error(write_file(path("no/folder/out"), "x"), "does not exist");
  expect_system_error(write_file(folder_.string(), "x"), "is a folder");
  expect_system_error(write_file("", "x"), "does not exist");

  const std::string file = put("kept", "as it was");
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto too_long = write_file(file, std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  expect_system_error(too_long, "larger than you may write");
  EXPECT_EQ(get(file), "as it was");
  EXPECT_THAT(names(), ::testing::ElementsAre("kept"));
}

}  // namespace
}  // namespace semveil
