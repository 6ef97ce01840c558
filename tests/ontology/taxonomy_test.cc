// Taxonomy against its slow twin on generated graphs, and by hand where the rule is worth reading.
#include "semveil/taxonomy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ontology/draft.h"
#include "support/generate.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

using Node = SlowTaxonomy::Node;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// By hand: ids, and links as pairs of ids (child, parent).
GeneratedTaxonomy taxonomy_of(std::vector<std::string> ids,
                              const std::vector<std::pair<std::string, std::string>>& links) {
  GeneratedTaxonomy out{std::move(ids), {}};
  const auto index = [&](const std::string& id) {
    return static_cast<std::size_t>(std::find(out.ids.begin(), out.ids.end(), id) -
                                    out.ids.begin());
  };
  for (const auto& [child, parent] : links) out.links.emplace_back(index(child), index(parent));
  return out;
}

Result<Ontology> finish(const GeneratedTaxonomy& taxonomy) {
  OntologyDraft draft;
  for (const std::string& id : taxonomy.ids) draft.add_concept(id);
  for (const auto& [child, parent] : taxonomy.links) {
    draft.add_link(static_cast<OntologyDraft::Index>(child),
                   static_cast<OntologyDraft::Index>(parent));
  }
  return std::move(draft).finish("links.csv");
}

std::vector<Node> nodes(const Twins& twins, std::span<const ConceptId> concepts) {
  std::vector<Node> out;
  for (const ConceptId c : concepts) out.push_back(twins.node[c]);
  std::sort(out.begin(), out.end());
  return out;
}

template <class Set>
std::vector<Node> sorted(const Set& set) {
  return {set.begin(), set.end()};
}

class TaxonomyOfEveryShape : public testing::TestWithParam<Shape> {
 protected:
  template <class Check>
  void for_each_sample(const Check& check) {
    std::size_t number = 0;
    for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
      SCOPED_TRACE("sample " + std::to_string(number++));
      check(Twins(sample));
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(TaxonomyOfEveryShape, HasTheTwinsSizeDepthsParentsAndChildren) {
  for_each_sample([](const Twins& twins) {
    const Taxonomy& t = *twins.fast;
    EXPECT_EQ(t.has_virtual_root(), twins.slow.has_virtual_root());
    EXPECT_EQ(twins.node[Taxonomy::root()], twins.slow.root());
    EXPECT_EQ(t.is_virtual(Taxonomy::root()), twins.slow.has_virtual_root());
    EXPECT_EQ(t.max_depth(), twins.slow.max_depth());
    for (ConceptId c = 0; c < t.size(); ++c) {
      const Node n = twins.node[c];
      ASSERT_EQ(t.depth(c), twins.slow.depth(n)) << twins.slow.id(n);
      ASSERT_EQ(nodes(twins, t.parents(c)), sorted(twins.slow.parents(n))) << twins.slow.id(n);
      ASSERT_EQ(nodes(twins, t.children(c)), sorted(twins.slow.children(n))) << twins.slow.id(n);
      ASSERT_EQ(t.is_leaf(c), twins.slow.is_leaf(n)) << twins.slow.id(n);
      ASSERT_TRUE(std::is_sorted(t.parents(c).begin(), t.parents(c).end()));
      ASSERT_TRUE(std::is_sorted(t.children(c).begin(), t.children(c).end()));
    }
  });
}

TEST_P(TaxonomyOfEveryShape, NumbersConceptsByDepthSoThatParentsComeFirst) {
  for_each_sample([](const Twins& twins) {
    const Taxonomy& t = *twins.fast;
    EXPECT_EQ(t.depth(Taxonomy::root()), 1U);
    for (ConceptId c = 1; c < t.size(); ++c) {
      ASSERT_LE(t.depth(c - 1), t.depth(c));
      ASSERT_FALSE(t.is_virtual(c));
      for (const ConceptId parent : t.parents(c)) ASSERT_LT(parent, c);
    }
  });
}

TEST_P(TaxonomyOfEveryShape, RanksIdsByTheirBytes) {
  for_each_sample([](const Twins& twins) {
    const Taxonomy& t = *twins.fast;
    for (ConceptId a = 0; a < t.size(); ++a) {
      for (ConceptId b = 0; b < t.size(); ++b) {
        if (t.is_virtual(a) || t.is_virtual(b)) continue;
        ASSERT_EQ(t.id_rank(a) < t.id_rank(b), twins.names->id(a) < twins.names->id(b))
            << twins.names->id(a) << " and " << twins.names->id(b);
      }
    }
  });
}

TEST_P(TaxonomyOfEveryShape, ListsAncestorsFromTheConceptUpWithTheFewestLinks) {
  for_each_sample([](const Twins& twins) {
    for (ConceptId c = 0; c < twins.fast->size(); ++c) {
      const std::vector<Ancestor> ancestors = twins.fast->ancestors(c);
      ASSERT_EQ(ancestors.front(), (Ancestor{c, 0}));
      ASSERT_EQ(ancestors.back().concept_id, Taxonomy::root());
      std::map<Node, unsigned> paths;
      for (std::size_t i = 0; i < ancestors.size(); ++i) {
        if (i > 0) {
          ASSERT_LT(ancestors[i].concept_id, ancestors[i - 1].concept_id);
        }
        paths[twins.node[ancestors[i].concept_id]] = ancestors[i].path;
      }
      ASSERT_EQ(paths, twins.slow.subsumers(twins.node[c])) << twins.slow.id(twins.node[c]);
    }
  });
}

TEST_P(TaxonomyOfEveryShape, ListsDescendantsFromTheConceptDown) {
  for_each_sample([](const Twins& twins) {
    for (ConceptId c = 0; c < twins.fast->size(); ++c) {
      const std::vector<ConceptId> below = twins.fast->descendants(c);
      ASSERT_EQ(below.front(), c);
      ASSERT_TRUE(std::is_sorted(below.begin(), below.end()));
      ASSERT_EQ(nodes(twins, below), sorted(twins.slow.descendants(twins.node[c])));
    }
  });
}

TEST_P(TaxonomyOfEveryShape, FindsTheLcsOfEveryPair) {
  for_each_sample([](const Twins& twins) {
    for (ConceptId a = 0; a < twins.fast->size(); ++a) {
      for (ConceptId b = 0; b < twins.fast->size(); ++b) {
        const SlowTaxonomy::Common expected = twins.slow.lcs(twins.node[a], twins.node[b]);
        ASSERT_EQ(twins.fast->lcs(a, b),
                  (Subsumer{twins.concept_id[expected.node], expected.path_a, expected.path_b}))
            << twins.slow.id(twins.node[a]) << " and " << twins.slow.id(twins.node[b]) << ": not "
            << twins.slow.id(twins.node[twins.fast->lcs(a, b).concept_id]) << " but "
            << twins.slow.id(expected.node);
      }
    }
  });
}

TEST_P(TaxonomyOfEveryShape, FindsTheLcsOfLists) {
  for_each_sample([](const Twins& twins) {
    Random random(twins.fast->size());
    for (int i = 0; i < 300; ++i) {
      std::vector<ConceptId> list;
      std::vector<Node> slow_list;
      for (std::size_t length = 1 + random.below(6); length > 0; --length) {
        list.push_back(static_cast<ConceptId>(random.below(twins.fast->size())));
        slow_list.push_back(twins.node[list.back()]);
      }
      ASSERT_EQ(twins.node[twins.fast->lcs(list)], twins.slow.lcs(slow_list))
          << testing::PrintToString(list);
    }
  });
}

// The same numbers too: whatever is computed from a taxonomy cannot depend on the file's order.
TEST_P(TaxonomyOfEveryShape, IsTheSameWhateverTheOrderOfItsInput) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    const Taxonomy::Arrays& expected = twins.fast->arrays();
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Twins again(reordered(sample, seed));
      const Taxonomy::Arrays& found = again.fast->arrays();
      ASSERT_TRUE(std::ranges::equal(found.depth, expected.depth));
      ASSERT_TRUE(std::ranges::equal(found.parent_begin, expected.parent_begin));
      ASSERT_TRUE(std::ranges::equal(found.parents, expected.parents));
      ASSERT_TRUE(std::ranges::equal(found.id_rank, expected.id_rank));
      for (ConceptId c = 0; c < again.fast->size(); ++c) {
        ASSERT_EQ(again.names->id(c), twins.names->id(c));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TaxonomyOfEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

TEST(Taxonomy, HasNoVirtualRootAboveASingleRoot) {
  const Twins twins(taxonomy_of({"b", "a"}, {{"b", "a"}}));
  EXPECT_EQ(twins.fast->size(), 2U);
  EXPECT_FALSE(twins.fast->has_virtual_root());
  EXPECT_EQ(twins.names->id(Taxonomy::root()), "a");
  EXPECT_EQ(twins.fast->max_depth(), 2U);
}

TEST(Taxonomy, JoinsSeveralRootsUnderAVirtualOneOfDepthOne) {
  const Twins twins(taxonomy_of({"plant", "animal", "dog"}, {{"dog", "animal"}}));
  EXPECT_EQ(twins.fast->size(), 4U);
  EXPECT_TRUE(twins.fast->is_virtual(Taxonomy::root()));
  EXPECT_EQ(twins.names->id(Taxonomy::root()), "");
  EXPECT_EQ(twins.names->label(Taxonomy::root()), "(top)");
  EXPECT_EQ(twins.fast->depth(twins.concept_id[twins.slow.node("plant")]), 2U);
  EXPECT_EQ(twins.fast->depth(twins.concept_id[twins.slow.node("dog")]), 3U);
  const Subsumer top = twins.fast->lcs(twins.concept_id[twins.slow.node("dog")],
                                       twins.concept_id[twins.slow.node("plant")]);
  EXPECT_EQ(top, (Subsumer{Taxonomy::root(), 2, 1}));
}

TEST(Taxonomy, CountsDepthOnTheLongestWayAndPathsOnTheShortest) {
  // A short cut from e to the root a, beside the long way over b, c, d.
  const Twins twins(taxonomy_of({"a", "b", "c", "d", "e"},
                                {{"b", "a"}, {"c", "b"}, {"d", "c"}, {"e", "d"}, {"e", "a"}}));
  const ConceptId e = twins.concept_id[twins.slow.node("e")];
  EXPECT_EQ(twins.fast->depth(e), 5U);
  EXPECT_EQ(twins.fast->ancestors(e).back(), (Ancestor{Taxonomy::root(), 1}));
}

TEST(Taxonomy, PrefersTheDeeperSubsumerThenTheNearerThenTheSmallerId) {
  // x and y lie under m9, m10 and far; far is as deep but two links further from x.
  const auto lcs_id = [](const std::vector<std::pair<std::string, std::string>>& links) {
    const Twins twins(taxonomy_of({"y", "m9", "root", "x", "far", "m10", "mid"}, links));
    const ConceptId lcs =
        twins.fast
            ->lcs(twins.concept_id[twins.slow.node("x")], twins.concept_id[twins.slow.node("y")])
            .concept_id;
    return std::string(twins.names->id(lcs));
  };
  std::vector<std::pair<std::string, std::string>> links = {
      {"m9", "root"}, {"m10", "root"}, {"far", "root"}, {"mid", "far"},
      {"x", "mid"},   {"y", "far"},    {"x", "m9"},     {"y", "m9"}};
  EXPECT_EQ(lcs_id(links), "m9");  // as deep as far, but nearer
  links.insert(links.end(), {{"x", "m10"}, {"y", "m10"}});
  EXPECT_EQ(lcs_id(links), "m10");  // '1' < '9': bytes, not numbers
  links.emplace_back("y", "mid");
  EXPECT_EQ(lcs_id(links), "mid");  // deeper
}

TEST(Taxonomy, CountsARepeatedLinkOnce) {
  const Twins twins(taxonomy_of({"a", "b"}, {{"b", "a"}, {"b", "a"}}));
  EXPECT_THAT(twins.fast->parents(1), ElementsAre(0U));
  EXPECT_THAT(twins.fast->children(0), ElementsAre(1U));
}

TEST(Taxonomy, NamesTheConceptsOnACycleAndNoOthers) {
  const Result<Ontology> ontology = finish(taxonomy_of(
      {"above", "ape", "bee", "cow", "under"},
      {{"ape", "above"}, {"ape", "cow"}, {"bee", "ape"}, {"cow", "bee"}, {"under", "cow"}}));
  ASSERT_FALSE(ontology);
  EXPECT_EQ(ontology.error().code, ErrorCode::kData);
  EXPECT_EQ(ontology.error().place.file, "links.csv");
  const std::string text = describe(ontology.error(), Quote::kShow);
  for (const char* id : {"ape", "bee", "cow"}) EXPECT_THAT(text, HasSubstr(id));
  for (const char* id : {"above", "under"}) EXPECT_THAT(text, Not(HasSubstr(id)));
}

TEST(Taxonomy, IsRefusedWhenNothingHasNoParent) {
  const Result<Ontology> ontology =
      finish(taxonomy_of({"ape", "bee"}, {{"ape", "bee"}, {"bee", "ape"}}));
  ASSERT_FALSE(ontology);
  const std::string text = describe(ontology.error(), Quote::kShow);
  EXPECT_THAT(text, HasSubstr("ape"));
  EXPECT_THAT(text, HasSubstr("bee"));
}

// So many ways up that they are not put in order one by one, and asked for so often that lists of
// them are kept.
TEST(Taxonomy, ListsAncestorsWhereLinksAreDense) {
  constexpr std::size_t kConcepts = 160, kParents = 50, kRounds = 3;
  Random random(7);
  GeneratedTaxonomy made;
  for (std::size_t c = 0; c < kConcepts; ++c) {
    made.ids.push_back("c" + std::to_string(c));
    for (std::size_t i = 0; i < std::min(c, kParents); ++i) {
      made.links.emplace_back(c, i == 0 ? c / 2 : random.below(c));
    }
  }
  const Twins twins(made);
  std::vector<std::map<Node, unsigned>> expected;
  for (ConceptId c = 0; c < twins.fast->size(); ++c) {
    expected.push_back(twins.slow.subsumers(twins.node[c]));
  }
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (ConceptId c = 0; c < twins.fast->size(); ++c) {
      const std::vector<Ancestor> ancestors = twins.fast->ancestors(c);
      std::map<Node, unsigned> paths;
      for (std::size_t i = 0; i < ancestors.size(); ++i) {
        if (i > 0) {
          ASSERT_LT(ancestors[i].concept_id, ancestors[i - 1].concept_id);
        }
        paths[twins.node[ancestors[i].concept_id]] = ancestors[i].path;
      }
      ASSERT_EQ(paths, expected[c]) << "round " << round;
    }
  }
}

TEST(Taxonomy, WithoutConceptsIsAnError) {
  const Result<Ontology> ontology = finish({});
  ASSERT_FALSE(ontology);
  EXPECT_EQ(ontology.error().code, ErrorCode::kData);
}

TEST(Taxonomy, GoesDownToItsGreatestDepthAndNoFurther) {
  const auto chain = [](std::size_t size) {
    GeneratedTaxonomy out;
    for (std::size_t c = 0; c < size; ++c) {
      out.ids.push_back(std::to_string(c));
      if (c > 0) out.links.emplace_back(c, c - 1);
    }
    return finish(out);
  };
  const Result<Ontology> deepest = chain(Taxonomy::kMaxDepth);
  ASSERT_TRUE(deepest) << describe(deepest.error(), Quote::kShow);
  EXPECT_EQ(value_or_throw(deepest->taxonomy())->max_depth(), Taxonomy::kMaxDepth);
  const Result<Ontology> deeper = chain(Taxonomy::kMaxDepth + 1);
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().code, ErrorCode::kData);
}

TEST(TaxonomyWayUp, IsAShortestOneThroughTheSmallestIds) {
  //   r ─ b ─ x      and a longer way r ─ a ─ y ─ x; b and c are equally short, b is smaller
  //   r ─ c ─ x
  const Ontology ontology = to_ontology(
      {{"r", "c", "b", "a", "y", "x"}, {{1, 0}, {2, 0}, {3, 0}, {4, 3}, {5, 1}, {5, 2}, {5, 4}}});
  const auto taxonomy = *ontology.taxonomy();
  const auto names = *ontology.names();
  const auto last = static_cast<ConceptId>(taxonomy->size() - 1);
  std::string way;
  for (const ConceptId c : taxonomy->way_up(last, Taxonomy::root())) way += names->id(c);
  EXPECT_EQ(way, "xbr");
  EXPECT_TRUE(taxonomy->way_up(Taxonomy::root(), last).empty());
  EXPECT_EQ(taxonomy->way_up(last, last), std::vector<ConceptId>{last});
}

}  // namespace
}  // namespace semveil::test
