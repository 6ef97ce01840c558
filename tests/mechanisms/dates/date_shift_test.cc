// Rates: the offsets of 20,000 persons are judged by χ² over all 2N + 1 days, with p > 0.001 of a
// right sampler failing; the key is fixed, so a test that passes once passes always.
#include "mechanisms/dates/date_shift.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "support/filled_key.h"

namespace semveil::test {
namespace {

constexpr std::size_t kPersons = 20'000;

std::vector<std::int64_t> offsets_of(const DateShift& shift) {
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < kPersons; ++i) {
    out.push_back(shift.days_of("patient " + std::to_string(i)));
  }
  return out;
}

// How many deviations χ² lies above its mean, by Wilson and Hilferty (1931).
double chi_square_score(const std::vector<std::int64_t>& offsets, std::int64_t most) {
  std::vector<double> counts(static_cast<std::size_t>(2 * most + 1), 0);
  for (const std::int64_t offset : offsets) {
    EXPECT_LE(std::abs(offset), most);
    ++counts[static_cast<std::size_t>(offset + most)];
  }
  const auto cells = static_cast<double>(counts.size());
  const double expected = static_cast<double>(offsets.size()) / cells;
  double square = 0;
  for (const double count : counts) square += (count - expected) * (count - expected) / expected;
  const double degrees = cells - 1, spread = 2 / (9 * degrees);
  return (std::cbrt(square / degrees) - (1 - spread)) / std::sqrt(spread);
}

constexpr double kOneInAThousand = 3.09;

TEST(DateShift, IsUniformOnTheWholeDays) {
  for (const std::int64_t most : {1, 7, 30, 182, 365}) {
    const DateShift shift(filled_key(7), most);
    EXPECT_LT(chi_square_score(offsets_of(shift), most), kOneInAThousand) << most;
  }
}

TEST(DateShift, JudgeObjectsToWrongSamplers) {
  const DateShift shift(filled_key(7), 30);
  std::vector<std::int64_t> never_zero = offsets_of(shift), too_few = never_zero;
  for (std::int64_t& offset : never_zero) offset = offset == 0 ? 1 : offset;
  for (std::int64_t& offset : too_few) offset = offset == 30 ? -30 : offset;
  EXPECT_GT(chi_square_score(never_zero, 30), kOneInAThousand);
  EXPECT_GT(chi_square_score(too_few, 30), kOneInAThousand);
}

TEST(DateShift, IsAFunctionOfKeyAndPersonAlone) {
  const DateShift one(filled_key(1), 300), same(filled_key(1), 300), other(filled_key(2), 300);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    const std::string person = std::to_string(i);
    EXPECT_EQ(one.days_of(person), same.days_of(person));
    equal += one.days_of(person) == other.days_of(person) ? 1 : 0;
  }
  EXPECT_LT(equal, 20U);  // one in 601 by chance
}

// No sample is large enough to see that two bytes for 7301 days are too few.
TEST(DateShift, IsWhatEightBytesOfAPersonsKeyLeave) {
  const Key of_dates = filled_key(3).derive("date-shift", {});
  const DateShift shift(filled_key(3), 3650);
  for (const std::string_view person : {"", "a", "patient 7"}) {
    const Key drawn = of_dates.derive("person", std::array<std::string_view, 2>{person, "0"});
    std::uint64_t bits = 0;
    for (std::size_t i = 8; i-- > 0;) bits = bits << 8U | drawn.bytes()[i];
    EXPECT_EQ(shift.days_of(person), static_cast<std::int64_t>(bits % 7301) - 3650);
  }
}

TEST(DateShift, OfNoDaysMovesNothing) {
  const DateShift shift(filled_key(1), 0);
  EXPECT_EQ(shift.days_of("a"), 0);
  EXPECT_EQ(shift.days_of(""), 0);
}

// Small enough to look at every number: of 2^64 mod 3 = 1 number, the last.
TEST(DateShift, RejectsWhatWouldMakeOneOffsetLikelier) {
  EXPECT_FALSE(accepts(~std::uint64_t{0}, 3));
  EXPECT_TRUE(accepts(~std::uint64_t{0} - 1, 3));
  EXPECT_TRUE(accepts(~std::uint64_t{0}, 1));
  EXPECT_TRUE(accepts(~std::uint64_t{0}, std::uint64_t{1} << 20U));
  const std::uint64_t offsets = 61;
  const std::uint64_t beyond = (~std::uint64_t{0} % offsets + 1) % offsets;
  EXPECT_GT(beyond, 0U);
  EXPECT_FALSE(accepts(~std::uint64_t{0} - beyond + 1, offsets));
  EXPECT_TRUE(accepts(~std::uint64_t{0} - beyond, offsets));
  EXPECT_EQ((~std::uint64_t{0} - beyond) % offsets, offsets - 1);  // the last of a whole multiple
}

}  // namespace
}  // namespace semveil::test
