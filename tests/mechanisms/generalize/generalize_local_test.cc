// Local generalisation: every class has k records and what is demanded, and carries exactly the
// least common generalisation of its tuples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mechanisms/generalize/generalize_engine.h"
#include "support/generated_table.h"
#include "support/slow_generalize.h"

namespace semveil::test {
namespace {

struct LocalCase {
  ClassTable table;
  std::vector<std::vector<ConceptId>> cells;
};
LocalCase local_case(Shape shape, std::uint64_t seed, std::size_t columns, std::size_t rows,
                     std::size_t concepts = 14) {
  Random random(seed);
  LocalCase out;
  std::vector<std::shared_ptr<const Attribute>> attributes;
  for (std::size_t j = 0; j < columns; ++j) {
    const TwinDomain domain(generate(shape, 4 + random.below(concepts), random.next()));
    attributes.push_back(
        make_attribute("c" + std::to_string(j), domain, measure_cases().front(), {}, true));
    out.cells.push_back(
        draw_cells(attributes[j]->taxonomy(), rows, concepts, random.one_in(2) ? 9 : 0, random));
    std::ranges::replace(out.cells[j], kMissing, attributes[j]->missing_value());
  }
  out.table = class_table_of(attributes, out.cells);
  return out;
}

// The lowest level of the twin on which all are one.
ConceptId least_common(const SlowLevels& levels, const std::set<Code>& values) {
  for (std::size_t level = 0;; ++level) {
    std::set<ConceptId> there;
    for (const Code v : values) there.insert(levels.at(v).at(level));
    if (there.size() == 1) return *there.begin();
  }
}

void expect_sound(const ClassTable& table, const GeneralizeOptions& options, std::uint64_t limit) {
  const auto found = generalize_tuples(table, options);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(found->levels);
  std::vector<std::vector<ConceptId>> cells(table.size());
  std::map<std::vector<ConceptId>, std::vector<std::size_t>> classes;
  std::uint64_t suppressed = 0;
  for (std::size_t t = 0; t < table.size(); ++t) {
    if (found->suppressed[t]) {
      suppressed += table.counts[t];
      continue;
    }
    const auto first = found->cells.begin() + static_cast<std::ptrdiff_t>(t * table.width());
    cells[t].assign(first, first + static_cast<std::ptrdiff_t>(table.width()));
    classes[cells[t]].push_back(t);
  }
  EXPECT_EQ(found->suppressed_records, suppressed);
  EXPECT_LE(suppressed, limit);
  EXPECT_NEAR(found->loss, slow_loss(table, cells, options.loss),
              1e-12 * std::max(1.0, found->loss));
  for (const auto& [own, tuples] : classes) {
    EXPECT_TRUE(slow_meets(table, tuples, options.k));
    for (std::size_t j = 0; j < table.width(); ++j) {
      std::set<Code> values;
      for (const std::size_t t : tuples) values.insert(table.tuple(t)[j]);
      EXPECT_EQ(own[j],
                least_common(slow_levels_by_depth(*table.attributes[j], table.values[j]), values));
    }
  }
  GeneralizeOptions threads = options;
  threads.threads = 4;
  EXPECT_EQ(generalize_tuples(table, threads)->cells, found->cells);
}

class LocalOfShape : public testing::TestWithParam<Shape> {};

TEST_P(LocalOfShape, ClassesCarryTheirLeastCommonGeneralisation) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const LocalCase own = local_case(GetParam(), seed, 1 + seed % 3, 15 + 11 * seed);
    const std::uint64_t thousandths = seed % 4 * 40;
    expect_sound(own.table,
                 {.k = 1 + seed % 7,
                  .loss = static_cast<GeneralizeLoss>(seed % 4),
                  .suppression = static_cast<double>(thousandths) / 1000},
                 thousandths * own.table.records() / 1000);
  }
}

TEST_P(LocalOfShape, ClassesHaveWhatIsDemanded) {
  const std::vector<Demand> demands = {
      {.l = 2.0, .kind = DiversityKind::kDistinct, .c = 4, .t = {}},
      {.l = 1.8, .kind = DiversityKind::kEntropy, .c = 4, .t = {}},
      {.l = 2.0, .kind = DiversityKind::kRecursive, .c = 3, .t = {}},
      {.l = {}, .kind = DiversityKind::kDistinct, .c = 4, .t = 0.25}};
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    LocalCase own = local_case(GetParam(), 50 + seed, 2, 60);
    Random random(seed);
    std::vector<std::optional<Code>> values;
    for (std::size_t i = 0; i < own.cells.front().size(); ++i) {
      values.push_back(static_cast<Code>(random.below(3)));
    }
    add_sensitive(own.table, own.cells, values, demands[seed % demands.size()]);
    const std::uint64_t thousandths = seed > 8 ? 50 : 0;
    expect_sound(own.table,
                 {.k = 2 + seed % 3, .suppression = static_cast<double>(thousandths) / 1000},
                 thousandths * own.table.records() / 1000);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, LocalOfShape, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return to_string(shape.param); });

// Some fifteen levels in each of six columns: far more combinations than are walked.
TEST(LocalGeneralisation, WorksOnTaxonomiesOfManyLevels) {
  const LocalCase own = local_case(Shape::kSkips, 7, 6, 800, 120);
  expect_sound(own.table, {.k = 5}, 0);
}

// Two levels each: even these are more combinations than are walked.
TEST(LocalGeneralisation, WorksOnManyColumns) {
  const LocalCase own = local_case(Shape::kStar, 7, 16, 300);
  expect_sound(own.table, {.k = 4}, 0);
}

TEST(LocalGeneralisation, ChangesNothingWhereNothingIsAsked) {
  const LocalCase own = local_case(Shape::kTree, 3, 2, 60);
  const auto found = generalize_tuples(own.table, {.k = 1});
  ASSERT_TRUE(found);
  for (std::size_t t = 0; t < own.table.size(); ++t) {
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(found->cells[t * 2 + j], own.table.value(t, j));
  }
}

TEST(LocalGeneralisation, SaysWhatCannotBeHad) {
  LocalCase own = local_case(Shape::kTree, 3, 2, 20);
  add_sensitive(own.table, own.cells, std::vector<std::optional<Code>>(20, Code{0}),
                {.l = 2.0, .kind = DiversityKind::kDistinct, .c = 4, .t = {}});
  for (const auto scope : {GeneralizeScope::kFullDomain, GeneralizeScope::kLocal}) {
    const auto found = generalize_tuples(own.table, {.k = 2, .scope = scope});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kGuarantee);
  }
  EXPECT_EQ(generalize_tuples(local_case(Shape::kTree, 3, 2, 20).table, {.k = 21}).error().code,
            ErrorCode::kGuarantee);
}

}  // namespace
}  // namespace semveil::test
