// Each kind of broken promise is caught, and the nearest table that keeps it is not.
#include "release/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semveil::test {
namespace {

using ::testing::HasSubstr;

// Quasi-identifiers in places 0 and 1, a sensitive column in 2.
struct Row {
  Code a, b, sensitive;
  std::uint64_t count;
};

TupleCounter tuples_of(const std::vector<Row>& rows) {
  TupleCounter tuples(3);
  for (const Row& row : rows) {
    tuples.add(std::vector<Code>{row.a, row.b, row.sensitive}, row.count);
  }
  return tuples;
}

struct Release {
  std::vector<Row> rows;
  std::uint64_t k = 1;
  Demand demand{};
  MissingRule missing = MissingRule::kCategory;
  std::vector<Row> suppressed{};
  std::vector<std::uint64_t> whole{};
  std::shared_ptr<const Attribute> attribute{};
  std::vector<ConceptId> values{};

  // What is missed; "" where all is kept.
  std::string missed() const {
    const TupleCounter released = tuples_of(rows);
    const TupleCounter left_out = tuples_of(suppressed);
    const Status status = verify_classes({.released = released,
                                          .quasi_identifiers = {0, 1},
                                          .sensitive = {{.name = "disease",
                                                         .place = 2,
                                                         .demand = demand,
                                                         .attribute = attribute,
                                                         .values = values,
                                                         .whole = whole}},
                                          .missing = missing,
                                          .k = k,
                                          .suppressed = &left_out});
    if (status) return "";
    EXPECT_EQ(status.error().code, ErrorCode::kGuarantee);
    EXPECT_EQ(status.error().value, "");
    return status.error().message;
  }
};

constexpr Demand kNothing{.l = {}, .t = {}};

// The records of a class may differ in the sensitive column.
TEST(VerifyClasses, CountsTheRecordsOfAClass) {
  Release release{.rows = {{0, 0, 0, 2}, {0, 0, 1, 1}, {0, 1, 0, 4}}, .k = 3, .demand = kNothing};
  EXPECT_EQ(release.missed(), "");
  release.k = 4;
  EXPECT_EQ(
      release.missed(),
      "1 of the 2 released classes have fewer than k = 4 records, the smallest 3: nothing was "
      "released");
}

TEST(VerifyClasses, TakesAnEmptyCellAsAValueOrAsAnyValue) {
  Release release{.rows = {{0, 0, 0, 3}, {0, kMissing, 0, 1}, {0, 1, 0, 3}}, .k = 4};
  EXPECT_THAT(release.missed(), HasSubstr("3 of the 3"));
  release.k = 3;
  EXPECT_THAT(release.missed(), HasSubstr("1 of the 3"));
  release.missing = MissingRule::kWildcard;
  release.k = 4;  // (0, 0) and (0, any) match in 4 records, (0, any) in all 7
  EXPECT_EQ(release.missed(), "");
  release.k = 5;
  EXPECT_THAT(release.missed(), HasSubstr("2 of the 3"));
}

TEST(VerifyClasses, CountsDistinctValues) {
  Release release{.rows = {{0, 0, 0, 2}, {0, 0, 1, 1}, {0, 1, 0, 4}, {0, 1, 2, 1}},
                  .demand = {.l = 2, .t = {}}};
  EXPECT_EQ(release.missed(), "");
  release.demand.l = 3;
  EXPECT_THAT(release.missed(), HasSubstr("column 'disease': l = 3 different values"));
  EXPECT_THAT(release.missed(), HasSubstr("2 of the 2 released classes miss it, the worst with 2"));
}

// exp of the entropy of 3/4 and 1/4 is 1.7548.
TEST(VerifyClasses, ComputesTheEntropy) {
  Release release{.rows = {{0, 0, 0, 3}, {0, 0, 1, 1}, {0, 1, 0, 2}, {0, 1, 1, 2}}};
  release.demand = {.l = 1.7547, .kind = DiversityKind::kEntropy, .t = {}};
  EXPECT_EQ(release.missed(), "");
  release.demand.l = 1.7549;
  EXPECT_THAT(release.missed(),
              HasSubstr("1 of the 2 released classes miss it, the worst with 1.755"));
  release.demand.l = 2;
  EXPECT_THAT(release.missed(), HasSubstr("1 of the 2"));  // the other has 2, up to rounding
}

TEST(VerifyClasses, ComparesTheMostFrequentWithTheTail) {
  Release release{.rows = {{0, 0, 0, 3}, {0, 0, 1, 1}, {0, 1, 0, 2}, {0, 1, 1, 2}}};
  release.demand = {.l = 2, .kind = DiversityKind::kRecursive, .c = 3.01, .t = {}};
  EXPECT_EQ(release.missed(), "");
  release.demand.c = 3;  // 3 < 3 · 1 does not hold
  EXPECT_THAT(release.missed(), HasSubstr("1 of the 2 released classes miss it, the worst with 3"));
  release.rows.push_back({1, 1, 0, 9});
  EXPECT_THAT(release.missed(),
              HasSubstr("2 of the 3 released classes miss it, the worst with inf"));
}

// The whole is (5, 3)/8: classes are at 1/8 from it.
TEST(VerifyClasses, ComputesTheDistanceToTheWhole) {
  Release release{.rows = {{0, 0, 0, 3}, {0, 0, 1, 1}, {0, 1, 0, 2}, {0, 1, 1, 2}}};
  release.demand = {.l = {}, .t = 0.125};
  EXPECT_EQ(release.missed(), "");
  release.demand.t = 0.12;
  EXPECT_THAT(release.missed(), HasSubstr("t = 0.12 is demanded, and 2 of the 2"));
  release.whole = {6, 2};  // told: the first class is as the whole, the second at 1/4
  EXPECT_THAT(release.missed(),
              HasSubstr("1 of the 2 released classes miss it, the worst with 0.25"));
  release.whole = {6};
  EXPECT_THAT(release.missed(), HasSubstr("values that the table has not"));
}

TEST(VerifyClasses, MovesNumbersAlongTheirLine) {
  Release release{.rows = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 1, 1}, {0, 1, 2, 1}}};
  release.attribute = std::make_shared<const Attribute>(numeric_attribute("x", {0, 1, 10}, 10));
  release.values = {0, 1, 2};
  // (1/2, 1/2, 0) to (1/4, 1/2, 1/4): a quarter by 10 of 10.
  release.demand = {.l = {}, .t = 0.25};
  EXPECT_EQ(release.missed(), "");
  release.rows = {{0, 0, 0, 2}, {0, 1, 1, 2}};
  release.demand.t = 0.05;  // half by 1 of 10
  EXPECT_EQ(release.missed(), "");
  release.attribute = nullptr;
  EXPECT_THAT(release.missed(), HasSubstr("2 of the 2"));
}

TEST(VerifyClasses, LeavesRecordsWithoutASensitiveValueOut) {
  Release release{.rows = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, kMissing, 3}},
                  .demand = {.l = 2, .t = 0.0}};
  EXPECT_EQ(release.missed(), "");
  release.rows.push_back({0, 1, 1, 1});
  EXPECT_THAT(release.missed(), HasSubstr("1 of the 2"));
}

// ---- Suppressed records -------------------------------------------------------------------------

TEST(VerifyClasses, LetsSuppressedRecordsShowNothing) {
  Release release{.rows = {{0, 0, 0, 2}, {0, 0, 1, 2}}, .k = 4, .demand = {.l = 2, .t = {}}};
  release.suppressed = {{kMissing, kMissing, kMissing, 1}};
  EXPECT_EQ(release.missed(), "");
  release.suppressed = {{kMissing, 1, kMissing, 1}};
  EXPECT_THAT(release.missed(), HasSubstr("a suppressed record shows a quasi-identifier"));
}

TEST(VerifyClasses, LetsSuppressedRecordsShowValuesAsAClass) {
  Release release{.rows = {{0, 0, 0, 2}, {0, 0, 1, 2}}, .k = 4, .demand = {.l = 2, .t = {}}};
  release.suppressed = {{kMissing, kMissing, 0, 3}, {kMissing, kMissing, 1, 1}};
  EXPECT_EQ(release.missed(), "");
  release.suppressed[0].count = 2;
  EXPECT_THAT(release.missed(), HasSubstr("shown of 3 suppressed records"));
  release.suppressed = {{kMissing, kMissing, 0, 4}};
  EXPECT_THAT(release.missed(), HasSubstr("shown of 4 suppressed records"));
}

// A wildcard in all places would lend its records to every class.
TEST(VerifyClasses, DoesNotCountSuppressedRecordsInClasses) {
  Release release{.rows = {{0, 0, 0, 2}, {0, 1, 1, 3}}, .k = 3, .demand = kNothing};
  release.missing = MissingRule::kWildcard;
  release.suppressed = {{kMissing, kMissing, kMissing, 5}};
  EXPECT_THAT(release.missed(), HasSubstr("1 of the 2"));
}

TEST(VerifyClasses, OfNoRecordsKeepsEverything) {
  EXPECT_EQ((Release{.rows = {}, .k = 5, .demand = {.l = 3, .t = 0.0}}.missed()), "");
}

}  // namespace
}  // namespace semveil::test
