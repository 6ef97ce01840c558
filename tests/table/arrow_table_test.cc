// Tables from one kind of file to another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "arrow_tables.h"
#include "semveil/table.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::bytes_of;
using test::json;
using test::read_table;
using test::write_table;

class BetweenFormats : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return temporary_.path() + "/" + name; }

  // One pass that gives every text of the column "word" the text `masked`, if there is such one.
  Status copy(const std::string& in, const std::string& out, std::optional<Key> shuffle = {}) {
    TableOptions options;
    options.temp_folder = temporary_.path();
    const auto table = Table::open(in, options);
    if (!table) return fail(table.error());
    const auto word = table->column("word");
    std::vector<std::size_t> wanted;
    if (word) wanted.push_back(*word);
    std::vector<Dictionary> dictionaries(wanted.size());
    const std::vector<std::string_view> texts(10, "masked");
    Edits edits;
    if (word) edits.replace.push_back({*word, texts});
    edits.shuffle = shuffle;
    const auto source = table->read(wanted);
    if (!source) return fail(source.error());
    const auto sink = table->write(out, edits);
    if (!sink) return fail(sink.error());
    for (;;) {
      const auto batch = (*source)->next(dictionaries);
      if (!batch) return fail(batch.error());
      if (*batch == nullptr) break;
      std::vector<std::span<const Code>> cells((*batch)->codes.begin(), (*batch)->codes.end());
      auto rendered = (*sink)->render(**batch, cells);
      if (!rendered) return fail(rendered.error());
      if (Status status = (*sink)->write(std::move(*rendered)); !status) return status;
    }
    if (Status status = (*sink)->finish(); !status) return status;
    return (*sink)->commit();
  }

  void expect_copied(const std::string& in, const std::string& out,
                     std::optional<Key> shuffle = {}) {
    const Status status = copy(path(in), path(out), shuffle);
    ASSERT_TRUE(status.has_value()) << describe(status.error(), Quote::kShow);
  }

  void write_text(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  const test::TemporaryFolder temporary_;
};

TEST_F(BetweenFormats, CsvBecomesColumnsOfTexts) {
  write_text("in.csv", "id,word,note\n007,flu,\"a, b\"\n008,,\n009,gastritis,x\n");
  for (const auto& [name, format] : {std::pair("out.parquet", ArrowFormat::kParquet),
                                     std::pair("out.arrow", ArrowFormat::kIpcFile),
                                     std::pair("out.arrows", ArrowFormat::kIpcStream)}) {
    expect_copied("in.csv", name);
    const auto out = read_table(path(name), format);
    for (const auto& field : out->fields()) EXPECT_EQ(field->type()->id(), arrow::Type::STRING);
    const auto expect = [&](const char* column, const char* cells) {
      EXPECT_TRUE(
          out->GetColumnByName(column)->Equals(arrow::ChunkedArray(json(arrow::utf8(), cells))))
          << out->ToString();
    };
    expect("id", R"(["007", "008", "009"])");
    expect("word", R"(["masked", null, "masked"])");
    EXPECT_THAT(bytes_of(path(name)), testing::Not(testing::HasSubstr("gastritis")));
  }
}

TEST_F(BetweenFormats, ParquetBecomesCsv) {
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("n", arrow::int64()), arrow::field("word", arrow::utf8()),
                     arrow::field("day", arrow::date32())}),
      {json(arrow::int64(), "[1, null, 3]"), json(arrow::utf8(), R"(["flu", null, "x"])"),
       json(arrow::date32(), "[0, 1, null]")});
  write_table(*table, path("in.parquet"));
  expect_copied("in.parquet", "out.csv");
  EXPECT_EQ(bytes_of(path("out.csv")),
            "n,word,day\n1,masked,1970-01-01\n,,1970-01-02\n3,masked,\n");
}

TEST_F(BetweenFormats, NestedColumnsDoNotGoIntoCsv) {
  const auto lists = json(arrow::list(arrow::int32()), "[[1], []]");
  write_table(*arrow::Table::Make(arrow::schema({arrow::field("l", lists->type())}), {lists}),
              path("in.parquet"));
  const Status status = copy(path("in.parquet"), path("out.csv"));
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kData);
  EXPECT_EQ(status.error().value, "l") << "names that only the table has are hidden with its cells";
}

// The order is a function of key and row number, not of the format.
TEST_F(BetweenFormats, ShufflesEveryFormatAlike) {
  std::string csv = "n\n";
  for (int i = 0; i < 3000; ++i) csv += std::to_string(i) + "\n";
  write_text("in.csv", csv);
  expect_copied("in.csv", "in.parquet");
  const Key key = Key::from_bytes(std::array<unsigned char, Key::kSize>{7});
  expect_copied("in.csv", "out.csv", key);
  expect_copied("in.parquet", "out.parquet", key);
  expect_copied("out.parquet", "back.csv");
  EXPECT_NE(bytes_of(path("out.csv")), csv);
  EXPECT_TRUE(bytes_of(path("out.csv")) == bytes_of(path("back.csv")));
}

TEST_F(BetweenFormats, RefusesTextsThatAreNotUtf8) {
  write_text("in.csv", "a,b\nx,\xFF\xFE\n");
  const Status status = copy(path("in.csv"), path("out.parquet"));
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kData);
  EXPECT_EQ(bytes_of(path("out.parquet")), "");
}

}  // namespace
}  // namespace semveil
