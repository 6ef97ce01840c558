// The Arrow backend, from tables that Arrow itself has written.
#include <arrow/api.h>
#include <arrow/compute/cast.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/temporary_folder.h"
#include "table/backend.h"

namespace semveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace fs = std::filesystem;

enum class Format { kParquet, kIpcFile, kIpcStream };

template <class Builder, class Value>
std::shared_ptr<arrow::Array> column_of(const std::vector<std::optional<Value>>& cells) {
  Builder builder;
  for (const auto& cell : cells) {
    EXPECT_TRUE((cell ? builder.Append(*cell) : builder.AppendNull()).ok());
  }
  return builder.Finish().ValueOrDie();
}

// Six records: a list first, so that Parquet's leaves are not numbered like the columns.
std::shared_ptr<arrow::Table> six_records() {
  const auto list_values = std::make_shared<arrow::Int64Builder>();
  arrow::ListBuilder lists(arrow::default_memory_pool(), list_values);
  for (int i = 0; i < 6; ++i) {
    EXPECT_TRUE(lists.Append().ok() && list_values->Append(i).ok());
  }
  const auto words = column_of<arrow::StringBuilder, std::string>(
      {"gastritis", "flu", std::nullopt, "gastritis", "", "Flu"});
  const auto large = arrow::compute::Cast(*words, arrow::large_utf8()).ValueOrDie();
  const auto coded = column_of<arrow::StringDictionaryBuilder, std::string>(
      {"b", "a", "b", std::nullopt, "b", "a"});
  const auto codes = column_of<arrow::Int64Builder, std::int64_t>(
      {44054006, 44054006, 38341003, std::nullopt, 44054006, 7});
  const auto yes = column_of<arrow::BooleanBuilder, bool>({true, false, true, true, true, true});
  const auto none = arrow::MakeArrayOfNull(arrow::null(), 6).ValueOrDie();
  return arrow::Table::Make(
      arrow::schema({arrow::field("visits", arrow::list(arrow::int64())),
                     arrow::field("words", arrow::utf8()),
                     arrow::field("large", arrow::large_utf8()),
                     arrow::field("coded", coded->type()), arrow::field("codes", arrow::int64()),
                     arrow::field("yes", arrow::boolean()), arrow::field("none", arrow::null())}),
      {lists.Finish().ValueOrDie(), words, large, coded, codes, yes, none});
}

class ArrowBackend : public testing::TestWithParam<Format> {
 protected:
  void SetUp() override {
    path_ = (folder_ / "table.parquet").string();  // whatever its name: the content decides
    ASSERT_NO_FATAL_FAILURE(write(*six_records()));
    const auto backend = table_backend();
    ASSERT_TRUE(backend.has_value()) << backend.error().message;
    backend_ = *backend;
  }

  // Small batches and row groups, so that a column is always in several pieces.
  void write(const arrow::Table& table) const {
    const auto out = arrow::io::FileOutputStream::Open(path_).ValueOrDie();
    if (GetParam() == Format::kParquet) {
      ASSERT_TRUE(parquet::arrow::WriteTable(table, arrow::default_memory_pool(), out, 4).ok());
    } else {
      const auto writer =
          (GetParam() == Format::kIpcFile ? arrow::ipc::MakeFileWriter(out, table.schema())
                                          : arrow::ipc::MakeStreamWriter(out, table.schema()))
              .ValueOrDie();
      ASSERT_TRUE(writer->WriteTable(table, 4).ok() && writer->Close().ok());
    }
    ASSERT_TRUE(out->Close().ok());
  }

  ColumnCounts count(std::string_view column) const {
    const auto counts = count_column(path_, column);
    EXPECT_TRUE(counts.has_value()) << counts.error().message;
    return counts.value_or(ColumnCounts{});
  }

  test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  std::string path_;
  const TableBackend* backend_ = nullptr;
};

TEST_P(ArrowBackend, CountsTextsAndSetsNullsAndEmptyTextsApart) {
  for (const char* column : {"words", "large"}) {
    const ColumnCounts counts = count(column);
    EXPECT_EQ(counts.records, 6U);
    EXPECT_EQ(counts.missing, 2U);
    EXPECT_THAT(counts.values, ElementsAre(Pair("Flu", 1), Pair("flu", 1), Pair("gastritis", 2)));
  }
}

TEST_P(ArrowBackend, DecodesDictionaries) {
  const ColumnCounts counts = count("coded");
  EXPECT_EQ(counts.records, 6U);
  EXPECT_EQ(counts.missing, 1U);
  EXPECT_THAT(counts.values, ElementsAre(Pair("a", 2), Pair("b", 3)));
}

TEST_P(ArrowBackend, WritesNumericCodesAsTheyAreKnown) {
  const ColumnCounts counts = count("codes");
  EXPECT_EQ(counts.missing, 1U);
  EXPECT_THAT(counts.values, ElementsAre(Pair("38341003", 1), Pair("44054006", 3), Pair("7", 1)));
  EXPECT_THAT(count("yes").values, ElementsAre(Pair("false", 1), Pair("true", 5)));
}

TEST_P(ArrowBackend, TakesAColumnOfNullsForMissing) {
  const ColumnCounts counts = count("none");
  EXPECT_EQ(counts.records, 6U);
  EXPECT_EQ(counts.missing, 6U);
  EXPECT_THAT(counts.values, ElementsAre());
}

TEST_P(ArrowBackend, NamesTheColumnsWhenOneIsNotThere) {
  const auto counts = count_column(path_, "word");
  ASSERT_FALSE(counts.has_value());
  EXPECT_EQ(counts.error().code, ErrorCode::kData);
  EXPECT_EQ(counts.error().place.file, path_);
  EXPECT_THAT(counts.error().message, HasSubstr("'word'"));
  EXPECT_THAT(counts.error().hint, HasSubstr("visits, words, large, coded"));
}

TEST_P(ArrowBackend, RefusesANestedColumnAndNamesItsType) {
  const auto counts = count_column(path_, "visits");
  ASSERT_FALSE(counts.has_value());
  EXPECT_EQ(counts.error().code, ErrorCode::kData);
  EXPECT_THAT(counts.error().message, HasSubstr("list<"));
}

TEST_P(ArrowBackend, SaysThatATruncatedFileIsDamaged) {
  const auto whole = fs::file_size(path_);
  for (auto size = whole - 1; size > 0; size -= std::min<std::uintmax_t>(size, 37)) {
    fs::resize_file(path_, size);
    const auto counts = count_column(path_, "words");
    // A stream may be cut where its last message ends: it is then whole but for its end mark.
    if (GetParam() == Format::kIpcStream && counts.has_value()) continue;
    ASSERT_FALSE(counts.has_value()) << size << " of " << whole << " bytes";
    EXPECT_EQ(counts.error().code, ErrorCode::kData);
  }
}

// Whatever single byte is wrong, the answer is counts or an error.
TEST_P(ArrowBackend, SurvivesDamagedBytes) {
  std::string bytes(fs::file_size(path_), '\0');
  std::ifstream(path_, std::ios::binary).read(bytes.data(), std::ssize(bytes));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << damaged;
    for (const char* column : {"words", "coded"}) {
      const auto counts = count_column(path_, column);
      EXPECT_TRUE(counts.has_value() || !counts.error().message.empty());
    }
  }
}

std::string name_of(const testing::TestParamInfo<Format>& tested) {
  switch (tested.param) {
    case Format::kParquet:
      return "parquet";
    case Format::kIpcFile:
      return "ipc_file";
    case Format::kIpcStream:
      return "ipc_stream";
  }
  return "unknown";
}

INSTANTIATE_TEST_SUITE_P(Formats, ArrowBackend,
                         testing::Values(Format::kParquet, Format::kIpcFile, Format::kIpcStream),
                         name_of);

TEST(ArrowBackendFiles, RefusesWhatIsNoTable) {
  const auto backend = table_backend();
  ASSERT_TRUE(backend.has_value()) << backend.error().message;
  const auto text = count_column("CMakeLists.txt", "a");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, ErrorCode::kData);
  const auto absent = count_column("no such file.parquet", "a");
  ASSERT_FALSE(absent.has_value());
  EXPECT_EQ(absent.error().code, ErrorCode::kData);
  EXPECT_EQ(absent.error().place.file, "no such file.parquet");
}

}  // namespace
}  // namespace semveil
