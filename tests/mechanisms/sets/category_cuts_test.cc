// Cuts of a taxonomy against twins that ask for everything above each value and try every cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "mechanisms/sets/categories.h"
#include "support/columns.h"
#include "support/generated_table.h"
#include "support/slow_categories.h"

namespace semveil::test {
namespace {

const MeasureCase kWuPalmer{"wu-palmer", IcModel::kNone, LcsRule::kDeepest};

std::vector<SlowCategory> as_sets(const Categories& categories) {
  std::vector<SlowCategory> out;
  for (const Categories::Category& category : categories.list) {
    EXPECT_TRUE(std::is_sorted(category.values.begin(), category.values.end()));
    EXPECT_FALSE(category.values.empty());
    EXPECT_FALSE(category.name.empty());
    out.emplace_back(category.values.begin(), category.values.end());
    EXPECT_EQ(out.back().size(), category.values.size());
  }
  return out;
}

// Every value that occurs is in exactly one category, and no other value is in any.
void expect_partition(const std::vector<SlowCategory>& categories, const FrequencyColumn& column) {
  std::vector<ConceptId> all;
  for (const SlowCategory& category : categories) {
    all.insert(all.end(), category.begin(), category.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<ConceptId> occurring = column.values.values;
  std::erase(occurring, column.attribute->missing_value());
  EXPECT_EQ(all, occurring);
}

class EveryShape : public testing::TestWithParam<Shape> {
 protected:
  struct Case {
    const TwinDomain& domain;
    const FrequencyColumn& column;
    std::uint64_t seed;
  };
  // Every generated taxonomy with every column over it.
  static void each(const std::function<void(const Case&)>& check) {
    std::uint64_t seed = 1;
    for (const GeneratedTaxonomy& taxonomy : samples_of(GetParam())) {
      const TwinDomain domain(taxonomy);
      const auto attribute = make_attribute("c", domain, kWuPalmer, {}, true);
      for (const GeneratedColumn& generated : columns_over(*domain.twins.fast, seed)) {
        SCOPED_TRACE(generated.title + " of " + std::to_string(taxonomy.ids.size()));
        const FrequencyColumn column{attribute, generated.counts(), 0};
        check({domain, column, seed});
        ++seed;
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Cuts, EveryShape, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return std::string(to_string(shape.param)); });

TEST_P(EveryShape, IsCutInBalanceAsIfEveryCutWereTried) {
  constexpr double kMostWays = 20'000;
  std::size_t compared = 0;
  each([&](const Case& c) {
    const SlowMeasure measure(c.domain.twins.slow, kWuPalmer, nullptr);
    const std::size_t values = slow_walk(c.domain.twins, c.column.values).size();
    for (std::size_t count = 1; count <= values; ++count) {
      if (ways_to_cut(values, count) > kMostWays) continue;
      const SlowCut slow =
          slow_balanced_categories(c.domain.twins, measure, count, c.column.values);
      const Categories fast =
          value_or_throw(balanced_categories(static_cast<unsigned>(count), c.column));
      ASSERT_EQ(as_sets(fast), slow.categories) << "values " << values << " count " << count;
      expect_partition(slow.categories, c.column);
      ++compared;
    }
    EXPECT_FALSE(balanced_categories(static_cast<unsigned>(values) + 1, c.column));
  });
  EXPECT_GT(compared, 0U);
}

// Rows too long to try every cut of: no category beyond its share by more than a quarter or by more
// than its greatest value, and nothing lost.
TEST_P(EveryShape, StaysBalancedInAnyNumberOfCategories) {
  each([&](const Case& c) {
    const std::size_t values = slow_walk(c.domain.twins, c.column.values).size();
    std::map<ConceptId, std::uint64_t> counts;
    for (std::size_t i = 0; i < c.column.values.values.size(); ++i) {
      counts[c.column.values.values[i]] = c.column.values.counts[i];
    }
    counts.erase(c.column.attribute->missing_value());
    std::uint64_t records = 0;
    std::uint64_t heaviest = 0;
    for (const auto& [value, count] : counts) {
      records += count;
      heaviest = std::max(heaviest, count);
    }
    for (std::size_t count = 1; count <= values; ++count) {
      const std::vector<SlowCategory> found =
          as_sets(value_or_throw(balanced_categories(static_cast<unsigned>(count), c.column)));
      ASSERT_EQ(found.size(), count);
      expect_partition(found, c.column);
      for (const SlowCategory& category : found) {
        std::uint64_t sum = 0;
        for (const ConceptId value : category) sum += counts[value];
        EXPECT_LE(sum, std::max(records / count + heaviest, records * 5 / (4 * count)));
      }
    }
  });
}

TEST_P(EveryShape, IsCutAtEveryDepthAsItsTwin) {
  each([&](const Case& c) {
    for (unsigned depth = 1; depth <= c.domain.twins.fast->max_depth() + 1; ++depth) {
      const auto slow = slow_categories_at_depth(c.domain.twins, depth, c.column.values);
      const Result<Categories> fast = categories_at_depth(depth, c.column);
      ASSERT_EQ(fast.has_value(), slow.has_value()) << "depth " << depth;
      if (!fast) {
        EXPECT_EQ(fast.error().code, ErrorCode::kData);
        EXPECT_EQ(fast.error().place.column, "c");
        continue;
      }
      const std::vector<SlowCategory> found = as_sets(*fast);
      EXPECT_EQ(std::set<SlowCategory>(found.begin(), found.end()), *slow);
      EXPECT_EQ(found.size(), slow->size());
      expect_partition(found, c.column);
    }
  });
}

// Random roots seldom lie apart, so the children of a concept are tried as well.
TEST_P(EveryShape, IsCutBelowRootsAsItsTwin) {
  std::size_t cut = 0;
  std::size_t refused = 0;
  each([&](const Case& c) {
    const Taxonomy& taxonomy = *c.domain.twins.fast;
    Random random(c.seed);
    std::vector<std::vector<ConceptId>> tried;
    for (ConceptId p = 0; p < taxonomy.size(); ++p) {
      const auto children = taxonomy.children(p);
      tried.emplace_back(children.begin(), children.end());
      random.shuffle(tried.back());
      tried.push_back({p});
    }
    for (int i = 0; i < 10; ++i) {
      tried.emplace_back();
      for (std::size_t n = random.below(4); n-- > 0;) {
        tried.back().push_back(static_cast<ConceptId>(random.below(taxonomy.size())));
      }
    }
    for (const std::vector<ConceptId>& roots : tried) {
      const auto slow = slow_categories_below(c.domain.twins, roots, c.column.values);
      const Result<Categories> fast = categories_below(roots, c.column);
      ASSERT_EQ(fast.has_value(), slow.has_value() && !roots.empty());
      if (!fast) {
        EXPECT_EQ(fast.error().code, ErrorCode::kData);
        EXPECT_EQ(fast.error().place.column, "c");
        ++refused;
        continue;
      }
      EXPECT_EQ(as_sets(*fast), *slow);
      expect_partition(*slow, c.column);
      ++cut;
    }
  });
  EXPECT_GT(cut, 0U);
  EXPECT_GT(refused, 0U);
}

// Part of an ontology: names are those of the ontology, numbers those of the domain.
TEST(CategoryCuts, OfADomainKnowItsNames) {
  const auto domain = TwinDomain::part_of(generate(Shape::kTree, 40, 3));
  const auto attribute = make_attribute("c", *domain, kWuPalmer);
  FrequencyColumn column{attribute, {}, 0};
  for (ConceptId c = 0; c < attribute->size(); ++c) {
    column.values.values.push_back(c);
    column.values.counts.push_back(1);
  }
  const Categories found = value_or_throw(categories_at_depth(2, column));
  ASSERT_GT(found.list.size(), 1U);
  for (const Categories::Category& category : found.list) {
    EXPECT_EQ(category.name, attribute->id(category.values[0]));  // its label is its id
  }
}

}  // namespace
}  // namespace semveil::test
