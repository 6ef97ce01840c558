// Information content: the intrinsic models against their twins, and files of frequencies.
#include "semveil/information_content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include "semveil/measure.h"
#include "support/generate.h"
#include "support/slow_measures.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

constexpr double kContentTolerance = 1e-12;

class IntrinsicContentOnEveryShape : public testing::TestWithParam<Shape> {};

TEST_P(IntrinsicContentOnEveryShape, IsItsTwins) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    const auto expect_same = [&](const InformationContent& fast, const SlowIc& slow) {
      ASSERT_EQ(fast.of.size(), twins.fast->size());
      if (fast.of.size() > 1) {
        EXPECT_NEAR(fast.max, slow.max, kContentTolerance);
      }
      EXPECT_EQ(fast.of[Taxonomy::root()], 0);
      for (ConceptId c = 0; c < fast.of.size(); ++c) {
        ASSERT_NEAR(fast.of[c], slow.of[twins.node[c]], kContentTolerance)
            << twins.slow.id(twins.node[c]);
        ASSERT_GE(fast.of[c], 0);
        ASSERT_LE(fast.of[c], fast.max);
        for (const ConceptId parent : twins.fast->parents(c)) {
          ASSERT_LT(fast.of[parent], fast.of[c]) << "a parent says less than its child";
        }
      }
    };
    ASSERT_NO_FATAL_FAILURE(
        expect_same(InformationContent::seco(*twins.fast), slow_seco(twins.slow)));
    ASSERT_NO_FATAL_FAILURE(
        expect_same(InformationContent::sanchez(*twins.fast), slow_sanchez(twins.slow)));
  }
}

// The twin counts by walking up; descendants() counts by walking down.
TEST_P(IntrinsicContentOnEveryShape, CountsEveryDescendantOnce) {
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const SlowTaxonomy slow(sample);
    if (slow.size() == 1) continue;
    const SlowIc seco = slow_seco(slow);
    for (SlowTaxonomy::Node n = 0; n < slow.size(); ++n) {
      const auto below = static_cast<double>(slow.descendants(n).size());
      ASSERT_EQ(seco.of[n], 1 - std::log(below) / std::log(static_cast<double>(slow.size())));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, IntrinsicContentOnEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

//   root ─ a ─ c      six concepts, three leaves; d lies under a and under b
//        │   ╲
//        └ b ─ d
//        └ e
class ByHand : public testing::Test {
 protected:
  ByHand()
      : ontology_(to_ontology(
            {{"00001740-n", "00001930-n", "00002137-n", "00002452-n", "00002684-n", "00002137-x"},
             {{1, 0}, {2, 0}, {3, 1}, {4, 1}, {4, 2}, {5, 0}}})),
        taxonomy_(value_or_throw(ontology_.taxonomy())),
        names_(value_or_throw(ontology_.names())) {}

  ConceptId id(std::string_view text) const {
    for (ConceptId c = 0; c < taxonomy_->size(); ++c) {
      if (names_->id(c) == text) return c;
    }
    throw std::logic_error("no such id");
  }
  ConceptId root() const { return id("00001740-n"); }
  ConceptId a() const { return id("00001930-n"); }
  ConceptId b() const { return id("00002137-n"); }
  ConceptId c() const { return id("00002452-n"); }
  ConceptId d() const { return id("00002684-n"); }
  ConceptId e() const { return id("00002137-x"); }

  Result<InformationContent> read(const std::string& text, const Domain& domain) const {
    std::ofstream(path_, std::ios::binary) << text;
    return InformationContent::from_file(path_, domain, *names_);
  }
  Result<InformationContent> read(const std::string& text) const {
    return read(text, Domain::whole(taxonomy_));
  }
  ~ByHand() override { std::remove(path_.c_str()); }

  const std::string path_ = testing::TempDir() + "semveil_ic_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name() + ".dat";
  const Ontology ontology_;
  const std::shared_ptr<const Taxonomy> taxonomy_;
  const std::shared_ptr<const Names> names_;
};
using IntrinsicContent = ByHand;
using ContentFromAFile = ByHand;

TEST_F(IntrinsicContent, OfSecoCountsHyponyms) {
  const InformationContent ic = InformationContent::seco(*taxonomy_);
  EXPECT_EQ(ic.max, 1);
  EXPECT_EQ(ic.of[root()], 0);
  EXPECT_NEAR(ic.of[a()], 1 - std::log(3) / std::log(6), kContentTolerance);  // c, d
  EXPECT_NEAR(ic.of[b()], 1 - std::log(2) / std::log(6), kContentTolerance);  // d
  EXPECT_EQ(ic.of[d()], 1);
  EXPECT_EQ(ic.of[e()], 1);
}

TEST_F(IntrinsicContent, OfSanchezCountsLeavesAndSubsumers) {
  const InformationContent ic = InformationContent::sanchez(*taxonomy_);
  EXPECT_NEAR(ic.max, std::log(4), kContentTolerance);  // leaves c, d, e
  EXPECT_EQ(ic.of[root()], 0);
  EXPECT_NEAR(ic.of[a()], -std::log((2.0 / 2 + 1) / 4), kContentTolerance);
  EXPECT_NEAR(ic.of[b()], -std::log((1.0 / 2 + 1) / 4), kContentTolerance);
  EXPECT_NEAR(ic.of[d()], std::log(4), kContentTolerance);
}

TEST_F(ContentFromAFile, IsTheLogarithmOfTheShareOfTheRoot) {
  const Result<InformationContent> ic = read(
      "wnver::eOS9lXC6GvMWznF1wkZofDdtbBU\n"
      "1740n 100 ROOT\n"
      "1930n 50\n"
      "2137n 20.5\n"
      "2452n 10\n");
  ASSERT_TRUE(ic) << describe(ic.error(), Quote::kShow);
  EXPECT_EQ(ic->of[root()], 0);
  EXPECT_NEAR(ic->of[a()], std::log(2), kContentTolerance);
  EXPECT_NEAR(ic->of[b()], -std::log(0.205), kContentTolerance);
  EXPECT_NEAR(ic->of[c()], std::log(10), kContentTolerance);
  EXPECT_NEAR(ic->max, std::log(10), kContentTolerance);
}

TEST_F(ContentFromAFile, IsTheGreatestWhereTheFrequencyIsZeroOrUnknown) {
  const Result<InformationContent> ic = read("wnver::x\n1740n 100 ROOT\n1930n 40\n2452n 0\n");
  ASSERT_TRUE(ic) << describe(ic.error(), Quote::kShow);
  EXPECT_NEAR(ic->max, std::log(2.5), kContentTolerance);
  EXPECT_EQ(ic->of[c()], ic->max);  // zero
  EXPECT_EQ(ic->of[d()], ic->max);  // not in the file
  EXPECT_EQ(ic->of[e()], ic->max);
}

TEST_F(ContentFromAFile, IsZeroAtTheRootOfTheDomain) {
  const Domain domain = Domain::subtree(taxonomy_, a());
  const Result<InformationContent> ic =
      read("wnver::x\n1740n 100 ROOT\n1930n 50\n2137n 1\n2452n 25\n2684n 5\n", domain);
  ASSERT_TRUE(ic) << describe(ic.error(), Quote::kShow);
  ASSERT_EQ(ic->of.size(), 3U);
  EXPECT_EQ(ic->of[Taxonomy::root()], 0);
  EXPECT_NEAR(ic->of[*domain.in_domain(c())], std::log(2), kContentTolerance);
  // The greatest of the domain: what lies outside, rarer though it is, does not count.
  EXPECT_NEAR(ic->max, std::log(10), kContentTolerance);
}

TEST_F(ContentFromAFile, KnowsTheIdsOfOtherOntologiesAsTheyAre) {
  const Result<InformationContent> ic = read("00001740-n 8\n00002137-x 2\n00001930-n 4\n");
  ASSERT_TRUE(ic) << describe(ic.error(), Quote::kShow);
  EXPECT_NEAR(ic->of[e()], std::log(4), kContentTolerance);
  EXPECT_NEAR(ic->of[a()], std::log(2), kContentTolerance);
}

// The files of WordNet::Similarity hold verbs beside the nouns; only nouns form our taxonomy.
TEST_F(ContentFromAFile, LeavesOutVerbs) {
  const Result<InformationContent> ic = read("wnver::x\n1740n 10 ROOT\n1930n 5\n1740v 30 ROOT\n");
  ASSERT_TRUE(ic) << describe(ic.error(), Quote::kShow);
  EXPECT_NEAR(ic->max, std::log(2), kContentTolerance);
}

TEST_F(ContentFromAFile, NamesTheLineOfAnUnknownId) {
  const Result<InformationContent> ic = read("wnver::x\n1740n 100 ROOT\n4711n 3\n");
  ASSERT_FALSE(ic);
  EXPECT_EQ(ic.error().code, ErrorCode::kData);
  EXPECT_EQ(ic.error().place.file, path_);
  EXPECT_EQ(ic.error().place.line, 3U);
  EXPECT_THAT(describe(ic.error(), Quote::kShow), testing::HasSubstr("4711n"));
}

TEST_F(ContentFromAFile, NamesTheLineOfAMalformedNumber) {
  for (const char* number : {"many", "12x", "-3", "nan", "inf", ""}) {
    const Result<InformationContent> ic =
        read("wnver::x\n1740n 100 ROOT\n1930n 50\n2137n " + std::string(number) + "\n");
    ASSERT_FALSE(ic) << number;
    EXPECT_EQ(ic.error().code, ErrorCode::kData) << number;
    EXPECT_EQ(ic.error().place.line, 4U) << number;
  }
}

// Counted files are not always consistent: a child may be more frequent than its parent, even than
// the root. Distances stay within [0, 1] all the same.
TEST_F(ContentFromAFile, ThatContradictsItselfStillGivesDistances) {
  for (const char* text : {"1740n 10\tROOT\n1930n 2\n2452n 9\n2684n 30\n",
                           "1740n 5\n1930n 5\n2137n 5\n"
                           "2452n 5\n2684n 5\n00002137-x 5\n"}) {
    const Result<InformationContent> ic = read(text);
    ASSERT_TRUE(ic) << describe(ic.error(), Quote::kShow);
    for (const double content : ic->of) EXPECT_GE(content, 0);
    for (const char* name : {"resnik", "lin", "jiang-conrath"}) {
      MeasureOptions options;
      options.name = name;
      options.ic = std::make_shared<const InformationContent>(*ic);
      const auto measure = value_or_throw(make_measure(taxonomy_, options));
      for (ConceptId x = 0; x < taxonomy_->size(); ++x) {
        for (ConceptId y = 0; y < taxonomy_->size(); ++y) {
          ASSERT_GE(measure->distance(x, y), 0) << name;  // and so no NaN
          ASSERT_LE(measure->distance(x, y), 1) << name;
        }
      }
    }
  }
}

TEST_F(ContentFromAFile, OfAnotherTaxonomyIsRefusedByAMeasure) {
  MeasureOptions options;
  options.name = "lin";
  options.ic = std::make_shared<const InformationContent>(InformationContent{{0.0, 1.0}, 1.0});
  EXPECT_EQ(make_measure(taxonomy_, options).error().code, ErrorCode::kUsage);
}

TEST_F(ContentFromAFile, ThatIsNotThereIsAnError) {
  EXPECT_FALSE(InformationContent::from_file(path_ + ".absent", Domain::whole(taxonomy_), *names_));
}

}  // namespace
}  // namespace semveil::test
