// Several looks at one value: by hand, and by going through every way in which they may come out.
#include "mechanisms/channel/repeated_draws.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/generate.h"

namespace semveil::test {
namespace {

// Any channel, from a table of probabilities.
class WrittenChannel final : public Channel {
 public:
  WrittenChannel(std::vector<std::uint64_t> counts, std::vector<std::vector<double>> rows)
      : rows_(std::move(rows)) {
    std::vector<std::string> texts;
    for (std::size_t z = 0; z + 1 < rows_.front().size(); ++z) {
      texts.push_back(std::string(1, static_cast<char>('a' + z)));
    }
    attribute_ = text_attribute("t", std::move(texts));
    for (std::size_t x = 0; x < counts.size(); ++x) {
      prior_.values.push_back(static_cast<ConceptId>(x));
    }
    prior_.counts = std::move(counts);
  }
  const Attribute& attribute() const override { return attribute_; }
  const ValueCounts& prior() const override { return prior_; }
  void probabilities(ConceptId x, std::vector<double>& row) const override { row = rows_[x]; }
  const std::vector<std::vector<double>>& rows() const { return rows_; }

 private:
  Attribute attribute_;
  ValueCounts prior_;
  std::vector<std::vector<double>> rows_;
};

// Σ over all z_1 … z_r of max_x p(x) Π P(z_i | x).
double slow_looks(const WrittenChannel& channel, std::uint64_t r) {
  const auto records = static_cast<double>(channel.prior().total());
  const std::size_t released = channel.rows().front().size();
  std::vector<std::size_t> z(r, 0);
  double sum = 0;
  for (bool more = true; more;) {
    double greatest = 0;
    for (std::size_t x = 0; x < channel.rows().size(); ++x) {
      double product = static_cast<double>(channel.prior().counts[x]) / records;
      for (const std::size_t look : z) product *= channel.rows()[x][look];
      greatest = std::max(greatest, product);
    }
    sum += greatest;
    more = false;
    for (std::size_t i = 0; i < r && !more; ++i) {
      more = ++z[i] < released;
      if (!more) z[i] = 0;
    }
  }
  return sum;
}

WrittenChannel any_channel(std::uint64_t seed) {
  Random random(seed);
  const std::size_t values = 2 + random.below(4);
  std::vector<std::uint64_t> counts;
  std::vector<std::vector<double>> rows;
  for (std::size_t x = 0; x < values; ++x) {
    counts.push_back(1 + random.below(9));
    std::vector<double> row;
    double sum = 0;
    for (std::size_t z = 0; z <= values; ++z) {
      row.push_back(random.one_in(4) ? 0 : 1 + static_cast<double>(random.below(9)));
      sum += row.back();
    }
    if (sum == 0) row[x] = sum = 1;
    for (double& p : row) p /= sum;
    rows.push_back(std::move(row));
  }
  return {std::move(counts), std::move(rows)};
}

TEST(RepeatedLook, OfTwoValuesKeptWithThreeQuarters) {
  const WrittenChannel channel({1, 1}, {{0.75, 0.25, 0}, {0.25, 0.75, 0}});
  EXPECT_DOUBLE_EQ(repeated_look(channel, 1)->vulnerability, 0.75);
  EXPECT_DOUBLE_EQ(repeated_look(channel, 2)->vulnerability, 0.75);
  EXPECT_DOUBLE_EQ(repeated_look(channel, 3)->vulnerability, 27.0 / 32);
}

TEST(RepeatedLook, IsThatOfAllWaysItMayComeOut) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const WrittenChannel channel = any_channel(seed);
    for (const std::uint64_t r : {1U, 2U, 3U, 5U}) {
      const auto found = repeated_look(channel, r);
      ASSERT_TRUE(found && !found->half_width);
      EXPECT_NEAR(found->vulnerability, slow_looks(channel, r), 1e-12) << seed << " " << r;
    }
  }
}

TEST(RepeatedLook, IsDrawnWithinItsInterval) {
  int outside = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const WrittenChannel channel = any_channel(seed);
    const auto drawn = repeated_look(channel, 4, 0);
    ASSERT_TRUE(drawn && drawn->half_width);
    const double apart = std::abs(drawn->vulnerability - slow_looks(channel, 4));
    outside += apart > *drawn->half_width + 1e-12 ? 1 : 0;
    EXPECT_LE(apart, 2 * *drawn->half_width + 1e-9);
  }
  EXPECT_LE(outside, 1);
}

// Of n values, as likely as each other, each is kept with 1/2; else any of the others comes out.
class LargeChannel final : public Channel {
 public:
  explicit LargeChannel(std::size_t values) {
    std::vector<std::string> texts;
    for (std::size_t x = 0; x < values; ++x) {
      texts.push_back(std::to_string(x));
      prior_.values.push_back(static_cast<ConceptId>(x));
      prior_.counts.push_back(1);
    }
    attribute_ = text_attribute("t", std::move(texts));
  }
  const Attribute& attribute() const override { return attribute_; }
  const ValueCounts& prior() const override { return prior_; }
  void probabilities(ConceptId x, std::vector<double>& row) const override {
    const double other = 0.5 / static_cast<double>(prior_.values.size() - 1);
    std::fill(row.begin(), row.end() - 1, other);
    row[x] = 0.5;
  }

 private:
  Attribute attribute_;
  ValueCounts prior_;
};

// A table of it all would have 64 million cells.
TEST(RepeatedLook, OfAChannelThatIsTooLargeToBeKeptIsDrawnLessOften) {
  const LargeChannel channel(8000);
  const auto once = repeated_look(channel, 1);
  ASSERT_TRUE(once && once->half_width);
  EXPECT_NEAR(once->vulnerability, 0.5, 1e-9) << "every look tells as much";
  // With 1/4 both looks are the value, and known. Else they differ, and the posterior of either is
  // 1/2 / (1/2 + 1/2 + 1/2) = 1/3, as n goes to infinity: 1/4 + 3/4 · 1/3.
  const auto twice = repeated_look(channel, 2);
  ASSERT_TRUE(twice && twice->half_width);
  EXPECT_GT(*twice->half_width, 0);
  EXPECT_NEAR(twice->vulnerability, 0.5, *twice->half_width + 1e-3);
}

TEST(RepeatedLook, ManyLooksDoNotUnderflow) {
  const WrittenChannel channel({1, 1}, {{0.6, 0.4, 0}, {0.4, 0.6, 0}});
  const auto many = repeated_look(channel, 5000, 0);
  ASSERT_TRUE(many);
  EXPECT_GT(many->vulnerability, 0.999);
}

}  // namespace
}  // namespace semveil::test
