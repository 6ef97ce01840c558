#include "semveil/minimal_uniques.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "semveil/stop.h"
#include "tests/support/slow_uniques.h"

namespace semveil {
namespace {

// A small linear generator: the same tables on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state_ >> 33U) % end);
  }

 private:
  std::uint64_t state_;
};

struct DrawnTable {
  std::vector<std::vector<Code>> columns;
  std::vector<std::uint32_t> persons;
};

DrawnTable drawn_table(std::uint64_t seed, bool with_persons) {
  Dice dice(seed);
  DrawnTable out;
  const std::uint32_t columns = 1 + dice.below(6), rows = 1 + dice.below(30);
  for (std::uint32_t c = 0; c < columns; ++c) {
    const std::uint32_t values = 1 + dice.below(c % 3 == 0 ? 12 : 4);
    std::vector<Code>& column = out.columns.emplace_back();
    for (std::uint32_t row = 0; row < rows; ++row) {
      // Missing is a value, and codes may have gaps.
      const std::uint32_t value = dice.below(values);
      column.push_back(value == 0 ? kMissing : 1000 * value);
    }
  }
  if (!with_persons) return out;
  const std::uint32_t persons = 1 + dice.below(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    out.persons.push_back(row < persons ? row : dice.below(persons));
  }
  return out;
}

void expect_as_defined(const DrawnTable& table) {
  const MinimalUniques fast = minimal_uniques(table.columns, table.persons);
  const MinimalUniques slow = test::slow_minimal_uniques(table.columns, table.persons);
  EXPECT_EQ(fast.columns, slow.columns);
  EXPECT_EQ(fast.largest, slow.largest);
  EXPECT_EQ(fast.persons, slow.persons);
  EXPECT_EQ(fast.uniques, slow.uniques);
  EXPECT_EQ(fast.sets, slow.sets);
  EXPECT_EQ(fast.scores, slow.scores);
}

TEST(MinimalUniques, OfRowsAreAsDefined) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    expect_as_defined(drawn_table(seed, false));
  }
}

TEST(MinimalUniques, OfPersonsWithSeveralRowsAreAsDefined) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    expect_as_defined(drawn_table(seed, true));
  }
}

// Elliot et al. 2002: of four columns a set of one counts 6, of two 2, of three 1.
TEST(MinimalUniques, CountSixTwoAndOneForOneTwoAndThreeOfFourColumns) {
  // Row 0 is alone by column 0; row 1 by columns 1 and 2 together; row 2 by 1, 2 and 3.
  const std::vector<std::vector<Code>> columns{{9, 1, 1, 1, 1, 1, 1, 1},
                                               {0, 1, 0, 0, 1, 0, 0, 1},
                                               {0, 1, 0, 0, 0, 1, 1, 0},
                                               {0, 0, 1, 0, 0, 0, 1, 1}};
  const MinimalUniques found = minimal_uniques(columns, {});
  EXPECT_EQ(found.largest, 3U);
  EXPECT_EQ(found.scores[0], 6U);
  const auto of = [&](std::vector<std::size_t> set) {
    const auto at = std::ranges::find(found.sets, set, &UniqueSet::columns);
    return at == found.sets.end() ? 0 : at->persons;
  };
  EXPECT_EQ(of({0}), 1U);
  EXPECT_EQ(of({1, 2}), 1U);
  EXPECT_EQ(found.scores[1], 2U);
  EXPECT_EQ(found.scores[2], 1U);
  EXPECT_EQ(of({0, 1}), 0U);  // row 0 is alone by less
}

TEST(MinimalUniques, OfOnePersonOrOneColumnAreNone) {
  const std::vector<std::vector<Code>> two{{1, 2, 3}, {1, 2, 3}};
  const std::vector<std::uint32_t> one_person{0, 0, 0};
  EXPECT_TRUE(minimal_uniques(two, one_person).sets.empty());
  EXPECT_EQ(minimal_uniques(std::span(two).first(1), {}).largest, 0U);
  EXPECT_TRUE(minimal_uniques({}, {}).sets.empty());
}

TEST(MinimalUniques, OfLessColumnsCanBeAskedFor) {
  const DrawnTable table = drawn_table(7, false);
  for (const UniqueSet& set : minimal_uniques(table.columns, {}, 1).sets) {
    EXPECT_EQ(set.columns.size(), 1U);
  }
}

TEST(MinimalUniques, CanBeStopped) {
  std::stop_source source;
  source.request_stop();
  const DrawnTable table = drawn_table(3, false);
  const Result<MinimalUniques> found = stoppable(source.get_token(), [&] {
    return Result<MinimalUniques>(minimal_uniques(table.columns, {}));
  });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace semveil
