// Noise on numbers: its errors, judged as random samples, where they lead, and what is told of it.
//
// Rates: every check of a sample is wrong about a right sampler with probability 1e-7 or less
// (support/sample_checks.h); this file makes fewer than 60 of them. 200,000 rows see a variance
// that is wrong by 3.4 % (Laplace: 5.3 %) and correlations that are 0.024 apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <utility>

#include "semveil/channel.h"
#include "semveil/noise.h"
#include "support/filled_key.h"
#include "support/generated_table.h"
#include "support/sample_checks.h"

namespace semveil::test {
namespace {

constexpr std::size_t kNumberRows = 200'000;
using Errors = std::vector<double>;

TableColumn number_column(const std::string& name, const std::vector<double>& cells,
                          unsigned decimals) {
  std::vector<double> numbers = cells;
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const double unit = numbers.empty() ? 0 : numbers.back() - numbers.front();
  Attribute attribute = numeric_attribute(name, numbers, unit);
  attribute.decimals = decimals;
  TableColumn out{std::make_shared<const Attribute>(std::move(attribute)), {}};
  for (const double cell : cells) {
    const auto at = std::ranges::lower_bound(out.attribute->numbers, cell);
    out.cells.push_back(static_cast<ConceptId>(at - out.attribute->numbers.begin()));
  }
  return out;
}

// Wages rise with age, blood pressure falls with both; and words that go with them.
struct People {
  GeneratedTable table;
  std::unique_ptr<TwinDomain> domain;
};

People people(bool with_words) {
  Random random(3);
  std::vector<double> ages, wages, pressures;
  People out;
  for (std::size_t i = 0; i < kNumberRows; ++i) {
    const auto age = static_cast<double>(18 + random.below(63));
    ages.push_back(age);
    wages.push_back(500 * std::floor(age / 4) + 100.0 * static_cast<double>(random.below(40)));
    pressures.push_back(180 - age + static_cast<double>(random.below(30)));
  }
  out.table.columns = {number_column("age", ages, 0), number_column("wage", wages, 0),
                       number_column("pressure", pressures, 1)};
  if (!with_words) return out;
  out.domain = std::make_unique<TwinDomain>(generate(Shape::kTree, 40, 4));
  TableColumn words{make_attribute("word", *out.domain, {"wu-palmer"}), {}};
  const auto concepts = static_cast<double>(words.attribute->taxonomy().size());
  for (std::size_t i = 0; i < kNumberRows; ++i) {
    const double place = (ages[i] - 18) / 63 * (concepts - 1);
    words.cells.push_back(static_cast<ConceptId>(place) + 0);
  }
  out.table.columns.push_back(std::move(words));
  return out;
}

double variance_of(const GeneratedTable& table, std::size_t j) {
  const TableColumn& column = table.columns[j];
  double sum = 0, squares = 0;
  for (const ConceptId cell : column.cells) sum += column.attribute->numbers[cell];
  const double mean = sum / static_cast<double>(column.cells.size());
  for (const ConceptId cell : column.cells) {
    squares += std::pow(column.attribute->numbers[cell] - mean, 2);
  }
  return squares / static_cast<double>(column.cells.size());
}

double pearson_of(const GeneratedTable& table, std::size_t a, std::size_t b) {
  std::vector<double> x, y;
  for (const ConceptId cell : table.columns[a].cells) {
    x.push_back(table.columns[a].attribute->numbers[cell]);
  }
  for (const ConceptId cell : table.columns[b].cells) {
    y.push_back(table.columns[b].attribute->numbers[cell]);
  }
  double mx = 0, my = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / static_cast<double>(x.size());
    my += y[i] / static_cast<double>(y.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) xy += (x[i] - mx) * (y[i] - my);
  return xy / static_cast<double>(x.size()) /
         std::sqrt(variance_of(table, a) * variance_of(table, b));
}

struct Masked {
  std::unique_ptr<const FittedMethod> plan;
  MaskedBatch out;
  std::vector<Errors> errors;  // by column
};

Masked mask(const GeneratedTable& table, const NoiseOptions& options) {
  Masked made;
  made.plan = value_or_throw(make_noise(options)->fit(table.frequencies(), filled_key(9)));
  made.out.traced = true;
  made.plan->apply(table.whole(), made.out);
  made.errors.resize(table.columns.size());
  for (const TraceLine& line : made.out.trace) made.errors[line.column].push_back(line.error);
  return made;
}

TEST(NumberNoise, ErrorsHaveAlphaTimesTheVariance) {
  const People all = people(false);
  for (const NoiseDistribution distribution :
       {NoiseDistribution::kNormal, NoiseDistribution::kLaplace}) {
    const bool normal = distribution == NoiseDistribution::kNormal;
    const double kurtosis = normal ? kNormalKurtosis : kLaplaceKurtosis;
    const Masked made = mask(all.table, {.alpha = 0.4, .distribution = distribution});
    for (std::size_t j = 0; j < 3; ++j) {
      const double variance = 0.4 * variance_of(all.table, j);
      Errors errors = made.errors[j];
      EXPECT_TRUE(is_centred(errors, variance));
      EXPECT_TRUE(has_variance(errors, variance, kurtosis));
      EXPECT_TRUE(has_distribution(errors, [&](double x) {
        return normal ? normal_cdf(x, variance) : laplace_cdf(x, variance);
      }));
      EXPECT_TRUE(has_independent_places(errors));
      // The judge is no friend of any sample.
      for (double& error : errors) error *= std::sqrt(1.08);
      EXPECT_FALSE(has_variance(errors, variance, kurtosis)) << "wrong by 8 %";
    }
    EXPECT_TRUE(are_independent(made.errors[0], made.errors[1]));
  }
}

TEST(NumberNoise, CorrelatedErrorsKeepVariancesAndSigns) {
  const People all = people(false);
  const Masked made = mask(all.table, {.alpha = 0.4, .correlated = true});
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_TRUE(has_variance(made.errors[j], 0.4 * variance_of(all.table, j), kNormalKurtosis));
  }
  ASSERT_GT(pearson_of(all.table, 0, 1), 0.5);
  ASSERT_LT(pearson_of(all.table, 0, 2), -0.5);
  for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const double expected = pearson_of(all.table, i, j);
    EXPECT_TRUE(has_correlation(made.errors[i], made.errors[j], expected));
    // Distance correlations have no sign: errors drawn by them would be these.
    Errors unsigned_errors = made.errors[j];
    if (expected < 0) {
      for (double& error : unsigned_errors) error = -error;
      EXPECT_FALSE(has_correlation(made.errors[i], unsigned_errors, expected));
    }
  }
}

TEST(NumberNoise, ErrorsOfAWordGoWithNumbersTheWayItsDistanceFromTheReferenceDoes) {
  const People all = people(true);
  for (const NoiseReference reference : {NoiseReference::kMean, NoiseReference::kRoot}) {
    const Masked made = mask(all.table, {.alpha = 0.3, .correlated = true, .reference = reference});
    const NoiseFit& fit = *noise_fit(*made.plan);
    const FrequencyTable table = all.table.frequencies();
    const Attribute& words = *all.table.columns[3].attribute;
    const Space of_words = Space::nominal(words.measure, table.columns[3].values.values);
    const double sd_var = distance_variance(of_words, table.columns[3].values.counts).value;
    EXPECT_NEAR(fit.columns[3].deviation, std::sqrt(0.3 * sd_var), 1e-9);
    EXPECT_TRUE(has_variance(made.errors[3], 0.3 * sd_var, kNormalKurtosis));

    const ConceptId r = reference == NoiseReference::kMean ? fit.columns[3].mean : Taxonomy::root();
    std::vector<double> far, ages;
    for (std::size_t i = 0; i < kNumberRows; ++i) {
      far.push_back(words.distance(all.table.columns[3].cells[i], r));
      ages.push_back(all.table.columns[0].attribute->numbers[all.table.columns[0].cells[i]]);
    }
    GeneratedTable judged;
    judged.columns = {number_column("far", far, 0), number_column("age", ages, 0)};
    const double way = pearson_of(judged, 0, 1);
    const double together =
        distance_statistics(of_words, Space::numeric(table.columns[0].attribute->numbers),
                            table.joint(3, 0))
            .correlation;
    ASSERT_GT(std::abs(way), 0.01);
    const double expected = std::copysign(together, way);
    if (fit.psd_shift == 0) {
      EXPECT_TRUE(has_correlation(made.errors[3], made.errors[0], expected));
    }
    double product = 0;
    for (std::size_t i = 0; i < kNumberRows; ++i) product += made.errors[3][i] * made.errors[0][i];
    EXPECT_EQ(product > 0, way > 0);
  }
}

// As a mirror does it, one end after the other.
double slowly_folded(double y, double low, double high) {
  while (y < low || y > high) y = y < low ? 2 * low - y : 2 * high - y;
  return y;
}

TEST(NumberNoise, ReflectsAtTheEndsOfTheColumn) {
  const People all = people(false);
  const Masked made = mask(all.table, {.alpha = 3});
  std::size_t reflected = 0;
  for (const TraceLine& line : made.out.trace) {
    const Attribute& before = *all.table.columns[line.column].attribute;
    const Attribute& after = *made.plan->released()[line.column];
    const double low = before.numbers.front(), high = before.numbers.back();
    const double x = before.numbers[line.value], z = after.numbers[line.replacement];
    ASSERT_GE(z, low);
    ASSERT_LE(z, high);
    const double y = slowly_folded(x + line.error, low, high);
    ASSERT_NEAR(z, y, (line.column == 2 ? 0.05 : 0.5) + 1e-7);
    reflected += y != x + line.error ? 1 : 0;
  }
  EXPECT_GT(reflected, kNumberRows / 5);
}

TEST(NumberNoise, LeavesTheRangeWhereItIsFree) {
  const People all = people(false);
  const Masked made = mask(all.table, {.alpha = 1, .range = NoiseRange::kFree});
  std::size_t outside = 0;
  for (const TraceLine& line : made.out.trace) {
    const Attribute& before = *all.table.columns[line.column].attribute;
    const double z = made.plan->released()[line.column]->numbers[line.replacement];
    ASSERT_NEAR(z, before.numbers[line.value] + line.error, (line.column == 2 ? 0.05 : 0.5) + 1e-7);
    outside += z < before.numbers.front() || z > before.numbers.back() ? 1 : 0;
  }
  EXPECT_GT(outside, kNumberRows / 10);
}

TEST(NumberNoise, WritesTheDecimalsOfTheColumn) {
  const People all = people(false);
  const Masked made = mask(all.table, {.alpha = 0.3});
  for (std::size_t i = 0; i < 100; ++i) {
    const auto z = made.plan->released()[2]->id(made.out.columns[2][i]);
    ASSERT_EQ(z.find('.'), z.size() - 2) << z;
    EXPECT_EQ(made.plan->released()[0]->id(made.out.columns[0][i]).find('.'), std::string::npos);
  }
}

// Answers of the tails, which are expected too seldom to be judged one by one, count with the
// likeliest one. What never comes stays apart.
void pool_rare(std::vector<std::uint64_t>& counts, std::vector<double>& shares) {
  constexpr double kFewest = 5;
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const auto likeliest =
      static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const bool is_rare = shares[i] > 0 && shares[i] * static_cast<double>(total) < kFewest;
    if (!is_rare) continue;
    counts[likeliest] += std::exchange(counts[i], 0);
    shares[likeliest] += std::exchange(shares[i], 0);
  }
}

bool come_as(std::vector<std::vector<std::uint64_t>> groups,
             std::vector<std::vector<double>> shares) {
  for (std::size_t g = 0; g < groups.size(); ++g) pool_rare(groups[g], shares[g]);
  const testing::AssertionResult found = has_shares(groups, shares);
  std::cout << found.message() << '\n';
  return static_cast<bool>(found);
}

// Few numbers, many draws: how often each comes out as which.
TEST(NumberNoise, ComesOutAsItsChannelSays) {
  std::vector<double> cells;
  for (std::size_t i = 0; i < kNumberRows; ++i)
    cells.push_back(std::vector<double>{0, 1, 4, 7}[i % 4]);
  GeneratedTable table;
  table.columns = {number_column("x", cells, 0)};
  for (const NoiseRange range : {NoiseRange::kReflect, NoiseRange::kFree}) {
    for (const double alpha : {0.1, 1.0}) {
      const Masked made = mask(table, {.alpha = alpha, .range = range});
      const auto channel = channel_of(*made.plan, table.frequencies(), 0);
      ASSERT_NE(channel, nullptr);
      std::map<double, std::vector<std::uint64_t>> seen;
      const std::size_t size = channel->attribute().size();
      for (std::size_t i = 0; i < kNumberRows; ++i) {
        auto& counts = seen[cells[i]];
        counts.resize(size + 1);
        ++counts[made.out.columns[0][i]];
      }
      std::vector<std::vector<std::uint64_t>> groups;
      std::vector<std::vector<double>> shares;
      for (const ConceptId x : channel->prior().values) {
        std::vector<double> row;
        channel->probabilities(x, row);
        double sum = 0;
        for (const double p : row) sum += p;
        EXPECT_NEAR(sum, 1, 1e-9);
        groups.push_back(seen.at(channel->attribute().numbers[x]));
        shares.push_back(row);
      }
      EXPECT_EQ(groups.size(), 4U);
      EXPECT_TRUE(come_as(groups, shares));
      std::swap(shares[0], shares[1]);
      EXPECT_FALSE(come_as(groups, shares));
    }
  }
}

// The range ends between numbers that are written: 1 takes what lies between 0.2 and 1.5.
TEST(NumberNoise, ComesOutSomewhereWhereverTheRangeEnds) {
  GeneratedTable table;
  table.columns = {number_column("x", {0.2, 1.4, 4.4, 7.9, 0.2, 1.4}, 0)};
  for (const NoiseRange range : {NoiseRange::kReflect, NoiseRange::kFree}) {
    const Masked made = mask(table, {.alpha = 0.5, .range = range});
    const auto channel = channel_of(*made.plan, table.frequencies(), 0);
    ASSERT_NE(channel, nullptr);
    for (const ConceptId x : channel->prior().values) {
      std::vector<double> row;
      channel->probabilities(x, row);
      EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-9);
    }
  }
}

TEST(NumberNoise, TellsWhatOnlyOneNumberCanHaveBecome) {
  GeneratedTable table;  // the deviation is about 9, and no error is beyond 8.3 of them
  table.columns = {number_column("x", {0, 1000, 1000, 1000, 1000, 1000, 1000, 0, 10'000}, 0)};
  const Masked made = mask(table, {.alpha = 1e-5});
  EXPECT_TRUE(made.plan->knows_origins());
  EXPECT_EQ(std::ranges::count(made.out.single_origin, true), 9) << "none comes near another";
  const Masked wide = mask(table, {.alpha = 1});
  EXPECT_EQ(std::ranges::count(wide.out.single_origin, true), 0);
}

TEST(NumberNoise, RefusesWhatItCannotMask) {
  GeneratedTable constant, narrow, paired;
  constant.columns = {number_column("x", {5, 5, 5}, 0)};
  narrow.columns = {number_column("x", {0.2, 0.7, 1.2}, 0)};
  paired.columns = {number_column("x", {1, 2, 3}, 0), number_column("y", {1, 2, 3}, 0)};
  const auto error = [](const GeneratedTable& table, const NoiseOptions& options) {
    const auto plan = make_noise(options)->fit(table.frequencies(), filled_key(1));
    return plan ? "" : plan.error().message;
  };
  EXPECT_THAT(error(constant, {}), testing::HasSubstr("variance 0"));
  EXPECT_THAT(error(narrow, {}), testing::HasSubstr("more decimals"));
  EXPECT_THAT(error(paired, {.reference = NoiseReference::kPair}), testing::HasSubstr("words"));
  EXPECT_EQ(error(paired, {}), "");
}

}  // namespace
}  // namespace semveil::test
