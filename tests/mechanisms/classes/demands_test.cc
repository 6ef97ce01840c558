#include "mechanisms/classes/demands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace semveil::test {
namespace {

using ::testing::HasSubstr;

// One column of a table whose tuples have these records by sensitive place.
ClassTable table_of(const std::vector<std::vector<std::uint64_t>>& tuples, const Demand& demand) {
  ClassTable table;
  SensitiveColumn& column = table.sensitive.emplace_back();
  column.name = "disease";
  column.demand = demand;
  column.whole.resize(tuples.front().size());
  column.values.assign(tuples.front().size(), kMissing);
  column.begin.push_back(0);
  for (const std::vector<std::uint64_t>& tuple : tuples) {
    for (std::size_t place = 0; place < tuple.size(); ++place) {
      column.whole[place] += tuple[place];
      if (tuple[place] > 0) column.counts.push_back({static_cast<Code>(place), tuple[place]});
    }
    column.begin.push_back(column.counts.size());
    table.counts.push_back(1);
  }
  return table;
}

std::vector<bool> met(const std::vector<std::vector<std::uint64_t>>& tuples, const Demand& demand) {
  const Demands demands(table_of(tuples, demand));
  std::vector<bool> out;
  for (std::size_t t = 0; t < tuples.size(); ++t) out.push_back(demands.met(demands.of(t)));
  return out;
}

TEST(Demands, CountDistinctValues) {
  EXPECT_EQ(met({{3, 0, 9}, {1, 1, 1}, {5, 0, 0}}, {.l = 2, .t = {}}),
            (std::vector<bool>{true, true, false}));
}

// exp of the entropy of equal shares is their number, which rounding must not take away.
TEST(Demands, TakeTheEntropyOfEqualSharesAsTheirNumber) {
  for (std::size_t values = 1; values <= 200; ++values) {
    const std::vector<std::uint64_t> equal(values, 7);
    const auto demand = [&](double l) {
      return Demand{.l = l, .kind = DiversityKind::kEntropy, .t = {}};
    };
    const auto size = static_cast<double>(values);
    EXPECT_TRUE(met({equal}, demand(size)).front()) << values;
    EXPECT_FALSE(met({equal}, demand(size * (1 + 1e-7))).front()) << values;
  }
  // Entropy of 3/4 and 1/4: exp of 0.562335.
  const Demand below{.l = 1.754, .kind = DiversityKind::kEntropy, .t = {}};
  const Demand above{.l = 1.755, .kind = DiversityKind::kEntropy, .t = {}};
  EXPECT_TRUE(met({{3, 1}}, below).front());
  EXPECT_FALSE(met({{3, 1}}, above).front());
}

// r1 < c (r_l + …), strictly.
TEST(Demands, OfRecursiveDiversityAreStrict) {
  const Demand demand{.l = 2, .kind = DiversityKind::kRecursive, .c = 3, .t = {}};
  EXPECT_EQ(met({{9, 2, 1}, {2, 1, 8}, {9, 0, 0}, {1, 1, 1}}, demand),
            (std::vector<bool>{false, true, false, true}));
  const Demand third{.l = 3, .kind = DiversityKind::kRecursive, .c = 3, .t = {}};
  EXPECT_EQ(met({{3, 2, 1}, {2, 2, 1}, {2, 2, 0}}, third), (std::vector<bool>{false, true, false}));
}

// Of the whole (6, 3, 3)/12: the first class is at 1/2, the second at 1/4 by total variation.
TEST(Demands, OfClosenessHoldAtTheVeryDistance) {
  const std::vector<std::vector<std::uint64_t>> tuples{{4, 0, 0}, {1, 1, 2}, {1, 2, 1}};
  EXPECT_EQ(met(tuples, {.l = {}, .t = 0.25}), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(met(tuples, {.l = {}, .t = 0.2499}), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(met(tuples, {.l = {}, .t = 0.5}), (std::vector<bool>{true, true, true}));
}

TEST(Demands, AreAllMetOrNone) {
  const Demand both{.l = 3, .t = 0.25};
  EXPECT_EQ(met({{4, 0, 0}, {0, 2, 2}, {2, 1, 1}}, both), (std::vector<bool>{false, false, true}));
}

TEST(Demands, AreMetByAClassWithoutValues) {
  for (const DiversityKind kind :
       {DiversityKind::kDistinct, DiversityKind::kEntropy, DiversityKind::kRecursive}) {
    EXPECT_TRUE(met({{0, 0}, {1, 1}}, {.l = 2, .kind = kind, .t = 0.0}).front());
  }
}

TEST(Demands, LookAtMergedClassesAsOne) {
  const ClassTable table = table_of({{3, 0, 1, 0}, {0, 2, 1, 0}, {0, 0, 0, 1}}, {.l = 3, .t = {}});
  const Demands demands(table);
  EXPECT_FALSE(demands.none());
  SensitiveCounts counts = demands.of(0);
  Demands::merge(demands.of(1), counts);
  EXPECT_EQ(counts.columns.front(), (std::vector<PlaceCount>{{0, 3}, {1, 2}, {2, 2}}));
  EXPECT_TRUE(demands.met(counts));
  SensitiveCounts from_nothing;
  Demands::merge(demands.of(2), from_nothing);
  EXPECT_EQ(from_nothing.columns.front(), (std::vector<PlaceCount>{{3, 1}}));
  Demands::merge(counts, from_nothing);
  EXPECT_EQ(from_nothing.columns.front(),
            (std::vector<PlaceCount>{{0, 3}, {1, 2}, {2, 2}, {3, 1}}));
}

TEST(Demands, ThatNobodyCanMeetAreNamed) {
  const auto unmeetable = [](const Demand& demand) {
    return Demands(table_of({{6, 0}, {0, 2}}, demand)).unmeetable();
  };
  EXPECT_EQ(unmeetable({.l = 2, .t = 0.0}), "");
  EXPECT_EQ(unmeetable({.l = 3, .t = {}}),
            "column 'disease': l = 3 different values are demanded of every class, and all records "
            "together have 2");
  EXPECT_THAT(unmeetable({.l = 2, .kind = DiversityKind::kEntropy, .t = {}}), HasSubstr("1.755"));
  EXPECT_THAT(unmeetable({.l = 2, .kind = DiversityKind::kRecursive, .c = 3, .t = {}}),
              HasSubstr("need a c above 3"));
  EXPECT_EQ(unmeetable({.l = 2, .kind = DiversityKind::kRecursive, .c = 3.01, .t = {}}), "");
  EXPECT_THAT(unmeetable({.l = 3, .kind = DiversityKind::kRecursive, .c = 9, .t = {}}),
              HasSubstr("together have 2"));
  EXPECT_TRUE(Demands(ClassTable{}).none());
}

}  // namespace
}  // namespace semveil::test
