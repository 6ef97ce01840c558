#include "release/row_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "support/temporary_folder.h"

namespace semveil {
namespace {

Key some_key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{3}); }

TEST(RowMap, LeavesOutWhatWasDropped) {
  RowMap map;
  map.add(0, 3, {false, true, false});
  map.add(3, 2, {});
  EXPECT_EQ(std::move(map).finish(std::nullopt), (std::vector<std::uint64_t>{0, 2, 3, 4}));
}

// However the rows come: shuffling knows them by their place among those that are left.
TEST(RowMap, ShufflesTheSameHoweverItIsCut) {
  constexpr std::size_t kRows = 1000;
  std::vector<bool> dropped(kRows, false);
  for (std::size_t row = 0; row < kRows; row += 7) dropped[row] = true;
  RowMap whole, cut;
  whole.add(0, kRows, dropped);
  for (std::size_t first = 0; first < kRows; first += 10) {
    const auto begin = dropped.begin() + static_cast<std::ptrdiff_t>(first);
    cut.add(first, 10, std::vector<bool>(begin, begin + 10));
  }
  const auto rows = std::move(whole).finish(some_key());
  EXPECT_EQ(std::move(cut).finish(some_key()), rows);
  std::vector<std::uint64_t> sorted = rows;
  std::ranges::sort(sorted);
  EXPECT_NE(sorted, rows);
  std::size_t at = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    if (dropped[row]) continue;
    ASSERT_EQ(sorted[at++], row);
  }
  EXPECT_EQ(at, sorted.size());
}

TEST(RowMap, IsReadBackAsItWasWritten) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/rows.csv";
  const std::vector<std::uint64_t> rows{4, 0, 2};
  auto file = prepare_row_map(path, rows);
  ASSERT_TRUE(file && file->commit());
  const auto read = read_row_map(path, 5, 3);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, rows);
  EXPECT_FALSE(read_row_map(path, 4, 3));  // row 4 is not there
  EXPECT_FALSE(read_row_map(path, 5, 4));  // a released row is not in the map
  EXPECT_FALSE(read_row_map(path, 5, 2));  // a row too many
}

}  // namespace
}  // namespace semveil
