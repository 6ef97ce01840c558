// Parquet columns that are read and written as codes of a dictionary: they must come out as if
// every cell had been decoded and encoded again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/statistics.h>

#include <limits>
#include <random>

#include "arrow_tables.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using arrow::Compression;
using test::bytes_of;
using test::json;
using test::read_table;
using test::star;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kRows = 45'000;          // more than two pages
constexpr std::int64_t kRowGroupRows = 41'000;  // a second row group of less than one

struct Coding {
  Compression::type compression = Compression::UNCOMPRESSED;
  bool arrow_schema = true;
  std::int64_t rows = kRowGroupRows;
  std::int64_t dictionary_limit = std::int64_t{1} << 24;  // everything is coded
};

void write_coded(const arrow::Table& table, const std::string& path, const Coding& how) {
  const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const auto options = parquet::WriterProperties::Builder()
                           .compression(how.compression)
                           ->dictionary_pagesize_limit(how.dictionary_limit)
                           ->build();
  parquet::ArrowWriterProperties::Builder arrow_options;
  if (how.arrow_schema) arrow_options.store_schema();
  ASSERT_TRUE(parquet::arrow::WriteTable(table, arrow::default_memory_pool(), out, how.rows,
                                         options, arrow_options.build())
                  .ok());
  ASSERT_TRUE(out->Close().ok());
}

std::shared_ptr<parquet::FileMetaData> metadata_of(const std::string& path) {
  return parquet::ParquetFileReader::OpenFile(path)->metadata();
}

// Whether every data page of the chunk holds codes.
bool is_coded(const parquet::ColumnChunkMetaData& chunk) {
  const auto& pages = chunk.encoding_stats();
  return std::all_of(pages.begin(), pages.end(), [](const parquet::PageEncodingStats& page) {
    return page.page_type == parquet::PageType::DICTIONARY_PAGE ||
           page.encoding == parquet::Encoding::RLE_DICTIONARY;
  });
}

enum class Order : std::uint8_t { kRandom, kRuns, kMixed };

// Which of `distinct` values stands in each row; −1: none does.
std::vector<int> places(int distinct, Order order, double nulls, std::mt19937& random) {
  std::vector<int> rows;
  std::uniform_int_distribution<int> value(0, distinct - 1), length(1, 60);
  std::bernoulli_distribution missing(nulls), run(0.3);
  while (std::ssize(rows) < kRows) {
    const bool runs = order == Order::kRuns || (order == Order::kMixed && run(random));
    const int place = missing(random) ? -1 : value(random);
    rows.insert(rows.end(), static_cast<std::size_t>(runs ? length(random) : 1), place);
  }
  rows.resize(kRows);
  return rows;
}

template <class Builder, class Value>
std::shared_ptr<arrow::Array> column_of(const std::vector<int>& rows, const Value& value) {
  Builder builder;
  bool ok = true;
  for (const int place : rows) {
    ok &= (place < 0 ? builder.AppendNull() : builder.Append(value(place))).ok();
  }
  EXPECT_TRUE(ok);
  return builder.Finish().ValueOrDie();
}

double number(int place) {
  switch (place) {
    case 0:
      return -0.0;
    case 1:
      return 0.0;
    case 2:
      return std::numeric_limits<double>::infinity();
    default:
      return place * 0.37 - 50;
  }
}

// Every type that is coded, with dictionaries of every width, runs and nulls.
std::shared_ptr<arrow::Table> coded_table() {
  std::mt19937 random(7);
  arrow::FieldVector fields;
  arrow::ArrayVector columns;
  const auto add = [&](const std::shared_ptr<arrow::Array>& column, bool nullable) {
    fields.push_back(arrow::field(std::to_string(fields.size()), column->type(), nullable));
    columns.push_back(column);
  };
  const auto text = [](int place) {
    return std::string(static_cast<std::size_t>(place % 23), 'a') + std::to_string(place);
  };
  for (const int distinct : {1, 2, 17, 257, 30'000}) {
    for (const Order order : {Order::kRandom, Order::kRuns, Order::kMixed}) {
      for (const double nulls : {0.0, 0.3}) {
        const auto rows = places(distinct, order, nulls, random);
        add(column_of<arrow::StringBuilder>(rows, text), nulls > 0);
        add(column_of<arrow::Int64Builder>(rows, [](int i) { return std::int64_t{i} << 33; }),
            true);
        add(column_of<arrow::DoubleBuilder>(rows, number), nulls > 0);
      }
    }
  }
  const auto rows = places(300, Order::kMixed, 0.01, random);
  add(column_of<arrow::LargeStringBuilder>(rows, text), true);
  add(column_of<arrow::Int32Builder>(rows, [](int i) { return -i; }), true);
  add(column_of<arrow::Date32Builder>(rows, [](int i) { return i; }), true);
  add(column_of<arrow::FloatBuilder>(rows, [](int i) { return static_cast<float>(number(i)); }),
      true);
  const std::vector<int> none(kRows, -1);
  add(column_of<arrow::StringBuilder>(none, text), true);
  add(column_of<arrow::Int32Builder>(none, [](int i) { return i; }), true);
  return arrow::Table::Make(arrow::schema(fields), columns);
}

class CodedColumns : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return temporary_.path() + "/" + name; }

  void mask(const test::Masking& masking, const TableOptions& options = {}) const {
    const Status status =
        test::mask_table(path("in"), path("out"), ArrowFormat::kParquet, masking, options);
    ASSERT_TRUE(status.has_value()) << describe(status.error(), Quote::kShow);
  }
  std::shared_ptr<arrow::Table> output() const {
    return read_table(path("out"), ArrowFormat::kParquet);
  }

  test::TemporaryFolder temporary_;
};

TEST_F(CodedColumns, ComeOutAsTheyCameWithTheirStatistics) {
  const auto table = coded_table();
  for (const auto codec : {Compression::UNCOMPRESSED, Compression::ZSTD}) {
    write_coded(*table, path("in"), {.compression = codec});
    mask({});
    const auto out = output();
    EXPECT_TRUE(out->schema()->Equals(*table->schema())) << out->schema()->ToString();
    for (int c = 0; c < table->num_columns(); ++c) {
      // Zeros with different signs are different cells.
      const auto options = arrow::EqualOptions::Defaults().signed_zeros_equal(false);
      EXPECT_TRUE(out->column(c)->Equals(*table->column(c), options)) << c;
    }
    const auto before = metadata_of(path("in")), after = metadata_of(path("out"));
    ASSERT_EQ(after->num_row_groups(), 2);
    for (int r = 0; r < 2; ++r) {
      for (int c = 0; c < table->num_columns(); ++c) {
        const auto was = before->RowGroup(r)->ColumnChunk(c);
        const auto is = after->RowGroup(r)->ColumnChunk(c);
        EXPECT_TRUE(is_coded(*was) && is_coded(*is)) << c;
        EXPECT_EQ(is->compression(), codec);
        EXPECT_EQ(is->num_values(), was->num_values());
        EXPECT_TRUE(is->statistics()->Equals(*was->statistics())) << c;
        EXPECT_EQ(is->statistics()->HasMinMax(), was->statistics()->HasMinMax()) << c;
        EXPECT_LE(is->total_compressed_size(), was->total_compressed_size() * 51 / 50 + 100)
            << c << " of row group " << r << ", " << codec;
      }
    }
  }
}

TEST_F(CodedColumns, DoNotDependOnHowTheTableIsCut) {
  write_coded(*coded_table(), path("in"), {.rows = 17'001});
  std::string first;
  for (const std::uint64_t rows : {0, 1'333, 17'000, 40'000}) {
    TableOptions options;
    options.batch_rows = rows;
    mask({.masks = {{"0", star}, {"6", star}}}, options);
    const std::string bytes = bytes_of(path("out"));
    if (first.empty()) first = bytes;
    EXPECT_TRUE(bytes == first) << rows;
  }
}

// Without Arrow's schema a reader takes the column for one of texts, and its dictionary, which
// holds what no row names, for Parquet's own.
TEST_F(CodedColumns, LeaveNothingBehindInDictionaries) {
  const auto type = arrow::dictionary(arrow::int32(), arrow::utf8());
  const auto texts = R"(["zzunused", "early", "late", "aaunused"])";
  const auto coded = [&](const std::string& cells) {
    return arrow::json::DictArrayFromJSONString(type, cells, texts).ValueOrDie();
  };
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("kept", type), arrow::field("word", type)}),
                         {coded("[1, null, 1, 2, 2, 2]"), coded("[1, 2, 1, null, 2, 2]")});
  write_coded(*table, path("in"), {.arrow_schema = false, .rows = 3});
  const auto masked = [](std::string_view text) { return "new" + std::string(text); };
  mask({.masks = {{"word", masked}}});

  EXPECT_THAT(bytes_of(path("in")), HasSubstr("zzunused"));  // the search finds what is there
  const std::string bytes = bytes_of(path("out"));
  EXPECT_THAT(bytes, Not(HasSubstr("unused")));
  const auto metadata = metadata_of(path("out"));
  ASSERT_EQ(metadata->num_row_groups(), 2);
  const auto start =
      static_cast<std::size_t>(metadata->RowGroup(1)->ColumnChunk(0)->dictionary_page_offset());
  const auto end =
      static_cast<std::size_t>(metadata->RowGroup(1)->ColumnChunk(1)->data_page_offset());
  const std::string second = bytes.substr(start, end - start);  // both dictionaries
  EXPECT_THAT(bytes.substr(0, start), HasSubstr("early"));
  EXPECT_THAT(second, HasSubstr("late"));
  EXPECT_THAT(second, HasSubstr("newlate"));
  EXPECT_THAT(second, Not(HasSubstr("early")));
  for (int c = 0; c < 2; ++c) {
    const auto statistics = metadata->RowGroup(1)->ColumnChunk(c)->statistics();
    EXPECT_EQ(statistics->EncodeMin(), c == 0 ? "late" : "newlate");
    EXPECT_EQ(statistics->EncodeMax(), c == 0 ? "late" : "newlate");
    EXPECT_EQ(statistics->null_count(), c);
  }
  EXPECT_TRUE(output()->column(0)->Equals(
      arrow::ChunkedArray(json(arrow::utf8(), R"(["early", null, "early", "late", "late",
                                                  "late"])"))));
}

// New texts, some twice in the list of them; missing cells; cells that keep a text or a null.
TEST_F(CodedColumns, TakeNewTextsAndOldOnes) {
  const auto word = json(arrow::utf8(), R"(["a", "b", null, "c", "a", null, "kept", "d"])");
  write_coded(*arrow::Table::Make(arrow::schema({arrow::field("word", arrow::utf8())}), {word}),
              path("in"), {.rows = 8});
  const std::vector<Code> cells = {0, 1, kAsItWas, kMissing, 2, kAsItWas, kAsItWas, 0};
  std::string first;
  for (const std::uint64_t rows : {0, 1, 2, 3}) {
    TableOptions options;
    options.batch_rows = rows;
    const auto backend = table_backend();
    ASSERT_TRUE(backend);
    const auto table = (*backend)->open(path("in"), options);
    ASSERT_TRUE(table);
    Edits edits;
    edits.replace.push_back({0, {"same", "other", "same", "never"}});
    const auto source = (*table)->read({0});
    const auto sink = (*backend)->write(path("out"), ArrowFormat::kParquet, (*table)->columns(),
                                        table->get(), edits, options);
    ASSERT_TRUE(source && sink);
    std::vector<Dictionary> dictionaries(1);
    for (;;) {
      const auto batch = (*source)->next(dictionaries);
      ASSERT_TRUE(batch);
      if (*batch == nullptr) break;
      const std::vector<std::span<const Code>> of_batch{
          std::span(cells).subspan((*batch)->first_row, (*batch)->rows)};
      auto rendered = (*sink)->render(**batch, of_batch);
      ASSERT_TRUE(rendered && (*sink)->write(std::move(*rendered)));
    }
    ASSERT_TRUE((*sink)->finish() && (*sink)->commit());
    EXPECT_TRUE(output()->column(0)->Equals(arrow::ChunkedArray(
        json(arrow::utf8(), R"(["same", "other", null, null, "same", null, "kept", "same"])"))));
    const std::string bytes = bytes_of(path("out"));
    EXPECT_THAT(bytes, Not(HasSubstr("never")));
    if (first.empty()) first = bytes;
    EXPECT_TRUE(bytes == first) << rows;
  }
}

// A large dictionary of texts that stand in one cell each would make the file larger.
TEST_F(CodedColumns, AreWrittenPlainWhereADictionaryDoesNotPay) {
  std::vector<int> once(kRows), twice(kRows);
  for (int i = 0; i < kRows; ++i) {
    once[static_cast<std::size_t>(i)] = i % 11 == 3 ? -1 : i;
    twice[static_cast<std::size_t>(i)] = i / 2;
  }
  const auto text = [](int i) { return std::string(60, 'x') + std::to_string(i); };
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("once", arrow::utf8()), arrow::field("twice", arrow::utf8()),
                     arrow::field("word", arrow::utf8())}),
      {column_of<arrow::StringBuilder>(once, text), column_of<arrow::StringBuilder>(twice, text),
       column_of<arrow::StringBuilder>(once, text)});
  write_coded(*table, path("in"), {.rows = kRows});
  mask({.masks = {{"word", [](std::string_view text_) { return "new" + std::string(text_); }}}});
  const auto metadata = metadata_of(path("out"));
  const auto row_group = metadata->RowGroup(0);
  EXPECT_TRUE(is_coded(*metadata_of(path("in"))->RowGroup(0)->ColumnChunk(0)));
  EXPECT_FALSE(is_coded(*row_group->ColumnChunk(0)));
  EXPECT_TRUE(is_coded(*row_group->ColumnChunk(1)));
  EXPECT_FALSE(is_coded(*row_group->ColumnChunk(2)));
  const auto out = output();
  EXPECT_TRUE(out->schema()->Equals(*table->schema()));
  EXPECT_TRUE(out->column(0)->Equals(*table->column(0)));
  EXPECT_TRUE(out->column(1)->Equals(*table->column(1)));
  EXPECT_TRUE(out->column(2)->Equals(arrow::ChunkedArray(
      column_of<arrow::StringBuilder>(once, [&](int i) { return "new" + text(i); }))));
}

// Of two row groups one is not coded to its end: the column is read decoded in both.
TEST_F(CodedColumns, MayBeCodedInPart) {
  const auto table = coded_table();
  write_coded(*table, path("in"), {.dictionary_limit = 20'000});
  const auto before = metadata_of(path("in"));
  int in_part = 0;
  for (int c = 0; c < table->num_columns(); ++c) {
    in_part += is_coded(*before->RowGroup(0)->ColumnChunk(c)) !=
               is_coded(*before->RowGroup(1)->ColumnChunk(c));
  }
  EXPECT_GT(in_part, 0);
  mask({});
  EXPECT_TRUE(output()->Equals(*table));
}

}  // namespace
}  // namespace semveil
