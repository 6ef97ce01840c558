// What a released column tells of a masked one: counted as by the slow twin, and judged on tables
// made by hand.
#include "release/telling.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/generate.h"
#include "support/slow_telling.h"

namespace semveil::test {
namespace {

using CodeColumn = std::vector<Code>;

Guesses guess_one(const CodeColumn& released, const CodeColumn& masked) {
  const std::span<const Code> one(masked);
  return guess(released, {&one, 1}).front();
}

template <class Value>
CodeColumn column(std::size_t records, Value value) {
  CodeColumn out;
  for (std::size_t i = 0; i < records; ++i) out.push_back(static_cast<Code>(value(i)));
  return out;
}

CodeColumn codes() {
  return column(100, [](std::size_t i) { return i * i % 7; });
}

TEST(Guesses, AreThoseOfTheSlowTwin) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const std::size_t records = random.below(40), values = 1 + random.below(12);
    CodeColumn released, first, second;
    for (std::size_t i = 0; i < records; ++i) {
      const auto any = [&](std::size_t below) {
        return random.one_in(8) ? kMissing : static_cast<Code>(random.below(below));
      };
      released.push_back(any(values));
      first.push_back(random.one_in(5) ? any(4) : released.back());
      second.push_back(any(3));
    }
    const std::vector<std::span<const Code>> masked{first, second};
    const std::vector<Guesses> found = guess(released, masked);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0], guess_slowly(released, first)) << seed;
    EXPECT_EQ(found[1], guess_slowly(released, second)) << seed;
  }
}

// a a b: whoever leaves one a out sees one a and one b.
TEST(Guesses, AreWrongWhereOthersTie) {
  EXPECT_EQ(guess_one({0, 0, 0}, {0, 0, 1}), (Guesses{3, 3, 0, 2}));
  EXPECT_EQ(guess_one({0, 0, 0, 0}, {0, 0, 0, 1}), (Guesses{4, 4, 3, 3}));
}

TEST(Guesses, CountNoRecordWithoutAMaskedValue) {
  EXPECT_EQ(guess_one({0, 0, kMissing, 1}, {2, kMissing, 2, 2}), (Guesses{3, 0, 0, 0}));
  EXPECT_EQ(guess_one({}, {}), Guesses{});
}

TEST(Telling, ADescriptionTellsItsCode) {
  const Guesses found =
      guess_one(column(100, [](std::size_t i) { return 10 - i * i % 7; }), codes());
  EXPECT_TRUE(found.tell());
  EXPECT_EQ(found.share(), 1);
}

TEST(Telling, AFinerColumnTellsACoarserOneAndNotTheOtherWay) {
  const CodeColumn fine = column(100, [](std::size_t i) { return i * i % 25; });
  const CodeColumn coarse = column(100, [](std::size_t i) { return i * i % 25 % 3; });
  EXPECT_TRUE(guess_one(fine, coarse).tell());
  EXPECT_FALSE(guess_one(coarse, fine).tell());
}

TEST(Telling, AnIdTellsNothing) {
  EXPECT_FALSE(guess_one(column(100, [](std::size_t i) { return i; }), codes()).tell());
}

TEST(Telling, AConstantTellsNothing) {
  const CodeColumn constant(100, 0);
  EXPECT_FALSE(guess_one(constant, codes()).tell());
  EXPECT_FALSE(guess_one(codes(), constant).tell());
}

TEST(Telling, AWeakRelationIsNone) {  // four of five go together
  const CodeColumn released = column(200, [](std::size_t i) { return i % 5 == 0 ? i % 7 : i % 4; });
  const CodeColumn masked = column(200, [](std::size_t i) { return i % 4; });
  const Guesses found = guess_one(released, masked);
  EXPECT_GT(found.right, 2 * found.blind);
  EXPECT_FALSE(found.tell());
}

// 95 of 100 are alike: saying so of everybody is right as often.
TEST(Telling, NoBetterThanTheMostFrequentValueIsNothing) {
  const CodeColumn masked = column(100, [](std::size_t i) { return i % 20 == 0 ? 1 : 0; });
  const Guesses found = guess_one(column(100, [](std::size_t i) { return i % 3; }), masked);
  EXPECT_EQ(found.right, 95U);
  EXPECT_FALSE(found.tell());
}

TEST(Telling, FewRecordsTellNothing) {
  const auto alternating = [](std::size_t records) {
    return column(records, [](std::size_t i) { return i % 2; });
  };
  EXPECT_FALSE(guess_one(alternating(19), alternating(19)).tell());
  EXPECT_TRUE(guess_one(alternating(20), alternating(20)).tell());
}

TEST(Telling, HalfOfTheRecordsMustRecur) {
  const auto released = [](std::size_t recurrent) {
    return column(100, [&](std::size_t i) { return i < recurrent ? i % 5 : 100 + i; });
  };
  const CodeColumn masked = column(100, [](std::size_t i) { return i % 5; });
  EXPECT_FALSE(guess_one(released(45), masked).tell());
  EXPECT_TRUE(guess_one(released(50), masked).tell());
  EXPECT_EQ(guess_one(released(50), masked).share(), 0.5);
}

}  // namespace
}  // namespace semveil::test
