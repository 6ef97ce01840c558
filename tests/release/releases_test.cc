// What the lines of a record of releases say, and which releases it refuses.
#include "release/releases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "support/slow_taxonomy.h"

namespace semveil {
namespace {

using test::value_or_throw;

MaskedRows rows_of(std::uint64_t first, std::uint64_t end, std::string table = "t",
                   std::uint64_t line = 0) {
  return {"d", "r", {first, end}, std::move(table), line};
}
Releases known(const std::vector<MaskedRows>& all) {
  std::vector<std::string> lines;
  for (const MaskedRows& rows : all) lines.push_back(line_of(rows));
  return value_or_throw(Releases::of(lines, "m.releases"));
}

TEST(ReleasesLine, IsThatOfTheDocumentation) {
  EXPECT_EQ(line_of({"00ff", "2026-Q4", {0, 200}, "abcd", 0}), "00ff 0 200 abcd 0 2026-Q4");
  EXPECT_EQ(line_of({"00ff", "", {7, 8}, "-", 2}), "00ff 7 8 - 2 ");
}

TEST(ReleasesLine, GivesAnyNameBack) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  for (const std::string& name : {std::string(), std::string("a b"), std::string("50 %"),
                                  std::string("%41"), std::string("März\n"), every_byte}) {
    const MaskedRows rows{"d", name, {0, ~std::uint64_t{0}}, "t", 3};
    const std::string line = line_of(rows);
    EXPECT_EQ(masked_rows(line), rows);
    EXPECT_EQ(std::ranges::count(line, ' '), 5);
    EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c < '\x7f'; }));
  }
}

TEST(ReleasesLine, OfAnotherFormIsNone) {
  for (const char* line :
       {"", "d 0 1 t", "d 0 1 t 0", "d x 1 t 0 r", "d 0 -1 t 0 r", "d 2 1 t 0 r", "d 0 1 t x r",
        "d 0 1 t 0 %", "d 0 1 t 0 %4", "d 0 1 t 0 %zz", "d 0 99999999999999999999 t 0 r"}) {
    EXPECT_EQ(masked_rows(line), std::nullopt) << line;
    EXPECT_FALSE(Releases::of({line}, "m.releases")) << line;
  }
}

TEST(Releases, ThatStandInForALineToComeAreRefused) {
  for (const std::uint64_t line : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{9}}) {
    const auto read = Releases::of({line_of(rows_of(0, 1, "t", line))}, "m.releases");
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.error().place.line, 2U);
  }
}

TEST(Releases, ShareRowsOfOneNameAndOneKindOfDraws) {
  const Releases all = known({rows_of(100, 200)});
  EXPECT_EQ(all.shared_with(rows_of(0, 100)), std::nullopt);
  EXPECT_EQ(all.shared_with(rows_of(200, 300)), std::nullopt);
  EXPECT_EQ(all.shared_with(rows_of(150, 150)), std::nullopt);
  for (const MaskedRows& rows : {rows_of(0, 101), rows_of(199, 200), rows_of(0, 900)}) {
    EXPECT_EQ(all.shared_with(rows), (RowRange{100, 200}));
  }
  MaskedRows other = rows_of(100, 200);
  other.release = "q";
  EXPECT_EQ(all.shared_with(other), std::nullopt);
  other = rows_of(100, 200);
  other.draws = "e";
  EXPECT_EQ(all.shared_with(other), std::nullopt);
}

TEST(Releases, AreTheSameWithTheSameRowsOfTheSameTable) {
  const Releases all = known({rows_of(0, 9, "u"), rows_of(10, 20, "-"), rows_of(100, 200)});
  EXPECT_TRUE(all.has(rows_of(100, 200)));
  EXPECT_FALSE(all.has(rows_of(100, 200, "u")));
  EXPECT_FALSE(all.has(rows_of(100, 199)));
  EXPECT_FALSE(all.has(rows_of(10, 20, "-"))) << "what nobody knows is not the same";
}

TEST(Releases, OfAStreamAreItsLastLine) {
  const std::vector<MaskedRows> lines{rows_of(0, 10, "-"), rows_of(50, 60), rows_of(0, 40, "-", 2),
                                      rows_of(0, 25, "s", 2)};
  EXPECT_EQ(known({lines[0]}).shared_with(rows_of(9, 12)), (RowRange{0, 10}));
  EXPECT_EQ(known({lines[0], lines[1], lines[2]}).shared_with(rows_of(30, 31)), (RowRange{0, 40}));
  const Releases ended = known(lines);
  EXPECT_EQ(ended.shared_with(rows_of(25, 50)), std::nullopt);
  EXPECT_EQ(ended.shared_with(rows_of(0, 100)), (RowRange{0, 25}));
  EXPECT_TRUE(ended.has(rows_of(0, 25, "s")));
  // It does not stand in its own way.
  EXPECT_EQ(ended.shared_with(rows_of(0, 45, "-", 2)), std::nullopt);
  EXPECT_EQ(ended.shared_with(rows_of(0, 55, "-", 2)), (RowRange{50, 60}));
}

// The twin marks every row.
TEST(Releases, AreThoseThatATwinFinds) {
  std::mt19937 random(7);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int round = 0; round < 300; ++round) {
    std::vector<MaskedRows> lines;
    std::vector<std::vector<bool>> marked;  // by line: its rows, while it counts
    for (std::uint64_t i = 0; i < 6; ++i) {
      const std::uint64_t first = below(20);
      MaskedRows rows = rows_of(first, first + below(6));
      if (i > 0 && below(3) == 0) rows.line = 2 + below(i);
      lines.push_back(rows);
      marked.emplace_back(30);
      std::vector<bool>& mine = rows.line == 0 ? marked.back() : marked[rows.line - 2];
      mine.assign(30, false);
      for (std::uint64_t row = rows.rows.first; row < rows.rows.end; ++row) mine[row] = true;
    }
    const Releases all = known(lines);
    for (std::uint64_t row = 0; row < 30; ++row) {
      const bool is_marked =
          std::ranges::any_of(marked, [&](const auto& line) { return bool(line[row]); });
      EXPECT_EQ(all.shared_with(rows_of(row, row + 1, "u")).has_value(), is_marked);
    }
  }
}

}  // namespace
}  // namespace semveil
