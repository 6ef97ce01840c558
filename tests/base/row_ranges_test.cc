#include "base/row_ranges.h"

#include <gtest/gtest.h>

#include <random>

namespace semveil {
namespace {

TEST(RowRanges, OfAllRowsAreOne) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> ends{0, 50};
    for (int i = 0; i < 7; ++i) ends.push_back(random() % 51);
    std::ranges::sort(ends);
    std::vector<RowRange> pieces;
    for (std::size_t i = 1; i < ends.size(); ++i) pieces.push_back({ends[i - 1], ends[i]});
    std::shuffle(pieces.begin(), pieces.end(), random);
    RowRanges all;
    for (const RowRange& piece : pieces) {
      EXPECT_FALSE(all.common_with(RowRanges(piece)));
      all.merge(RowRanges(piece));
    }
    EXPECT_EQ(all.list(), (std::vector<RowRange>{{0, 50}}));
    EXPECT_FALSE(all.first_gap());
  }
}

TEST(RowRanges, TellTheFirstGap) {
  RowRanges rows;
  EXPECT_FALSE(rows.first_gap());
  rows.merge(RowRanges({7, 9}));
  EXPECT_EQ(rows.first_gap(), (RowRange{0, 7}));
  rows.merge(RowRanges({0, 4}));
  EXPECT_EQ(rows.first_gap(), (RowRange{4, 7}));
  rows.merge(RowRanges({4, 7}));
  EXPECT_FALSE(rows.first_gap());
}

TEST(RowRanges, TellWhatTheyHaveInCommon) {
  RowRanges rows({0, 4});
  rows.merge(RowRanges({6, 9}));
  EXPECT_EQ(rows.common_with(RowRanges({3, 7})), (RowRange{3, 4}));
  EXPECT_EQ(rows.common_with(RowRanges({8, 20})), (RowRange{8, 9}));
  EXPECT_FALSE(rows.common_with(RowRanges({4, 6})));
  EXPECT_FALSE(rows.common_with(RowRanges({5, 5})));
}

}  // namespace
}  // namespace semveil
