// Semantic noise paper, section 5: mean and variance of Adult's occupations over WordNet's persons.
//
// The paper prints "employee" and 0.23 for the full column, "craftsman" and 0.13 for a sample of
// 100 records. It does not say which senses the words have; with those below (data.noun offsets of
// WordNet 3.0) the means are the printed ones and the variances 0.246 and 0.147, as an independent
// implementation found as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paper/adult.h"
#include "semveil/domain.h"
#include "semveil/statistics.h"
#include "support/data.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

class AdultOccupations : public testing::Test {
 protected:
  void SetUp() override {
    const auto ontology = installed_wordnet();
    if (!ontology) SEMVEIL_SKIP_WITHOUT("an installed WordNet");
    names_ = value_or_throw(ontology->names());
    taxonomy_ = value_or_throw(ontology->taxonomy());
    domain_.emplace(Domain::subtree(taxonomy_, find(kPerson)));
    measure_ = value_or_throw(make_measure(domain_->taxonomy()));
  }
  ConceptId find(const std::string& offset) const {
    for (ConceptId c = 0; c < taxonomy_->size(); ++c) {
      if (names_->id(c) == offset + "-n") return c;
    }
    throw std::runtime_error("no concept " + offset);
  }
  ValueCounts column(std::uint64_t Occupation::* count) const {
    std::vector<std::pair<ConceptId, std::uint64_t>> pairs;
    for (const Occupation& occupation : kOccupations) {
      if (occupation.*count == 0) continue;
      pairs.emplace_back(domain_->in_domain(find(occupation.offset)).value(), occupation.*count);
    }
    std::sort(pairs.begin(), pairs.end());
    ValueCounts out;
    for (const auto& [value, n] : pairs) {
      out.values.push_back(value);
      out.counts.push_back(n);
    }
    return out;
  }
  std::string label(ConceptId c) const {
    return std::string(names_->label(domain_->in_ontology(c)));
  }

  std::shared_ptr<const Taxonomy> taxonomy_;
  std::shared_ptr<const Names> names_;
  std::optional<Domain> domain_;
  std::unique_ptr<const Measure> measure_;
};

double printed_in_thousandths(double value) { return std::round(value * 1000) / 1000; }

TEST_F(AdultOccupations, AverageToEmployee) {
  const ValueCounts all = column(&Occupation::records);
  ASSERT_EQ(all.total(), 30242U);
  const auto mean = semantic_mean(*measure_, all);
  EXPECT_EQ(label(mean->concept_id), "employee");
  EXPECT_EQ(printed_in_thousandths(semantic_variance(*measure_, all, mean->concept_id)), 0.246);
}

TEST_F(AdultOccupations, OfTheSampleAverageToCraftsman) {
  const ValueCounts sample = column(&Occupation::sampled);
  ASSERT_EQ(sample.total(), 100U);
  const auto mean = semantic_mean(*measure_, sample);
  EXPECT_EQ(mean->concept_id, domain_->in_domain(find("09974648")));
  EXPECT_EQ(printed_in_thousandths(semantic_variance(*measure_, sample, mean->concept_id)), 0.147);
}

}  // namespace
}  // namespace semveil::test
