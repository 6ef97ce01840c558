// The distances the papers print in their worked examples.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "semveil/domain.h"
#include "semveil/measure.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

double printed_in_hundredths(double value) { return std::round(value * 100) / 100; }

// A tree as "child < parent" lines, the first of them the root alone.
class Example {
 public:
  explicit Example(const std::vector<std::pair<std::string, std::string>>& child_and_parent)
      : Example(ontology_of(child_and_parent)) {}

  // The Wu-Palmer distance in τ, everything at or below `domain_root`.
  double sd(const std::string& a, const std::string& b, const std::string& domain_root) const {
    const Domain domain = Domain::subtree(taxonomy_, id_.at(domain_root));
    const auto measure = value_or_throw(make_measure(domain.taxonomy()));
    return measure->distance(domain.in_domain(id_.at(a)).value(),
                             domain.in_domain(id_.at(b)).value());
  }

 private:
  explicit Example(const Ontology& ontology) : taxonomy_(value_or_throw(ontology.taxonomy())) {
    const auto names = value_or_throw(ontology.names());
    for (ConceptId c = 0; c < taxonomy_->size(); ++c) id_.emplace(names->id(c), c);
  }
  static Ontology ontology_of(const std::vector<std::pair<std::string, std::string>>& lines) {
    GeneratedTaxonomy out;
    std::map<std::string, std::size_t> index;
    for (const auto& [child, parent] : lines) {
      index[child] = out.ids.size();
      out.ids.push_back(child);
    }
    for (const auto& [child, parent] : lines) {
      if (!parent.empty()) out.links.emplace_back(index.at(child), index.at(parent));
    }
    return to_ontology(out);
  }

  std::shared_ptr<const Taxonomy> taxonomy_;
  std::map<std::string, ConceptId> id_;
};

// Rank swapping paper, figures 1 and 4; above it something else, to see that depths start at the
// domain's root.
const Example& nervous_system() {
  static const Example kExample({{"clinical finding", ""},
                                 {"disorder of nervous system", "clinical finding"},
                                 {"coma", "disorder of nervous system"},
                                 {"neuropathy", "disorder of nervous system"},
                                 {"hepatic coma", "coma"},
                                 {"hypoglycemic coma", "coma"},
                                 {"neurological varicella", "disorder of nervous system"},
                                 {"herpes zoster auricularis", "neurological varicella"},
                                 {"herpes zoster ophthalmicus", "neurological varicella"}});
  return kExample;
}
double nervous_sd(const std::string& a, const std::string& b) {
  return nervous_system().sd(a, b, "disorder of nervous system");
}

// Rank swapping paper, figure 2: "sdwp= 0.20", "0.33", "0.50" in ascending order.
TEST(RankSwappingFigure2, RanksByDistanceFromComa) {
  EXPECT_EQ(printed_in_hundredths(nervous_sd("coma", "hepatic coma")), 0.20);
  EXPECT_EQ(printed_in_hundredths(nervous_sd("coma", "hypoglycemic coma")), 0.20);
  EXPECT_EQ(printed_in_hundredths(nervous_sd("coma", "disorder of nervous system")), 0.33);
  EXPECT_EQ(printed_in_hundredths(nervous_sd("coma", "neuropathy")), 0.50);
  EXPECT_EQ(nervous_sd("coma", "hepatic coma"), 1 - 4.0 / 5);
  EXPECT_EQ(nervous_sd("coma", "disorder of nervous system"), 1 - 2.0 / 3);
  EXPECT_EQ(nervous_sd("coma", "neuropathy"), 0.5);
}

// Figure 3: "sdwp= 0.33", "0.50", "0.60".
TEST(RankSwappingFigure3, RanksByDistanceFromNeuropathy) {
  EXPECT_EQ(printed_in_hundredths(nervous_sd("neuropathy", "disorder of nervous system")), 0.33);
  EXPECT_EQ(printed_in_hundredths(nervous_sd("neuropathy", "coma")), 0.50);
  EXPECT_EQ(printed_in_hundredths(nervous_sd("neuropathy", "hepatic coma")), 0.60);
  EXPECT_EQ(printed_in_hundredths(nervous_sd("neuropathy", "hypoglycemic coma")), 0.60);
}

// Section 3.3, about figure 4: "Herpes zoster ophthalmicus, whose semantic distance w.r.t. Hepatic
// coma is sdwp= 0.67".
TEST(RankSwappingFigure4, PutsHerpesTwoThirdsFromHepaticComa) {
  EXPECT_EQ(printed_in_hundredths(nervous_sd("herpes zoster ophthalmicus", "hepatic coma")), 0.67);
}

// Framework paper, section 4.2: "1 − 2×6/(2×6+1+1) = 0.14" and "1 − 2×7/(2×7+0+0) = 0", in the
// taxonomy of the domain Disease. The text does not name what lies between Disease and the LCS.
TEST(FrameworkSection42, GingivitisAndGastritisAreOneSeventhApart) {
  const Example example({{"finding", ""},
                         {"disease", "finding"},
                         {"2", "disease"},
                         {"3", "2"},
                         {"4", "3"},
                         {"5", "4"},
                         {"6", "5"},
                         {"gingivitis", "6"},
                         {"gastritis", "6"}});
  EXPECT_EQ(example.sd("gingivitis", "gastritis", "disease"), 1 - 12.0 / 14.0);
  EXPECT_EQ(printed_in_hundredths(example.sd("gingivitis", "gastritis", "disease")), 0.14);
  EXPECT_EQ(example.sd("gastritis", "gastritis", "disease"), 0);
}

}  // namespace
}  // namespace semveil::test
