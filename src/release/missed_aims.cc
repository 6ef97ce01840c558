#include "release/missed_aims.h"

#include <cmath>

#include "base/three_digits.h"
#include "semveil/finding_guide.h"

namespace semveil {
namespace {

constexpr double kMissedShare = 0.5;  // of what was aimed at
constexpr double kMovedFar = 0.1;

void find_missed_rmse(const NoisyColumn& column, std::vector<Finding>& out) {
  if (!column.rmse || !column.deviation) return;
  if (std::abs(*column.rmse - *column.deviation) <= kMissedShare * *column.deviation) return;
  out.push_back(
      make_finding("noise-misses-rmse", Severity::kWarning, {column.name},
                   {{"rmse", *column.rmse}, {"target_rmse", three_digits(*column.deviation)}}));
}

void find_missed_variance(const NoisyColumn& column, std::vector<Finding>& out) {
  if (!column.variance || !column.variance_after) return;
  const double aim = (1 + column.alpha) * *column.variance;
  const double limit = kMissedShare * column.alpha * *column.variance;
  if (std::abs(*column.variance_after - aim) <= limit) return;
  out.push_back(make_finding("noise-misses-variance", Severity::kWarning, {column.name},
                             {{"variance", three_digits(*column.variance)},
                              {"variance_expected", three_digits(aim)},
                              {"variance_masked", *column.variance_after}}));
}

void find_moved_mean(const NoisyColumn& column, std::vector<Finding>& out) {
  if (!column.mean_shift || *column.mean_shift <= kMovedFar) return;
  out.push_back(make_finding("noise-moves-mean", Severity::kWarning, {column.name},
                             {{"mean_shift", *column.mean_shift}}));
}

}  // namespace

void find_missed_aims(const NoisyColumn& column, std::vector<Finding>& out) {
  if (column.cells < kFewestCells) return;
  find_missed_rmse(column, out);
  find_missed_variance(column, out);
  find_moved_mean(column, out);
}

void find_moved_correlation(const MovedPair& pair, std::vector<Finding>& out) {
  if (std::abs(pair.after - pair.before) <= kMovedFar) return;
  out.push_back(make_finding("correlation-moved", Severity::kWarning, {pair.a, pair.b},
                             {{"before", three_digits(pair.before)}, {"after", pair.after}}));
}

}  // namespace semveil
