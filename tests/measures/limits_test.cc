// Where the layout of keys and lists changes: the greatest sizes of each, and one beyond.
#include <gtest/gtest.h>

#include "base/cpu.h"
#include "ontology/ancestor_index.h"
#include "ontology/taxonomy_builder.h"
#include "semveil/measure.h"

namespace semveil::test {
namespace {

std::shared_ptr<const Taxonomy> taxonomy_of(std::uint32_t concepts,
                                            std::vector<TaxonomyLink> links) {
  std::vector<std::uint32_t> rank(concepts);
  for (std::uint32_t i = 0; i < concepts; ++i) rank[i] = i;
  return build_taxonomy(std::move(links), rank).taxonomy;
}

// Two arms of `links` links each below one root: the greatest path sum there is for a depth.
std::shared_ptr<const Taxonomy> two_arms(std::uint32_t links) {
  std::vector<TaxonomyLink> all;
  for (std::uint32_t i = 0; i < links; ++i) {
    all.push_back({1 + 2 * i, i == 0 ? 0 : 2 * i - 1});
    all.push_back({2 + 2 * i, i == 0 ? 0 : 2 * i});
  }
  return taxonomy_of(1 + 2 * links, all);
}

void expect_forms_agree(const std::shared_ptr<const Taxonomy>& taxonomy,
                        std::span<const ConceptId> some) {
  for (const std::string_view name : {"wu-palmer", "path", "lin"}) {
    MeasureOptions options;
    options.name = name;
    const auto measure = *make_measure(taxonomy, options);
    std::vector<double> all(taxonomy->size());
    const DistanceMatrix matrix = measure->among(some);
    for (std::size_t i = 0; i < some.size(); ++i) {
      measure->from(some[i], all);
      for (std::size_t j = 0; j < some.size(); ++j) {
        const double expected = measure->explain(some[i], some[j]).distance;
        ASSERT_EQ(measure->distance(some[i], some[j]), expected) << name;
        ASSERT_EQ(all[some[j]], expected) << name;
        ASSERT_EQ(matrix(i, j), expected) << name;
      }
    }
  }
}

TEST(Limits, OfNarrowKeysAreTwoArmsAroundDepth128) {
  for (const std::uint32_t links : {62U, 63U, 64U, 126U, 127U, 128U, 129U}) {
    const auto taxonomy = two_arms(links);
    ASSERT_EQ(taxonomy->max_depth(), links + 1);
    const auto last = static_cast<ConceptId>(taxonomy->size() - 1);
    const std::vector<ConceptId> some{0, 1, 2, last / 2, last - 2, last - 1, last};
    ASSERT_NO_FATAL_FAILURE(expect_forms_agree(taxonomy, some)) << links;
    const auto measure = *make_measure(taxonomy);
    EXPECT_EQ(measure->distance(last - 1, last), 1 - 2.0 / (2.0 + 2 * links));
  }
}

TEST(Limits, OfNarrowListsAreSixteenBitsOfConceptsWithChildren) {
  for (const std::uint32_t inner : {65533U, 65534U, 65535U, 70000U}) {
    std::vector<TaxonomyLink> links;  // a root, `inner` − 1 children, a grandchild of each
    for (std::uint32_t i = 1; i < inner; ++i) {
      links.push_back({i, 0});
      links.push_back({inner + i - 1, i});
    }
    const auto taxonomy = taxonomy_of(2 * inner - 1, links);
    const auto last = static_cast<ConceptId>(taxonomy->size() - 1);
    const std::vector<ConceptId> some{0,     1,         2,        inner - 2, inner - 1,
                                      inner, inner + 1, last - 1, last};
    ASSERT_NO_FATAL_FAILURE(expect_forms_agree(taxonomy, some)) << inner;
  }
}

TEST(Limits, OfListsAre65535AncestorsAndThenThereIsNoIndex) {
  for (const std::uint32_t parents : {65533U, 65536U}) {
    std::vector<TaxonomyLink> links;  // a root, its children, and two children of all of these
    for (std::uint32_t i = 1; i <= parents; ++i) {
      links.push_back({i, 0});
      links.push_back({parents + 1, i});
      links.push_back({parents + 2, i});
    }
    const auto taxonomy = taxonomy_of(parents + 3, links);
    EXPECT_EQ(taxonomy->ancestor_index().usable(), parents < 65535);
    const auto last = static_cast<ConceptId>(taxonomy->size() - 1);
    const std::vector<ConceptId> some{0, 1, last - 1, last};
    ASSERT_NO_FATAL_FAILURE(expect_forms_agree(taxonomy, some)) << parents;
  }
}

TEST(Limits, ProcessorsWithoutAvx2GetTheSameBits) {
  const auto taxonomy = two_arms(40);
  std::vector<ConceptId> some;
  for (ConceptId c = 0; c < taxonomy->size(); c += 3) some.push_back(c);
  const auto measure = *make_measure(taxonomy);
  const DistanceMatrix with = measure->among(some);
  allow_avx2() = false;
  const DistanceMatrix without = measure->among(some);
  for (std::size_t i = 0; i < some.size(); ++i) {
    for (std::size_t j = 0; j < some.size(); ++j) {
      EXPECT_EQ(without(i, j), with(i, j));
      EXPECT_EQ(measure->distance(some[i], some[j]), with(i, j));
    }
  }
  allow_avx2() = true;
}

}  // namespace
}  // namespace semveil::test
