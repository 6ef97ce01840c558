// The figures of numbers as their definitions say, over all records one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace semveil::slow {

inline double mean_of_numbers(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double x : numbers) sum += x;
  return sum / static_cast<double>(numbers.size());
}

inline double deviation_of_numbers(const std::vector<double>& numbers) {
  double squares = 0;
  for (const double x : numbers) squares += std::pow(x - mean_of_numbers(numbers), 2);
  return std::sqrt(squares / static_cast<double>(numbers.size() - 1));
}

// The smallest number x such that at least so many in a hundred are x or less.
inline double quantile_of_numbers(std::vector<double> numbers, unsigned percent) {
  std::sort(numbers.begin(), numbers.end());
  for (const double x : numbers) {
    const auto below =
        std::count_if(numbers.begin(), numbers.end(), [&](double y) { return y <= x; });
    if (static_cast<std::size_t>(below) * 100 >= percent * numbers.size()) return x;
  }
  return numbers.back();
}

}  // namespace semveil::slow
