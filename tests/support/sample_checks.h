// Checks of random samples, for every method that draws. Each asks one question of a sample and is
// wrong about a sample that is as it should be at most once in kFalseAlarm⁻¹ times; what it can
// tell apart depends on the sample's size and stands beside it.
//
// Keys are fixed in tests, so a check that passes once passes always: the rate says how likely it
// was that a right program needed another key.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace semveil::test {

inline constexpr double kFalseAlarm = 1e-7;   // a thousand checks: 1e-4
inline constexpr double kNormalBound = 5.33;  // |z| beyond it: 1e-7, both sides together

// Kurtosis E x⁴ / (E x²)²: how much the sum of squares spreads.
inline constexpr double kNormalKurtosis = 3, kLaplaceKurtosis = 6;

// The mean is 0. Sees a shift of 10.66 σ/√n in all but 1e-7 of the samples (n = 200,000: 0.024 σ).
testing::AssertionResult is_centred(std::span<const double> sample, double variance);
// As many above 0 as below: a binomial test. n = 200,000 sees a share of 0.512.
testing::AssertionResult has_both_signs_alike(std::span<const double> sample);
// Σ x² / n against the variance: for normal samples the χ² bounds of n degrees of freedom. Sees a
// variance that is wrong by 10.66 √((kurtosis − 1) / n): n = 200,000: 3.4 % normal, 5.3 % Laplace.
testing::AssertionResult has_variance(std::span<const double> sample, double variance,
                                      double kurtosis);
// Kolmogorov-Smirnov against a distribution without parameters to fit; the bound is Massart's
// (1990), 2 exp(−2 c²), which holds for every n. n = 200,000 sees a gap of 0.013 between the
// distribution functions; normal and Laplace of one variance lie 0.064 apart.
testing::AssertionResult has_distribution(std::vector<double> sample,
                                          const std::function<double(double)>& cdf);
double normal_cdf(double x, double variance);
double laplace_cdf(double x, double variance);

// The correlation of pairs from a bivariate normal distribution, by Fisher's z = atanh r, which has
// deviation 1/√(n − 3). n = 200,000 tells correlations 0.024 apart.
testing::AssertionResult has_correlation(std::span<const double> a, std::span<const double> b,
                                         double correlation);
// Neither the numbers nor their sizes are correlated, and no two that stand side by side are equal.
testing::AssertionResult are_independent(std::span<const double> a, std::span<const double> b);
// The same between a sample and itself a few places on. 8 is a block of the key stream.
testing::AssertionResult has_independent_places(std::span<const double> sample);

// Each entry: how often each of several equally likely answers came. Pearson's χ² over all groups
// together in which each answer is expected 5 times or more; the bound by Wilson and Hilferty
// (1931), one-sided.
testing::AssertionResult is_uniform(const std::vector<std::vector<std::uint64_t>>& groups);
// The same for answers that are not equally likely: `shares` of each group add up to 1. An answer
// of share 0 must not come.
testing::AssertionResult has_shares(const std::vector<std::vector<std::uint64_t>>& groups,
                                    const std::vector<std::vector<double>>& shares);

}  // namespace semveil::test
