// Means of many small groups against semantic_mean, which looks at all concepts for each.
#include "mechanisms/microaggregate/group_means.h"

#include <gtest/gtest.h>

#include "support/columns.h"
#include "support/data.h"
#include "support/generated_table.h"

namespace semveil::test {
namespace {

TEST(GroupMeans, AreTheSemanticMeans) {
  std::uint64_t seed = 0;
  for (const Shape shape : kShapes) {
    for (const GeneratedTaxonomy& sample : samples_of(shape)) {
      const TwinDomain domain(sample);
      const MeasureCase& which = measure_cases()[++seed % measure_cases().size()];
      const auto attribute = make_attribute("a", domain, which, {}, true);
      std::vector<ValueCounts> groups;
      for (const std::uint64_t more : {0, 1, 2}) {
        for (const GeneratedColumn& column : columns_over(attribute->taxonomy(), 3 * seed + more)) {
          groups.push_back(column.counts());
        }
      }
      const std::vector<ConceptId> means = GroupMeans(attribute).of(groups, 2);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto mean = semantic_mean(*attribute->measure, groups[g]);
        EXPECT_EQ(means[g], mean ? mean->concept_id : attribute->missing_value())
            << to_string(shape) << " " << which.title() << " group " << g;
      }
    }
  }
}

TEST(GroupMeans, OfNothingButMissingIsMissing) {
  const TwinDomain domain(generate(Shape::kTree, 20, 1));
  const auto attribute = make_attribute("a", domain, {"wu-palmer"}, {}, true);
  const ConceptId missing = attribute->missing_value();
  EXPECT_EQ(GroupMeans(attribute).of(ValueCounts{{missing}, {3}}), missing);
}

TEST(GroupMeans, AreAllowed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TwinDomain domain(generate(Shape::kDag, 40, seed));
    const auto attribute =
        make_attribute("a", domain, {"wu-palmer"}, {.deny = {}, .leaves_only = true}, true);
    for (const GeneratedColumn& column : columns_over(attribute->taxonomy(), seed)) {
      const ValueCounts group = column.counts();
      const ConceptId mean = GroupMeans(attribute).of(group);
      ASSERT_TRUE(attribute->candidates->contains(mean));
      for (ConceptId c = 0; c < attribute->taxonomy().size(); ++c) {
        if (!attribute->candidates->contains(c)) continue;
        EXPECT_LE(marginality(*attribute->measure, mean, group),
                  marginality(*attribute->measure, c, group) +
                      1e-9 * static_cast<double>(group.total()) + 1e-12);
      }
    }
  }
}

TEST(GroupMeans, AreTheSemanticMeansInWordNet) {
  const auto wordnet = installed_wordnet();
  if (!wordnet) SEMVEIL_SKIP_WITHOUT("WordNet");
  const std::shared_ptr<const Taxonomy> taxonomy = *wordnet->taxonomy();
  Attribute attribute;
  attribute.names = *wordnet->names();
  attribute.domain = std::make_shared<const Domain>(Domain::whole(taxonomy));
  attribute.measure = *make_measure(taxonomy);
  attribute.candidates = std::make_shared<const Candidates>(*Candidates::of(*taxonomy, {}));
  const auto shared = std::make_shared<const Attribute>(std::move(attribute));
  Random random(7);
  std::vector<ValueCounts> groups;
  for (std::size_t i = 0; i < 200; ++i) {
    GeneratedColumn column;
    const auto start = static_cast<ConceptId>(1 + random.below(taxonomy->size() - 200));
    for (std::size_t n = 0; n < 2 + i % 5; ++n) {  // some near each other, some anywhere
      column.records.push_back(
          i % 2 == 0 ? start + static_cast<ConceptId>(random.below(100))
                     : static_cast<ConceptId>(1 + random.below(taxonomy->size() - 1)));
    }
    groups.push_back(column.counts());
  }
  const std::vector<ConceptId> means = GroupMeans(shared).of(groups, 1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    EXPECT_EQ(means[g], semantic_mean(*shared->measure, groups[g])->concept_id) << g;
  }
}

}  // namespace
}  // namespace semveil::test
