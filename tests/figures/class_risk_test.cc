// Risks of classes against the definitions, record by record.
#include "figures/class_risk.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/letters.h"
#include "support/slow_figures.h"

namespace semveil::test {
namespace {

template <class Check>
void for_columns_of_mixed_pairs(const Check& check) {
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      const Paired all = mixed_pairs(domain, 40, seed);
      check(all.over(std::vector<std::size_t>{0}));
      check(all.over(std::vector<std::size_t>{1, 2}));
      check(all);
    }
  }
}

Attributes lettered_columns(std::size_t columns) {
  return Attributes(columns, std::make_shared<Attribute>(letters("t")));
}
// Of a table by itself, all of whose columns are quasi-identifiers.
FormedClasses without_suppressed(const Attributes& attributes, const Classes& classes) {
  std::vector<std::size_t> all(attributes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return semveil::without_suppressed(attributes, classes, all, {});
}

TEST(ClassRisk, OfThreeClasses) {
  const Classes classes{1, {kA, kB, kC}, {3, 2, 1}, {}};
  const ClassRisk risk = class_risk(
      lettered_columns(1), without_suppressed(lettered_columns(1), classes), MissingRule::kKeep);
  EXPECT_EQ(risk.classes, 3U);
  EXPECT_EQ(risk.smallest, 1U);
  EXPECT_EQ(risk.uniques, 1U);
  EXPECT_EQ(risk.suppressed, 0U);
  EXPECT_EQ(risk.prosecutor, 1);
  EXPECT_DOUBLE_EQ(*risk.marketer, 3.0 / 6);
}

// Three suppressed records of eight, and a wildcard that joins two classes without joining them to
// each other.
TEST(ClassRisk, OfSuppressedRecordsAndWildcards) {
  const Classes classes{2, {kA, kB, kA, kC, kA, kNoLetter, kNoLetter, kNoLetter}, {1, 3, 1, 3}, {}};
  const FormedClasses formed = without_suppressed(lettered_columns(2), classes);
  EXPECT_EQ(formed.suppressed, 3U);
  EXPECT_EQ(discernibility(formed), 1U + 9U + 1U + 3U * 8U);
  const ClassRisk keep = class_risk(lettered_columns(2), formed, MissingRule::kKeep);
  EXPECT_EQ(keep.suppressed, 3U);
  EXPECT_EQ(keep.classes, 3U);
  EXPECT_EQ(keep.uniques, 2U);
  EXPECT_DOUBLE_EQ(*keep.marketer, 3.0 / 5);
  const ClassRisk wildcard = class_risk(lettered_columns(2), formed, MissingRule::kWildcard);
  EXPECT_EQ(wildcard.smallest, 2U);
  EXPECT_EQ(wildcard.prosecutor, 0.5);
  EXPECT_DOUBLE_EQ(*wildcard.marketer, (1 / 2.0 + 3 / 4.0 + 1 / 5.0) / 5);
}

// Of five released records without the quasi-identifier (the first column) two had none before.
TEST(ClassRisk, RecordsThatHadNothingBeforeAreNotSuppressed) {
  const Paired pairs{lettered_columns(2),
                     {kNoLetter, kA, kNoLetter, kB, kC, kB, kA, kC},
                     {kNoLetter, kA, kNoLetter, kB, kNoLetter, kB, kA, kC},
                     {1, 1, 3, 4}};
  const std::vector<std::size_t> known_by{0};
  const FormedClasses formed = semveil::without_suppressed(
      lettered_columns(2), classes_of(pairs, Side::kAfter), known_by, pairs);
  EXPECT_EQ(formed.suppressed, 3U);
  EXPECT_EQ(formed.classes.tuples, (std::vector<ConceptId>{kA, kC, kNoLetter, kA, kNoLetter, kB}));
  EXPECT_EQ(formed.classes.counts, (std::vector<std::uint64_t>{4, 1, 1}));
}

TEST(ClassRisk, OfNoClassIsNone) {
  const Classes classes{1, {kNoLetter}, {3}, {}};
  const FormedClasses formed = without_suppressed(lettered_columns(1), classes);
  const ClassRisk risk = class_risk(lettered_columns(1), formed, MissingRule::kKeep);
  EXPECT_EQ(risk.suppressed, 3U);
  EXPECT_EQ(risk.smallest, 0U);
  EXPECT_EQ(risk.prosecutor, std::nullopt);
  EXPECT_FALSE(risk.marketer);
}

TEST(ClassRisk, IsThatOfEveryRecord) {
  for_columns_of_mixed_pairs([](const Paired& pairs) {
    for (const bool wildcard : {false, true}) {
      for (const Side side : {Side::kBefore, Side::kAfter}) {
        const FormedClasses formed = without_suppressed(pairs.attributes, classes_of(pairs, side));
        const ClassRisk found = class_risk(
            pairs.attributes, formed, wildcard ? MissingRule::kWildcard : MissingRule::kCategory);
        const SlowClassRisk slow = slow_class_risk(pairs, side, wildcard);
        EXPECT_EQ(found.classes, slow.classes);
        EXPECT_EQ(found.smallest, slow.smallest);
        EXPECT_EQ(found.uniques, slow.uniques);
        EXPECT_EQ(found.suppressed, slow.suppressed);
        EXPECT_EQ(discernibility(formed), slow.discernibility);
        EXPECT_DOUBLE_EQ(found.prosecutor.value_or(0), slow.prosecutor);
        EXPECT_NEAR(found.marketer.value_or(0), slow.marketer, 1e-12);
      }
    }
  });
}

}  // namespace
}  // namespace semveil::test
