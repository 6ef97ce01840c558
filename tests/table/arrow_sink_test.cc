// Parquet and Arrow tables masked: what is replaced, what stays, and what must not be left behind.
#include <arrow/compute/api_vector.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/file_reader.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <map>

#include "arrow_tables.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::bytes_of;
using test::json;
using test::Masking;
using test::read_table;
using test::star;
using test::write_table;
using test::Written;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

Key key_of(unsigned char number) {
  return Key::from_bytes(std::array<unsigned char, Key::kSize>{number});
}

// Eleven records of every type that both formats hold, each with nulls.
std::shared_ptr<arrow::Table> every_type() {
  const std::vector<std::pair<std::shared_ptr<arrow::DataType>, std::vector<std::string>>> types = {
      {arrow::boolean(), {"true", "false", "true"}},
      {arrow::int8(), {"-128", "0", "127"}},
      {arrow::uint16(), {"0", "7", "65535"}},
      {arrow::int32(), {"-1", "2", "3"}},
      {arrow::int64(), {"-9223372036854775808", "0", "9223372036854775807"}},
      {arrow::uint64(), {"0", "1", "18446744073709551615"}},
      {arrow::float32(), {"0.5", "-1.25", "3"}},
      {arrow::float64(), {"0.1", "-1e300", "3"}},
      {arrow::decimal128(20, 3), {"\"1.234\"", "\"-99.000\"", "\"0.001\""}},
      {arrow::date32(), {"0", "19000", "-5"}},
      {arrow::time32(arrow::TimeUnit::MILLI), {"0", "1000", "86399999"}},
      {arrow::time64(arrow::TimeUnit::MICRO), {"0", "1000", "86399999999"}},
      {arrow::timestamp(arrow::TimeUnit::MICRO, "Europe/Berlin"), {"0", "1600000000000000", "-1"}},
      {arrow::timestamp(arrow::TimeUnit::NANO), {"0", "1600000000000000001", "-1"}},
      {arrow::duration(arrow::TimeUnit::SECOND), {"0", "86400", "-1"}},
      {arrow::utf8(), {"\"a\"", "\"\"", "\"Ångström\""}},
      {arrow::large_utf8(), {"\"a\"", "\"\"", "\"long long\""}},
      {arrow::binary(), {"\"x\"", "\"\"", "\"\\u0000y\""}},
      {arrow::fixed_size_binary(3), {"\"abc\"", "\"def\"", "\"xyz\""}},
      {arrow::list(arrow::int32()), {"[1, 2]", "[]", "[null]"}},
      {arrow::list(arrow::utf8()), {"[\"p\", null]", "[]", "[\"q\"]"}},
      {arrow::struct_({arrow::field("x", arrow::int32()), arrow::field("y", arrow::utf8())}),
       {"[1, \"p\"]", "[null, \"q\"]", "[3, null]"}},
      {arrow::map(arrow::utf8(), arrow::int32()), {"[[\"k\", 1]]", "[]", "[[\"l\", null]]"}},
      {arrow::null(), {"null", "null", "null"}},
  };
  arrow::FieldVector fields;
  arrow::ArrayVector columns;
  for (const auto& [type, cells] : types) {
    std::string text;
    for (int i = 0; i < 11; ++i) {
      text += (i == 0 ? "[" : ", ") + (i % 4 == 2 ? "null" : cells[static_cast<unsigned>(i) % 3]);
    }
    fields.push_back(arrow::field(std::to_string(fields.size()) + " " + type->ToString(), type));
    columns.push_back(json(type, text + "]"));
  }
  fields.push_back(arrow::field("word", arrow::utf8()));
  columns.push_back(json(arrow::utf8(), R"(["gastritis", "flu", null, "gastritis", "", "Flu",
      "flu", "flu", "measles", null, "flu"])"));
  return arrow::Table::Make(arrow::schema(fields), columns);
}

class ArrowSink : public testing::TestWithParam<ArrowFormat> {
 protected:
  std::string path(const std::string& name) const { return (fs::path(folder_) / name).string(); }
  Written how() const { return {.format = GetParam()}; }

  // Writes a table, masks it and reads the result.
  std::shared_ptr<arrow::Table> masked(const arrow::Table& table, const Masking& masking,
                                       const TableOptions& options = {}) {
    write_table(table, path("in"), how());
    const Status status = test::mask_table(path("in"), path("out"), GetParam(), masking, options);
    EXPECT_TRUE(status.has_value()) << describe(status.error(), Quote::kShow);
    return read_table(path("out"), GetParam());
  }
  std::shared_ptr<arrow::Table> input() const { return read_table(path("in"), GetParam()); }

  test::TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
};

TEST_P(ArrowSink, LeavesOtherColumnsAsTheyCame) {
  const auto out = masked(*every_type(), {.masks = {{"word", star}}});
  const auto in = input();
  ASSERT_EQ(out->num_columns(), in->num_columns());
  for (int c = 0; c + 1 < in->num_columns(); ++c) {
    EXPECT_TRUE(out->field(c)->Equals(*in->field(c))) << out->field(c)->ToString();
    EXPECT_TRUE(out->column(c)->Equals(*in->column(c))) << in->field(c)->name();
  }
  EXPECT_TRUE(out->GetColumnByName("word")->Equals(
      arrow::ChunkedArray(json(arrow::utf8(), R"(["masked 9", "masked 3", null, "masked 9", null,
          "masked 3", "masked 3", "masked 3", "masked 7", null, "masked 3"])"))));
}

TEST_P(ArrowSink, LeavesColumnsThatAreOnlyReadAsTheyCame) {
  const auto table = every_type();
  Masking masking;
  for (const auto& name : {"15 string", "16 large_string", "3 int32", "word"}) {
    masking.also_wanted.emplace_back(name);
  }
  const auto out = masked(*table, masking);
  EXPECT_TRUE(out->Equals(*input())) << out->ToString();
}

TEST_P(ArrowSink, WritesMaskedColumnsAsPlainTexts) {
  const auto large = json(arrow::large_utf8(), R"(["a", null, "b"])");
  const auto numbers = json(arrow::int64(), "[44054006, 7, null]");
  const auto dates = json(arrow::date32(), "[0, null, 1]");
  const auto coded =
      arrow::json::DictArrayFromJSONString(arrow::dictionary(arrow::int8(), arrow::utf8()),
                                           "[1, 1, null]", R"(["unused", "used"])")
          .ValueOrDie();
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("large", large->type()), arrow::field("numbers", numbers->type()),
                     arrow::field("dates", dates->type()), arrow::field("coded", coded->type())}),
      {large, numbers, dates, coded});
  const auto twice = [](std::string_view text) { return std::string(text) + std::string(text); };
  const auto out =
      masked(*table,
             {.masks = {{"large", twice}, {"numbers", twice}, {"dates", twice}, {"coded", twice}}});
  for (const auto& field : out->fields()) EXPECT_EQ(field->type()->id(), arrow::Type::STRING);
  const auto expect = [&](const char* name, const char* cells) {
    EXPECT_TRUE(out->GetColumnByName(name)->Equals(arrow::ChunkedArray(json(arrow::utf8(), cells))))
        << out->GetColumnByName(name)->ToString();
  };
  expect("large", R"(["aa", null, "bb"])");
  expect("numbers", R"(["4405400644054006", "77", null])");
  expect("dates", R"(["1970-01-011970-01-01", null, "1970-01-021970-01-02"])");
  expect("coded", R"(["usedused", "usedused", null])");
}

// Everything of the input that is no released cell, searched for in the bytes of the output.
TEST_P(ArrowSink, LeavesNothingBehind) {
  const auto secret = json(arrow::utf8(), R"(["secretpolyp", "secretulcer", "secretpolyp", null,
      "secretflu", "secretulcer"])");
  const auto dropped = json(arrow::utf8(), R"(["dropone", "droptwo", "dropone", null, "x", "x"])");
  const auto dictionary = arrow::dictionary(arrow::int32(), arrow::utf8());
  const auto kept = arrow::json::DictArrayFromJSONString(dictionary, "[1, 3, null, 3, 1, 1]",
                                                         R"(["unusedzero", "usedone", "unusedtwo",
                                                             "usedthree"])")
                        .ValueOrDie();
  const auto nested_type = arrow::struct_({arrow::field("in", dictionary)});
  const auto nested =
      arrow::StructArray::Make(
          {kept},
          std::vector<std::shared_ptr<arrow::Field>>{arrow::field(
              "in", dictionary, true, arrow::key_value_metadata({{"nestedkey", "nestedvalue"}}))})
          .ValueOrDie();
  const auto masked_coded =
      arrow::json::DictArrayFromJSONString(dictionary, "[0, 0, 0, null, 0, 0]",
                                           R"(["codedsecret",
                                                                     "codedunused"])")
          .ValueOrDie();
  const auto schema = arrow::schema(
      {arrow::field("secret", arrow::utf8(), true,
                    arrow::key_value_metadata({{"fieldkey", "fieldvalue"}})),
       arrow::field("gone", arrow::utf8()),
       arrow::field("kept", dictionary, true,
                    arrow::key_value_metadata({{"keptkey", "keptvalue"}})),
       arrow::field("nested", nested->type()), arrow::field("coded", dictionary)},
      arrow::key_value_metadata({{"pandas", "pandasvalue"}, {"custom", "customvalue"}}));
  const auto table = arrow::Table::Make(schema, {secret, dropped, kept, nested, masked_coded});

  const auto out =
      masked(*table, {.masks = {{"secret", star}, {"coded", star}}, .drops = {"gone"}});
  const std::string bytes = bytes_of(path("out"));
  const std::string before = bytes_of(path("in"));
  for (const char* trace :
       {"secretpolyp", "secretulcer", "secretflu", "dropone", "droptwo", "gone", "codedsecret"}) {
    EXPECT_THAT(before, HasSubstr(trace));  // the search finds what is there
    EXPECT_THAT(bytes, Not(HasSubstr(trace)));
  }
  for (const char* trace :
       {"unusedzero", "unusedtwo", "codedunused", "fieldkey", "fieldvalue", "keptkey", "keptvalue",
        "nestedkey", "nestedvalue", "pandas", "pandasvalue", "customvalue"}) {
    EXPECT_THAT(bytes, Not(HasSubstr(trace)));
  }
  for (const char* trace : {"usedone", "usedthree", "masked"}) {
    EXPECT_THAT(bytes, HasSubstr(trace));
  }
  EXPECT_EQ(out->num_columns(), 4);
  const auto plain = json(arrow::utf8(), R"(["usedone", "usedthree", null, "usedthree", "usedone",
                                             "usedone"])");
  EXPECT_TRUE(out->GetColumnByName("kept")->Equals(arrow::ChunkedArray(plain)));
  EXPECT_EQ(out->schema()->metadata(), nullptr);
  for (const auto& field : out->fields()) {
    EXPECT_TRUE(field->metadata() == nullptr || !field->metadata()->Contains("keptkey"));
  }
}

// A cell that was set to null may keep its bytes in memory, and so in an IPC file; a row that was
// left out may do so in a view's buffer or a list.
TEST_P(ArrowSink, LeavesNothingBehindNulls) {
  const auto with_null = [](const std::shared_ptr<arrow::Array>& array) {  // the first cell
    auto data = array->data()->Copy();
    data->buffers[0] = arrow::AllocateBitmap(array->length()).ValueOrDie();
    data->buffers[0]->mutable_data()[0] = 0b110;
    data->null_count = 1;
    return arrow::MakeArray(data);
  };
  const auto texts = json(arrow::utf8(), R"(["hiddentext", "seen", "seen"])");
  const auto numbers = json(arrow::int64(), "[7596551616742222184, 1, 2]");
  const auto views =
      json(arrow::utf8_view(), R"(["hidden in a view", "seen in the view", "short", "x"])");
  const auto lists = json(arrow::list(arrow::utf8()), R"([["hiddenitem"], ["seenitem"], []])");
  const auto structs = arrow::StructArray::Make({json(arrow::utf8(), R"(["hiddenfield", "seenfield",
                                                                        null])")},
                                                {"f"})
                           .ValueOrDie();
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("texts", texts->type()), arrow::field("numbers", numbers->type()),
                     arrow::field("views", views->type()), arrow::field("lists", lists->type()),
                     arrow::field("structs", structs->type())}),
      {with_null(texts), with_null(numbers), views->Slice(1), with_null(lists),
       with_null(structs)});
  const auto out = masked(*table, {});
  const std::string bytes = bytes_of(path("out"));
  const std::int64_t number = 7596551616742222184;
  std::string number_bytes(sizeof number, '\0');
  std::memcpy(number_bytes.data(), &number, sizeof number);
  for (const std::string& trace : {std::string("hidden"), number_bytes}) {
    if (GetParam() != ArrowFormat::kParquet) {
      EXPECT_THAT(bytes_of(path("in")), HasSubstr(trace));
    }
    EXPECT_THAT(bytes, Not(HasSubstr(trace)));
  }
  EXPECT_THAT(bytes, HasSubstr("seen in the view"));
  EXPECT_TRUE(out->Equals(*input())) << out->ToString();
}

TEST_P(ArrowSink, GivesTheSameFileHoweverTheTableIsCut) {
  std::string cells = "[", numbers = "[";
  for (int i = 0; i < 3001; ++i) {
    cells += (i == 0 ? "\"" : ", \"") + std::to_string(i * i % 97) + "\"";
    numbers += (i == 0 ? "" : ", ") + std::string(i % 5 == 3 ? "null" : std::to_string(i));
  }
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("word", arrow::utf8()), arrow::field("n", arrow::int64())}),
      {json(arrow::utf8(), cells + "]"), json(arrow::int64(), numbers + "]")});
  for (const bool shuffled : {false, true}) {
    std::string first;
    for (const std::uint64_t rows : {0, 1, 7, 1000}) {
      write_table(*table, path("in"), {.format = GetParam(), .rows = 1200});
      Masking masking{
          .masks = {{"word", star}},
          .drops = {},
      };
      if (shuffled) masking.shuffle = key_of(1);
      TableOptions options;
      options.batch_rows = rows;
      options.temp_folder = folder_;
      const Status status = test::mask_table(path("in"), path("out"), GetParam(), masking, options);
      ASSERT_TRUE(status.has_value()) << status.error().message;
      const std::string bytes = bytes_of(path("out"));
      if (first.empty()) first = bytes;
      EXPECT_TRUE(bytes == first) << rows;
    }
  }
}

TEST_P(ArrowSink, ShufflesRowsWhole) {
  std::string words = "[", numbers = "[";
  for (int i = 0; i < 2000; ++i) {
    words += (i == 0 ? "\"" : ", \"") + std::string(static_cast<std::size_t>(i % 50), 'x') + "\"";
    numbers += (i == 0 ? "" : ", ") + std::to_string(i);
  }
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("word", arrow::utf8()), arrow::field("n", arrow::int64())}),
      {json(arrow::utf8(), words + "]"), json(arrow::int64(), numbers + "]")});
  TableOptions options;
  options.temp_folder = folder_;
  options.missing_values = {};
  const auto order_of = [&](unsigned char seed) {
    const auto out = masked(*table, {.masks = {{"word", star}}, .shuffle = key_of(seed)}, options);
    std::vector<std::int64_t> order;
    const auto& n = static_cast<const arrow::Int64Array&>(*out->column(1)->chunk(0));
    const auto& word = static_cast<const arrow::StringArray&>(*out->column(0)->chunk(0));
    for (std::int64_t i = 0; i < n.length(); ++i) {
      order.push_back(n.Value(i));
      EXPECT_EQ(word.GetView(i), "masked " + std::to_string(n.Value(i) % 50));
    }
    return order;
  };
  const auto order = order_of(1);
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<int>(i));
  // A random order leaves one row in its place on average, and 30 with probability below 1e-32.
  int stayed = 0;
  for (std::size_t i = 0; i < order.size(); ++i) stayed += order[i] == static_cast<int>(i);
  EXPECT_LT(stayed, 30);
  EXPECT_NE(order, order_of(2));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

TEST_P(ArrowSink, KeepsTheCompressionOfTheInput) {
  using arrow::Compression;
  const auto word = json(arrow::utf8(), "[\"" + std::string(5000, 'w') + "\"]");
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("kept", arrow::utf8()), arrow::field("word", arrow::utf8())}),
      {word, word});
  std::vector<Compression::type> codecs = {Compression::UNCOMPRESSED, Compression::ZSTD};
  if (GetParam() == ArrowFormat::kParquet) {
    codecs.insert(codecs.end(), {Compression::LZ4, Compression::SNAPPY, Compression::GZIP});
  } else {
    codecs.push_back(Compression::LZ4_FRAME);
  }
  std::map<Compression::type, std::size_t> sizes;
  for (const auto codec : codecs) {
    write_table(*table, path("in"), {.format = GetParam(), .compression = codec});
    const Status status =
        test::mask_table(path("in"), path("out"), GetParam(), {.masks = {{"word", star}}});
    ASSERT_TRUE(status.has_value()) << status.error().message;
    const auto out = read_table(path("out"), GetParam());
    EXPECT_TRUE(out->GetColumnByName("kept")->Equals(arrow::ChunkedArray(word)));
    sizes[codec] = fs::file_size(path("out"));
    if (GetParam() == ArrowFormat::kParquet) {
      const auto metadata = parquet::ParquetFileReader::OpenFile(path("out"))->metadata();
      for (const int column : {0, 1}) {
        EXPECT_EQ(metadata->RowGroup(0)->ColumnChunk(column)->compression(), codec);
      }
    }
  }
  EXPECT_GT(sizes[Compression::UNCOMPRESSED], 5000U);
  EXPECT_LT(sizes[Compression::ZSTD], 5000U);
  if (GetParam() != ArrowFormat::kParquet) {
    EXPECT_LT(sizes[Compression::LZ4_FRAME], 5000U);
    EXPECT_NE(sizes[Compression::LZ4_FRAME], sizes[Compression::ZSTD]);
  }
}

TEST_P(ArrowSink, WritesTablesWithoutRecords) {
  const auto empty = every_type()->Slice(0, 0);
  const auto out = masked(*empty, {.masks = {{"word", star}}});
  EXPECT_EQ(out->num_rows(), 0);
  EXPECT_TRUE(out->schema()->Equals(*input()->schema()));
}

TEST_P(ArrowSink, GoesToEveryOtherFormat) {
  write_table(*every_type(), path("in"), how());
  for (const ArrowFormat format :
       {ArrowFormat::kParquet, ArrowFormat::kIpcFile, ArrowFormat::kIpcStream}) {
    const Status status = test::mask_table(path("in"), path("out"), format, {});
    ASSERT_TRUE(status.has_value()) << status.error().message;
    const auto out = read_table(path("out"), format);
    EXPECT_TRUE(out->Equals(*input())) << test::name_of(format);
  }
}

TEST_P(ArrowSink, GivesAnErrorAndNoFileForADamagedTable) {
  write_table(*every_type(), path("whole"), how());
  const std::string bytes = bytes_of(path("whole"));
  int errors = 0;
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    std::ofstream(path("in"), std::ios::binary | std::ios::trunc) << bytes.substr(0, size);
    const Status status =
        test::mask_table(path("in"), path("out"), GetParam(), {.masks = {{"word", star}}});
    // A stream may be cut where its last message ends: it is then whole but for its end mark.
    if (status.has_value()) {
      EXPECT_EQ(GetParam(), ArrowFormat::kIpcStream) << size << " of " << bytes.size();
      fs::remove(path("out"));
      continue;
    }
    ++errors;
    EXPECT_EQ(status.error().code, ErrorCode::kData) << status.error().message;
    EXPECT_EQ(status.error().place.file, path("in"));
    EXPECT_FALSE(fs::exists(path("out"))) << size;
  }
  EXPECT_GT(errors, 10);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

// Whatever single byte is wrong, the answer is a table or an error.
TEST_P(ArrowSink, SurvivesDamagedBytes) {
  write_table(*every_type()->Slice(0, 5), path("whole"), how());
  const std::string bytes = bytes_of(path("whole"));
  for (std::size_t i = 0; i < bytes.size(); i += 29) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    std::ofstream(path("in"), std::ios::binary | std::ios::trunc) << damaged;
    const Status status =
        test::mask_table(path("in"), path("out"), GetParam(), {.masks = {{"word", star}}});
    EXPECT_TRUE(status.has_value() || !status.error().message.empty());
  }
}

TEST_P(ArrowSink, NumbersTextsAsTheyCome) {
  write_table(*every_type(), path("in"), how());
  for (const std::uint64_t rows : {0, 1, 3}) {
    TableOptions options;
    options.batch_rows = rows;
    options.missing_values = {"", "measles"};
    const auto table = table_backend().value()->open(path("in"), options).value();
    const std::size_t word = table->columns().size() - 1;
    const auto source = table->read({word}, Cells::kWanted).value();
    Dictionary dictionary;
    std::vector<Code> codes;
    std::uint64_t bytes = 0;
    for (;;) {
      const auto batch = source->next(std::span(&dictionary, 1)).value();
      if (batch == nullptr) break;
      EXPECT_EQ(batch->first_row, codes.size());
      EXPECT_EQ(batch->rows, batch->codes[0].size());
      EXPECT_LE(batch->rows, rows == 0 ? 11 : rows);
      bytes += batch->bytes;
      codes.insert(codes.end(), batch->codes[0].begin(), batch->codes[0].end());
    }
    EXPECT_THAT(codes,
                testing::ElementsAre(0, 1, kMissing, 0, kMissing, 2, 1, 1, kMissing, kMissing, 1));
    EXPECT_EQ(dictionary.text(0), "gastritis");
    EXPECT_EQ(dictionary.text(2), "Flu");
    EXPECT_GT(bytes, table->bytes() / 2);
    EXPECT_LE(bytes, table->bytes());
  }
}

TEST_P(ArrowSink, GivesTextsOfEveryColumnThatHasThem) {
  write_table(*every_type(), path("in"), how());
  const auto table = table_backend().value()->open(path("in"), {}).value();
  const auto source = table->read({}).value();
  const auto batch = source->next({}).value();
  std::vector<std::string> firsts;
  for (std::size_t c = 0; c < table->columns().size(); ++c) {
    if (!table->has_text(c)) {
      firsts.emplace_back("none");
      continue;
    }
    const auto texts = batch->texts(c);
    EXPECT_EQ(texts.size(), batch->rows);
    EXPECT_EQ(texts[2], std::nullopt);
    firsts.emplace_back(texts[0].value_or("null"));
  }
  EXPECT_THAT(firsts,
              testing::ElementsAre("true", "-128", "0", "-1", "-9223372036854775808", "0", "0.5",
                                   "0.1", "1.234", "1970-01-01", "00:00:00.000", "00:00:00.000000",
                                   "1970-01-01 01:00:00.000000+0100",
                                   "1970-01-01 00:00:00.000000000", "0", "a", "a", "x", "none",
                                   "none", R"(["p",null])", "none", "none", "null", "gastritis"));
}

TEST_P(ArrowSink, ReadsTablesWithTwoColumnsOfOneName) {
  const auto cells = json(arrow::utf8(), R"(["a", "b"])");
  const auto other = json(arrow::utf8(), R"(["c", "d"])");
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("twin", arrow::utf8()), arrow::field("twin", arrow::utf8()),
                     arrow::field("word", arrow::utf8())}),
      {cells, other, cells});
  const auto out = masked(*table, {.masks = {{"word", star}}});
  EXPECT_TRUE(out->column(0)->Equals(arrow::ChunkedArray(cells)));
  EXPECT_TRUE(out->column(1)->Equals(arrow::ChunkedArray(other)));
}

INSTANTIATE_TEST_SUITE_P(Formats, ArrowSink,
                         testing::Values(ArrowFormat::kParquet, ArrowFormat::kIpcFile,
                                         ArrowFormat::kIpcStream),
                         [](const auto& tested) { return test::name_of(tested.param); });

TEST(ParquetSink, KeepsTheSizeOfRowGroups) {
  const test::TemporaryFolder folder;
  const std::string in = folder.path() + "/in", out = folder.path() + "/out";
  write_table(*every_type(), in, {.rows = 4});
  ASSERT_TRUE(test::mask_table(in, out, ArrowFormat::kParquet, {.masks = {{"word", star}}}));
  const auto metadata = parquet::ParquetFileReader::OpenFile(out)->metadata();
  ASSERT_EQ(metadata->num_row_groups(), 3);
  EXPECT_EQ(metadata->RowGroup(0)->num_rows(), 4);
  EXPECT_EQ(metadata->RowGroup(2)->num_rows(), 3);
}

TEST(ParquetSink, RefusesTypesThatParquetHasNot) {
  const test::TemporaryFolder folder;
  const std::string in = folder.path() + "/in", out = folder.path() + "/out";
  const auto months = json(arrow::month_interval(), "[1, 2]");
  write_table(*arrow::Table::Make(arrow::schema({arrow::field("m", months->type())}), {months}), in,
              {.format = ArrowFormat::kIpcFile});
  const Status status = test::mask_table(in, out, ArrowFormat::kParquet, {});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace semveil
