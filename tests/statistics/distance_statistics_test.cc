// Distance covariance, variance and correlation against n × n matrices over records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/cpu.h"
#include "semveil/statistics.h"
#include "statistics/joint.h"
#include "support/columns.h"
#include "support/generate.h"
#include "support/slow_statistics.h"

namespace semveil::test {
namespace {

// A column of words or numbers beside the matrix of its records' distances.
struct Side {
  std::string title;
  Space space;
  std::vector<std::uint32_t> places;  // of every record, in the space
  SlowMatrix centred;
};

Side words(const Twins& twins, const std::shared_ptr<const Measure>& measure,
           const SlowStatistics& slow, const GeneratedColumn& column) {
  // A value that no record has must not matter.
  std::set<ConceptId> values(column.records.begin(), column.records.end());
  values.insert(static_cast<ConceptId>(twins.fast->size() / 2));
  const std::vector<ConceptId> list(values.begin(), values.end());
  Side side{column.title, Space::nominal(measure, list), {}, {}};
  for (const ConceptId c : column.records) {
    const auto found = std::lower_bound(list.begin(), list.end(), c);
    side.places.push_back(static_cast<std::uint32_t>(found - list.begin()));
  }
  const SlowColumn records = column.slow(twins);
  side.centred = slow_centred(slow_distances(records.size(), [&](std::size_t i, std::size_t j) {
    return slow.distance(records[i], records[j]);
  }));
  return side;
}

Side numbers(const std::string& title, const std::vector<double>& records) {
  const std::set<double> values(records.begin(), records.end());
  const std::vector<double> list(values.begin(), values.end());
  Side side{title, Space::numeric(list), {}, {}};
  for (const double x : records) {
    const auto found = std::lower_bound(list.begin(), list.end(), x);
    side.places.push_back(static_cast<std::uint32_t>(found - list.begin()));
  }
  const double range = list.back() - list.front();
  side.centred = slow_centred(slow_distances(records.size(), [&](std::size_t i, std::size_t j) {
    return range == 0 ? 0 : std::abs(records[i] - records[j]) / range;
  }));
  return side;
}

std::vector<JointCount> joint_of(const std::vector<std::uint32_t>& a,
                                 const std::vector<std::uint32_t>& b) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> count;
  for (std::size_t i = 0; i < a.size(); ++i) ++count[{a[i], b[i]}];
  std::vector<JointCount> joint;
  for (const auto& [pair, n] : count) joint.push_back({pair.first, pair.second, n});
  return joint;
}

constexpr double kRounding = 1e-12;

// Whether the sum was negative.
bool expect_as_twin(const Side& a, const Side& b) {
  SCOPED_TRACE(a.title + " × " + b.title);
  const auto found = distance_statistics(a.space, b.space, joint_of(a.places, b.places));
  const double covariance = slow_covariance_squared(a.centred, b.centred);
  const double of_a = std::sqrt(slow_covariance_squared(a.centred, a.centred));
  const double of_b = std::sqrt(slow_covariance_squared(b.centred, b.centred));
  EXPECT_NEAR(found.covariance * found.covariance, std::max(0.0, covariance), kRounding);
  EXPECT_NEAR(found.variance_a * found.variance_a, of_a * of_a, kRounding);
  EXPECT_NEAR(found.variance_b * found.variance_b, of_b * of_b, kRounding);
  EXPECT_EQ(found.sampled, 0U);
  if (std::abs(covariance) > 1e-10) {
    EXPECT_EQ(found.clamped, covariance < 0);
  }
  if (of_a < 1e-7 || of_b < 1e-7) {
    EXPECT_NEAR(found.correlation, 0, 1e-3);
  } else {
    EXPECT_NEAR(found.correlation * found.correlation, std::max(0.0, covariance) / (of_a * of_b),
                1e-9);
  }
  return found.clamped;
}

class DistanceStatisticsOnEveryShape : public testing::TestWithParam<Shape> {};

TEST_P(DistanceStatisticsOnEveryShape, AreThoseOfTheRecords) {
  std::uint64_t seed = 100;
  for (const GeneratedTaxonomy& sample : samples_of(GetParam())) {
    const Twins twins(sample);
    const auto pairs = slow_pairs(twins.slow);
    Random random(seed++);
    std::vector<GeneratedColumn> columns = columns_over(*twins.fast, seed);
    constexpr std::size_t kRecords = 24;
    for (GeneratedColumn& column : columns) {  // the same number of records in all of them
      while (column.records.size() < kRecords) {
        column.records.push_back(column.records[random.below(column.records.size())]);
      }
      column.records.resize(kRecords);
    }
    std::vector<double> few, many, same(kRecords, -4.5);
    for (std::size_t i = 0; i < kRecords; ++i) {
      few.push_back(static_cast<double>(random.below(3)) - 1);
      many.push_back(static_cast<double>(random.below(1000)) * 0.37 - 100);
    }
    for (const SlowMeasure& slow_measure : slow_measures(twins.slow)) {
      SCOPED_TRACE(slow_measure.which().title());
      const std::shared_ptr<const Measure> measure =
          engine_measure(twins.fast, slow_measure.which());
      const SlowStatistics slow(twins.slow, slow_measure, pairs);
      std::vector<Side> sides;
      for (const GeneratedColumn& column : columns) {
        sides.push_back(words(twins, measure, slow, column));
      }
      sides.push_back(numbers("few numbers", few));
      sides.push_back(numbers("many numbers", many));
      sides.push_back(numbers("one number", same));
      for (const Side& a : sides) {
        for (const Side& b : sides) {
          if (random.one_in(3)) expect_as_twin(a, b);
          if (HasFailure()) return;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DistanceStatisticsOnEveryShape, testing::ValuesIn(kShapes),
                         [](const auto& test) { return to_string(test.param); });

// Many values with engine distances; the twin is the formula over records.
struct Large {
  explicit Large(std::size_t values_a, std::size_t values_b, std::size_t records)
      : twins(generate(Shape::kDag, 6000, 3)), measure(value_or_throw(make_measure(twins.fast))) {
    Random random(values_a * 7 + values_b);
    for (std::size_t i = 0; i < records; ++i) {
      a.push_back(static_cast<std::uint32_t>(random.below(values_a)));
      // Some dependence, else there is nothing to see but noise.
      b.push_back(static_cast<std::uint32_t>(random.one_in(2) ? a.back() % values_b
                                                              : random.below(values_b)));
    }
  }
  Space space(std::size_t values) const {
    std::vector<ConceptId> list;
    for (std::size_t i = 0; i < values; ++i) list.push_back(static_cast<ConceptId>(1 + i));
    return Space::nominal(measure, list);
  }
  SlowMatrix centred(const std::vector<std::uint32_t>& places) const {
    return slow_centred(slow_distances(places.size(), [&](std::size_t i, std::size_t j) {
      return measure->distance(1 + places[i], 1 + places[j]);
    }));
  }

  Twins twins;
  std::shared_ptr<const Measure> measure;
  std::vector<std::uint32_t> a, b;
};

TEST(DistanceStatistics, HoldWhereAMatrixOfDistancesWouldBeTooLarge) {
  const Large large(40, 5000, 12000);
  const std::set<std::uint32_t> distinct(large.b.begin(), large.b.end());
  ASSERT_GT(distinct.size() * distinct.size() * sizeof(double), 64U << 20);
  // Turned around, the matrix that is kept is the small one.
  const Space few = large.space(40);
  const Space many = large.space(5000);
  const auto found = distance_statistics(few, many, joint_of(large.a, large.b));
  const auto turned = distance_statistics(many, few, joint_of(large.b, large.a));
  EXPECT_GT(found.covariance, 0.001);
  EXPECT_NEAR(turned.covariance * turned.covariance, found.covariance * found.covariance, 1e-14);
  EXPECT_EQ(turned.variance_a, found.variance_b);
  EXPECT_EQ(turned.variance_b, found.variance_a);
}

TEST(DistanceStatistics, OfHundredsOfValuesAreThoseOfTheRecords) {
  const Large large(300, 170, 1500);
  const auto found =
      distance_statistics(large.space(300), large.space(170), joint_of(large.a, large.b));
  EXPECT_NEAR(found.covariance * found.covariance,
              slow_covariance_squared(large.centred(large.a), large.centred(large.b)), kRounding);
}

TEST(DistanceStatistics, HaveTheSameBitsForAnyNumberOfThreadsAndAnyWidthOfVectors) {
  const Large large(300, 170, 4000);
  std::vector<double> list;
  for (int i = 0; i < 170; ++i) list.push_back(i * 0.7);
  const Space number = Space::numeric(list);
  const auto joint = joint_of(large.a, large.b);
  const std::vector<std::uint64_t> counts(300, 3);
  for (const Space& b : {large.space(170), number}) {
    const auto expected = distance_statistics(large.space(300), b, joint);
    EXPECT_GT(expected.covariance, 0);
    for (const bool avx2 : {true, false}) {
      allow_avx2() = avx2;
      for (const unsigned threads : {1U, 2U, 7U}) {
        StatisticsOptions options;
        options.threads = threads;
        const auto found = distance_statistics(large.space(300), b, joint, options);
        EXPECT_EQ(found.covariance, expected.covariance);
        EXPECT_EQ(found.variance_a, expected.variance_a);
        EXPECT_EQ(found.variance_b, expected.variance_b);
        EXPECT_EQ(found.correlation, expected.correlation);
        EXPECT_EQ(distance_variance(large.space(300), counts, options).value,
                  distance_variance(large.space(300), counts).value);
      }
    }
    allow_avx2() = true;
  }
}

TEST(DistanceStatistics, OfAColumnAndItselfAreItsVarianceAndOne) {
  const Large large(200, 200, 3000);
  const auto joint = joint_of(large.a, large.a);
  const auto found = distance_statistics(large.space(200), large.space(200), joint);
  EXPECT_NEAR(found.covariance, found.variance_a, 1e-12);
  EXPECT_NEAR(found.correlation, 1, 1e-9);
  EXPECT_EQ(found.variance_a, found.variance_b);
  std::vector<std::uint64_t> counts(200, 0);
  for (const std::uint32_t a : large.a) ++counts[a];
  EXPECT_EQ(distance_variance(large.space(200), counts).value, found.variance_a);
  EXPECT_EQ(distance_variance(large.space(200), counts).sampled, 0U);
}

TEST(DistanceStatistics, OfNothingAreZero) {
  const Space none = Space::numeric({});
  EXPECT_EQ(distance_statistics(none, none, {}).covariance, 0);
  EXPECT_EQ(distance_variance(none, {}).value, 0);
  const Space one = Space::numeric({3});
  const auto found = distance_statistics(one, one, std::vector<JointCount>{{0, 0, 9}});
  EXPECT_EQ(found.variance_a, 0);
  EXPECT_EQ(found.correlation, 0);
}

TEST(DistanceStatistics, OfNumbersStandTheLargestRange) {
  const Space wide = Space::numeric({-1.7e308, 0, 1.7e308});
  const auto found =
      distance_statistics(wide, wide, std::vector<JointCount>{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}});
  EXPECT_NEAR(found.correlation, 1, 1e-9);
}

// p and p' are far apart, their common children q and q' are near to both: no points of a space lie
// so. B tells the p from the q, which are nearer to each other than to themselves.
TEST(DistanceStatistics, SayWhereTheSumIsNegative) {
  GeneratedTaxonomy arms{{"root"}, {}};
  for (std::size_t c = 1; c <= 12; ++c) {
    arms.ids.push_back("c" + std::to_string(c));
    arms.links.emplace_back(c, c <= 2 ? 0 : c - 2);
  }
  arms.ids.insert(arms.ids.end(), {"q", "q'"});
  for (const std::size_t q : {13, 14}) {
    for (const std::size_t p : {11, 12}) arms.links.emplace_back(q, p);
  }
  const Twins twins(arms);
  const SlowMeasure slow_measure = slow_measures(twins.slow)[0];
  ASSERT_EQ(slow_measure.which().name, "wu-palmer");
  const SlowStatistics slow(twins.slow, slow_measure, slow_pairs(twins.slow));
  const std::shared_ptr<const Measure> measure = engine_measure(twins.fast, slow_measure.which());
  GeneratedColumn column{"p, p', q, q'", {}};
  for (const std::size_t c : {11, 12, 13, 14}) column.records.push_back(twins.concept_id[c]);
  EXPECT_TRUE(
      expect_as_twin(words(twins, measure, slow, column), numbers("0 0 1 1", {0, 0, 1, 1})));
}

TEST(Sample, TakesOneRecordOfEveryStretch) {
  Random random(3);
  std::vector<JointCount> joint;
  std::uint64_t records = 0;
  for (std::uint32_t a = 0; a < 50; ++a) {
    for (std::uint32_t b = 0; b < 20; b += 1 + static_cast<std::uint32_t>(random.below(4))) {
      joint.push_back({a, b, 1 + random.below(30)});
      records += joint.back().count;
    }
  }
  EXPECT_EQ(sample_of(joint, records), joint);
  EXPECT_EQ(sample_of(joint, records + 5), joint);
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{97}, records / 2, records - 1}) {
    const std::vector<JointCount> sample = sample_of(joint, size);
    EXPECT_EQ(sample, sample_of(joint, size));
    std::uint64_t taken = 0;
    std::uint64_t seen = 0;
    std::size_t next = 0;
    for (const JointCount& pair : joint) {
      seen += pair.count;
      if (next < sample.size() && sample[next].a == pair.a && sample[next].b == pair.b) {
        ASSERT_LE(sample[next].count, pair.count);
        ASSERT_GT(sample[next].count, 0U);
        taken += sample[next++].count;
      }
      const double share =
          static_cast<double>(seen) * static_cast<double>(size) / static_cast<double>(records);
      ASSERT_NEAR(static_cast<double>(taken), share, 1.0 + 1e-9);
    }
    EXPECT_EQ(next, sample.size());
    EXPECT_EQ(taken, size);
  }
}

TEST(Sample, IsUsedBeyondTheAllowedWorkAndSaidSo) {
  const Large large(300, 200, 40000);
  const auto joint = joint_of(large.a, large.b);
  const auto all = distance_statistics(large.space(300), large.space(200), joint);
  StatisticsOptions options;
  options.most_work = 2'000'000;
  const auto some = distance_statistics(large.space(300), large.space(200), joint, options);
  EXPECT_EQ(all.sampled, 0U);
  EXPECT_GT(some.sampled, 1000U);
  EXPECT_LT(some.sampled, 40000U);
  EXPECT_NEAR(some.variance_a, all.variance_a, 0.01);
  EXPECT_NEAR(some.covariance, all.covariance, 0.02);
  EXPECT_NE(some.covariance, all.covariance);

  std::vector<std::uint64_t> counts(300, 0);
  for (const std::uint32_t a : large.a) ++counts[a];
  options.most_work = 2 * 299 * 299;
  const auto variance = distance_variance(large.space(300), counts, options);
  EXPECT_EQ(variance.sampled, 299U);
  EXPECT_NEAR(variance.value, all.variance_a, 0.02);
  options.most_work = 0;
  EXPECT_EQ(distance_variance(large.space(300), counts, options).sampled, 1U);
}

}  // namespace
}  // namespace semveil::test
