#include "base/person_pairs.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/growing_set.h"
#include "support/generate.h"

namespace semveil::test {
namespace {

TEST(PersonPairs, AreThoseOfASet) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    PersonPairs pairs;
    std::set<std::uint64_t> expected;
    const std::size_t rows = random.below(40'000);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto tuple = static_cast<std::uint32_t>(random.below(50 * seed));
      const auto person = static_cast<std::uint32_t>(random.below(7 * seed));
      pairs.add(tuple, person);
      expected.insert(PersonPairs::pair_of(tuple, person));
      if (i % 9'001 == 0) pairs.settle();  // and on from there
    }
    pairs.settle();
    EXPECT_EQ(std::vector(pairs.all().begin(), pairs.all().end()),
              std::vector(expected.begin(), expected.end()));
    const PersonPairs copy = pairs;
    EXPECT_TRUE(std::ranges::equal(copy.all(), pairs.all()));
  }
}

TEST(PersonPairs, NeverTakeMoreThanSixteenBytesEach) {
  Random random(1);
  PersonPairs pairs;
  std::set<std::uint64_t> different;
  constexpr std::size_t kFirst = PersonPairs::kFirstRoom * sizeof(std::uint64_t);
  for (std::uint32_t i = 0; i < 300'000; ++i) {
    const auto tuple = static_cast<std::uint32_t>(random.below(20'000));
    const auto person = static_cast<std::uint32_t>(random.below(3));
    pairs.add(tuple, person);
    different.insert(PersonPairs::pair_of(tuple, person));
    ASSERT_LE(pairs.bytes(), std::max(kFirst, 16 * different.size())) << i;
  }
  pairs.settle();
  EXPECT_EQ(pairs.bytes(), 8 * different.size());
}

TEST(GrowingSet, JoinsAsSetsDo) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    GrowingSet<std::uint32_t> all;
    std::set<std::uint32_t> expected;
    for (int join = 0; join < 60; ++join) {
      std::set<std::uint32_t> some;
      const std::size_t size = random.below(join % 7 == 0 ? 2'000 : 20);
      for (std::size_t i = 0; i < size; ++i) {
        some.insert(static_cast<std::uint32_t>(random.below(5'000)));
      }
      const std::vector<std::uint32_t> list(some.begin(), some.end());
      GrowingSet<std::uint32_t> other{std::span(list)};
      std::set<std::uint32_t> heard;
      if (join % 2 == 0) {
        all.take(other);
        EXPECT_EQ(other.size(), 0U);
      } else {
        all.add(other, [&](std::uint32_t number) { EXPECT_TRUE(heard.insert(number).second); });
        for (const std::uint32_t number : some) {
          EXPECT_EQ(heard.contains(number), !expected.contains(number));
        }
      }
      expected.insert(some.begin(), some.end());
      ASSERT_EQ(all.size(), expected.size());
    }
    for (std::uint32_t number = 0; number < 5'000; ++number) {
      ASSERT_EQ(all.contains(number), expected.contains(number));
    }
  }
}

}  // namespace
}  // namespace semveil::test
