#include "release/missed_aims.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "semveil/plan_file.h"

namespace semveil {
namespace {

constexpr double kMissedShare = 0.5;  // of what was aimed at
constexpr double kMoved = 0.1;

std::string figure(double value) { return fmt::format("{:.4f}", value); }
std::string rough(double value) { return fmt::format("{:.3g}", value); }  // of the original

void find_missed_rmse(const NoisyColumn& column, std::vector<Finding>& out) {
  if (!column.rmse || !column.target_rmse) return;
  if (std::abs(*column.rmse - *column.target_rmse) <= kMissedShare * *column.target_rmse) return;
  const bool too_far = *column.rmse > *column.target_rmse;
  out.push_back(
      {.id = "noise-misses-rmse",
       .severity = Severity::kWarning,
       .columns = {column.name},
       .figures = {{"rmse", *column.rmse}, {"target_rmse", *column.target_rmse}},
       .text = fmt::format(
           "THE NOISE MISSES ITS AIM: in column {} the RMSE is {}, and the errors drawn have {}. "
           "The domain has too few concepts as {} as they ask for: {}.",
           column.name, figure(*column.rmse), figure(*column.target_rmse), too_far ? "near" : "far",
           too_far ? "choose a greater alpha, a finer ontology, or another method"
                   : "choose a smaller alpha, a wider root, or another method")});
}

void find_missed_variance(const NoisyColumn& column, std::vector<Finding>& out) {
  if (!column.variance || !column.variance_after) return;
  const double aim = (1 + column.alpha) * *column.variance;
  const double limit = kMissedShare * column.alpha * *column.variance;
  if (std::abs(*column.variance_after - aim) <= limit) return;
  out.push_back({.id = "noise-misses-variance",
                 .severity = Severity::kWarning,
                 .columns = {column.name},
                 .figures = {{"variance", three_digits(*column.variance)},
                             {"variance_expected", three_digits(aim)},
                             {"variance_masked", *column.variance_after}},
                 .text = fmt::format(
                     "THE NOISE MISSES THE VARIANCE: in column {} it is {} after masking, and "
                     "(1 + alpha) times the one before is {}. Figures of spread computed from the "
                     "release are wrong by that.",
                     column.name, figure(*column.variance_after), rough(aim))});
}

void find_moved_mean(const NoisyColumn& column, std::vector<Finding>& out) {
  if (!column.mean_shift || *column.mean_shift <= kMoved) return;
  out.push_back({.id = "noise-moves-mean",
                 .severity = Severity::kWarning,
                 .columns = {column.name},
                 .figures = {{"mean_shift", *column.mean_shift}},
                 .text = fmt::format(
                     "THE NOISE MOVES THE MEAN: the typical value of column {} is at a distance of "
                     "{} from the one before. reference = \"mean\" or a smaller alpha keep it.",
                     column.name, figure(*column.mean_shift))});
}

}  // namespace

double three_digits(double value) { return *number_of(rough(value)); }

void find_missed_aims(const NoisyColumn& column, std::vector<Finding>& out) {
  find_missed_rmse(column, out);
  find_missed_variance(column, out);
  find_moved_mean(column, out);
}

bool keeps_correlations(std::string_view method) { return method == "noise" || is_swap(method); }

void find_moved_correlation(const MovedPair& pair, std::vector<Finding>& out) {
  if (std::abs(pair.after - pair.before) <= kMoved) return;
  out.push_back(
      {.id = "correlation-moved",
       .severity = Severity::kWarning,
       .columns = {pair.a, pair.b},
       .figures = {{"before", three_digits(pair.before)}, {"after", pair.after}},
       .text = fmt::format(
           "A CORRELATION IS {}: that of {} and {} was {} and is {}. What is concluded from the "
           "release about these columns together is wrong.",
           pair.after < pair.before ? "LOST" : "MADE UP", pair.a, pair.b, rough(pair.before),
           figure(pair.after))});
}

}  // namespace semveil
