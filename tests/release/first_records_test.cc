#include "release/first_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "semveil/files.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;

class FirstRecordsTest : public testing::Test {
 protected:
  Table table(const std::vector<std::string>& rows) {
    std::string text = "a,b\n";
    for (const std::string& row : rows) text += row + "\n";
    const std::string path = folder_.path() + "/" + std::to_string(tables_++) + ".csv";
    EXPECT_TRUE(write_file(path, text));
    return value_or_throw(Table::open(path));
  }

  // Cells and counts, as texts.
  static std::vector<std::string> told(const FirstRecords& first) {
    const auto sample = first.in(std::array<std::size_t, 2>{0, 1});
    if (!sample) return {"nothing"};
    std::vector<std::string> out{std::to_string(sample->columns[0].distinct) + " " +
                                 std::to_string(sample->columns[1].distinct)};
    for (std::size_t i = 0; i < sample->records; ++i) {
      std::string& row = out.emplace_back();
      for (const FirstRecords::Column& column : sample->columns) {
        const Code code = column.codes[i];
        row += (code == kMissing ? "-" : std::string(column.texts->text(code))) + ";";
      }
    }
    return out;
  }

  std::vector<std::string> told_in_parts(const std::vector<std::string>& rows, std::size_t parts) {
    std::mt19937 random(static_cast<unsigned>(parts));
    std::vector<std::size_t> ends{rows.size()};
    while (ends.size() < parts) ends.push_back(random() % (rows.size() + 1));
    std::ranges::sort(ends);
    std::vector<std::string> bytes;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      const Table part = table({rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                rows.begin() + static_cast<std::ptrdiff_t>(end)});
      ByteWriter out;
      FirstRecords::read(part, {0}, {1}, begin).write(out);
      bytes.push_back(std::move(out).take());
      begin = end;
    }
    std::shuffle(bytes.begin(), bytes.end(), random);
    FirstRecords merged;
    for (const std::string& some : bytes) {
      ByteReader in(some);
      merged.merge(FirstRecords::read(in));
      EXPECT_TRUE(in.is_done());
    }
    return told(merged);
  }

  test::TemporaryFolder folder_;
  int tables_ = 0;
};

TEST_F(FirstRecordsTest, OfPartsAreThoseOfTheWhole) {
  std::vector<std::string> rows;
  for (int i = 0; i < 20000; ++i) {
    rows.push_back("x" + std::to_string(i * 7919 % 300) + "," +
                   (i % 11 == 0 ? "" : std::to_string(i % 5)));
  }
  const auto whole = told(FirstRecords::read(table(rows), {0}, {1}));
  EXPECT_EQ(whole.size(), FirstRecords::kMost + 1);
  for (const std::size_t parts : {1U, 2U, 9U}) EXPECT_EQ(told_in_parts(rows, parts), whole);
}

// One text in every other row is 1 MiB long, and each is another one.
TEST_F(FirstRecordsTest, OfLongTextsEndWhereTheWholeEnds) {
  std::vector<std::string> rows;
  for (int i = 0; i < 60; ++i) {
    rows.push_back(i % 2 == 0 ? "short,1" : std::to_string(i) + std::string(1 << 20, 'x') + ",2");
  }
  const auto whole = told(FirstRecords::read(table(rows), {0}, {1}));
  EXPECT_EQ(whole.size(), 33U);
  for (const std::size_t parts : {1U, 4U, 7U}) EXPECT_EQ(told_in_parts(rows, parts), whole);
}

TEST_F(FirstRecordsTest, BehindAGapAreNotBelieved) {
  const std::vector<std::string> rows{"a,1", "b,2", "c,3"};
  FirstRecords first = FirstRecords::read(table({rows[0]}), {0}, {1}, 0);
  first.merge(FirstRecords::read(table({rows[2]}), {0}, {1}, 2));
  EXPECT_EQ(told(first), (std::vector<std::string>{"1 1", "a;1;"}));
  first.merge(FirstRecords::read(table({rows[1]}), {0}, {1}, 1));
  EXPECT_EQ(told(first), (std::vector<std::string>{"3 3", "a;1;", "b;2;", "c;3;"}));
}

// A part in which a column has no texts, as of lists: nobody looks at it in any part.
TEST_F(FirstRecordsTest, OfAColumnWithoutTextsInOnePartAreNone) {
  FirstRecords first = FirstRecords::read(table({"a,1"}), {0}, {1}, 0);
  ByteWriter out;
  out.number(0);  // columns that were read
  out.numbers(std::span<const std::size_t>(std::array<std::size_t, 1>{0}));  // that have no texts
  const std::string bytes = std::move(out).take();
  ByteReader in(bytes);
  first.merge(FirstRecords::read(in));
  ASSERT_TRUE(in.is_done());
  EXPECT_EQ(told(first), (std::vector<std::string>{"nothing"}));
}

TEST_F(FirstRecordsTest, OfLaterRowsAreNone) {
  FirstRecords first = FirstRecords::read(table({"a,1"}), {0}, {1}, FirstRecords::kMost);
  EXPECT_EQ(told(first), (std::vector<std::string>{"nothing"}));
}

}  // namespace
}  // namespace semveil
