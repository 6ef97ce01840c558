#include "support/sample_checks.h"

#include <algorithm>
#include <cmath>

namespace semveil::test {
namespace {

testing::AssertionResult within(double z, double bound, const char* what) {
  if (std::abs(z) <= bound) return testing::AssertionSuccess() << what << ": " << z;
  return testing::AssertionFailure() << what << ": " << z << ", beyond " << bound;
}

// (X / df)^⅓ of a χ² variable is nearly normal.
double chi_square_as_normal(double chi_square, double df) {
  const double spread = 2 / (9 * df);
  return (std::cbrt(chi_square / df) - (1 - spread)) / std::sqrt(spread);
}

double pearson(std::span<const double> a, std::span<const double> b) {
  const auto n = static_cast<double>(a.size());
  double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

// atanh(1) is infinite, and so is its distance from any correlation but 1.
double fisher(double r) { return std::atanh(std::clamp(r, -1 + 1e-15, 1 - 1e-15)); }

}  // namespace

testing::AssertionResult is_centred(std::span<const double> sample, double variance) {
  double sum = 0;
  for (const double x : sample) sum += x;
  return within(sum / std::sqrt(variance * static_cast<double>(sample.size())), kNormalBound,
                "mean over its deviation");
}

testing::AssertionResult has_both_signs_alike(std::span<const double> sample) {
  const auto n = static_cast<double>(sample.size());
  const auto above = static_cast<double>(
      std::count_if(sample.begin(), sample.end(), [](double x) { return x > 0; }));
  return within((above - n / 2) / std::sqrt(n / 4), kNormalBound, "positive ones");
}

testing::AssertionResult has_variance(std::span<const double> sample, double variance,
                                      double kurtosis) {
  const auto n = static_cast<double>(sample.size());
  double sum = 0;
  for (const double x : sample) sum += x * x;
  const double z = kurtosis == kNormalKurtosis
                       ? chi_square_as_normal(sum / variance, n)
                       : (sum / (n * variance) - 1) / std::sqrt((kurtosis - 1) / n);
  return within(z, kNormalBound, "variance") << "; found " << sum / n << ", expected " << variance;
}

testing::AssertionResult has_distribution(std::vector<double> sample,
                                          const std::function<double(double)>& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double gap = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = cdf(sample[i]);
    gap = std::max(
        {gap, expected - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - expected});
  }
  return within(gap * std::sqrt(n), std::sqrt(std::log(2 / kFalseAlarm) / 2),
                "Kolmogorov-Smirnov gap times root n");
}

double normal_cdf(double x, double variance) { return std::erfc(-x / std::sqrt(2 * variance)) / 2; }

double laplace_cdf(double x, double variance) {
  const double tail = std::exp(-std::abs(x) / std::sqrt(variance / 2)) / 2;
  return x < 0 ? tail : 1 - tail;
}

testing::AssertionResult has_correlation(std::span<const double> a, std::span<const double> b,
                                         double correlation) {
  const double r = pearson(a, b);
  return within((fisher(r) - fisher(correlation)) * std::sqrt(static_cast<double>(a.size()) - 3),
                kNormalBound, "correlation")
         << "; found " << r << ", expected " << correlation;
}

testing::AssertionResult are_independent(std::span<const double> a, std::span<const double> b) {
  std::vector<double> size_a, size_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) return testing::AssertionFailure() << "equal at place " << i;
    size_a.push_back(std::abs(a[i]));
    size_b.push_back(std::abs(b[i]));
  }
  const testing::AssertionResult numbers = has_correlation(a, b, 0);
  if (!numbers) return numbers;
  return has_correlation(size_a, size_b, 0) << " (of the sizes)";
}

testing::AssertionResult has_independent_places(std::span<const double> sample) {
  for (const std::size_t lag : {1, 2, 7, 8, 16}) {
    const testing::AssertionResult at_lag =
        are_independent(sample.subspan(lag), sample.first(sample.size() - lag));
    if (!at_lag) return testing::AssertionFailure() << lag << " places on: " << at_lag.message();
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult is_uniform(const std::vector<std::vector<std::uint64_t>>& groups) {
  std::vector<std::vector<double>> shares;
  for (const std::vector<std::uint64_t>& counts : groups) {
    shares.emplace_back(counts.size(), 1 / static_cast<double>(counts.size()));
  }
  return has_shares(groups, shares);
}

testing::AssertionResult has_shares(const std::vector<std::vector<std::uint64_t>>& groups,
                                    const std::vector<std::vector<double>>& shares) {
  double chi_square = 0, df = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double total = 0, least = 1, possible = 0;
    for (std::size_t i = 0; i < groups[g].size(); ++i) {
      if (shares[g][i] == 0 && groups[g][i] > 0) {
        return testing::AssertionFailure() << "answer " << i << " of group " << g << " came";
      }
      total += static_cast<double>(groups[g][i]);
      possible += shares[g][i] > 0 ? 1 : 0;
      if (shares[g][i] > 0) least = std::min(least, shares[g][i]);
    }
    if (possible < 2 || total * least < 5) continue;
    df += possible - 1;
    for (std::size_t i = 0; i < groups[g].size(); ++i) {
      if (shares[g][i] == 0) continue;
      const double expected = total * shares[g][i];
      const double off = static_cast<double>(groups[g][i]) - expected;
      chi_square += off * off / expected;
    }
  }
  if (df == 0) return testing::AssertionFailure() << "no group is large enough to judge";
  // Only too uneven is wrong.
  return within(std::max(0.0, chi_square_as_normal(chi_square, df)), kNormalBound, "uniformity")
         << "; chi-square " << chi_square << " at " << df << " degrees of freedom";
}

}  // namespace semveil::test
