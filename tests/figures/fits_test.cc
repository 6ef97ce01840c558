// Who fits what, against the definition value by value.
#include "figures/fits.h"

#include <gtest/gtest.h>

#include <set>

#include "support/slow_figures.h"

namespace semveil::test {
namespace {

std::vector<ConceptId> some(std::span<const ConceptId> tuple, std::span<const std::size_t> columns,
                            const Attributes& attributes, Paired& over) {
  std::vector<ConceptId> out;
  over.attributes.clear();
  for (const std::size_t j : columns) {
    out.push_back(tuple[j]);
    over.attributes.push_back(attributes[j]);
  }
  return out;
}

std::set<std::uint32_t> answers(const Fits& fits, std::size_t c,
                                std::span<const std::size_t> columns) {
  std::set<std::uint32_t> out;
  fits.for_each(c, columns, [&](std::uint32_t answer) {
    EXPECT_TRUE(out.insert(answer).second) << "twice";
    return true;
  });
  return out;
}

void expect_definition(const Paired& pairs, MissingRule missing,
                       const std::vector<std::size_t>& columns) {
  const Classes people = classes_of(pairs, Side::kBefore);
  const Classes released = classes_of(pairs, Side::kAfter);
  const Fits down(pairs.attributes, released, people, Fits::Ask::kWhoFits, missing);
  const Fits up(pairs.attributes, people, released, Fits::Ask::kWhatTheyFit, missing);
  Paired over;
  std::vector<std::set<std::uint32_t>> fitted(people.size());
  for (std::uint32_t g = 0; g < released.size(); ++g) {
    std::set<std::uint32_t> wanted;
    std::uint64_t records = 0;
    const auto shown = some(released.tuple(g), columns, pairs.attributes, over);
    for (std::uint32_t p = 0; p < people.size(); ++p) {
      const auto person = some(people.tuple(p), columns, pairs.attributes, over);
      if (!slow_fits(over, person, shown, missing == MissingRule::kWildcard)) continue;
      wanted.insert(p);
      fitted[p].insert(g);
      records += people.counts[p];
    }
    EXPECT_EQ(answers(down, g, columns), wanted);
    EXPECT_EQ(down.records(g, columns), records);
    EXPECT_EQ(down.records(g, columns, 1) > 1, records > 1);
    EXPECT_EQ(down.records(g, columns, 1) == 1, records == 1);
  }
  for (std::size_t p = 0; p < people.size(); ++p) {
    EXPECT_EQ(answers(up, p, columns), fitted[p]);
  }
}

TEST(Fits, AreThoseOfTheDefinition) {
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      const Paired pairs = mixed_pairs(domain, 40, seed);
      for (const MissingRule missing : {MissingRule::kKeep, MissingRule::kWildcard}) {
        expect_definition(pairs, missing, {0, 1, 2, 3});
        expect_definition(pairs, missing, {0});
        expect_definition(pairs, missing, {1, 3});
        expect_definition(pairs, missing, {0, 1, 2});
        expect_definition(pairs.over(std::vector<std::size_t>{0}), missing, {0});
        expect_definition(pairs.over(std::vector<std::size_t>{2, 3}), missing, {0, 1});
      }
    }
  }
}

// A leaf, what lies above it, a missing cell and texts that mean nothing.
TEST(Fits, OfATaxonomyByHand) {
  const TwinDomain domain(generate(Shape::kTree, 12, 1));
  const auto attribute = make_attribute("a", domain, {"wu-palmer"});
  const Taxonomy& taxonomy = attribute->taxonomy();
  const ConceptId root = Taxonomy::root(), missing = attribute->missing_value();
  ConceptId leaf = 0;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (taxonomy.children(c).empty()) leaf = c;
  }
  const ConceptId parent = taxonomy.parents(leaf)[0];
  const Attributes attributes{attribute};
  const Classes people{1, {leaf, missing, missing + 1}, {2, 3, 4}, {}};
  const Classes released{
      1, {root, parent, leaf, missing, missing + 1, missing + 2}, {1, 1, 1, 1, 1, 1}, {}};
  const auto counted = [&](MissingRule rule) {
    const Fits fits(attributes, released, people, Fits::Ask::kWhoFits, rule);
    std::vector<std::uint64_t> out;
    for (std::size_t g = 0; g < released.size(); ++g) out.push_back(fits.records(g));
    return out;
  };
  const std::uint64_t below = parent == root ? 9 : 2;
  EXPECT_EQ(counted(MissingRule::kKeep), (std::vector<std::uint64_t>{9, below, 2, 3, 4, 0}));
  EXPECT_EQ(counted(MissingRule::kWildcard),
            (std::vector<std::uint64_t>{9, parent == root ? 9U : 5U, 5, 9, 7, 3}));
}

// So many classes that words of them are gone through: columns of few values, one of many, and
// columns in which everybody fits.
TEST(Fits, OfManyAreThoseOfTheDefinition) {
  const TwinDomain domain(generate(Shape::kTree, 25, 4));
  const Paired few = mixed_pairs(domain, 900, 5);
  expect_definition(few, MissingRule::kKeep, {0, 1, 2, 3});
  expect_definition(few, MissingRule::kWildcard, {0, 1, 2, 3});
  Paired lifted = few;
  for (std::size_t i = 0; i < lifted.size(); ++i) {
    ConceptId& shown = lifted.after[i * lifted.width()];
    shown = i % 3 == 0 ? Taxonomy::root() : lifted.before[i * lifted.width()];
    const Taxonomy& taxonomy = lifted.attributes[0]->taxonomy();
    if (i % 3 == 1 && shown < taxonomy.size() && !taxonomy.parents(shown).empty()) {
      shown = taxonomy.parents(shown)[0];
    }
  }
  expect_definition(lifted, MissingRule::kKeep, {0, 1, 2, 3});
  expect_definition(lifted, MissingRule::kKeep, {0, 3});
  expect_definition(lifted, MissingRule::kKeep, {0});
}

// Numbers, intervals in several spellings and the star, each pair against the definition by hand.
TEST(Fits, InsideAnInterval) {
  const Attribute ages = numeric_attribute("age", {19, 20, 25, 29, 30}, 1);
  const Attributes attributes{std::make_shared<const Attribute>(ages)};
  const ConceptId missing = ages.missing_value();
  const std::vector<std::string> texts{"[20, 30)", "20-30", "(20, 25]", "*", "old"};
  FitRule rule(MissingRule::kKeep);
  auto& spanning = rule.spanning.emplace_back();
  for (std::size_t i = 0; i < 4; ++i) {
    spanning.push_back({static_cast<ConceptId>(missing + 1 + i), interval_of(texts[i])});
  }
  Classes all{1, {0, 1, 2, 3, 4}, {}, {}};
  for (ConceptId i = 0; i <= texts.size(); ++i) all.tuples.push_back(missing + i);
  all.counts.assign(all.tuples.size(), 1);
  // By released value: who fits, of 19 20 25 29 30, missing, and the five texts.
  const std::vector<std::string> wanted{"10000000000", "01000000000", "00100000000", "00010000000",
                                        "00001000000", "00000100000", "01110010100", "01111011100",
                                        "00100000100", "11111111111", "00000000001"};
  const Fits down(attributes, all, all, Fits::Ask::kWhoFits, rule);
  const Fits up(attributes, all, all, Fits::Ask::kWhatTheyFit, rule);
  for (std::uint32_t g = 0; g < all.size(); ++g) {
    for (std::uint32_t p = 0; p < all.size(); ++p) {
      const bool fits = wanted[g][p] == '1';
      EXPECT_EQ(answers(down, g, down.all_columns()).contains(p), fits) << g << ' ' << p;
      EXPECT_EQ(answers(up, p, up.all_columns()).contains(g), fits) << g << ' ' << p;
      EXPECT_EQ(down.answers(g, p), fits) << g << ' ' << p;
    }
  }
}

TEST(Fits, OfNoColumnIsEverybody) {
  const Attributes attributes{std::make_shared<const Attribute>(text_attribute("t", {"p", "q"}))};
  const Classes people{1, {0, 1}, {2, 3}, {}};
  const Fits fits(attributes, people, people, Fits::Ask::kWhoFits, MissingRule::kKeep);
  EXPECT_EQ(fits.records(0, {}), 5U);
  EXPECT_EQ(fits.records(0), 2U);
}

}  // namespace
}  // namespace semveil::test
