// Sets in CSV: every form with hostile texts, read again as they were, also before the file has a
// name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/csv.h"
#include "set_tables.h"
#include "support/generate.h"
#include "support/slow_csv.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::kHostileTexts;
using test::Row;
using test::SetWriting;
using ::testing::HasSubstr;

using Kind = SetForm::Kind;

class CsvSets : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string put(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string get(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }

  // The bytes that come out where the second column of a table becomes sets.
  std::string written(const SetForm& form, std::vector<std::string_view> texts,
                      std::vector<Code> codes, const std::string& to = "out.csv",
                      const std::string& text = "a,b,c\n1,x,2\n3,y,4\n",
                      const TableOptions& options = {}) {
    const auto table = Table::open(put("in.csv", text), options);
    SetWriting writing;
    writing.edits.missing_text = "NA";
    writing.edits.replace.push_back({1, std::move(texts), form});
    writing.codes.push_back(std::move(codes));
    const auto sink = test::write_sets(*table, path(to), writing);
    EXPECT_TRUE(sink) << (sink ? "" : describe(sink.error(), Quote::kShow));
    if (!sink || !(*sink)->commit()) return "";
    return get(to);
  }

  const test::TemporaryFolder folder_;
};

TEST_F(CsvSets, AreQuotedWhereOneOfTheirTextsMustBe) {
  EXPECT_EQ(written({Kind::kJoined, 2, "|"}, {"p", "q, r", "s \"t\""}, {0, 0, 1, 2}),
            "a,b,c\n1,p|p,2\n3,\"q, r|s \"\"t\"\"\",4\n");
  EXPECT_EQ(written({Kind::kJoined, 2, ", "}, {"p", "q"}, {0, 1, kMissing, kMissing}),
            "a,b,c\n1,\"p, q\",2\n3,NA,4\n");
  // Blanks inside the field need no quotes, at its end they do.
  EXPECT_EQ(written({Kind::kJoined, 2, "; "}, {"p", ""}, {0, 0, 0, 1}),
            "a,b,c\n1,p; p,2\n3,\"p; \",4\n");
  EXPECT_EQ(written({Kind::kJoined, 2, "\""}, {"p", "q"}, {0, 1, 1, 1}),
            "a,b,c\n1,\"p\"\"q\",2\n3,\"q\"\"q\",4\n");
}

TEST_F(CsvSets, AreJsonWhereTheyAreLists) {
  EXPECT_EQ(written({Kind::kList, 2, "|"}, {"p", "Å\n\"\\\x02"}, {0, 1, kMissing, kMissing}),
            "a,b,c\n1,\"[\"\"p\"\",\"\"Å\\n\\\"\"\\\\\\u0002\"\"]\",2\n3,NA,4\n");
  TableOptions single;
  single.separator = ';';
  single.quote = '\'';
  EXPECT_EQ(written({Kind::kList, 2, "|"}, {"p", "it's"}, {0, 0, 0, 1}, "out.csv",
                    "a;b;c\n1;x;2\n3;y;4\n", single),
            "a;b;c\n1;[\"p\",\"p\"];2\n3;'[\"p\",\"it''s\"]';4\n");
}

TEST_F(CsvSets, HaveAColumnForEachWhereTheyAreColumns) {
  const SetForm form{Kind::kColumns, 3, "|"};
  EXPECT_EQ(written(form, {"p", "q, r"}, {0, 1, 0, kMissing, kMissing, kMissing}),
            "a,b_1,b_2,b_3,c\n1,p,\"q, r\",p,2\n3,NA,NA,NA,4\n");
  EXPECT_EQ(written(form, {"p", "q, r"}, {0, 1, 0, kMissing, kMissing, kMissing}, "out.tsv"),
            "a\tb_1\tb_2\tb_3\tc\n1\tp\tq, r\tp\t2\n3\tNA\tNA\tNA\t4\n");
  EXPECT_EQ(written({Kind::kColumns, 2, "|"}, {"p"}, {0, 0, 0, 0}, "out.csv",
                    "a,\"b, \"\"c\"\"\"\r\n1,x\r\n2,y"),
            "a,\"b, \"\"c\"\"_1\",\"b, \"\"c\"\"_2\"\r\n1,p,p\r\n2,p,p");
}

std::vector<Row> texts_of(const test::SlowCsv& csv) {
  std::vector<Row> rows;
  for (const auto& record : csv.records) {
    if (!record.blank) rows.emplace_back(record.texts.begin(), record.texts.end());
  }
  return rows;
}

// A header of distinct names and some rows of hostile cells.
std::string random_table(test::Random& random, CsvDialect dialect) {
  const std::size_t width = 1 + random.below(4), rows = random.below(9);
  const std::string line_end = random.one_in(3) ? "\r\n" : "\n";
  std::string text = random.one_in(4) ? "\xEF\xBB\xBF" : "";
  for (std::size_t row = 0; row <= rows; ++row) {
    if (row > 0 && random.one_in(8)) text += line_end;
    for (std::size_t c = 0; c < width; ++c) {
      if (c > 0) text += dialect.separator;
      text += row == 0 ? csv_field("n\" " + std::to_string(c), dialect)
                       : csv_field(kHostileTexts[random.below(kHostileTexts.size())], dialect);
    }
    if (row < rows || !random.one_in(3)) text += line_end;
  }
  return text;
}

struct Case {
  CsvDialect dialect;
  std::string to;
};

// What the twin makes is what the slow cutter and the table read, with every separator and quote,
// in any batches, with rows and columns dropped or rows shuffled.
TEST_F(CsvSets, AreReadAgainAsTheyWereMade) {
  const std::vector<Case> cases = {{{',', '"'}, "out.csv"},    {{';', '\''}, "out.csv"},
                                   {{'|', '"'}, "out.csv"},    {{'\t', '"'}, "out.tsv"},
                                   {{',', '"'}, "other.tsv"},  {{',', '"'}, "out.csv.gz"},
                                   {{';', '"'}, "out.csv.zst"}};
  test::Random random(23);
  for (int i = 0; i < 700; ++i) {
    const Case& now = cases[static_cast<std::size_t>(i) % cases.size()];
    const std::string text = random_table(random, now.dialect);
    const test::SlowCsv in = test::cut_slowly(text, now.dialect.separator, now.dialect.quote);
    ASSERT_FALSE(in.error_line) << text;
    std::vector<Row> rows = texts_of(in);
    std::vector<std::string> columns;
    for (const auto& name : rows.front()) columns.push_back(*name);
    rows.erase(rows.begin());

    SetWriting writing;
    writing.edits.missing_text = std::vector<std::string>{"", "NA", "n,a|;"}[random.below(3)];
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (random.one_in(2) || (c + 1 == columns.size() && writing.codes.empty() && c == 0)) {
        const auto kind = static_cast<Kind>(random.below(3));
        const std::vector<std::string> between = {"|", ", ", "", "\"", " ", "'"};
        const std::size_t width = 1 + random.below(5);
        writing.edits.replace.push_back({c,
                                         {kHostileTexts.begin(), kHostileTexts.end()},
                                         SetForm{kind, width, between[random.below(6)]}});
        writing.codes.push_back(
            test::random_sets(random, rows.size(), width, kHostileTexts.size()));
      } else if (random.one_in(3) && writing.edits.drop.size() + 1 < columns.size()) {
        writing.edits.drop.push_back(c);
      }
    }
    if (random.one_in(3)) {
      writing.edits.drops_rows = true;
      for (std::size_t r = 0; r < rows.size(); ++r) writing.dropped.push_back(random.one_in(3));
    }
    const bool shuffle = random.one_in(3);
    if (shuffle) writing.edits.shuffle = Key::from_bytes(std::array<unsigned char, Key::kSize>{3});

    TableOptions options;
    options.separator = now.dialect.separator;
    options.quote = now.dialect.quote;
    options.batch_rows = random.below(4);
    options.temp_folder = folder_.path();
    const auto table = Table::open(put("in.csv", text), options);
    ASSERT_TRUE(table) << describe(table.error(), Quote::kShow) << text;
    const auto sink = test::write_sets(*table, path(now.to), writing);
    ASSERT_TRUE(sink) << describe(sink.error(), Quote::kShow) << text;

    std::vector<Row> expected = test::sets_by_hand(columns, rows, writing);
    for (Row& row : expected) {
      for (auto& cell : row) cell = cell.value_or(writing.edits.missing_text);
    }
    auto before = test::read_written(**sink);
    ASSERT_TRUE(before) << describe(before.error(), Quote::kShow) << text;
    ASSERT_TRUE((*sink)->commit());
    const bool tabs = now.to.ends_with(".tsv");
    std::vector<Row> after = *before;
    if (!now.to.ends_with("gz") && !now.to.ends_with("zst")) {
      after = texts_of(test::cut_slowly(get(now.to), tabs ? '\t' : now.dialect.separator,
                                        now.to == "other.tsv" ? '"' : now.dialect.quote));
    }
    if (shuffle) {
      for (auto* all : {&expected, &*before, &after}) std::sort(all->begin() + 1, all->end());
    }
    ASSERT_EQ(after, expected) << text << "\n" << get(now.to);
    ASSERT_EQ(*before, expected) << text << "\n" << get(now.to);
  }
}

// Every other byte is left as it was, whatever the sets.
TEST_F(CsvSets, LeaveOtherBytesAsTheyWere) {
  EXPECT_EQ(written({Kind::kJoined, 2, "|"}, {"p"}, {0, 0, 0, 0}, "out.csv",
                    "\xEF\xBB\xBF\"a\",b,c\r\n\r\n\"1\",x,\"2\"\"\"\n\n3,\"y\",4"),
            "\xEF\xBB\xBF\"a\",b,c\r\n\r\n\"1\",p|p,\"2\"\"\"\n\n3,p|p,4");
}

TEST_F(CsvSets, OfManyRowsComeOutWhole) {
  std::string text = "a,b\n", expected = "a,b\n";
  std::vector<Code> codes;
  for (unsigned i = 0; i < 100000; ++i) {
    text += std::to_string(i) + ",x\n";
    expected += std::to_string(i) + ",t" + std::to_string(i % 1000) + "|t7\n";
    codes.insert(codes.end(), {i % 1000, 7});
  }
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.push_back("t" + std::to_string(i));
  EXPECT_TRUE(written({Kind::kJoined, 2, "|"}, {texts.begin(), texts.end()}, codes, "out.csv",
                      text) == expected);
}

TEST_F(CsvSets, RefuseNamesThatAreTaken) {
  const auto table = Table::open(put("in.csv", "a,a_2,b\n1,2,3\n"));
  const std::vector<std::string_view> texts = {"p"};
  for (const char* to : {"out.csv", "out.tsv"}) {
    Edits edits;
    edits.replace.push_back({0, texts, SetForm{Kind::kColumns, 2, "|"}});
    const auto sink = table->write(path(to), edits);
    ASSERT_FALSE(sink);
    EXPECT_EQ(sink.error().code, ErrorCode::kData);
    EXPECT_EQ(sink.error().place.column, "a");
    EXPECT_THAT(sink.error().message, HasSubstr("'a_2'"));
    EXPECT_THAT(sink.error().message, HasSubstr("rename"));
    Edits fewer = edits, without = edits, joined = edits;
    fewer.replace[0].set->width = 1;
    without.drop = {1};
    joined.replace[0].set->kind = Kind::kJoined;
    for (const Edits& fine : {fewer, without, joined}) EXPECT_TRUE(table->write(path(to), fine));
    // What was a_2 becomes a_2_1 and is in nobody's way.
    edits.replace.push_back({1, texts, SetForm{Kind::kColumns, 1, "|"}});
    EXPECT_TRUE(table->write(path(to), edits));
    edits.replace[1].set->width = 0;
    EXPECT_EQ(table->write(path(to), edits).error().code, ErrorCode::kUsage);
  }
}

TEST_F(CsvSets, RefuseCodesWithoutTexts) {
  const auto table = Table::open(put("in.csv", "a,b\n1,2\n3,4\n"));
  const std::vector<std::vector<Code>> wrong = {
      {0, 1, 2, 0}, {0, 1, kAsItWas, kAsItWas}, {0, 1, kMissing, 0}, {0, kMissing, 0, 0}};
  for (const Kind kind : {Kind::kJoined, Kind::kList, Kind::kColumns}) {
    for (const char* to : {"out.csv", "out.tsv"}) {
      for (const auto& codes : wrong) {
        SetWriting writing;
        writing.edits.replace.push_back({1, {"p", "q"}, SetForm{kind, 2, "|"}});
        writing.codes.push_back(codes);
        const auto sink = test::write_sets(*table, path(to), writing);
        ASSERT_FALSE(sink);
        EXPECT_EQ(sink.error().code, ErrorCode::kSystem);
      }
    }
  }
}

TEST_F(CsvSets, CanBeReadBeforeTheyHaveAName) {
  const auto table = Table::open(put("in.csv", "a;b\n1;2\n"));
  for (const char* to : {"out.csv", "out.csv.gz", "out.csv.zst", "out.tsv"}) {
    const auto sink = test::write_sets(*table, path(to), {});
    ASSERT_TRUE(sink);
    EXPECT_FALSE(std::filesystem::exists(path(to)));
    const auto rows = test::read_written(**sink);
    ASSERT_TRUE(rows) << describe(rows.error(), Quote::kShow);
    EXPECT_EQ(*rows, (std::vector<Row>{{"a", "b"}, {"1", "2"}}));
    EXPECT_EQ((*sink)->written()->separator, std::string_view(to).ends_with("tsv") ? '\t' : ';');
    ASSERT_TRUE((*sink)->commit());
    EXPECT_FALSE((*sink)->written());
  }
  const auto nowhere = test::write_sets(*table, "/dev/null", {});
  ASSERT_TRUE(nowhere);
  EXPECT_FALSE((*nowhere)->written());
}

}  // namespace
}  // namespace semveil
