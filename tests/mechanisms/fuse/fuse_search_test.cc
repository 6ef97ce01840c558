// The search for similar tuples against a look at all of them, also where a column is too wide for
// a table of distances.
#include "mechanisms/fuse/fuse_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/slow_fuse.h"

namespace semveil::test {
namespace {

constexpr std::size_t kTooMany = 5800;  // values of a column for its distances to be kept

double distance(const ClassTable& table, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t j = 0; j < table.width(); ++j) {
    sum += table.attributes[j]->distance(table.value(a, j), table.value(b, j));
  }
  return sum;
}

void expect_right(const ClassTable& table, const FuseSearch& search, std::uint32_t tuple,
                  FuseSearch::Scratch& scratch) {
  double least = INFINITY;
  for (std::uint32_t t = 0; t < table.size(); ++t) {
    if (t != tuple && search.size_of(t) > 0) least = std::min(least, distance(table, tuple, t));
  }
  const FuseSearch::Nearest nearest = search.nearest(tuple, 0, scratch);
  if (std::isinf(least)) {
    EXPECT_EQ(nearest.tuple, FuseSearch::kNone);
    return;
  }
  ASSERT_NEAR(nearest.distance, least, 1e-12);
  ASSERT_GT(search.size_of(nearest.tuple), 0U);
  ASSERT_NEAR(distance(table, tuple, nearest.tuple), least, 1e-12);
  // Knowing the answer makes the search end, not lie.
  ASSERT_EQ(search.nearest(tuple, nearest.distance, scratch).distance, nearest.distance);
  std::vector<std::uint32_t> tied, smallest;
  std::uint64_t size = ~std::uint64_t{0};
  for (std::uint32_t t = 0; t < table.size(); ++t) {
    if (t == tuple || search.size_of(t) == 0) continue;
    if (distance(table, tuple, t) > least + 1e-9) continue;
    tied.push_back(t);
    size = std::min(size, search.size_of(t));
  }
  std::ranges::copy_if(tied, std::back_inserter(smallest),
                       [&](std::uint32_t t) { return search.size_of(t) == size; });
  FuseSearch::Tied found = search.tied(tuple, nearest.distance, scratch);
  EXPECT_EQ(found.size, size);
  EXPECT_TRUE(std::ranges::find(smallest, found.smallest) != smallest.end());
  std::ranges::sort(found.others);
  if (tied.size() <= FuseSearch::kKept) {
    EXPECT_EQ(found.others, tied);
  } else {
    EXPECT_TRUE(found.others.empty());
  }
  std::vector<std::uint32_t> of_size;
  search.tied_of_size(tuple, nearest.distance, size, scratch, of_size);
  std::ranges::sort(of_size);
  EXPECT_EQ(of_size, smallest);
}

TEST(FuseSearch, FindsWhatALookAtAllFinds) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    FuseCaseShape shape;
    shape.shape = kShapes[seed % 7];
    shape.columns = 1 + seed % 4;
    shape.numeric = seed % 3 == 0 ? 1 : 0;
    shape.texts = seed % 5 == 0 ? 1 : 0;
    shape.distinct = 3 + seed % 9;
    shape.records = 60;
    shape.missing_one_in = seed % 4 == 1 ? 5 : 0;
    const FuseCase data = make_fuse_case(shape, seed);
    FuseSearch search(data.table, 1);
    FuseSearch::Scratch scratch;
    Random random(seed);
    SCOPED_TRACE(seed);
    while (search.left() > 0) {
      std::vector<std::uint32_t> left;
      for (std::uint32_t t = 0; t < data.table.size(); ++t) {
        if (search.size_of(t) > 0) left.push_back(t);
      }
      ASSERT_EQ(left.size(), search.left());
      for (const std::uint32_t t : left) expect_right(data.table, search, t, scratch);
      if (HasFailure()) return;
      search.resize(left[random.below(left.size())], 1 + random.below(9));
      search.resize(left[random.below(left.size())], 0);
    }
  }
}

TEST(FuseSearch, FindsTheSameInColumnsTooWideToKeep) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    FuseCaseShape shape;
    shape.shape = Shape::kDag;
    shape.columns = seed == 2 ? 2 : 1;
    shape.numeric = seed == 3 ? 1 : 0;
    shape.texts = seed == 4 ? 1 : 0;
    shape.distinct = 10;
    FuseCase data = make_fuse_case(shape, seed);
    // One column is made wide.
    Attribute wide = *data.table.attributes[0];
    if (wide.is_nominal()) {
      const Ontology ontology = to_ontology(generate(Shape::kDag, kTooMany + 1, seed));
      wide.domain = std::make_shared<const Domain>(Domain::whole(*ontology.taxonomy()));
      wide.measure = *make_measure(*ontology.taxonomy());
    } else if (wide.is_numeric()) {
      std::vector<double> numbers;
      for (std::size_t i = 0; i < kTooMany; ++i) numbers.push_back(static_cast<double>(i * i));
      wide = numeric_attribute("wide", std::move(numbers), 1e7);
    } else {
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < kTooMany; ++i) texts.push_back(std::to_string(100000 + i));
      wide = text_attribute("wide", std::move(texts));
    }
    const auto attribute = std::make_shared<const Attribute>(std::move(wide));
    data.table.attributes[0] = attribute;
    data.table.values[0].clear();
    for (ConceptId c = 0; c < kTooMany; ++c) data.table.values[0].push_back(c);
    data.table.values[0].push_back(attribute->missing_value());
    std::vector<std::vector<Code>> records;
    for (Code v = 0; v <= kTooMany; v += 1 + v % 7) {
      records.push_back({v});
      if (shape.columns == 2) records.back().push_back(v % 3);
    }
    records.push_back(records.back());
    records.back()[0] = kTooMany;  // missing
    data = with_records(std::move(data), records);
    FuseSearch search(data.table, 1);
    FuseSearch::Scratch scratch, expecting;
    ASSERT_TRUE(ColumnDistances(attribute, data.table.values[0], 1).row(0).empty());
    std::vector<std::uint32_t> some;
    for (std::uint32_t t = 0; t < data.table.size(); t += 100) some.push_back(t);
    some.push_back(static_cast<std::uint32_t>(data.table.size() - 1));
    search.expect(some, expecting);
    SCOPED_TRACE(seed);
    for (const std::uint32_t t : some) {
      expect_right(data.table, search, t, scratch);
      expect_right(data.table, search, t, expecting);
    }
  }
}

}  // namespace
}  // namespace semveil::test
