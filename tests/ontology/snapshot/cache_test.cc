#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "semveil/ontology.h"
#include "support/small_rf2.h"
#include "support/temporary_folder.h"

namespace semveil::test {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("SEMVEIL_CACHE_DIR", cache().c_str(), 1);
    write(source(), "child,parent\na,\nb,a\n");
  }
  void TearDown() override { ::unsetenv("SEMVEIL_CACHE_DIR"); }

  std::string cache() const { return folder_.path() + "/cache"; }
  std::string source() const { return folder_.path() + "/x.csv"; }
  Result<Ontology> open() const { return open_ontology("edges:" + source()); }
  std::size_t concepts() const { return (*open()->taxonomy())->size(); }
  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::string entry(const std::string& ending) const {
    for (const auto& file : fs::directory_iterator(cache())) {
      if (file.path().extension() == ending) return file.path();
    }
    return "";
  }
  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static timespec modified(const std::string& path) {
    struct stat s{};
    ::stat(path.c_str(), &s);
    return s.st_mtim;
  }

  TemporaryFolder folder_;
};

TEST_F(Cache, KeepsASnapshotThatIsUsedTheNextTime) {
  EXPECT_EQ(concepts(), 2U);
  ASSERT_NE(entry(".svo"), "");
  const timespec written = modified(entry(".svo"));
  EXPECT_EQ(concepts(), 2U);
  EXPECT_EQ(modified(entry(".svo")).tv_nsec, written.tv_nsec);  // not written again
}

TEST_F(Cache, NoticesAnotherContentOfTheSameSizeAndTime) {
  EXPECT_EQ(concepts(), 2U);
  const auto time = fs::last_write_time(source());
  write(source() + ".new", "child,parent\na,\na,b\n");
  fs::rename(source() + ".new", source());  // another inode
  fs::last_write_time(source(), time);
  const Result<Ontology> ontology = open();
  ASSERT_TRUE(ontology);
  EXPECT_EQ((*ontology->names())->id(0), "b");
}

TEST_F(Cache, OfTouchedFilesWithTheSameContentIsStillGood) {
  EXPECT_EQ(concepts(), 2U);
  const timespec written = modified(entry(".svo"));
  const std::string key = content(entry(".key"));
  fs::last_write_time(source(), fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(concepts(), 2U);
  EXPECT_EQ(modified(entry(".svo")).tv_nsec, written.tv_nsec);
  EXPECT_NE(content(entry(".key")), key);  // which now knows how the files look
}

TEST_F(Cache, HealsADamagedEntry) {
  EXPECT_EQ(concepts(), 2U);
  const std::string snapshot = entry(".svo");
  std::fstream file(snapshot, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(-1, std::ios::end);
  file.put('?');
  file.close();
  EXPECT_EQ(concepts(), 2U);
  EXPECT_TRUE(open_ontology(snapshot)->verify());
}

TEST_F(Cache, IsHarmlessToDeleteAndNotNeeded) {
  EXPECT_EQ(concepts(), 2U);
  fs::remove_all(cache());
  EXPECT_EQ(concepts(), 2U);
  fs::remove_all(cache());
  write(cache(), "a file where the folder should be");
  EXPECT_EQ(concepts(), 2U);
}

TEST_F(Cache, IsForItsOwnerAlone) {
  EXPECT_EQ(concepts(), 2U);
  EXPECT_EQ(fs::status(cache()).permissions(), fs::perms::owner_all);
  for (const char* ending : {".svo", ".key"}) {
    EXPECT_EQ(fs::status(entry(ending)).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
  }
  const std::string snapshot = entry(".svo");
  fs::remove(snapshot);
  fs::permissions(cache(), fs::perms::all);  // others may have written here
  EXPECT_EQ(concepts(), 2U);
  EXPECT_FALSE(fs::exists(snapshot));
}

TEST_F(Cache, DoesNotTouchWhatCanBeReadOnlyOnce) {
  const std::string pipe = folder_.path() + "/pipe.obo";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write(pipe, "[Term]\nid: A:1\n"); });
  const Result<Ontology> ontology = open_ontology(pipe);
  writer.join();
  ASSERT_TRUE(ontology);
  EXPECT_EQ(ontology->info().digest, "");
  EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(Cache, IsLeftAloneWhereItIsNotWanted) {
  ASSERT_TRUE(open_ontology("edges:" + source(), {.use_cache = false}));
  EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(Cache, GivesTheSameInfoAsTheSource) {
  const OntologyInfo first = open()->info();
  const OntologyInfo second = open()->info();
  EXPECT_EQ(first, second);
  EXPECT_EQ(first.digest.size(), 32U);
}

TEST_F(Cache, DoesNotHideThatTheSourceIsGone) {
  EXPECT_EQ(concepts(), 2U);
  fs::remove(source());
  ASSERT_FALSE(open());
  EXPECT_EQ(open().error().code, ErrorCode::kData);
}

// Computed apart from the program: XXH3-128 of the file's size, eight bytes with the least first,
// and its bytes.
TEST_F(Cache, DigestIsOfTheSizeAndTheBytesAsTheyLieThere) {
  const std::string bytes = content(source());
  std::uint64_t size = bytes.size();
  const std::string hashed = std::string(reinterpret_cast<const char*>(&size), 8) + bytes;
  const XXH128_hash_t hash = XXH3_128bits(hashed.data(), hashed.size());
  EXPECT_EQ(open()->info().digest, fmt::format("{:016x}{:016x}", hash.high64, hash.low64));
}

TEST_F(Cache, KnowsAReleaseByTheNamesOfItsFiles) {
  const auto put = [&](const std::string& date) {
    fs::remove_all(folder_.path() + "/rf2");
    fs::create_directories(folder_.path() + "/rf2");
    for (const Rf2Text& file : two_concepts().files()) {
      std::string name = file.name;
      name.replace(name.find("20200131"), 8, date);
      write(folder_.path() + "/rf2/" + name, file.text);
    }
    return open_ontology("rf2:" + folder_.path() + "/rf2")->info();
  };
  const OntologyInfo first = put("20200131");
  const OntologyInfo renamed = put("20200731");
  EXPECT_EQ(first.version, "20200131");
  EXPECT_EQ(renamed.version, "20200731");
  EXPECT_NE(first.digest, renamed.digest);
}

}  // namespace
}  // namespace semveil::test
