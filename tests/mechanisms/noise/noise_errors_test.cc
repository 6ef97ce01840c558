// The errors that noise draws and the choices it makes among equals, judged as random samples, and
// the judges themselves: each must object to samplers that are wrong in a way that has happened to
// others (`Fault`), over samples of the same size.
//
// Rates: every check is wrong about a right sampler with probability 1e-7 or less
// (support/sample_checks.h); this file makes fewer than 900 of them, together 9e-5. With kRows rows
// a variance that is wrong by 5 % in one column escapes in 4e-6 of the samples under Laplace, the
// least visible of the faults of errors. For the faults of choices no power was computed: that they
// are found is shown for one seed each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "semveil/noise.h"
#include "support/filled_key.h"
#include "support/generated_table.h"
#include "support/sample_checks.h"
#include "support/slow_noise.h"

namespace semveil::test {
namespace {

using Node = SlowTaxonomy::Node;
using Errors = std::vector<double>;  // of one column, by row
using testing::Contains;
using testing::IsEmpty;

constexpr std::size_t kRows = 200'000;       // for errors
constexpr std::size_t kJudgedRows = 10'000;  // for replacements: the twin is slow

// ---- Judges
// --------------------------------------------------------------------------------------

struct ExpectedErrors {
  NoiseDistribution distribution = NoiseDistribution::kNormal;
  std::vector<double> variances;                  // by column
  std::vector<std::vector<double>> correlations;  // 0: independent
};

// The names of the checks that object.
std::vector<std::string> objections(const std::vector<Errors>& columns,
                                    const ExpectedErrors& expected) {
  std::vector<std::string> out;
  const auto judge = [&](const std::string& check, const testing::AssertionResult& result) {
    if (!result) out.push_back(check);
  };
  const bool normal = expected.distribution == NoiseDistribution::kNormal;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const double variance = expected.variances[j];
    judge("centre", is_centred(columns[j], variance));
    judge("signs", has_both_signs_alike(columns[j]));
    judge("variance",
          has_variance(columns[j], variance, normal ? kNormalKurtosis : kLaplaceKurtosis));
    judge("distribution", has_distribution(columns[j], [&](double x) {
            return normal ? normal_cdf(x, variance) : laplace_cdf(x, variance);
          }));
    judge("rows", has_independent_places(columns[j]));
    for (std::size_t k = 0; k < j; ++k) {
      const double correlation = expected.correlations[j][k];
      judge("columns", correlation == 0 ? are_independent(columns[j], columns[k])
                                        : has_correlation(columns[j], columns[k], correlation));
    }
  }
  return out;
}

// What became of one cell, in the twin's numbers.
struct Choice {
  Node value;
  double error;
  std::optional<Node> reference;
  Node replacement;
};

std::vector<std::string> objections(const std::vector<Choice>& choices, const SlowNoise& slow) {
  std::map<std::pair<Node, std::set<Node>>, std::map<Node, std::uint64_t>> chosen;
  std::vector<double> places, errors;
  bool sign_holds = true, admissible = true;
  for (const Choice& c : choices) {
    const SlowNoise::Answer answer = slow.replace(c.value, c.error, c.reference);
    if (!answer.admissible.contains(c.replacement)) admissible = false;
    if (answer.rule == Rule::kPaper && c.reference) {
      const double before = slow.sd(c.value, *c.reference);
      const double after = slow.sd(c.replacement, *c.reference);
      if (c.error > 0 ? after <= before : after >= before) sign_holds = false;
    }
    const std::size_t size = answer.admissible.size();
    if (size < 2 || !answer.admissible.contains(c.replacement)) continue;
    ++chosen[{c.value, answer.admissible}][c.replacement];
    const auto place =
        std::distance(answer.admissible.begin(), answer.admissible.find(c.replacement));
    places.push_back((static_cast<double>(place) + 0.5) / static_cast<double>(size) - 0.5);
    errors.push_back(c.error);
  }
  std::vector<std::vector<std::uint64_t>> groups;
  for (const auto& [group, counts] : chosen) {
    groups.emplace_back();
    for (const Node c : group.second) {
      groups.back().push_back(counts.contains(c) ? counts.at(c) : 0);
    }
  }
  std::vector<std::string> out;
  if (!sign_holds) out.emplace_back("sign rule");
  if (!admissible) out.emplace_back("admissible");
  if (!is_uniform(groups)) out.emplace_back("uniform ties");
  if (places.size() > 1000 && !are_independent(places, errors)) {
    out.emplace_back("ties and errors independent");
  }
  return out;
}

// ---- Samplers that are right, or wrong on purpose -----------------------------------------------

enum class Fault : std::uint8_t {
  kNone,
  kVarianceWrongByFivePercent,
  kLaplaceForNormal,
  kSharedByColumns,       // both columns use one column's draws
  kSizesSharedByColumns,  // the same, with a sign of their own
  kCorrelationDropped,
  kSharedByNeighbours,  // every draw serves two rows
  kBlockRepeats,        // the key stream's blocks of eight repeat
  kNeverNegative,
  kSignTurned,     // positive errors go closer
  kSignForgotten,  // the nearest on either side
  kLowerHalfOfTies,
  kModuloOfFewBits,
  kTiesByTheError,  // the draw of the error is used again
};

double uniform(Random& random) {  // in (0, 1)
  return (static_cast<double>(random.next() >> 12U) + 0.5) / 4503599627370496.0;
}

double deviate(NoiseDistribution distribution, Random& random) {
  const double u = uniform(random);
  if (distribution == NoiseDistribution::kLaplace) {
    return (u < 0.5 ? std::log(2 * u) : -std::log(2 - 2 * u)) / std::numbers::sqrt2;
  }
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * uniform(random));
}

// Two columns.
std::vector<Errors> draw_errors(const ExpectedErrors& expected, Fault fault, std::uint64_t seed) {
  Random random(seed);
  const NoiseDistribution distribution =
      fault == Fault::kLaplaceForNormal ? NoiseDistribution::kLaplace : expected.distribution;
  double rho = expected.correlations[1][0];
  if (fault == Fault::kCorrelationDropped) rho = 0;
  const double wrong = fault == Fault::kVarianceWrongByFivePercent ? std::sqrt(1.05) : 1;
  std::vector<Errors> out(2);
  for (std::size_t i = 0; i < kRows; ++i) {
    double a = deviate(distribution, random), b = deviate(distribution, random);
    b = rho * a + std::sqrt(1 - rho * rho) * b;
    if (fault == Fault::kSharedByColumns) b = a;
    if (fault == Fault::kSizesSharedByColumns) b = random.one_in(2) ? a : -a;
    if (fault == Fault::kNeverNegative) a = std::abs(a);
    a *= std::sqrt(expected.variances[0]) * wrong;
    b *= std::sqrt(expected.variances[1]) * wrong;
    if (fault == Fault::kSharedByNeighbours && i % 2 == 1) a = out[0].back();
    if (fault == Fault::kBlockRepeats && i / 8 % 2 == 1) a = out[0][i - 8];
    out[0].push_back(a);
    out[1].push_back(b);
  }
  return out;
}

Node pick(const std::set<Node>& admissible, double error, Fault fault, Random& random) {
  const std::size_t size = admissible.size();
  std::size_t place = random.below(size);
  if (fault == Fault::kLowerHalfOfTies) place = random.below((size + 1) / 2);
  if (fault == Fault::kModuloOfFewBits) place = random.below(8) % size;
  if (fault == Fault::kTiesByTheError) {
    place = static_cast<std::size_t>(normal_cdf(error, 0.04) * static_cast<double>(size)) % size;
  }
  return *std::next(admissible.begin(), static_cast<std::ptrdiff_t>(place));
}

std::vector<Choice> draw_choices(const SlowNoise& slow, const std::vector<Node>& values, Node mean,
                                 Fault fault, std::uint64_t seed) {
  Random random(seed);
  std::vector<Choice> out;
  for (const Node x : values) {
    Choice c{x, 0.2 * deviate(NoiseDistribution::kNormal, random), std::nullopt, x};
    if (x != mean) c.reference = mean;
    const double used = fault == Fault::kSignTurned ? -c.error : c.error;
    const std::optional<Node> reference =
        fault == Fault::kSignForgotten ? std::nullopt : c.reference;
    c.replacement = pick(slow.replace(x, used, reference).admissible, c.error, fault, random);
    out.push_back(c);
  }
  return out;
}

// ---- What the engine is tried on ----------------------------------------------------------------

// A small table to fit on, whose n × n matrices of distances can be written down, and a long one of
// the same values to mask.
struct ErrorTrial {
  ErrorTrial()
      : domain(generate(Shape::kTree, 60, 11)), slow(domain.twins.slow, {"wu-palmer"}, {}) {
    Random random(11);
    const Taxonomy& taxonomy = *domain.twins.fast;
    std::vector<std::vector<ConceptId>> cells;
    cells.push_back(draw_cells(taxonomy, 400, 10, 0, random));
    cells.push_back(draw_related_cells(taxonomy, cells[0], 0, random));
    cells.push_back(draw_related_cells(taxonomy, cells[1], 0, random));
    cells.push_back(draw_related_cells(taxonomy, cells[0], 0, random));
    for (std::size_t j = 0; j < cells.size(); ++j) {
      const auto attribute = make_attribute("column " + std::to_string(j), domain, {"wu-palmer"});
      fitted.columns.push_back({attribute, cells[j]});
      masked.columns.push_back({attribute, {}});
      while (masked.columns[j].cells.size() < kRows) {
        masked.columns[j].cells.insert(masked.columns[j].cells.end(), cells[j].begin(),
                                       cells[j].end());
      }
      masked.columns[j].cells.resize(kRows);
    }
  }

  std::map<Node, std::uint64_t> counts(std::size_t column) const {
    std::map<Node, std::uint64_t> out;
    for (const ConceptId c : fitted.columns[column].cells) ++out[domain.node(c)];
    return out;
  }
  Node mean(std::size_t column) const { return slow.mean(counts(column)).value(); }
  double variance(std::size_t column) const { return slow.variance(counts(column), mean(column)); }

  SlowMatrix centred(std::size_t column) const {
    const std::vector<ConceptId>& cells = fitted.columns[column].cells;
    return slow_centred(slow_distances(cells.size(), [&](std::size_t i, std::size_t j) {
      return slow.sd(domain.node(cells[i]), domain.node(cells[j]));
    }));
  }
  double covariance(std::size_t a, std::size_t b) const {
    return std::sqrt(std::max(0.0, slow_covariance_squared(centred(a), centred(b))));
  }

  static GeneratedTable first_columns(const GeneratedTable& table, std::size_t count) {
    GeneratedTable out;
    out.columns.assign(table.columns.begin(),
                       table.columns.begin() + static_cast<std::ptrdiff_t>(count));
    return out;
  }

  TwinDomain domain;
  SlowNoise slow;
  GeneratedTable fitted, masked;
};

const ErrorTrial& trial() {
  static const ErrorTrial kTrial;
  return kTrial;
}

struct ErrorSample {
  std::vector<Errors> errors;  // by column
  std::vector<Choice> choices;
};

ErrorSample sample_of(const NoiseOptions& options, std::size_t columns, unsigned char key = 1) {
  const ErrorTrial& t = trial();
  ErrorSample out;
  out.errors.resize(columns);
  const auto plan = make_noise(options)->fit(
      ErrorTrial::first_columns(t.fitted, columns).frequencies(), filled_key(key));
  EXPECT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  if (!plan) return out;
  const GeneratedTable table = ErrorTrial::first_columns(t.masked, columns);
  MaskedBatch masked;
  masked.traced = true;
  (*plan)->apply(table.whole(), masked);
  for (const TraceLine& line : masked.trace) {
    out.errors[line.column].push_back(line.error);
    if (line.row >= kJudgedRows) continue;
    std::optional<Node> reference;
    if (line.reference) reference = t.domain.node(*line.reference);
    out.choices.push_back(
        {t.domain.node(line.value), line.error, reference, t.domain.node(line.replacement)});
  }
  return out;
}

std::vector<std::vector<double>> no_correlations(std::size_t columns) {
  return std::vector(columns, std::vector<double>(columns, 0.0));
}

// ---- Tests
// ---------------------------------------------------------------------------------------

class UncorrelatedNoiseErrors : public testing::TestWithParam<NoiseDistribution> {};

TEST_P(UncorrelatedNoiseErrors, AreIndependentWithTheVarianceAsked) {
  for (const double alpha : {0.1, 1.0}) {
    NoiseOptions options;
    options.alpha = alpha;
    options.distribution = GetParam();
    const ErrorSample sample = sample_of(options, 3);
    ExpectedErrors expected{GetParam(), {}, no_correlations(3)};
    for (std::size_t j = 0; j < 3; ++j) expected.variances.push_back(alpha * trial().variance(j));
    EXPECT_THAT(objections(sample.errors, expected), IsEmpty()) << alpha;
    EXPECT_THAT(objections(sample.choices, trial().slow), IsEmpty()) << alpha;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, UncorrelatedNoiseErrors,
                         testing::Values(NoiseDistribution::kNormal, NoiseDistribution::kLaplace),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(NoiseErrors, OfCorrelatedNoiseHaveTheCovarianceMatrix) {
  constexpr std::size_t kColumns = 3;
  for (const NoiseReference reference : {NoiseReference::kMean, NoiseReference::kRoot}) {
    NoiseOptions options;
    options.alpha = 0.5;
    options.correlated = true;
    options.reference = reference;
    const ErrorSample sample = sample_of(options, kColumns);
    ExpectedErrors expected{NoiseDistribution::kNormal, {}, no_correlations(kColumns)};
    for (std::size_t j = 0; j < kColumns; ++j) {
      expected.variances.push_back(options.alpha * trial().covariance(j, j));
      for (std::size_t k = 0; k < kColumns; ++k) {
        expected.correlations[j][k] =
            trial().covariance(j, k) /
            std::sqrt(trial().covariance(j, j) * trial().covariance(k, k));
      }
    }
    ASSERT_GT(expected.correlations[0][1], 0.1);  // else dropping it would hardly show
    EXPECT_THAT(objections(sample.errors, expected), IsEmpty());
    EXPECT_THAT(objections(sample.choices, trial().slow), IsEmpty());
  }
}

// "each pair has its own 2×2 Σ": nothing joins columns of different pairs.
TEST(NoiseErrors, OfPairsAreCorrelatedWithinAPairOnly) {
  NoiseOptions options;
  options.alpha = 0.5;
  options.correlated = true;
  options.reference = NoiseReference::kPair;
  for (const auto& pairs : {std::vector<std::pair<std::size_t, std::size_t>>{},
                            std::vector<std::pair<std::size_t, std::size_t>>{{3, 0}, {1, 2}}}) {
    options.pairs = pairs;
    const ErrorSample sample = sample_of(options, 4);
    ExpectedErrors expected{NoiseDistribution::kNormal, {}, no_correlations(4)};
    for (std::size_t j = 0; j < 4; ++j) {
      expected.variances.push_back(options.alpha * trial().covariance(j, j));
    }
    const std::vector<std::pair<std::size_t, std::size_t>> joined =
        pairs.empty() ? std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {2, 3}} : pairs;
    for (const auto& [a, b] : joined) {
      expected.correlations[a][b] = expected.correlations[b][a] =
          trial().covariance(a, b) / std::sqrt(trial().covariance(a, a) * trial().covariance(b, b));
    }
    EXPECT_THAT(objections(sample.errors, expected), IsEmpty());
    EXPECT_THAT(objections(sample.choices, trial().slow), IsEmpty());
  }
}

TEST(NoiseFit, TellsWhatTheTwinComputes) {
  NoiseOptions options;
  options.alpha = 0.5;
  options.correlated = true;
  const ErrorTrial& t = trial();
  const auto plan =
      make_noise(options)->fit(ErrorTrial::first_columns(t.fitted, 3).frequencies(), filled_key(1));
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  const NoiseFit* fit = noise_fit(**plan);
  ASSERT_NE(fit, nullptr);
  ASSERT_EQ(fit->columns.size(), 3U);
  ASSERT_EQ(fit->covariance.size(), 9U);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(t.domain.node(fit->columns[j].mean), t.mean(j));
    EXPECT_NEAR(fit->columns[j].variance, t.variance(j), 1e-12);
    EXPECT_NEAR(fit->columns[j].deviation, std::sqrt(0.5 * t.covariance(j, j)), 1e-9);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(fit->covariance[3 * j + k], t.covariance(j, k), 1e-9);
    }
  }
  EXPECT_NEAR(fit->psd_shift, 0, 1e-9);
  const auto baseline = make_baseline(Baseline::kNaive)->fit(t.fitted.frequencies(), filled_key(1));
  ASSERT_TRUE(baseline);
  EXPECT_EQ(noise_fit(**baseline), nullptr);
}

// ---- The judges
// ----------------------------------------------------------------------------------

ExpectedErrors two_columns(NoiseDistribution distribution, double rho) {
  return {distribution, {0.05, 0.02}, {{1, rho}, {rho, 1}}};
}

TEST(JudgesOfErrors, FindNothingWrongWithRightSamplers) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const ExpectedErrors& expected :
         {two_columns(NoiseDistribution::kNormal, 0), two_columns(NoiseDistribution::kLaplace, 0),
          two_columns(NoiseDistribution::kNormal, 0.6)}) {
      EXPECT_THAT(objections(draw_errors(expected, Fault::kNone, seed), expected), IsEmpty());
    }
  }
}

TEST(JudgesOfErrors, FindEveryFault) {
  const ExpectedErrors independent = two_columns(NoiseDistribution::kNormal, 0);
  const ExpectedErrors laplace = two_columns(NoiseDistribution::kLaplace, 0);
  const ExpectedErrors correlated = two_columns(NoiseDistribution::kNormal, 0.1);
  const auto found = [](const ExpectedErrors& expected, Fault fault) {
    return objections(draw_errors(expected, fault, 1), expected);
  };
  EXPECT_THAT(found(independent, Fault::kVarianceWrongByFivePercent), Contains("variance"));
  EXPECT_THAT(found(laplace, Fault::kVarianceWrongByFivePercent), Contains("variance"));
  EXPECT_THAT(found(independent, Fault::kLaplaceForNormal), Contains("distribution"));
  EXPECT_THAT(found(independent, Fault::kSharedByColumns), Contains("columns"));
  EXPECT_THAT(found(independent, Fault::kSizesSharedByColumns), Contains("columns"));
  EXPECT_THAT(found(correlated, Fault::kCorrelationDropped), Contains("columns"));
  EXPECT_THAT(found(independent, Fault::kSharedByNeighbours), Contains("rows"));
  EXPECT_THAT(found(independent, Fault::kBlockRepeats), Contains("rows"));
  EXPECT_THAT(found(independent, Fault::kNeverNegative), Contains("signs"));
  EXPECT_THAT(found(independent, Fault::kNeverNegative), Contains("centre"));
}

std::vector<Node> values_to_judge() {
  std::vector<Node> values;
  for (std::size_t i = 0; i < 2 * kJudgedRows; ++i) {
    values.push_back(trial().domain.node(trial().masked.columns[0].cells[i]));
  }
  return values;
}

TEST(JudgesOfChoices, FindNothingWrongWithARightSampler) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    EXPECT_THAT(objections(draw_choices(trial().slow, values_to_judge(), trial().mean(0),
                                        Fault::kNone, seed),
                           trial().slow),
                IsEmpty());
  }
}

TEST(JudgesOfChoices, FindEveryFault) {
  const auto found = [](Fault fault) {
    return objections(draw_choices(trial().slow, values_to_judge(), trial().mean(0), fault, 1),
                      trial().slow);
  };
  EXPECT_THAT(found(Fault::kSignTurned), Contains("sign rule"));
  EXPECT_THAT(found(Fault::kSignForgotten), Contains("sign rule"));
  EXPECT_THAT(found(Fault::kLowerHalfOfTies), Contains("uniform ties"));
  EXPECT_THAT(found(Fault::kModuloOfFewBits), Contains("uniform ties"));
  EXPECT_THAT(found(Fault::kTiesByTheError), Contains("ties and errors independent"));
}

}  // namespace
}  // namespace semveil::test
