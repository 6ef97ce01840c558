#include "support/linear_programme.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace semveil::test {
namespace {

constexpr double kZero = 1e-11;

// Rows are equations solved for their basic variable; the last column is the right side, the last
// row what is to be least, with its value negated.
class Tableau {
 public:
  Tableau(const std::vector<std::vector<double>>& equations, const std::vector<double>& b)
      : variables_(equations.front().size()), rows_(equations) {
    const std::size_t count = rows_.size();
    for (std::size_t i = 0; i < count; ++i) {  // one artificial variable an equation
      rows_[i].resize(variables_ + count + 1, 0.0);
      rows_[i][variables_ + i] = 1;
      rows_[i].back() = b[i];
      basic_.push_back(variables_ + i);
    }
  }

  std::optional<double> solve(const std::vector<double>& c) {
    std::vector<double> artificial(variables_, 0.0);
    artificial.resize(variables_ + rows_.size(), 1.0);
    if (minimise(artificial, artificial.size()) > 1e-9) return std::nullopt;
    // An artificial variable that is left in the basis is 0 and leaves it, or its equation follows
    // from the others.
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = 0; basic_[i] >= variables_ && j < variables_; ++j) {
        if (std::abs(rows_[i][j]) > kZero) pivot(i, j);
      }
    }
    std::vector<double> costs = c;
    costs.resize(variables_ + rows_.size(), 0.0);
    return minimise(costs, variables_);
  }

 private:
  // Over the first `allowed` variables.
  double minimise(const std::vector<double>& costs, std::size_t allowed) {
    while (true) {
      std::size_t enter = allowed;
      for (std::size_t j = 0; j < allowed && enter == allowed; ++j) {
        double reduced = costs[j];
        for (std::size_t i = 0; i < rows_.size(); ++i) reduced -= costs[basic_[i]] * rows_[i][j];
        if (reduced < -kZero) enter = j;
      }
      if (enter == allowed) break;
      std::size_t leave = rows_.size();
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i][enter] <= kZero) continue;
        if (leave == rows_.size()) {
          leave = i;
          continue;
        }
        const double ratio = rows_[i].back() / rows_[i][enter];
        const double least = rows_[leave].back() / rows_[leave][enter];
        if (ratio < least - kZero ||
            (std::abs(ratio - least) <= kZero && basic_[i] < basic_[leave])) {
          leave = i;
        }
      }
      if (leave == rows_.size()) std::abort();  // no bound: not with costs of 0 or more
      pivot(leave, enter);
    }
    double value = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) value += costs[basic_[i]] * rows_[i].back();
    return value;
  }

  void pivot(std::size_t row, std::size_t column) {
    const double by = rows_[row][column];
    for (double& x : rows_[row]) x /= by;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double times = rows_[i][column];
      if (i == row || times == 0) continue;
      for (std::size_t j = 0; j < rows_[i].size(); ++j) rows_[i][j] -= times * rows_[row][j];
    }
    basic_[row] = column;
  }

  std::size_t variables_;
  std::vector<std::vector<double>> rows_;
  std::vector<std::size_t> basic_;
};

}  // namespace

std::optional<double> least_value(const std::vector<std::vector<double>>& equations,
                                  const std::vector<double>& b, const std::vector<double>& c) {
  return Tableau(equations, b).solve(c);
}

double transport_by_programme(const std::vector<double>& from, const std::vector<double>& to,
                              const std::vector<double>& costs) {
  std::vector<std::vector<double>> equations;
  std::vector<double> b;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::vector<double>& row = equations.emplace_back(costs.size(), 0.0);
    for (std::size_t j = 0; j < to.size(); ++j) row[i * to.size() + j] = 1;
    b.push_back(from[i]);
  }
  for (std::size_t j = 0; j < to.size(); ++j) {
    std::vector<double>& row = equations.emplace_back(costs.size(), 0.0);
    for (std::size_t i = 0; i < from.size(); ++i) row[i * to.size() + j] = 1;
    b.push_back(to[j]);
  }
  return least_value(equations, b, costs).value();
}

}  // namespace semveil::test
