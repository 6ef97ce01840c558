// What a release in memory is made of: types, dictionaries, what is shared and what is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "arrow_memory.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::json;
using test::memory_table;
using test::one_column;
using test::stream_of;
using test::taken;
using testing::HasSubstr;

struct Change {
  std::size_t column = 0;
  std::vector<std::string_view> texts;  // by code of the old text; fewer: none, cells stay
  bool numbers = false;
  std::optional<SetForm> set = {};
};

// One pass: the text of code c becomes that of texts[c], kMissing stays.
Status copy(const Table& table, const std::vector<Change>& changes, MemoryOutput& out,
            std::optional<Key> shuffle = {}, const std::vector<std::uint64_t>& drop = {}) {
  Edits edits;
  edits.shuffle = shuffle;
  edits.drops_rows = !drop.empty();
  std::vector<std::size_t> wanted;
  for (const Change& change : changes) {
    wanted.push_back(change.column);
    edits.replace.push_back({change.column, change.texts, change.set, change.numbers});
  }
  std::vector<Dictionary> dictionaries(wanted.size());
  const auto source = table.read(wanted);
  if (!source) return fail(source.error());
  const auto sink = table.write(out, edits);
  if (!sink) return fail(sink.error());
  for (;;) {
    const auto batch = (*source)->next(dictionaries);
    if (!batch) return fail(batch.error());
    if (*batch == nullptr) break;
    (*batch)->dropped.assign(drop.empty() ? 0 : (*batch)->rows, false);
    for (const std::uint64_t row : drop) {
      const std::uint64_t first = (*batch)->first_row;
      if (row >= first && row < first + (*batch)->rows) (*batch)->dropped[row - first] = true;
    }
    std::vector<std::vector<Code>> codes = (*batch)->codes;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].texts.empty()) {  // codes 0: suppressed
        for (Code& code : codes[i]) code = code == 0 ? kMissing : kAsItWas;
      } else if (changes[i].set) {
        std::vector<Code> sets;
        for (const Code code : codes[i]) {
          const Code next = (code + 1) % static_cast<Code>(changes[i].texts.size());
          sets.push_back(code);
          sets.push_back(code == kMissing ? kMissing : next);
        }
        codes[i] = sets;
      }
    }
    const std::vector<std::span<const Code>> cells(codes.begin(), codes.end());
    auto rendered = (*sink)->render(**batch, cells);
    if (!rendered) return fail(rendered.error());
    if (Status status = (*sink)->write(std::move(*rendered)); !status) return status;
  }
  if (Status status = (*sink)->finish(); !status) return status;
  return (*sink)->commit();
}

std::shared_ptr<arrow::Table> released(const std::shared_ptr<arrow::Table>& table,
                                       const std::vector<Change>& changes, std::int64_t rows = 2,
                                       std::optional<Key> shuffle = {},
                                       const std::vector<std::uint64_t>& drop = {}) {
  MemoryOutput out;
  {
    const auto opened = memory_table(table, rows);
    if (!opened) {
      ADD_FAILURE() << describe(opened.error(), Quote::kShow);
      return nullptr;
    }
    const Status status = copy(*opened, changes, out, shuffle, drop);
    if (!status) {
      ADD_FAILURE() << describe(status.error(), Quote::kShow);
      return nullptr;
    }
  }
  return taken(out);  // the table is gone: the release needs nothing of it
}

void expect_column(const std::shared_ptr<arrow::Table>& table, const std::string& name,
                   const std::shared_ptr<arrow::Array>& expected) {
  ASSERT_NE(table, nullptr);
  const auto column = table->GetColumnByName(name);
  ASSERT_NE(column, nullptr) << table->ToString();
  EXPECT_TRUE(column->type()->Equals(expected->type())) << column->type()->ToString();
  EXPECT_TRUE(column->Equals(arrow::ChunkedArray(expected))) << column->ToString();
}

TEST(MemoryRelease, KeepsTheTypeOfTexts) {
  for (const auto& type : {arrow::utf8(), arrow::large_utf8(), arrow::utf8_view()}) {
    const auto out = released(one_column(json(type, R"(["x", null, "y", "x", "z"])")),
                              {{0, {"a text of more than twelve bytes", "b", ""}}});
    expect_column(out, "c", json(type, R"(["a text of more than twelve bytes", null, "b",
                                           "a text of more than twelve bytes", ""])"));
  }
}

TEST(MemoryRelease, HasADictionaryOfReleasedTextsAloneSortedByBytes) {
  for (const auto& index : {arrow::int8(), arrow::uint8(), arrow::int16(), arrow::uint16(),
                            arrow::int32(), arrow::uint32(), arrow::int64(), arrow::uint64()}) {
    for (const auto& values : {arrow::utf8(), arrow::large_utf8(), arrow::utf8_view()}) {
      const auto type = arrow::dictionary(index, values);
      const auto cells = arrow::DictionaryArray::FromArrays(
                             type, json(index, "[2, 0, null, 2]"),
                             json(values, R"(["old a", "secret", "old b", "never seen"])"))
                             .ValueOrDie();
      const auto out = released(one_column(cells), {{0, {"zebra", "ant", "not released"}}});
      ASSERT_NE(out, nullptr);
      const auto column = out->column(0);
      EXPECT_TRUE(column->type()->Equals(type)) << column->type()->ToString();
      for (const auto& chunk : column->chunks()) {
        const auto& coded = static_cast<const arrow::DictionaryArray&>(*chunk);
        EXPECT_TRUE(coded.dictionary()->Equals(json(values, R"(["ant", "zebra"])")));
      }
      const auto whole = arrow::Concatenate(column->chunks()).ValueOrDie();
      const auto& coded = static_cast<const arrow::DictionaryArray&>(*whole);
      EXPECT_TRUE(coded.indices()->Equals(json(index, "[1, 0, null, 1]")));
    }
  }
}

TEST(MemoryRelease, GetsAWiderIndexWhereItsOwnCannotCount) {
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) texts.push_back(std::to_string(i));
  // Of two batches, each with a dictionary of its own.
  arrow::ArrayVector chunks;
  const auto type = arrow::dictionary(arrow::uint8(), arrow::utf8());
  for (int chunk = 0; chunk < 2; ++chunk) {
    arrow::StringBuilder values;
    arrow::UInt8Builder indices;
    for (int i = 0; i < 150; ++i) {
      ASSERT_TRUE(values.Append(texts[static_cast<std::size_t>(chunk * 150 + i)]).ok());
      ASSERT_TRUE(indices.Append(static_cast<std::uint8_t>(i)).ok());
    }
    chunks.push_back(arrow::DictionaryArray::FromArrays(type, indices.Finish().ValueOrDie(),
                                                        values.Finish().ValueOrDie())
                         .ValueOrDie());
  }
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("c", type)}),
                         {std::make_shared<arrow::ChunkedArray>(arrow::ArrayVector(chunks))});
  const auto out = released(table, {{0, {texts.begin(), texts.end()}}}, 1000);
  ASSERT_NE(out, nullptr);
  EXPECT_TRUE(out->column(0)->type()->Equals(arrow::dictionary(arrow::uint16(), arrow::utf8())));
}

TEST(MemoryRelease, KeepsNothingOfTheMetadataOfAMaskedField) {
  const auto metadata = arrow::key_value_metadata({"values"}, {"secret"});
  const auto schema = arrow::schema({arrow::field("c", arrow::utf8(), false, metadata),
                                     arrow::field("k", arrow::int32(), false, metadata)},
                                    metadata);
  const auto table =
      arrow::Table::Make(schema, {json(arrow::utf8(), R"(["x"])"), json(arrow::int32(), "[1]")});
  const auto out = released(table, {{0, {"a"}}});
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->schema()->metadata(), nullptr);
  EXPECT_EQ(out->field(0)->metadata(), nullptr);
  EXPECT_TRUE(out->field(0)->nullable());
  ASSERT_NE(out->field(1)->metadata(), nullptr);
  EXPECT_TRUE(out->field(1)->metadata()->Equals(*metadata));
}

TEST(MemoryRelease, OfNumbersAreIntegersWhereAllAreWhole) {
  for (const auto& type : {arrow::int8(), arrow::uint8(), arrow::int16(), arrow::uint16(),
                           arrow::int32(), arrow::uint32(), arrow::int64(), arrow::uint64()}) {
    const auto table = one_column(json(type, "[1, 2, null, 3]"));
    expect_column(released(table, {{0, {"7", "100", "8.0"}, true}}), "c",
                  json(type, "[7, 100, null, 8]"));
    expect_column(released(table, {{0, {"7", "100", "8.5"}, true}}), "c",
                  json(arrow::float64(), "[7, 100, null, 8.5]"));
  }
  const auto small = one_column(json(arrow::int8(), "[1, 2]"));
  expect_column(released(small, {{0, {"7", "128"}, true}}), "c",
                json(arrow::float64(), "[7, 128]"));
  const auto large = one_column(json(arrow::uint64(), "[1, 18446744073709551615]"));
  expect_column(released(large, {{0, {"1", "18446744073709551615"}, true}}), "c",
                json(arrow::uint64(), "[1, 18446744073709551615]"));
  for (const auto& type : {arrow::float32(), arrow::float64()}) {
    expect_column(released(one_column(json(type, "[1, 2.5]")), {{0, {"3", "4"}, true}}), "c",
                  json(arrow::float64(), "[3, 4]"));
  }
  expect_column(released(one_column(json(arrow::decimal128(5, 1), R"(["1.0", "2.5"])")),
                         {{0, {"3", "4.25"}, true}}),
                "c", json(arrow::float64(), "[3, 4.25]"));
}

TEST(MemoryRelease, OfDatesThatBecameLabelsIsTexts) {
  expect_column(released(one_column(json(arrow::date32(), "[0, null, 1]")), {{0, {"a", "b"}}}), "c",
                json(arrow::utf8(), R"(["a", null, "b"])"));
}

TEST(MemoryRelease, WritesSetsInEveryForm) {
  const auto table = one_column(json(arrow::large_utf8(), R"(["x", null, "y", "z"])"));
  const std::vector<std::string_view> texts{"a", "b", "c"};
  SetForm form{SetForm::Kind::kJoined, 2, "|"};
  expect_column(released(table, {{0, texts, false, form}}), "c",
                json(arrow::large_utf8(), R"(["a|b", null, "b|c", "c|a"])"));
  form.kind = SetForm::Kind::kList;
  expect_column(released(table, {{0, texts, false, form}}), "c",
                json(arrow::list(arrow::utf8()), R"([["a", "b"], null, ["b", "c"], ["c", "a"]])"));
  form.kind = SetForm::Kind::kColumns;
  const auto out = released(table, {{0, texts, false, form}});
  expect_column(out, "c_1", json(arrow::large_utf8(), R"(["a", null, "b", "c"])"));
  expect_column(out, "c_2", json(arrow::large_utf8(), R"(["b", null, "c", "a"])"));
}

// A column of every kind that there is, five cells each.
std::shared_ptr<arrow::Table> every_memory_type() {
  const auto coded =
      arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int16(), arrow::utf8()),
                                         json(arrow::int16(), "[1, null, 0, 1, 1]"),
                                         json(arrow::utf8(), R"(["d0", "d1", "unused"])"))
          .ValueOrDie();
  const auto runs = arrow::RunEndEncodedArray::Make(5, json(arrow::int32(), "[2, 3, 5]"),
                                                    json(arrow::utf8(), R"(["r", null, "s"])"))
                        .ValueOrDie();
  const auto entries = arrow::struct_(
      {arrow::field("a", arrow::int64()), arrow::field("b", arrow::list(arrow::utf8()))});
  const auto sparse = arrow::sparse_union(
      {arrow::field("i", arrow::int32()), arrow::field("t", arrow::utf8())}, {3, 7});
  const auto dense = arrow::dense_union(
      {arrow::field("i", arrow::int32()), arrow::field("t", arrow::utf8())}, {3, 7});
  const std::vector<std::shared_ptr<arrow::Array>> columns{
      json(arrow::utf8(), R"(["x", "y", null, "x", "z"])"),
      json(arrow::int32(), "[1, null, 3, 4, 5]"),
      json(arrow::boolean(), "[true, false, null, true, true]"),
      json(arrow::null(), "[null, null, null, null, null]"),
      json(arrow::large_utf8(), R"(["l", null, "", "long", "m"])"),
      json(arrow::utf8_view(),
           R"(["a text of more than twelve", null, "", "s", "another long one"])"),
      json(arrow::fixed_size_binary(3), R"(["abc", null, "def", "ghi", "jkl"])"),
      json(arrow::list(arrow::int32()), "[[1, 2], null, [], [3], [4, null]]"),
      json(arrow::large_list(arrow::utf8()), R"([["a"], null, [], ["b"], ["c", null]])"),
      json(arrow::list_view(arrow::int32()), "[[1, 2], null, [], [3], [4, null]]"),
      json(arrow::large_list_view(arrow::int32()), "[[1, 2], null, [], [3], [4, null]]"),
      json(arrow::fixed_size_list(arrow::int8(), 2), "[[1, 2], null, [3, 4], [5, 6], [7, null]]"),
      json(entries, R"([{"a": 1, "b": ["p"]}, null, {"a": null, "b": []}, {"a": 4, "b": null},
                       {"a": 5, "b": ["q", "r"]}])"),
      json(arrow::map(arrow::utf8(), arrow::int32()),
           R"([[["k", 1]], null, [], [["l", 2], ["m", null]], [["n", 3]]])"),
      json(sparse, R"([[3, 1], [7, "u"], [3, null], [7, "v"], [3, 5]])"),
      json(dense, R"([[3, 1], [7, "u"], [3, null], [7, "v"], [3, 5]])"),
      coded,
      runs,
  };
  arrow::FieldVector fields;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    fields.push_back(arrow::field("c" + std::to_string(i), columns[i]->type()));
  }
  return arrow::Table::Make(arrow::schema(fields), columns);
}

std::vector<std::string> cells_of(const arrow::ChunkedArray& column) {
  std::vector<std::string> cells;
  for (const auto& chunk : column.chunks()) {
    for (std::int64_t i = 0; i < chunk->length(); ++i) {
      cells.push_back(test::decoded_cell(*chunk, i)->ToString());
    }
  }
  return cells;
}

// By column: the cells of some rows.
void expect_rows(const std::shared_ptr<arrow::Table>& out, const arrow::Table& in,
                 const std::vector<std::size_t>& rows) {
  ASSERT_NE(out, nullptr);
  ASSERT_EQ(out->num_columns(), in.num_columns());
  for (int c = 1; c < in.num_columns(); ++c) {
    EXPECT_TRUE(out->field(c)->type()->Equals(in.field(c)->type())) << out->field(c)->ToString();
    const auto all = cells_of(*in.column(c));
    std::vector<std::string> expected;
    for (const std::size_t row : rows) expected.push_back(all[row]);
    EXPECT_EQ(cells_of(*out->column(c)), expected) << in.field(c)->ToString();
  }
}

const Change kMaskFirst{0, {"A", "B", "C"}};

TEST(MemoryRelease, HandsOnColumnsOfEveryType) {
  const auto in = every_memory_type();
  for (const std::int64_t rows : {1, 2, 3, 10}) {
    expect_rows(released(in, {kMaskFirst}, rows), *in, {0, 1, 2, 3, 4});
  }
  const auto slice = in->Slice(1, 3);
  expect_rows(released(slice, {kMaskFirst}), *slice, {0, 1, 2});
}

TEST(MemoryRelease, LeavesRecordsOutOfColumnsOfEveryType) {
  const auto in = every_memory_type();
  for (const std::int64_t rows : {1, 2, 10}) {
    expect_rows(released(in, {kMaskFirst}, rows, {}, {1, 3}), *in, {0, 2, 4});
    expect_rows(released(in, {kMaskFirst}, rows, {}, {0, 1, 2, 3, 4}), *in, {});
  }
}

TEST(MemoryRelease, ShufflesColumnsOfEveryTypeAsFiles) {
  const auto in = every_memory_type();
  const Key key = Key::from_bytes(std::array<unsigned char, Key::kSize>{7});
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/in.arrow", out = folder.path() + "/out.arrow";
  std::vector<std::shared_ptr<arrow::Array>> numbers{json(arrow::int32(), "[0, 1, 2, 3, 4]")};
  test::write_table(*one_column(numbers[0]), path, {.format = ArrowFormat::kIpcFile});
  const Status masked = test::mask_table(path, out, ArrowFormat::kIpcFile, {.shuffle = key});
  ASSERT_TRUE(masked) << describe(masked.error(), Quote::kShow);
  std::vector<std::size_t> order;
  for (const std::string& cell :
       cells_of(*test::read_table(out, ArrowFormat::kIpcFile)->column(0))) {
    order.push_back(std::stoul(cell));
  }
  ASSERT_EQ(order.size(), 5U);
  for (const std::int64_t rows : {1, 2, 10}) {
    expect_rows(released(in, {kMaskFirst}, rows, key), *in, order);
  }
}

// A suppressed cell is gone from the column's dictionary, too.
TEST(MemoryRelease, EmptiesCellsOfAColumnThatKeepsItsType) {
  const auto cells =
      arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int8(), arrow::utf8()),
                                         json(arrow::int8(), "[1, 0, 1, 0]"),
                                         json(arrow::utf8(), R"(["stays", "suppressed"])"))
          .ValueOrDie();
  for (const std::int64_t rows : {1, 4}) {
    const auto out = released(one_column(cells), {{0, {}}}, rows);
    ASSERT_NE(out, nullptr);
    EXPECT_EQ(cells_of(*out->column(0)),
              (std::vector<std::string>{"null", "stays", "null", "stays"}));
    for (const auto& chunk : out->column(0)->chunks()) {
      EXPECT_THAT(chunk->ToString(), testing::Not(HasSubstr("suppressed")));
    }
  }
}

TEST(MemoryRelease, SharesTheBuffersOfColumnsThatAreNotMasked) {
  const auto numbers = json(arrow::int64(), "[1, 2, 3, 4]");
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("c", arrow::utf8()), arrow::field("n", arrow::int64())}),
      {json(arrow::utf8(), R"(["x", "y", "x", "y"])"), numbers});
  const auto out = released(table, {{0, {"a", "b"}}}, 4);
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->column(1)->chunk(0)->data()->buffers[1]->data(),
            numbers->data()->buffers[1]->data());
}

// The second batch loses no record, and its buffers hold that of the first.
TEST(MemoryRelease, SharesNoBufferWhereRecordsAreLeftOut) {
  const auto numbers = json(arrow::int64(), "[1, 2, 3, 4]");
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("c", arrow::utf8()), arrow::field("n", arrow::int64())}),
      {json(arrow::utf8(), R"(["x", "y", "x", "y"])"), numbers});
  const auto out = released(table, {{0, {"a", "b"}}}, 2, {}, {0});
  ASSERT_NE(out, nullptr);
  for (const auto& chunk : out->column(1)->chunks()) {
    EXPECT_NE(chunk->data()->buffers[1]->data(), numbers->data()->buffers[1]->data());
  }
}

TEST(MemoryRelease, OfATextTableIsTexts) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/t.csv";
  std::ofstream(path) << "c,n\nx,1\ny,\n,3\n";
  const auto table = Table::open(path);
  ASSERT_TRUE(table);
  MemoryOutput out;
  ASSERT_TRUE(copy(*table, {{0, {"a", "b"}}}, out));
  const auto made = taken(out);
  expect_column(made, "c", json(arrow::utf8(), R"(["a", "b", null])"));
  expect_column(made, "n", json(arrow::utf8(), R"(["1", "", "3"])"));
}

TEST(MemoryRelease, IsThereAfterItsCommitOnly) {
  MemoryOutput out;
  ArrowArrayStream stream{};
  EXPECT_FALSE(out.stream(&stream));
  const auto empty = released(one_column(json(arrow::utf8(), "[]")), {{0, {"a"}}});
  ASSERT_NE(empty, nullptr);
  EXPECT_EQ(empty->num_rows(), 0);
}

TEST(MemoryTable, OfAFactoryAsksForAStreamInEveryPass) {
  const auto in = one_column(json(arrow::utf8(), R"(["x", "y"])"));
  const auto other = one_column(json(arrow::int8(), "[1]"));
  int asked = 0;
  auto current = in;
  const auto table = table_from([&](ArrowArrayStream* out) -> Status {
    ++asked;
    *out = stream_of(current);
    return {};
  });
  ASSERT_TRUE(table);
  MemoryOutput out;
  ASSERT_TRUE(copy(*table, {{0, {"a", "b"}}}, out));
  ASSERT_TRUE(copy(*table, {{0, {"a", "b"}}}, out));
  EXPECT_EQ(asked, 3);
  expect_column(taken(out), "c", json(arrow::utf8(), R"(["a", "b"])"));
  current = other;
  const Status changed = copy(*table, {{0, {"a", "b"}}}, out);
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr("changed while it was read"));
}

TEST(MemoryTable, IsWrittenToTextFiles) {
  const test::TemporaryFolder folder;
  const auto table = memory_table(one_column(json(arrow::float64(), "[1.5, null, 2]")));
  ASSERT_TRUE(table);
  EXPECT_FALSE(table->write(folder.path() + "/out.parquet", {}));
  const auto sink = table->write(folder.path() + "/out.csv", {});
  ASSERT_TRUE(sink);
  const auto source = table->read({});
  const auto batch = (*source)->next({});
  ASSERT_TRUE((*sink)->write(std::move(*(*sink)->render(**batch, {}))));
  ASSERT_TRUE((*sink)->finish() && (*sink)->commit());
  EXPECT_EQ(test::bytes_of(folder.path() + "/out.csv"), "c\n1.5\n\"\"\n2\n");
}

}  // namespace
}  // namespace semveil
