// Every cell that noise replaces, against the slow twin: from the value, the error and the
// reference of a trace line the twin finds by brute force everything that may stand in its place.
// 1,000 records of two columns for each shape of taxonomy × reference × distribution × ties ×
// candidate rules; measures, noise levels and the treatment of missing cells take turns.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "semveil/noise.h"
#include "support/filled_key.h"
#include "support/generated_table.h"
#include "support/slow_noise.h"

namespace semveil::test {
namespace {

using Node = SlowTaxonomy::Node;

constexpr std::size_t kRecords = 1000;

std::map<Node, std::uint64_t> counts_of(const TableColumn& column, const TwinDomain& domain) {
  std::map<Node, std::uint64_t> counts;
  for (const ConceptId cell : column.cells) {
    if (cell != kMissing || column.attribute->missing_is_value) ++counts[domain.node(cell)];
  }
  return counts;
}

struct Configuration {
  NoiseOptions options;
  MeasureCase measure;
  SlowCandidateRules rules;
  bool missing_is_value = false;
  std::string title;
};

const std::vector<MeasureCase>& some_measures() {
  static const std::vector<MeasureCase> kMeasures = {
      {"wu-palmer"},
      {"wu-palmer-edges"},
      {"path"},
      {"leacock-chodorow"},
      {"lin", IcModel::kSeco, LcsRule::kDeepest},
      {"jiang-conrath", IcModel::kSanchez, LcsRule::kMica},
      {"resnik", IcModel::kSeco, LcsRule::kDeepest}};
  return kMeasures;
}

// Rules that leave something: none, a third of the concepts denied, leaves, not near the top.
std::vector<SlowCandidateRules> candidate_rules(const SlowTaxonomy& taxonomy) {
  std::vector<SlowCandidateRules> rules(4);
  for (Node n = 0; n < taxonomy.size(); n += 3) {
    const bool is_virtual = taxonomy.has_virtual_root() && n == taxonomy.root();
    if (!is_virtual && taxonomy.size() > 1) rules[1].deny.insert(taxonomy.id(n));
  }
  rules[2].leaves_only = true;
  rules[3].min_depth = std::min(3U, taxonomy.max_depth());
  return rules;
}

std::vector<Configuration> configurations(const SlowTaxonomy& taxonomy) {
  std::vector<Configuration> out;
  const std::vector<SlowCandidateRules> rules = candidate_rules(taxonomy);
  for (const NoiseReference reference :
       {NoiseReference::kMean, NoiseReference::kPair, NoiseReference::kRoot}) {
    for (const NoiseDistribution distribution :
         {NoiseDistribution::kNormal, NoiseDistribution::kLaplace}) {
      for (const TieRule ties : {TieRule::kRandom, TieRule::kFirst}) {
        for (std::size_t rule = 0; rule < rules.size(); ++rule) {
          const std::size_t i = out.size();
          Configuration c;
          c.options.reference = reference;
          c.options.distribution = distribution;
          c.options.ties = ties;
          c.options.alpha = std::array{0.1, 0.3, 1.0, 5.0}[i / 4 % 4];
          c.options.correlated = distribution == NoiseDistribution::kNormal && i % 3 == 0;
          c.options.allow_unmasked = true;  // two concepts, of which one is a candidate
          c.measure = some_measures()[i % some_measures().size()];
          c.rules = rules[rule];
          c.missing_is_value = i % 5 == 4;
          c.title = std::string(to_string(reference)) + ", " +
                    std::string(to_string(distribution)) + ", ties " +
                    (ties == TieRule::kFirst ? "first" : "random") + ", candidate rules " +
                    std::to_string(rule) + ", " + c.measure.title() +
                    (c.options.correlated ? ", correlated" : "") +
                    (c.missing_is_value ? ", missing is a value" : "");
          out.push_back(std::move(c));
        }
      }
    }
  }
  return out;
}

// The reference that the noise page demands; nothing where there is no sign condition.
std::optional<Node> expected_reference(NoiseReference reference, const SlowTaxonomy& taxonomy,
                                       std::optional<Node> mean, Node x,
                                       std::optional<Node> partner) {
  switch (reference) {
    case NoiseReference::kMean:
      return mean && x != *mean ? mean : std::nullopt;
    case NoiseReference::kPair:
      return partner;
    case NoiseReference::kRoot:
      return taxonomy.root();
  }
  return std::nullopt;
}

void expect_as_twin(const TwinDomain& domain, const Configuration& configuration,
                    const GeneratedTable& table, std::array<std::size_t, kRules>& rules) {
  const SlowNoise slow(domain.twins.slow, configuration.measure, configuration.rules,
                       configuration.missing_is_value);
  const auto mechanism = make_noise(configuration.options);
  const auto plan = mechanism->fit(table.frequencies(), filled_key(1));
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  MaskedBatch out;
  out.traced = true;
  (*plan)->apply(table.whole(), out);

  std::vector<std::optional<Node>> means;
  for (const TableColumn& column : table.columns) {
    means.push_back(slow.mean(counts_of(column, domain)));
  }
  std::size_t positive = 0, negative = 0, at = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      const ConceptId cell = table.columns[j].cells[i];
      if (cell == kMissing && !configuration.missing_is_value) {
        ASSERT_EQ(out.columns[j][i], kMissing) << "row " << i;
        continue;
      }
      ASSERT_LT(at, out.trace.size());
      const TraceLine& line = out.trace[at++];
      SCOPED_TRACE("row " + std::to_string(i) + ", column " + std::to_string(j) + ", error " +
                   std::to_string(line.error));
      ASSERT_EQ(line.row, i);
      ASSERT_EQ(line.column, j);
      const Node x = domain.node(cell), z = domain.node(line.replacement);
      ASSERT_EQ(domain.node(line.value), x);
      ASSERT_EQ(domain.node(out.columns[j][i]), z);

      const ConceptId partner = table.columns[1 - j].cells[i];
      const std::optional<Node> reference = expected_reference(
          configuration.options.reference, domain.twins.slow, means[j], x,
          partner == kMissing ? std::nullopt : std::optional(domain.node(partner)));
      const SlowNoise::Answer answer = slow.replace(x, line.error, reference);
      ASSERT_EQ(to_string(line.rule), to_string(answer.rule));
      ASSERT_TRUE(answer.admissible.contains(z)) << domain.twins.slow.size() << " concepts, " << z;
      if (configuration.options.ties == TieRule::kFirst) {
        ASSERT_EQ(z, slow.first(answer.admissible));
      }
      if (line.rule != Rule::kZero && line.rule != Rule::kAlone) {
        ASSERT_EQ(line.reference.has_value(), reference.has_value());
        if (reference) {
          ASSERT_EQ(domain.node(*line.reference), *reference);
        }
      }
      positive += line.error > 0 ? 1 : 0;
      negative += line.error < 0 ? 1 : 0;
      ++rules[static_cast<std::size_t>(line.rule)];
    }
  }
  ASSERT_EQ(at, out.trace.size());
  // Of 1,000 and more errors at least 300 have either sign: by chance less than once in 10^90
  // samples.
  if (domain.twins.slow.size() > 1) {
    EXPECT_GT(positive, 300U);
    EXPECT_GT(negative, 300U);
  }
}

class NoiseTraceOnEveryShape : public testing::TestWithParam<Shape> {
 protected:
  static std::size_t size_of(Shape shape) { return shape == Shape::kLadder ? 24 : 36; }

  std::array<std::size_t, kRules> rules_{};

  void compare(std::uint64_t seed) {
    const TwinDomain domain(generate(GetParam(), size_of(GetParam()), seed));
    for (const Configuration& configuration : configurations(domain.twins.slow)) {
      SCOPED_TRACE(configuration.title);
      Random random(seed);
      GeneratedTable table;
      for (const char* name : {"first", "second"}) {
        table.columns.push_back(
            {make_attribute(name, domain, configuration.measure, configuration.rules,
                            configuration.missing_is_value),
             {}});
      }
      table.columns[0].cells = draw_cells(*domain.twins.fast, kRecords, 12, 20, random);
      table.columns[1].cells =
          draw_related_cells(*domain.twins.fast, table.columns[0].cells, 20, random);
      ASSERT_NO_FATAL_FAILURE(expect_as_twin(domain, configuration, table, rules_));
    }
  }
};

TEST_P(NoiseTraceOnEveryShape, HoldsOnlyWhatTheTwinAdmits) {
  ASSERT_NO_FATAL_FAILURE(compare(1));
  const auto seen = [this](Rule rule) { return rules_[static_cast<std::size_t>(rule)]; };
  if (GetParam() == Shape::kSingle) {
    EXPECT_GT(seen(Rule::kZero) + seen(Rule::kAlone), 0U);
    return;
  }
  // A comparison in which a rule never came up would have compared nothing.
  EXPECT_GT(seen(Rule::kPaper), 0U);
  EXPECT_GT(seen(Rule::kTruncated), 0U);
  EXPECT_GT(seen(Rule::kNoSign), 0U);
  EXPECT_GT(seen(Rule::kFarthest), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, NoiseTraceOnEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

// The rows that a plan calls of single origin: those with a released value that only one value of
// the fitted column can have become. Errors are long enough here to reach every bucket.
TEST(NoiseSingleOrigin, IsWhatTheTwinFindsByTryingEveryError) {
  for (const Shape shape : {Shape::kTree, Shape::kDag, Shape::kSeveralRoots, Shape::kStar}) {
    for (const NoiseReference reference : {NoiseReference::kMean, NoiseReference::kRoot}) {
      for (const TieRule ties : {TieRule::kRandom, TieRule::kFirst}) {
        SCOPED_TRACE(std::string(to_string(shape)) + ", " + std::string(to_string(reference)) +
                     (ties == TieRule::kFirst ? ", ties first" : ", ties random"));
        const TwinDomain domain(generate(shape, 40, 7));
        const MeasureCase measure{"wu-palmer"};
        Random random(7);
        GeneratedTable table;
        table.columns = {{make_attribute("only", domain, measure),
                          draw_cells(*domain.twins.fast, kRecords, 6, 20, random)}};
        NoiseOptions options;
        options.alpha = 1;
        options.reference = reference;
        options.ties = ties;
        const auto plan = make_noise(options)->fit(table.frequencies(), filled_key(1));
        ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
        MaskedBatch out;
        (*plan)->apply(table.whole(), out);

        const SlowNoise slow(domain.twins.slow, measure, {});
        const auto counts = counts_of(table.columns[0], domain);
        const Node mean = slow.mean(counts).value();
        // The longest error is some eight deviations.
        ASSERT_GT(8 * std::sqrt(slow.variance(counts, mean)), 1.0);
        std::map<Node, std::set<Node>> origins;
        for (const auto& [x, count] : counts) {
          const auto r = expected_reference(reference, domain.twins.slow, mean, x, std::nullopt);
          for (const Node z : slow.reachable(x, r, ties == TieRule::kFirst)) origins[z].insert(x);
        }
        ASSERT_EQ(out.single_origin.size(), table.rows());
        std::size_t found = 0;
        for (std::size_t i = 0; i < table.rows(); ++i) {
          const ConceptId z = out.columns[0][i];
          const bool single = z != kMissing && origins[domain.node(z)].size() == 1;
          ASSERT_EQ(out.single_origin[i], single) << "row " << i;
          found += single ? 1 : 0;
        }
        ::testing::Test::RecordProperty(to_string(shape), static_cast<int>(found));
      }
    }
  }
}

}  // namespace
}  // namespace semveil::test
