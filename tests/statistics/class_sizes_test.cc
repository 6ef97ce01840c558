// Records that match with wildcards, against a comparison of all pairs of tuples.
#include "statistics/class_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/generate.h"

namespace semveil::test {
namespace {

constexpr std::uint32_t kMissingCode = 9;

TEST(MatchingRecords, OfAnExample) {
  const std::vector<std::uint32_t> tuples{0, 1, 0, 2, 0, kMissingCode};
  const std::vector<std::uint64_t> counts{2, 3, 1};
  const std::vector<std::uint32_t> missing{kMissingCode, kMissingCode};
  EXPECT_THAT(matching_records(tuples, counts, missing), testing::ElementsAre(3, 4, 6));
}

TEST(MatchingRecords, AreThoseOfAllPairs) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const std::size_t width = 1 + seed % 4;
    // Each column marks missing cells in its own way.
    std::vector<std::uint32_t> missing;
    for (std::size_t j = 0; j < width; ++j) missing.push_back(static_cast<std::uint32_t>(3 + j));
    std::set<std::vector<std::uint32_t>> distinct;
    for (int i = 0; i < 50; ++i) {
      std::vector<std::uint32_t> tuple;
      for (std::size_t j = 0; j < width; ++j) {
        tuple.push_back(random.one_in(3) ? missing[j]
                                         : static_cast<std::uint32_t>(random.below(3)));
      }
      distinct.insert(tuple);
    }
    std::vector<std::uint32_t> tuples;
    std::vector<std::uint64_t> counts;
    for (const auto& tuple : distinct) {
      tuples.insert(tuples.end(), tuple.begin(), tuple.end());
      counts.push_back(1 + random.below(5));
    }
    std::vector<std::uint64_t> expected;
    for (const auto& a : distinct) {
      std::uint64_t records = 0;
      std::size_t at = 0;
      for (const auto& b : distinct) {
        bool match = true;
        for (std::size_t j = 0; j < width; ++j) {
          match = match && (a[j] == b[j] || a[j] == missing[j] || b[j] == missing[j]);
        }
        records += match ? counts[at] : 0;
        ++at;
      }
      expected.push_back(records);
    }
    EXPECT_EQ(matching_records(tuples, counts, missing), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace semveil::test
