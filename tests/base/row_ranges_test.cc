#include "base/row_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semveil {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RowRanges of(std::initializer_list<RowRange> ranges) {
  RowRanges out;
  for (const RowRange& range : ranges) out.merge(RowRanges(range));
  return out;
}

TEST(RowRanges, ThatMeetAreOne) {
  EXPECT_THAT(of({{5, 7}, {0, 2}, {2, 5}}).list(), ElementsAre(RowRange{0, 7}));
  EXPECT_THAT(of({{8, 9}, {0, 2}}).list(), ElementsAre(RowRange{0, 2}, RowRange{8, 9}));
  EXPECT_THAT(of({{3, 3}}).list(), IsEmpty());
}

TEST(RowRanges, TellWhichRowsTheyHaveInCommon) {
  EXPECT_EQ(of({{0, 2}, {4, 6}}).common_with(of({{2, 4}, {6, 9}})), std::nullopt);
  EXPECT_EQ(of({{0, 2}, {4, 9}}).common_with(of({{2, 3}, {5, 7}})), (RowRange{5, 7}));
  EXPECT_EQ(of({{0, 9}}).common_with(of({{8, 12}})), (RowRange{8, 9}));
  EXPECT_EQ(of({}).common_with(of({{8, 12}})), std::nullopt);
}

TEST(RowRanges, TellWhichRowsAreNobodys) {
  EXPECT_EQ(of({}).first_gap(), std::nullopt);
  EXPECT_EQ(of({{0, 4}}).first_gap(), std::nullopt);
  EXPECT_EQ(of({{1, 4}}).first_gap(), (RowRange{0, 1}));
  EXPECT_EQ(of({{0, 4}, {6, 7}, {9, 10}}).first_gap(), (RowRange{4, 6}));
}

}  // namespace
}  // namespace semveil
