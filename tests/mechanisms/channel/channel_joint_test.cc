// Columns of noise together, against sums over all releases of small domains.
#include "mechanisms/channel/channel_joint.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "mechanisms/channel/bivariate.h"
#include "semveil/noise.h"
#include "support/generated_table.h"
#include "support/slow_channel.h"

namespace semveil::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct JointTrial {
  JointTrial(NoiseOptions options, std::size_t columns, Shape shape, std::size_t size)
      : domain(generate(shape, size, 4)), slow(domain.twins.slow, {"wu-palmer"}, {}) {
    Random random(5);
    for (std::size_t j = 0; j < columns; ++j) {
      const auto cells =
          j == 0 ? draw_cells(*domain.twins.fast, 80, 5, 10, random)
                 : draw_related_cells(*domain.twins.fast, table.columns[0].cells, 10, random);
      table.columns.push_back(
          {make_attribute("column " + std::to_string(j), domain, {"wu-palmer"}), cells});
    }
    options.allow_unmasked = true;
    frequencies = table.frequencies();
    plan = value_or_throw(make_noise(options)->fit(
        frequencies, Key::from_bytes(std::array<unsigned char, Key::kSize>{2, 7})));
    for (std::size_t j = 0; j < columns; ++j) all.push_back(j);
  }
  ConceptId value(const JointTuples& tuples, std::size_t t, std::size_t j) const {
    return frequencies.columns[j].values.values[tuples.places[t * all.size() + j]];
  }
  TwinDomain domain;
  SlowNoise slow;
  GeneratedTable table;
  FrequencyTable frequencies;
  std::unique_ptr<const FittedMethod> plan;
  std::vector<std::size_t> all;
};

// Where errors of one sign lead, by interval.
struct Piece {
  double from, to;
  std::set<SlowTaxonomy::Node> values;
};
std::vector<Piece> pieces(const SlowNoise& noise, SlowTaxonomy::Node x,
                          std::optional<SlowTaxonomy::Node> reference) {
  std::set<double> ends = {0, kInfinity};
  for (const auto c : noise.candidates()) {
    if (c != x) ends.insert(noise.sd(c, x) + 1e-9);
  }
  std::vector<Piece> out;
  for (auto end = std::next(ends.begin()); end != ends.end(); ++end) {
    const double from = *std::prev(end), to = *end;
    const double size = to == kInfinity ? from + 1 : (from + to) / 2;
    out.push_back({from, to, noise.replace(x, size, reference).admissible});
    out.push_back({-to, -from, noise.replace(x, -size, reference).admissible});
  }
  return out;
}

// p P(z1 z2 | x1 x2), by tuple and z1 · size + z2, one rectangle at a time.
std::vector<std::vector<double>> slow_pairs_of(const JointTrial& t, const JointTuples& tuples,
                                               NoiseReference by, double sign = 1) {
  const NoiseModel& model = noise_lines(*t.plan)->model();
  const double l00 = model.root[0], l10 = model.root[2], l11 = model.root[3];
  const double deviation[] = {l00, std::hypot(l10, l11)};
  const double rho = sign * l10 / deviation[1];
  const std::size_t size = t.domain.twins.slow.size();
  std::vector<std::vector<double>> out;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    out.emplace_back(size * size, 0.0);
    std::vector<Piece> of[2];
    for (std::size_t j = 0; j < 2; ++j) {
      const auto x = t.domain.node(t.value(tuples, i, j));
      std::optional<SlowTaxonomy::Node> reference = t.domain.node(model.columns[j].statistics.mean);
      if (by == NoiseReference::kPair) {
        reference = t.domain.node(t.value(tuples, i, 1 - j));
      } else if (*reference == x) {
        reference.reset();
      }
      of[j] = pieces(t.slow, x, reference);
    }
    for (const Piece& a : of[0]) {
      for (const Piece& b : of[1]) {
        const double p = bivariate_rectangle(a.from / deviation[0], a.to / deviation[0],
                                             b.from / deviation[1], b.to / deviation[1], rho) *
                         tuples.shares[i] / static_cast<double>(a.values.size()) /
                         static_cast<double>(b.values.size());
        for (const auto y : a.values) {
          for (const auto z : b.values) out.back()[y * size + z] += p;
        }
      }
    }
  }
  return out;
}

void expect_near(const ChannelRisk& risk, const SlowRisk& slow, double worst_within = 1e-8) {
  EXPECT_NEAR(risk.prior, slow.prior, 1e-12);
  EXPECT_NEAR(risk.vulnerability, slow.vulnerability, 1e-11);
  EXPECT_NEAR(risk.expected, slow.expected, 1e-11);
  EXPECT_NEAR(risk.worst, slow.worst, worst_within);
  EXPECT_EQ(risk.unchanged, 0);
}

TEST(JointChannel, OfTwoCorrelatedColumnsIsThatOfAllReleases) {
  for (const Shape shape : {Shape::kTree, Shape::kDag, Shape::kChain, Shape::kStar}) {
    for (const NoiseReference by : {NoiseReference::kMean, NoiseReference::kPair}) {
      SCOPED_TRACE(std::string(to_string(shape)) + ", " + std::string(to_string(by)));
      NoiseOptions options;
      options.correlated = true;
      options.reference = by;
      options.alpha = 1;
      const JointTrial t(options, 2, shape, 12);
      const JointTuples tuples(t.frequencies, t.all);
      ASSERT_NE(noise_lines(*t.plan)->model().root[2], 0);
      const SlowRisk slow = slow_risk(slow_pairs_of(t, tuples, by));
      const auto risks = value_or_throw(channel_risks(*t.plan, t.frequencies, {}));
      ASSERT_EQ(risks.size(), 3U);
      EXPECT_EQ(risks[2].how, ChannelRisk::How::kExact);
      expect_near(risks[2], slow);
      if (shape == Shape::kTree) {  // the sides of one column exchanged
        const SlowRisk exchanged = slow_risk(slow_pairs_of(t, tuples, by, -1));
        EXPECT_GT(std::abs(risks[2].vulnerability - exchanged.vulnerability), 1e-4);
      }
      const auto again = value_or_throw(channel_risks(*t.plan, t.frequencies, {.threads = 3}));
      EXPECT_EQ(risks[2].vulnerability, again[2].vulnerability);
      EXPECT_EQ(risks[2].expected, again[2].expected);
      // The same by simulation: the interval holds what is exact.
      const auto simulated = simulated_joint_risk(*noise_lines(*t.plan), t.frequencies, tuples,
                                                  {.threads = 2, .simulated = 4000});
      ASSERT_TRUE(simulated.has_value());
      EXPECT_EQ(simulated->how, ChannelRisk::How::kSimulated);
      EXPECT_NEAR(simulated->vulnerability, slow.vulnerability, *simulated->half_width);
      EXPECT_LT(*simulated->half_width, 0.15);
      EXPECT_LE(simulated->worst, slow.worst + 0.2);
    }
  }
}

TEST(JointChannel, OfIndependentColumnsIsTheProductOfTheirs) {
  NoiseOptions options;
  options.alpha = 0.5;
  const JointTrial t(options, 3, Shape::kDag, 12);
  const JointTuples tuples(t.frequencies, t.all);
  std::vector<std::vector<double>> joint, rows(3);
  std::vector<std::unique_ptr<const Channel>> channels;
  for (std::size_t j = 0; j < 3; ++j) channels.push_back(channel_of(*t.plan, t.frequencies, j));
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j) channels[j]->probabilities(t.value(tuples, i, j), rows[j]);
    joint.emplace_back();
    for (const double a : rows[0]) {
      for (const double b : rows[1]) {
        for (const double c : rows[2]) joint.back().push_back(tuples.shares[i] * a * b * c);
      }
    }
  }
  const SlowRisk slow = slow_risk(joint);
  const auto risks = value_or_throw(channel_risks(*t.plan, t.frequencies, {}));
  ASSERT_EQ(risks.size(), 4U);
  EXPECT_EQ(risks[3].how, ChannelRisk::How::kExact);
  expect_near(risks[3], slow);
  const auto again = value_or_throw(channel_risks(*t.plan, t.frequencies, {.threads = 2}));
  EXPECT_EQ(risks[3].expected, again[3].expected);
  const auto simulated = simulated_joint_risk(*noise_lines(*t.plan), t.frequencies, tuples,
                                              {.threads = 2, .simulated = 20'000});
  ASSERT_TRUE(simulated.has_value());
  EXPECT_NEAR(simulated->vulnerability, slow.vulnerability, *simulated->half_width);
  EXPECT_NEAR(simulated->expected, slow.expected, 0.02);
  EXPECT_LE(simulated->worst, slow.worst + 1e-9);
}

TEST(JointChannel, OfThreeCorrelatedColumnsIsSimulatedAndSaysSo) {
  NoiseOptions options;
  options.correlated = true;
  const JointTrial t(options, 3, Shape::kTree, 12);
  const auto risks =
      value_or_throw(channel_risks(*t.plan, t.frequencies, {.threads = 2, .simulated = 2000}));
  ASSERT_EQ(risks.size(), 4U);
  EXPECT_EQ(risks[3].how, ChannelRisk::How::kSimulated);
  ASSERT_TRUE(risks[3].half_width.has_value());
  EXPECT_GT(*risks[3].half_width, 0);
  EXPECT_GE(risks[3].vulnerability, risks[3].prior);
  EXPECT_LE(risks[3].vulnerability, 1);
  const auto again =
      value_or_throw(channel_risks(*t.plan, t.frequencies, {.threads = 1, .simulated = 2000}));
  EXPECT_EQ(risks[3].vulnerability, again[3].vulnerability);
}

TEST(JointChannel, OfPairsIsToldOfEachPairAndOfAll) {
  NoiseOptions options;
  options.reference = NoiseReference::kPair;
  const JointTrial t(options, 4, Shape::kTree, 8);
  const auto risks =
      value_or_throw(channel_risks(*t.plan, t.frequencies, {.threads = 2, .simulated = 2000}));
  ASSERT_EQ(risks.size(), 7U);
  EXPECT_EQ(risks[4].columns, (std::vector<std::string>{"column 0", "column 1"}));
  EXPECT_EQ(risks[5].columns, (std::vector<std::string>{"column 2", "column 3"}));
  EXPECT_EQ(risks[6].columns.size(), 4U);
}

}  // namespace
}  // namespace semveil::test
