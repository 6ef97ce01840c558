#include "base/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ontology/source_files.h"
#include "support/temporary_folder.h"
#include "support/written_zip.h"

namespace semveil {
namespace {

using test::write_zip;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<std::string> all_of(InputStream& stream) {
  std::string text;
  std::vector<char> buffer(1000);
  for (;;) {
    const auto got = stream.read(buffer.data(), buffer.size());
    if (!got) return fail(got.error());
    if (*got == 0) return text;
    text.append(buffer.data(), *got);
  }
}

class ZipFiles : public ::testing::Test {
 protected:
  std::string path(const std::string& name = "a.zip") const { return folder_.path() + "/" + name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string bytes(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(ZipFiles, AreReadInAnyOrderAndOutliveTheArchive) {
  const std::string large(300'000, 'x');
  write_zip(path(), {{"z.txt", "last"}, {"sub/", ""}, {"sub/a.txt", large}, {"empty", ""}});
  std::unique_ptr<InputStream> kept;
  {
    const auto archive = ZipArchive::open(path());
    ASSERT_TRUE(archive) << describe(archive.error(), Quote::kShow);
    EXPECT_THAT(archive->names(), ElementsAre("z.txt", "sub/a.txt", "empty"));
    auto first = archive->read("sub/a.txt");
    auto second = archive->read("z.txt");
    ASSERT_TRUE(first && second);
    EXPECT_EQ(*all_of(**second), "last");
    EXPECT_EQ(*all_of(**archive->read("empty")), "");
    kept = *std::move(first);
  }
  EXPECT_EQ(*all_of(*kept), large);
}

TEST_F(ZipFiles, PackedFilesInsideAreUnpacked) {
  gzFile out = gzopen(path("x.gz").c_str(), "wb");
  ASSERT_EQ(gzwrite(out, "inside", 6), 6);
  gzclose(out);
  write_zip(path(), {{"x.txt.gz", bytes("x.gz")}});
  EXPECT_EQ(*all_of(**ZipArchive::open(path())->read("x.txt.gz")), "inside");
}

TEST_F(ZipFiles, AreToldByTheirFirstBytes) {
  write_zip(path(), {{"a", "b"}});
  EXPECT_TRUE(is_zip(path()));
  write("no.zip", "PK is not enough");
  EXPECT_FALSE(is_zip(path("no.zip")));
  write("short.zip", "PK");
  EXPECT_FALSE(is_zip(path("short.zip")));
  EXPECT_FALSE(is_zip(path("absent.zip")));
  EXPECT_FALSE(is_zip(path("")));
}

TEST_F(ZipFiles, DamageIsAnErrorThatNamesTheFile) {
  std::string text;
  for (unsigned i = 0; i < 20'000; ++i) text += std::to_string(i * 2654435761U);
  write_zip(path(), {{"a.txt", text}});
  const std::string whole = bytes("a.zip");

  write("cut.zip", whole.substr(0, whole.size() / 2));
  const auto cut = ZipArchive::open(path("cut.zip"));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().place.file, path("cut.zip"));
  EXPECT_THAT(cut.error().message, HasSubstr("unpack"));

  std::string turned = whole;
  for (std::size_t i = 0; i < 40; ++i) turned[turned.size() / 2 + i] ^= '\x55';
  write("turned.zip", turned);
  const auto archive = ZipArchive::open(path("turned.zip"));
  ASSERT_TRUE(archive);
  auto stream = archive->read("a.txt");
  ASSERT_TRUE(stream);
  const auto read = all_of(**stream);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().place.file, path("turned.zip") + "/a.txt");

  const auto absent = ZipArchive::open(path())->read("b.txt");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().place.file, path() + "/b.txt");
  EXPECT_FALSE(ZipArchive::open(path("absent.zip")));
}

TEST_F(ZipFiles, OneFileOfAnArchiveIsFoundByItsEnding) {
  write_zip(path(), {{"README.txt", "r"}, {"release/DATA.XML", "<a/>"}});
  const auto found = open_source_file(path(), {".xml"});
  ASSERT_TRUE(found) << describe(found.error(), Quote::kShow);
  EXPECT_EQ(found->name, path() + "/release/DATA.XML");
  EXPECT_EQ(*all_of(*found->stream), "<a/>");
  const auto none = open_source_file(path(), {".bin"});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("README.txt"));
  const auto several = open_source_file(path(), {".xml", ".txt"});
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().message, HasSubstr("several files"));
}

TEST_F(ZipFiles, WhatFileManagersAddIsPassedOver) {
  write_zip(path(), {{"__MACOSX/._x.csv", "a"},
                     {"__MACOSX/x.csv", "a"},
                     {".DS_Store", "a"},
                     {"sub/._x.csv", "a"},
                     {".git/x.csv", "a"},
                     {"./sub/x.csv", "b"}});
  EXPECT_THAT(ZipArchive::open(path())->names(), ElementsAre("./sub/x.csv"));
  EXPECT_EQ(*all_of(*open_source_file(path(), {".csv"})->stream), "b");
}

TEST_F(ZipFiles, ThatAreEncryptedSaySo) {
  zip_t* archive = zip_open(path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  ASSERT_NE(archive, nullptr);
  ASSERT_EQ(zip_file_add(archive, "a.csv", zip_source_buffer(archive, "text", 4, 0), 0), 0);
  if (zip_file_set_encryption(archive, 0, ZIP_EM_AES_256, "secret") != 0) {
    zip_discard(archive);
    GTEST_SKIP() << "this libzip cannot encrypt";
  }
  ASSERT_EQ(zip_close(archive), 0);
  const auto file = open_source_file(path(), {".csv"});
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("encrypted"));
  EXPECT_EQ(file.error().place.file, path() + "/a.csv");
}

TEST_F(ZipFiles, ThatMayNotBeReadAreTheSystemsFault) {
  write_zip(path(), {{"a.csv", "b"}});
  ASSERT_EQ(::chmod(path().c_str(), 0), 0);
  if (::access(path().c_str(), R_OK) == 0) GTEST_SKIP() << "root may read everything";
  for (const Error& error : {ZipArchive::open(path()).error(), SourceFiles::open(path()).error(),
                             open_source_file(path(), {".csv"}).error()}) {
    EXPECT_EQ(error.code, ErrorCode::kSystem);
    EXPECT_THAT(error.message, HasSubstr("no permission"));
    EXPECT_EQ(error.place.file, path());
  }
}

TEST_F(ZipFiles, ThatAreAbsentAreTheUsersFault) {
  EXPECT_EQ(ZipArchive::open(path("absent.zip")).error().code, ErrorCode::kData);
  EXPECT_THAT(SourceFiles::open(path("absent.zip")).error().message, HasSubstr("no such"));
}

}  // namespace
}  // namespace semveil
