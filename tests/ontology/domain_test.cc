// Domains against the slow twin: which concepts are in, their depths, and the way there and back.
#include "semveil/domain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/generate.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

using Node = SlowTaxonomy::Node;

// The domain's own taxonomy is the twin's, and both translations agree.
void expect_same(const Twins& all, const Domain& domain, const SlowTaxonomy& slow) {
  const Taxonomy& t = *domain.taxonomy();
  ASSERT_EQ(t.size(), slow.size());
  ASSERT_EQ(domain.concepts(), slow.size() - (slow.has_virtual_root() ? 1 : 0));
  ASSERT_EQ(t.has_virtual_root(), slow.has_virtual_root());
  const Twins twins(domain, *all.names, slow);
  ASSERT_EQ(twins.node[Taxonomy::root()], slow.root());
  for (ConceptId c = 0; c < t.size(); ++c) {
    const Node n = twins.node[c];
    ASSERT_EQ(t.depth(c), slow.depth(n)) << slow.id(n);
    std::set<Node> parents, children;
    for (const ConceptId parent : t.parents(c)) parents.insert(twins.node[parent]);
    for (const ConceptId child : t.children(c)) children.insert(twins.node[child]);
    ASSERT_EQ(parents, slow.parents(n)) << slow.id(n);
    ASSERT_EQ(children, slow.children(n)) << slow.id(n);
    ASSERT_EQ(domain.in_domain(domain.in_ontology(c)), c);
    for (ConceptId other = 0; other < t.size(); ++other) {
      if (t.is_virtual(c) || t.is_virtual(other)) continue;
      ASSERT_EQ(t.id_rank(c) < t.id_rank(other), slow.id(n) < slow.id(twins.node[other]));
    }
  }
  for (ConceptId c = 0; c < all.fast->size(); ++c) {
    const bool inside = slow.contains(all.slow.id(all.node[c]));
    ASSERT_EQ(domain.in_domain(c).has_value(), inside) << all.slow.id(all.node[c]);
    if (inside) {
      ASSERT_EQ(domain.in_ontology(*domain.in_domain(c)), c);
    }
  }
}

class DomainOfEveryShape : public testing::TestWithParam<Shape> {};

TEST_P(DomainOfEveryShape, WholeIsTheOntologyItself) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    const Domain whole = Domain::whole(twins.fast);
    EXPECT_EQ(whole.taxonomy(), twins.fast);
    ASSERT_NO_FATAL_FAILURE(expect_same(twins, whole, twins.slow));
  }
}

TEST_P(DomainOfEveryShape, SubtreeIsEverythingAtOrBelowItsRoot) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    for (ConceptId root = 0; root < twins.fast->size(); ++root) {
      SCOPED_TRACE("root " + twins.slow.id(twins.node[root]));
      ASSERT_NO_FATAL_FAILURE(expect_same(twins, Domain::subtree(twins.fast, root),
                                          twins.slow.subtree(twins.node[root])));
    }
  }
}

TEST_P(DomainOfEveryShape, BranchesAreWhatLiesBetweenTheRootAndTheValues) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    Random random(sample.ids.size());
    for (ConceptId root = 0; root < twins.fast->size(); ++root) {
      std::vector<ConceptId> values;  // some outside the root, some repeated, or none at all
      std::set<Node> slow_values;
      for (std::size_t count = random.below(6); count > 0; --count) {
        values.push_back(static_cast<ConceptId>(random.below(twins.fast->size())));
        slow_values.insert(twins.node[values.back()]);
      }
      SCOPED_TRACE("root " + twins.slow.id(twins.node[root]));
      ASSERT_NO_FATAL_FAILURE(expect_same(twins, Domain::branches(twins.fast, root, values),
                                          twins.slow.branches(twins.node[root], slow_values)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DomainOfEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

//   thing ─ disease ─ cold ─ flu        "loss" is a disease and an event
//         └ event ─── loss
class DomainByHand : public testing::Test {
 protected:
  DomainByHand()
      : twins_(GeneratedTaxonomy{{"thing", "disease", "cold", "flu", "event", "loss"},
                                 {{1, 0}, {2, 1}, {3, 2}, {4, 0}, {5, 4}, {5, 1}}}) {}
  ConceptId id(const std::string& name) const { return twins_.concept_id[twins_.slow.node(name)]; }

  const Twins twins_;
};

TEST_F(DomainByHand, CountsDepthsFromItsOwnRoot) {
  const Domain disease = Domain::subtree(twins_.fast, id("disease"));
  EXPECT_EQ(disease.concepts(), 4U);
  EXPECT_EQ(disease.taxonomy()->depth(*disease.in_domain(id("disease"))), 1U);
  EXPECT_EQ(disease.taxonomy()->depth(*disease.in_domain(id("flu"))), 3U);
  EXPECT_FALSE(disease.in_domain(id("event")));
  // Inside the domain "loss" has one parent.
  EXPECT_EQ(disease.taxonomy()->parents(*disease.in_domain(id("loss"))).size(), 1U);
}

TEST_F(DomainByHand, BranchesLeaveOutWhatNoValueReaches) {
  const std::vector<ConceptId> values = {id("cold"), id("event")};
  const Domain branches = Domain::branches(twins_.fast, id("disease"), values);
  EXPECT_EQ(branches.concepts(), 2U);
  EXPECT_TRUE(branches.in_domain(id("cold")));
  EXPECT_FALSE(branches.in_domain(id("flu")));   // below the value
  EXPECT_FALSE(branches.in_domain(id("loss")));  // no value
}

TEST_F(DomainByHand, CandidatesAreEverythingUnlessRulesSayOtherwise) {
  const Candidates all = value_or_throw(Candidates::of(*twins_.fast, {}));
  EXPECT_EQ(all.count(), 6U);
  for (ConceptId c = 0; c < 6; ++c) EXPECT_TRUE(all.contains(c));
}

TEST_F(DomainByHand, CandidatesObeyDenyListLeavesAndDepth) {
  CandidateRules deny;
  deny.deny = {id("loss"), id("loss"), id("thing")};
  const Candidates without = value_or_throw(Candidates::of(*twins_.fast, deny));
  EXPECT_EQ(without.count(), 4U);
  EXPECT_FALSE(without.contains(id("loss")));
  EXPECT_TRUE(without.contains(id("flu")));

  CandidateRules leaves;
  leaves.leaves_only = true;
  const Candidates ends = value_or_throw(Candidates::of(*twins_.fast, leaves));
  EXPECT_EQ(ends.count(), 2U);
  EXPECT_TRUE(ends.contains(id("flu")));
  EXPECT_FALSE(ends.contains(id("cold")));

  CandidateRules deep;
  deep.min_depth = 3;
  const Candidates below = value_or_throw(Candidates::of(*twins_.fast, deep));
  EXPECT_EQ(below.count(), 3U);  // cold, flu, loss
  EXPECT_FALSE(below.contains(id("disease")));
  EXPECT_TRUE(below.contains(id("loss")));

  CandidateRules both = deep;
  both.leaves_only = true;
  both.deny = {id("flu")};
  const Candidates one = value_or_throw(Candidates::of(*twins_.fast, both));
  EXPECT_EQ(one.count(), 1U);
  EXPECT_TRUE(one.contains(id("loss")));
}

TEST_F(DomainByHand, HeadingsAreNoCandidatesAndAreCounted) {
  CandidateRules rules;
  rules.headings = {id("thing"), id("disease")};
  const Candidates codes = value_or_throw(Candidates::of(*twins_.fast, rules));
  EXPECT_EQ(codes.count(), 4U);
  EXPECT_EQ(codes.headings(), 2U);
  EXPECT_FALSE(codes.contains(id("disease")));
  EXPECT_TRUE(codes.contains(id("flu")));

  rules.deny = {id("disease")};  // barred in any case
  EXPECT_EQ(value_or_throw(Candidates::of(*twins_.fast, rules)).headings(), 1U);
  rules.headings.clear();
  for (ConceptId c = 0; c < twins_.fast->size(); ++c) rules.headings.push_back(c);
  const auto none = Candidates::of(*twins_.fast, rules);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, testing::HasSubstr("candidates = \"all\""));
}

TEST_F(DomainByHand, ALeafOfTheBranchesIsALeaf) {
  const std::vector<ConceptId> values = {id("cold")};
  const Domain branches = Domain::branches(twins_.fast, id("disease"), values);
  CandidateRules leaves;
  leaves.leaves_only = true;
  const Candidates ends = value_or_throw(Candidates::of(*branches.taxonomy(), leaves));
  EXPECT_EQ(ends.count(), 1U);
  EXPECT_TRUE(ends.contains(*branches.in_domain(id("cold"))));
}

TEST_F(DomainByHand, WithoutACandidateIsAnError) {
  CandidateRules rules;
  rules.min_depth = 5;
  EXPECT_FALSE(Candidates::of(*twins_.fast, rules));
}

TEST(Candidates, AreNeverTheVirtualRoot) {
  const Twins twins(GeneratedTaxonomy{{"a", "b"}, {}});
  ASSERT_TRUE(twins.fast->has_virtual_root());
  const Candidates all = value_or_throw(Candidates::of(*twins.fast, {}));
  EXPECT_EQ(all.count(), 2U);
  EXPECT_FALSE(all.contains(Taxonomy::root()));
  CandidateRules none;
  none.deny = {1, 2};
  EXPECT_FALSE(Candidates::of(*twins.fast, none));
}

}  // namespace
}  // namespace semveil::test
