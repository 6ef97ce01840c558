// Against the linear programme over single distances; classes and columns made from a seed.
#include "mechanisms/classes/closeness.h"

#include <gtest/gtest.h>

#include <numeric>

#include "semveil/ontology.h"
#include "support/generate.h"
#include "support/linear_programme.h"

namespace semveil::test {
namespace {

struct Whole {
  std::shared_ptr<const Attribute> attribute;
  std::vector<ConceptId> values;
  std::vector<std::uint64_t> counts;

  double distance(std::size_t a, std::size_t b) const {
    if (a == b) return 0;
    if (!attribute || values[a] == kMissing || values[b] == kMissing) return 1;
    return attribute->distance(values[a], values[b]);
  }
};

std::vector<PlaceCount> any_class(Random& random, const Whole& whole) {
  std::vector<PlaceCount> out;
  const std::size_t most = 1 + random.below(whole.values.size());
  for (std::size_t i = 0; i < whole.values.size() && out.size() < most; ++i) {
    if (random.one_in(2)) out.push_back({static_cast<Code>(i), 1 + random.below(9)});
  }
  if (out.empty()) out.push_back({0, 3});
  return out;
}

double by_programme(const Whole& whole, const std::vector<PlaceCount>& of_class) {
  double records = 0;
  for (const PlaceCount& value : of_class) records += static_cast<double>(value.count);
  double all = 0;
  for (const std::uint64_t count : whole.counts) all += static_cast<double>(count);
  std::vector<double> from, to, costs;
  for (const PlaceCount& value : of_class)
    from.push_back(static_cast<double>(value.count) / records);
  for (const std::uint64_t count : whole.counts) to.push_back(static_cast<double>(count) / all);
  for (const PlaceCount& value : of_class) {
    for (std::size_t b = 0; b < to.size(); ++b) costs.push_back(whole.distance(value.place, b));
  }
  return transport_by_programme(from, to, costs);
}

void expect_as_programme(const Whole& whole, std::uint64_t seed) {
  const Closeness closeness(whole.attribute, whole.values, whole.counts);
  Random random(seed);
  for (int i = 0; i < 12; ++i) {
    const std::vector<PlaceCount> of_class = any_class(random, whole);
    const double t = by_programme(whole, of_class);
    ASSERT_NEAR(closeness.t(of_class), t, 1e-10);
    // Bounds decide as the transport does, near t and far from it.
    for (const double off : {1e-9, 1e-3, 0.1, 0.3}) {
      ASSERT_TRUE(closeness.within(of_class, t + off)) << off;
      ASSERT_FALSE(closeness.within(of_class, t - off)) << off;
    }
  }
}

TEST(Closeness, OfConceptsIsTheTransport) {
  for (const Shape shape : kShapes) {
    const Ontology ontology = to_ontology(generate(shape, 40, 3));
    const std::shared_ptr<const Taxonomy> taxonomy = *ontology.taxonomy();
    if (taxonomy->size() < 2) continue;
    for (const std::string_view name : {"wu-palmer", "path", "lin"}) {
      auto attribute = std::make_shared<Attribute>();
      attribute->domain = std::make_shared<const Domain>(Domain::whole(taxonomy));
      attribute->measure =
          *make_measure(attribute->domain->taxonomy(), {.name = std::string(name), .ic = nullptr});
      Random random(4);
      Whole whole{attribute, {}, {}};
      for (int i = 0; i < 9; ++i) {  // also twice, in no order
        whole.values.push_back(static_cast<ConceptId>(random.below(attribute->size())));
        whole.counts.push_back(1 + random.below(50));
      }
      whole.values.push_back(attribute->missing_value());
      whole.values.push_back(kMissing);  // not mapped, twice: different from each other
      whole.values.push_back(kMissing);
      whole.counts.insert(whole.counts.end(), {5, 3, 1});
      expect_as_programme(whole, 5);
    }
  }
}

// Too many values for a table of all distances: those of a class are computed when it comes.
TEST(Closeness, OfManyConceptsIsTheTransport) {
  const Ontology ontology = to_ontology(generate(Shape::kTree, 4200, 3));
  const std::shared_ptr<const Taxonomy> taxonomy = *ontology.taxonomy();
  auto attribute = std::make_shared<Attribute>();
  attribute->domain = std::make_shared<const Domain>(Domain::whole(taxonomy));
  attribute->measure = *make_measure(attribute->domain->taxonomy());
  Whole whole{attribute, {}, {}};
  for (ConceptId c = 0; c < taxonomy->size(); ++c) {
    whole.values.push_back(c);
    whole.counts.push_back(1 + c % 7);
  }
  const std::vector<PlaceCount> of_class{{5, 3}, {77, 1}, {4100, 2}};
  std::vector<double> costs;
  for (const PlaceCount& value : of_class) {
    for (ConceptId c = 0; c < taxonomy->size(); ++c) {
      costs.push_back(attribute->distance(value.place, c));
    }
  }
  const double t = transport_cost(std::vector<std::uint64_t>{3, 1, 2}, whole.counts, costs);
  const Closeness closeness(attribute, whole.values, whole.counts);
  EXPECT_EQ(closeness.t(of_class), t);
  EXPECT_TRUE(closeness.within(of_class, t));
  EXPECT_FALSE(closeness.within(of_class, t - 1e-9));
  // Steps that do for nothing, for finding out which values are one, for all.
  const std::uint64_t pairs = of_class.size() * whole.counts.size();
  for (std::uint64_t steps : {std::uint64_t{0}, pairs - 1, pairs, pairs + 4}) {
    EXPECT_FALSE(closeness.t(of_class, steps));
  }
  std::uint64_t left = 1'000'000;
  EXPECT_EQ(closeness.t(of_class, left), t);
  EXPECT_LT(left, 1'000'000 - pairs);
}

TEST(Closeness, OfNumbersIsTheTransport) {
  const std::vector<double> numbers{-3, -1, 0, 0.5, 2, 8, 13};
  const std::vector<ConceptId> mixed{4, 0, 6, 1, 5, 2};
  const std::vector<std::uint64_t> counts{7, 1, 3, 12, 2, 5};
  for (const double unit : {16.0, 20.0, 4.0, 0.0}) {  // the range, above it, below it: cut off at 1
    const auto attribute = std::make_shared<const Attribute>(numeric_attribute("x", numbers, unit));
    expect_as_programme({attribute, mixed, counts}, 6);
    std::vector<ConceptId> holed = mixed;
    holed[2] = kMissing;
    expect_as_programme({attribute, holed, counts}, 7);
  }
}

TEST(Closeness, OfTextsIsTheTransport) {
  expect_as_programme({nullptr, {0, 1, 2, 3}, {4, 1, 1, 9}}, 8);
  const auto texts = std::make_shared<const Attribute>(text_attribute("x", {"a", "b", "c", "d"}));
  expect_as_programme({texts, {0, 1, 2, 3}, {4, 1, 1, 9}}, 9);
}

// Li et al. 2007, section 5.1: salaries 3K to 11K in steps of 1K, one record each. The classes
// {3K, 4K, 5K} and {6K, 8K, 11K} are at 0.375 and 0.167 from them.
TEST(Closeness, OfTheSalariesOfThePaper) {
  std::vector<double> salaries(9);
  std::iota(salaries.begin(), salaries.end(), 3.0);
  std::vector<ConceptId> values(9);
  std::iota(values.begin(), values.end(), ConceptId{0});
  const auto attribute =
      std::make_shared<const Attribute>(numeric_attribute("salary", salaries, 8));
  const Closeness closeness(attribute, values, std::vector<std::uint64_t>(9, 1));
  EXPECT_NEAR(closeness.t(std::vector<PlaceCount>{{0, 1}, {1, 1}, {2, 1}}), 0.375, 1e-12);
  EXPECT_NEAR(closeness.t(std::vector<PlaceCount>{{3, 1}, {5, 1}, {8, 1}}), 1.0 / 6, 1e-12);
}

TEST(Closeness, OfNoRecordsIsNothing) {
  const Closeness closeness(nullptr, {0, 1}, {1, 1});
  EXPECT_EQ(closeness.t({}), 0);
  EXPECT_TRUE(closeness.within({}, 0));
}

}  // namespace
}  // namespace semveil::test
