#include "release/outcome_counts.h"

#include <gtest/gtest.h>

namespace semveil {
namespace {

TEST(OutcomeCounts, OfAnotherReleaseAreNotAlike) {
  OutcomeCounts some, other;
  EXPECT_TRUE(some.is_like(other));
  other.release = "second";
  EXPECT_FALSE(some.is_like(other));
}

TEST(OutcomeCounts, RememberRowsThatAnyOfThemHasTwice) {
  OutcomeCounts some, other;
  other.some_rows_twice = true;
  some.add(other);
  EXPECT_TRUE(some.some_rows_twice);
}

TEST(OutcomeCounts, RecodeTextsOfDemandedColumns) {
  OutcomeCounts counts;
  counts.classed = {{"illness", 3}};
  counts.classes = counts.outside = TupleCounter(1);
  counts.demanded.assign(1, TupleCounter(1));
  const Code text = 3, concept_id = 2;
  counts.demanded[0].add({&text, 1});
  counts.demanded[0].add({&concept_id, 1});
  counts.recode("illness", {4});
  EXPECT_EQ(counts.demanded[0].tuple(0)[0], 7U);
  EXPECT_EQ(counts.demanded[0].tuple(1)[0], 2U);
}

// Another part has numbered them the other way round.
TEST(OutcomeCounts, KeepTheSumsOfPersonsWhoGetOtherCodes) {
  OutcomeCounts counts;
  counts.person = "patient";
  counts.row_sums = {5, 7};
  counts.recode("patient", {2, 0});
  EXPECT_EQ(counts.row_sums, (std::vector<std::uint64_t>{7, 0, 5}));
}

}  // namespace
}  // namespace semveil
