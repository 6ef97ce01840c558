// Full-domain generalisation equals an exhaustive search: on generated taxonomies and VGHs, and on
// Adult, where ARX's figures are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mechanisms/generalize/generalize_engine.h"
#include "mechanisms/generalize/generalize_loss.h"
#include "mechanisms/generalize/level_table.h"
#include "ontology/loaders.h"
#include "support/adult_table.h"
#include "support/data.h"
#include "support/generated_table.h"
#include "support/loaded.h"
#include "support/slow_generalize.h"

namespace semveil::test {
namespace {

constexpr GeneralizeLoss kLosses[] = {GeneralizeLoss::kLm, GeneralizeLoss::kLmGeometric,
                                      GeneralizeLoss::kNcp, GeneralizeLoss::kDiscernibility};

void expect_like_twin(const ClassTable& table, const std::vector<SlowLevels>& levels,
                      std::uint64_t k) {
  for (const GeneralizeLoss loss : kLosses) {
    for (const std::uint64_t thousandths : {0, 50, 290, 1000}) {
      SCOPED_TRACE(testing::Message() << "k " << k << ", loss " << static_cast<int>(loss)
                                      << ", suppression " << thousandths << " / 1000");
      const GeneralizeOptions options{.k = k,
                                      .scope = GeneralizeScope::kFullDomain,
                                      .loss = loss,
                                      .suppression = static_cast<double>(thousandths) / 1000};
      const auto expected =
          slow_full_domain(table, levels, options, thousandths * table.records() / 1000);
      const auto found = generalize_tuples(table, options);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) {
        EXPECT_EQ(found.error().code, ErrorCode::kGuarantee);
        continue;
      }
      EXPECT_EQ(found->levels, expected->levels);
      EXPECT_EQ(found->suppressed_records, expected->suppressed);
      EXPECT_NEAR(found->loss, expected->loss, 1e-12 * std::max(1.0, expected->loss));
      // Every kept class has k records and what is demanded.
      std::map<std::vector<ConceptId>, std::vector<std::size_t>> classes;
      for (std::size_t t = 0; t < table.size(); ++t) {
        std::vector<ConceptId> own;
        for (std::size_t j = 0; j < table.width(); ++j) {
          const ConceptId cell = found->cells[t * table.width() + j];
          own.push_back(cell);
          EXPECT_EQ(cell, found->suppressed[t] ? table.attributes[j]->missing_value()
                                               : levels[j][table.tuple(t)[j]][(*found->levels)[j]]);
        }
        if (!found->suppressed[t]) classes[own].push_back(t);
      }
      for (const auto& own : classes) EXPECT_TRUE(slow_meets(table, own.second, k));
    }
  }
}

// Columns over taxonomies of a shape, a few cells missing.
struct LatticeCase {
  ClassTable table;
  std::vector<std::vector<ConceptId>> cells;
  std::vector<SlowLevels> levels;
};
LatticeCase lattice_case(Shape shape, std::uint64_t seed, std::size_t columns, std::size_t rows) {
  Random random(seed);
  LatticeCase out;
  std::vector<std::shared_ptr<const Attribute>> attributes;
  for (std::size_t j = 0; j < columns; ++j) {
    const TwinDomain domain(generate(shape, 4 + random.below(10), random.next()));
    attributes.push_back(
        make_attribute("c" + std::to_string(j), domain, measure_cases().front(), {}, true));
    out.cells.push_back(
        draw_cells(attributes[j]->taxonomy(), rows, 8, random.one_in(2) ? 9 : 0, random));
    std::ranges::replace(out.cells[j], kMissing, attributes[j]->missing_value());
  }
  out.table = class_table_of(attributes, out.cells);
  for (std::size_t j = 0; j < columns; ++j) {
    out.levels.push_back(slow_levels_by_depth(*attributes[j], out.table.values[j]));
  }
  return out;
}

class FullDomainOfShape : public testing::TestWithParam<Shape> {};

TEST_P(FullDomainOfShape, IsTheBestOfAllCombinations) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const LatticeCase own = lattice_case(GetParam(), seed, 1 + seed % 3, 10 + 7 * seed);
    expect_like_twin(own.table, own.levels, 1 + seed % 6);
  }
}

TEST_P(FullDomainOfShape, IsTheBestWithDemandsToo) {
  const std::vector<Demand> demands = {
      {.l = 2.0, .kind = DiversityKind::kDistinct, .c = 4, .t = {}},
      {.l = 1.8, .kind = DiversityKind::kEntropy, .c = 4, .t = {}},
      {.l = 2.0, .kind = DiversityKind::kRecursive, .c = 1.5, .t = {}},
      {.l = {}, .kind = DiversityKind::kDistinct, .c = 4, .t = 0.31}};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    LatticeCase own = lattice_case(GetParam(), 100 + seed, 2, 40);
    Random random(seed);
    std::vector<std::optional<Code>> values;
    for (std::size_t i = 0; i < own.cells.front().size(); ++i) {
      const auto value = static_cast<Code>(std::min(random.below(3), random.below(3)));
      values.push_back(seed > 8 && random.one_in(3) ? std::nullopt : std::optional(value));
    }
    add_sensitive(own.table, own.cells, values, demands[seed % demands.size()]);
    expect_like_twin(own.table, own.levels, 2 + seed % 3);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FullDomainOfShape, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return to_string(shape.param); });

// Rows whose labels part again on higher levels: what is one on a level may be two on the next.
TEST(FullDomain, OfAVghGoesAlongItsRows) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    std::vector<std::shared_ptr<const Attribute>> attributes;
    std::vector<std::vector<ConceptId>> cells;
    std::vector<std::vector<std::vector<std::string>>> rows;
    for (std::size_t j = 0; j < 2; ++j) {
      const std::size_t levels = 2 + random.below(4);
      const std::size_t tops = random.one_in(4) ? 2 : 1;
      std::string text;
      auto& own = rows.emplace_back();
      for (std::size_t value = 0; value < 9; ++value) {
        std::vector<std::string>& row = own.emplace_back();
        for (std::size_t level = 0; level < levels; ++level) {
          const std::size_t labels = level + 1 == levels ? tops : 7 - level;
          const std::size_t label = level == 0 ? value : random.below(labels);
          row.push_back(std::string(1, static_cast<char>('a' + level)) + std::to_string(label));
          text += (level > 0 ? ";" : "") + row.back();
        }
        text += "\n";
      }
      const Loaded loaded = finished(parse_vgh(text, "v.csv"));
      auto attribute = std::make_shared<Attribute>();
      attribute->domain = std::make_shared<const Domain>(Domain::whole(loaded.taxonomy));
      attribute->names = loaded.names;
      attribute->levels = value_or_throw(level_table(
          value_or_throw(parse_vgh_levels(text, "v.csv")), *loaded.names, *attribute->domain));
      attributes.push_back(attribute);
      auto& column = cells.emplace_back();
      for (std::size_t i = 0; i < 50; ++i) {
        column.push_back(random.one_in(12) ? attribute->missing_value()
                                           : loaded.find(own[random.below(own.size())].front()));
      }
    }
    const ClassTable table = class_table_of(attributes, cells);
    std::vector<SlowLevels> levels;
    for (std::size_t j = 0; j < 2; ++j) {
      levels.push_back(slow_levels_by_rows(*attributes[j], table.values[j], rows[j]));
    }
    expect_like_twin(table, levels, 2 + seed % 5);
  }
}

TEST(FullDomain, NamesTheSuppressionThatWouldDo) {
  // Two roots, which no level joins: the one record below the second is never one of three.
  const std::string text = "1;x\n2;x\n3;x\n4;y\n";
  const Loaded loaded = finished(parse_vgh(text, "v.csv"));
  auto attribute = std::make_shared<Attribute>();
  attribute->domain = std::make_shared<const Domain>(Domain::whole(loaded.taxonomy));
  attribute->names = loaded.names;
  attribute->levels = value_or_throw(level_table(value_or_throw(parse_vgh_levels(text, "v.csv")),
                                                 *loaded.names, *attribute->domain));
  const ClassTable table = class_table_of(
      {attribute}, {{loaded.find("1"), loaded.find("2"), loaded.find("3"), loaded.find("4")}});
  GeneralizeOptions options{.k = 3, .scope = GeneralizeScope::kFullDomain};
  const auto found = generalize_tuples(table, options);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kGuarantee);
  EXPECT_THAT(found.error().message, testing::HasSubstr("suppression = 0.250000 (1 records)"));
  options.suppression = 0.25;
  EXPECT_EQ(generalize_tuples(table, options)->suppressed_records, 1U);
  options.k = 5;
  const auto few = generalize_tuples(table, options);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, ErrorCode::kGuarantee);
  EXPECT_THAT(few.error().message, testing::HasSubstr("4 records, fewer than k = 5"));
}

TEST(FullDomain, AsksForAHierarchyOfNumbersAndTexts) {
  for (const bool numeric : {true, false}) {
    const auto attribute = std::make_shared<const Attribute>(
        numeric ? numeric_attribute("age", {1, 2}, 1) : text_attribute("zip", {"a", "b"}));
    const ClassTable table = class_table_of({attribute}, {{0, 1}});
    for (const auto scope : {GeneralizeScope::kFullDomain, GeneralizeScope::kLocal}) {
      const auto found = generalize_tuples(table, {.k = 1, .scope = scope});
      ASSERT_FALSE(found);
      EXPECT_EQ(found.error().code, ErrorCode::kData);
      EXPECT_EQ(found.error().place.column, numeric ? "age" : "zip");
      EXPECT_THAT(found.error().message, testing::HasSubstr("hierarchy = {intervals = 5}"));
    }
  }
}

TEST(SuppressionLimit, IsTheFloorOfTheProductAsWritten) {
  EXPECT_EQ(suppression_limit(0.05, 30162), 1508U);
  EXPECT_EQ(suppression_limit(0.29, 100), 29U);  // 28.999999999999996 in doubles
  EXPECT_EQ(suppression_limit(0.57, 100), 57U);
  EXPECT_EQ(suppression_limit(0.1, 19), 1U);
  EXPECT_EQ(suppression_limit(0, 1000), 0U);
  EXPECT_EQ(suppression_limit(1, 1000), 1000U);
}

TEST(TableLoss, OfTheGeometricMeanIsTheRootOfTheProduct) {
  const std::vector<double> columns = {0.5, 0.25, 0};
  EXPECT_NEAR(table_loss(GeneralizeLoss::kLmGeometric, columns), std::cbrt(1.875) - 1, 1e-15);
  EXPECT_NEAR(table_loss(GeneralizeLoss::kLm, columns), 0.25, 1e-15);
  EXPECT_NEAR(root_of(1, 8), 1, 1e-15);
  EXPECT_NEAR(root_of(256, 8), 2, 1e-15);
}

}  // namespace
}  // namespace semveil::test
