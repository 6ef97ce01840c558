// Figures of sensitive columns against definitions written out, class by class.
#include "release/privacy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/generate.h"

namespace semveil::test {
namespace {

constexpr std::size_t kQuasiIdentifiers[] = {0, 1};

TupleCounter any_tuples(std::uint64_t seed, std::size_t classes, std::size_t records) {
  Random random(seed);
  TupleCounter tuples(3);
  for (std::size_t i = 0; i < records; ++i) {
    const std::size_t in = random.below(classes);
    // Codes with holes between them, and missing ones.
    const Code value = random.one_in(9) ? kMissing : static_cast<Code>(10 + 3 * random.below(6));
    tuples.add(std::vector<Code>{static_cast<Code>(in / 3), static_cast<Code>(in % 3), value});
  }
  return tuples;
}

using Class = std::map<Code, double>;

std::map<std::pair<Code, Code>, Class> classes_of(const TupleCounter& tuples) {
  std::map<std::pair<Code, Code>, Class> out;
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    const auto tuple = tuples.tuple(t);
    if (tuple[2] == kMissing) continue;
    out[{tuple[0], tuple[1]}][tuple[2]] += static_cast<double>(tuples.count(t));
  }
  return out;
}

TEST(SensitiveFigures, AreThoseOfTheWorstClass) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const TupleCounter tuples = any_tuples(seed, 1 + seed % 9, 20 * seed);
    Class whole;
    double all = 0;
    std::size_t l = 1000;
    double least = HUGE_VAL, t = 0, ratio = 0;
    const auto classes = classes_of(tuples);
    for (const auto& [key, values] : classes) {
      l = std::min(l, values.size());
      for (const auto& [value, count] : values) {
        whole[value] += count;
        all += count;
      }
    }
    for (const auto& [key, values] : classes) {
      double records = 0, entropy = 0, apart = 0;
      std::vector<double> counts;
      for (const auto& [value, count] : values) {
        records += count;
        counts.push_back(count);
      }
      for (const auto& [value, count] : values)
        entropy -= count / records * std::log(count / records);
      for (const auto& [value, count] : whole) {
        const auto found = values.find(value);
        const double share = found == values.end() ? 0 : found->second / records;
        apart += std::abs(share - count / all) / 2;
      }
      std::sort(counts.rbegin(), counts.rend());
      double tail = 0;
      for (std::size_t i = l - 1; i < counts.size(); ++i) tail += counts[i];
      ratio = std::max(ratio, counts.front() / tail);
      least = std::min(least, std::exp(entropy));
      t = std::max(t, apart);
    }
    const ClassValues found(tuples, kQuasiIdentifiers, 2);
    EXPECT_EQ(found.size(), classes.size());
    const std::vector<ConceptId> meaning(found.codes().size(), kMissing);
    const SensitiveFigures figures =
        sensitive_figures(found, Closeness(nullptr, meaning, found.whole()));
    EXPECT_EQ(figures.l, l);
    EXPECT_NEAR(figures.entropy_l, least, 1e-12);
    EXPECT_NEAR(figures.t.value(), t, 1e-12);
    EXPECT_EQ(figures.recursive_c.has_value(), l > 1);
    if (l > 1) {
      EXPECT_DOUBLE_EQ(*figures.recursive_c, ratio);
    }
  }
}

// Classes that cannot be the farthest are passed over: t is the same as if none were.
TEST(SensitiveFigures, FindTheFarthestOfAllClasses) {
  const Ontology ontology = to_ontology(generate(Shape::kDag, 60, 3));
  auto attribute = std::make_shared<Attribute>();
  attribute->domain = std::make_shared<const Domain>(Domain::whole(*ontology.taxonomy()));
  attribute->measure = *make_measure(attribute->domain->taxonomy());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TupleCounter tuples = any_tuples(seed, 30, 60 * seed);
    const ClassValues classes(tuples, kQuasiIdentifiers, 2);
    std::vector<ConceptId> meaning(classes.codes().begin(), classes.codes().end());
    meaning.front() = kMissing;
    const Closeness closeness(attribute, meaning, classes.whole());
    double t = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) t = std::max(t, closeness.t(classes.of(i)));
    EXPECT_NEAR(sensitive_figures(classes, closeness).t.value(), t, 1e-14);
  }
}

TEST(ClassValues, OfEqualSharesAreOne) {
  TupleCounter tuples(2);
  const auto add = [&](Code in, Code value, std::uint64_t count) {
    tuples.add(std::vector<Code>{in, value}, count);
  };
  for (const auto& [in, times] : {std::pair{0U, 1U}, {1U, 3U}}) {
    add(in, 7, 2 * times);
    add(in, 9, 4 * times);
  }
  add(2, 9, 5);
  add(3, 7, 1);
  add(3, 9, 1);
  const std::size_t places[] = {0};
  const ClassValues classes(tuples, places, 1);
  EXPECT_EQ(classes.codes(), (std::vector<Code>{7, 9}));
  EXPECT_EQ(classes.whole(), (std::vector<std::uint64_t>{9, 22}));
  const ClassValues distinct = classes.distinct();
  ASSERT_EQ(distinct.size(), 3U);
  EXPECT_EQ(distinct.of(0).front(), (PlaceCount{1, 1}));
  EXPECT_EQ(distinct.of(1)[1], (PlaceCount{1, 1}));
  EXPECT_EQ(distinct.of(2)[0], (PlaceCount{0, 1}));
  EXPECT_EQ(distinct.of(2)[1], (PlaceCount{1, 2}));
  EXPECT_EQ(distinct.whole(), classes.whole());
}

TEST(SensitiveFigures, OfNoValuesAreNothing) {
  TupleCounter tuples(2);
  tuples.add(std::vector<Code>{0, kMissing}, 5);
  const std::size_t places[] = {0};
  const ClassValues classes(tuples, places, 1);
  const SensitiveFigures figures = sensitive_figures(classes, Closeness(nullptr, {}, {}));
  EXPECT_EQ(figures.l, 0U);
  EXPECT_EQ(figures.entropy_l, 0);
  EXPECT_FALSE(figures.t || figures.recursive_c);
}

}  // namespace
}  // namespace semveil::test
