// Sets in Parquet and Arrow tables: every form, from every kind of source, and lists as they are
// read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>

#include "arrow_tables.h"
#include "base/csv.h"
#include "set_tables.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::bytes_of;
using test::json;
using test::kHostileTexts;
using test::read_table;
using test::Row;
using test::SetWriting;
using test::write_table;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

using Kind = SetForm::Kind;
constexpr std::array kKinds = {Kind::kJoined, Kind::kList, Kind::kColumns};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

ArrowFormat format_of(const std::string& path) {
  if (path.ends_with(".parquet")) return ArrowFormat::kParquet;
  return path.ends_with(".arrows") ? ArrowFormat::kIpcStream : ArrowFormat::kIpcFile;
}

class ArrowSets : public testing::TestWithParam<const char*> {
 protected:
  std::string path(const std::string& name) const { return temporary_.path() + "/" + name; }
  std::string out() const { return path(std::string("out") + GetParam()); }

  // A table of a number, a word and a note, in a file of the kind that the name says.
  std::vector<Row> make(const std::string& name, std::size_t rows,
                        std::int64_t batch_rows = 4) const {
    std::vector<Row> made;
    arrow::Int64Builder numbers;
    arrow::StringBuilder words, notes;
    std::ofstream csv(path("in.csv"), std::ios::binary);
    csv << "n,word,note\n";
    for (std::size_t i = 0; i < rows; ++i) {
      const std::string note = kHostileTexts[2 + i % (kHostileTexts.size() - 2)];
      made.push_back({std::to_string(i), "w" + std::to_string(i % 7), note});
      csv << i << ",w" << i % 7 << "," << csv_field(note) << "\n";
      EXPECT_TRUE(numbers.Append(static_cast<std::int64_t>(i)).ok());
      EXPECT_TRUE(words.Append(*made.back()[1]).ok() && notes.Append(note).ok());
    }
    if (name.ends_with(".csv")) return made;
    write_table(*arrow::Table::Make(arrow::schema({arrow::field("n", arrow::int64()),
                                                   arrow::field("word", arrow::utf8()),
                                                   arrow::field("note", arrow::utf8())}),
                                    {*numbers.Finish(), *words.Finish(), *notes.Finish()}),
                path(name), {.format = format_of(name), .rows = batch_rows});
    return made;
  }

  TableOptions options(std::uint64_t batch_rows = 0) const {
    TableOptions options;
    options.batch_rows = batch_rows;
    options.temp_folder = temporary_.path();
    return options;
  }

  const test::TemporaryFolder temporary_;
};

TEST_P(ArrowSets, AreReadAgainAsTheyWereMade) {
  Random random(29);
  for (const char* from : {"in.csv", "in.parquet", "in.arrow"}) {
    const std::vector<Row> rows = make(from, 40);
    for (int i = 0; i < 24; ++i) {
      SetWriting writing;
      const std::size_t width = 1 + random.below(4);
      writing.edits.replace.push_back(
          {1,
           {kHostileTexts.begin(), kHostileTexts.end()},
           SetForm{kKinds[static_cast<std::size_t>(i) % 3], width, random.one_in(2) ? "|" : ""}});
      writing.codes.push_back(test::random_sets(random, rows.size(), width, kHostileTexts.size()));
      if (random.one_in(2)) writing.edits.drop = {random.one_in(2) ? std::size_t{0} : 2};
      if (random.one_in(2)) {
        writing.edits.drops_rows = true;
        for (std::size_t r = 0; r < rows.size(); ++r) writing.dropped.push_back(random.one_in(3));
      }
      const bool shuffle = random.one_in(3);
      if (shuffle) {
        writing.edits.shuffle = Key::from_bytes(std::array<unsigned char, Key::kSize>{3});
      }
      const std::size_t batch_rows = std::array{0, 1, 7}[random.below(3)];
      const auto table = Table::open(path(from), options(batch_rows));
      ASSERT_TRUE(table) << describe(table.error(), Quote::kShow);
      const auto sink = test::write_sets(*table, out(), writing);
      ASSERT_TRUE(sink) << describe(sink.error(), Quote::kShow);
      std::filesystem::remove(out());
      std::vector<Row> expected = test::sets_by_hand(table->columns(), rows, writing);
      auto before = test::read_written(**sink);
      ASSERT_TRUE(before) << describe(before.error(), Quote::kShow);
      ASSERT_FALSE(std::filesystem::exists(out()));
      ASSERT_TRUE((*sink)->commit());
      EXPECT_FALSE((*sink)->written());
      auto after = test::read_rows(*Table::open(out()));
      ASSERT_TRUE(after);
      if (shuffle) {
        EXPECT_TRUE(*after != expected || expected.size() < 8);
        for (auto* all : {&expected, &*before, &*after}) std::sort(all->begin() + 1, all->end());
      }
      ASSERT_EQ(*before, expected) << from << " " << i;
      ASSERT_EQ(*after, expected) << from << " " << i;
    }
  }
}

TEST_P(ArrowSets, HaveTheTypesOfTheirForm) {
  make("in.csv", 3);
  const auto table = Table::open(path("in.csv"));
  for (const Kind kind : kKinds) {
    SetWriting writing;
    writing.edits.replace.push_back({1, {"p", "q"}, SetForm{kind, 2, "+"}});
    writing.codes.push_back({0, 1, kMissing, kMissing, 1, 1});
    const auto sink = test::write_sets(*table, out(), writing);
    ASSERT_TRUE(sink && (*sink)->commit());
    const auto read = read_table(out(), format_of(out()));
    const auto expect = [&](const char* name, const std::shared_ptr<arrow::DataType>& type,
                            const char* cells) {
      const auto column = read->GetColumnByName(name);
      ASSERT_NE(column, nullptr) << name;
      EXPECT_EQ(column->type()->id(), type->id());
      EXPECT_TRUE(column->Equals(arrow::ChunkedArray(json(column->type(), cells))))
          << column->ToString();
    };
    if (kind == Kind::kJoined) expect("word", arrow::utf8(), R"(["p+q", null, "q+q"])");
    if (kind == Kind::kList) {
      expect("word", arrow::list(arrow::utf8()), R"([["p", "q"], null, ["q", "q"]])");
      const std::string element = read->GetColumnByName("word")->type()->field(0)->name();
      EXPECT_EQ(element, format_of(out()) == ArrowFormat::kParquet ? "element" : "item");
    }
    if (kind == Kind::kColumns) {
      EXPECT_THAT(read->ColumnNames(), ElementsAre("n", "word_1", "word_2", "note"));
      expect("word_1", arrow::utf8(), R"(["p", null, "q"])");
      expect("word_2", arrow::utf8(), R"(["q", null, "q"])");
    }
  }
}

// Neither texts that no set has, nor those of rows that are left out, nor the old ones.
TEST_P(ArrowSets, LeaveNothingBehind) {
  make("in.parquet", 30);
  const auto table = Table::open(path("in.parquet"), options(4));
  std::vector<std::string> texts = {"released", "never named", "of a dropped row"};
  for (const Kind kind : kKinds) {
    SetWriting writing;
    writing.edits.drops_rows = true;
    writing.edits.replace.push_back({1, {texts.begin(), texts.end()}, SetForm{kind, 2, "+"}});
    writing.codes.emplace_back();
    for (std::size_t row = 0; row < 30; ++row) {
      writing.dropped.push_back(row % 3 == 1);
      const Code code = row % 3 == 1 ? 2 : 0;
      writing.codes[0].insert(writing.codes[0].end(), {code, code});
    }
    const auto sink = test::write_sets(*table, out(), writing);
    ASSERT_TRUE(sink && (*sink)->commit());
    const std::string bytes = bytes_of(out());
    EXPECT_THAT(bytes, HasSubstr("released"));
    for (const char* gone : {"never named", "of a dropped row", "w5"}) {
      EXPECT_THAT(bytes, Not(HasSubstr(gone)));
    }
  }
}

// Batches larger than what is written at once are cut inside lists.
TEST_P(ArrowSets, GiveTheSameBytesHoweverTheTableIsCut) {
  const std::size_t rows = 70000;
  make("in.arrow", rows, rows);
  for (const Kind kind : kKinds) {
    SetWriting writing;
    writing.edits.replace.push_back({1, {"p", "qq", "rrr"}, SetForm{kind, 2, "+"}});
    Random random(31);
    writing.codes.push_back(test::random_sets(random, rows, 2, 3));
    std::string first;
    for (const std::uint64_t batch_rows : {0, 1000, 100000}) {
      const auto table = Table::open(path("in.arrow"), options(batch_rows));
      const auto sink = test::write_sets(*table, out(), writing);
      ASSERT_TRUE(sink && (*sink)->commit());
      if (first.empty()) first = bytes_of(out());
      EXPECT_TRUE(bytes_of(out()) == first) << batch_rows;
    }
  }
}

TEST_P(ArrowSets, RefuseNamesThatAreTakenAndCodesWithoutTexts) {
  std::ofstream(path("clash.csv")) << "a,a_1\n1,2\n";
  const auto clash = Table::open(path("clash.csv"));
  Edits edits;
  edits.replace.push_back({0, {"p"}, SetForm{Kind::kColumns, 2, "|"}});
  const auto refused = clash->write(out(), edits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kData);
  EXPECT_EQ(refused.error().place.column, "a");

  for (const Kind kind : kKinds) {
    for (const Code code : {Code{1}, kAsItWas, kMissing}) {
      SetWriting writing;
      writing.edits.replace.push_back({1, {"p"}, SetForm{kind, 2, "|"}});
      writing.codes.push_back({0, code});
      const auto sink = test::write_sets(*clash, out(), writing);
      ASSERT_FALSE(sink);
      EXPECT_EQ(sink.error().code, ErrorCode::kSystem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ArrowSets,
                         testing::Values(".parquet", ".arrow", ".feather", ".arrows"),
                         [](const auto& tested) { return std::string(tested.param + 1); });

class ListsOfTexts : public testing::TestWithParam<const char*> {
 protected:
  std::string path(const std::string& name) const { return temporary_.path() + "/" + name; }
  const test::TemporaryFolder temporary_;
};

TEST_P(ListsOfTexts, AreReadAsJson) {
  const std::string cells = R"([["p", null], ["\"\\\nÅ", ""], null, ["p", null]])";
  arrow::FieldVector fields;
  arrow::ArrayVector columns;
  for (const auto& type : {arrow::list(arrow::utf8()), arrow::large_list(arrow::large_utf8()),
                           arrow::fixed_size_list(arrow::utf8(), 2)}) {
    fields.push_back(arrow::field(type->ToString(), type));
    columns.push_back(json(type, cells));
  }
  const std::string in = path(std::string("in") + GetParam());
  write_table(*arrow::Table::Make(arrow::schema(fields), columns), in,
              {.format = format_of(in), .rows = 3});
  const std::string odd = R"(["\"\\\nÅ",""])";
  for (const std::uint64_t batch_rows : {0, 1, 2}) {
    TableOptions options;
    options.batch_rows = batch_rows;
    const auto table = Table::open(in, options);
    ASSERT_TRUE(table);
    const auto rows = test::read_rows(*table);
    ASSERT_TRUE(rows);
    const Row pair(3, R"(["p",null])");
    EXPECT_EQ(std::vector<Row>(rows->begin() + 1, rows->end()),
              (std::vector<Row>{pair, Row(3, odd), Row(3), pair}));
  }
  for (const auto& field : fields) {
    const auto counts = count_column(in, field->name());
    ASSERT_TRUE(counts) << describe(counts.error(), Quote::kShow);
    EXPECT_EQ(counts->missing, 1U);
    EXPECT_THAT(counts->values, ElementsAre(Pair(odd, 1), Pair(R"(["p",null])", 2)));
  }
  const auto table = Table::open(in);
  const auto sink = test::write_sets(*table, path("out.csv"), {});
  ASSERT_TRUE(sink) << describe(sink.error(), Quote::kShow);
  EXPECT_EQ((*test::read_written(**sink))[2], Row(3, odd));
}

INSTANTIATE_TEST_SUITE_P(Formats, ListsOfTexts, testing::Values(".parquet", ".arrow", ".arrows"),
                         [](const auto& tested) { return std::string(tested.param + 1); });

}  // namespace
}  // namespace semveil
