#include "reproduce/fuse_curves.h"

#include <fmt/format.h>

#include <cmath>

#include "reproduce/figures.h"

namespace semveil::reproduction {
namespace {

bool is_better(const MeasuredSurveys& measured, const Comparison& compare, std::size_t survey) {
  const CurveOverK a = curve(measured, compare.a, compare.figure, survey);
  const CurveOverK b = curve(measured, compare.b, compare.figure, survey);
  bool never_worse = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double ahead = compare.greater ? a[i] - b[i] : b[i] - a[i];
    never_worse = never_worse && ahead >= -compare.tolerance;
  }
  const double ahead = mean_over_k(a) - mean_over_k(b);
  return never_worse && (compare.greater ? ahead > 0 : ahead < 0);
}

}  // namespace

CurveOverK curve(const MeasuredSurveys& measured, FusePlace method, FuseFigure figure,
                 std::size_t survey) {
  CurveOverK out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = measured.by_k[i][survey].methods[method].*figure;
  }
  return out;
}

ReproducedRow curve_row(std::string name, const CurveOverK& ours) {
  ReproducedRow row;
  row.name = std::move(name);
  row.ours.assign(ours.begin(), ours.end());
  return row;
}

void add_curves(const MeasuredSurveys& measured, std::string_view what, FuseFigure figure,
                std::span<const FusePlace> methods, MethodName name, ReproducedTable& table) {
  for (const FusePlace method : methods) {
    table.rows.push_back(curve_row(fmt::format("{}, {}", what, kFuseMethods[method].*name),
                                   curve(measured, method, figure)));
  }
}

ReproducedFigure figure_over_k(const MeasuredSurveys& measured, std::string title, std::string y,
                               FuseFigure figure, std::span<const FusePlace> methods,
                               MethodName name) {
  ReproducedFigure out;
  out.title = std::move(title);
  out.x = "k";
  out.y = std::move(y);
  for (const FusePlace method : methods) {
    add_ours(out, kFuseMethods[method].*name, kFuseKs, curve(measured, method, figure));
  }
  return out;
}

ReproducedPart survey_part(std::string title) {
  ReproducedPart part;
  part.title = std::move(title);
  part.notes = {
      "The answers are not public. In their place: reasons to visit a nature park drawn from a "
      "list of concepts of WordNet, the usual ones more often, with exactly the repetitions of "
      "Table 5 (975 records, 211 different answers, 118 unique). The thesis shows its results as "
      "drawings: what is checked is what its text says of them.",
      fmt::format("Figures are averages over {} such surveys with {} keys each. One method is "
                  "better than another if at no k it is worse by more than the tolerance, and "
                  "better on the average over k.",
                  kSurveys, kFuseKeys)};
  return part;
}

ReproducedTable table_over_k(std::string title) {
  ReproducedTable table;
  table.title = std::move(title);
  for (const double k : kFuseKs) table.columns.push_back(fmt::format("k {}", k));
  return table;
}

std::string shown(const CurveOverK& curve) {
  return listed("k", kFuseKs, [&](std::size_t i) { return fmt::format("{:.3f}", curve[i]); });
}

Verdict moves(const CurveOverK& curve, bool up, double tolerance) {
  const double sign = up ? 1 : -1;
  bool holds = sign * (curve.back() - curve.front()) > 0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    holds = holds && sign * (curve[i] - curve[i - 1]) >= -tolerance;
  }
  return {holds, shown(curve)};
}

CurveOverK gap(const CurveOverK& a, const CurveOverK& b) {
  CurveOverK out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] - b[i];
  return out;
}

double mean_over_k(const CurveOverK& curve) {
  double sum = 0;
  for (const double figure : curve) sum += figure;
  return sum / static_cast<double>(curve.size());
}

double correlation(std::span<const double> a, std::span<const double> b) {
  const auto n = static_cast<double>(a.size());
  double mean_a = 0;
  double mean_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

Verdict straight(const CurveOverK& curve, bool up, double tolerance) {
  Verdict out = moves(curve, up, tolerance);
  const double with_k = correlation(curve, kFuseKs);
  out.holds = out.holds && std::abs(with_k) > kLinear;
  out.figures += fmt::format(". Correlation with k: {:.3f}", with_k);
  return out;
}

std::string both(const CurveOverK& a, const CurveOverK& b, int digits) {
  return listed("k", kFuseKs, [&](std::size_t i) {
    return fmt::format("{:.{}f} and {:.{}f}", a[i], digits, b[i], digits);
  });
}

Verdict better(const MeasuredSurveys& measured, const Comparison& compare) {
  unsigned surveys = 0;
  for (std::size_t s = 1; s <= kSurveys; ++s) surveys += is_better(measured, compare, s) ? 1 : 0;
  const CurveOverK a = curve(measured, compare.a, compare.figure);
  const CurveOverK b = curve(measured, compare.b, compare.figure);
  const int digits = mean_over_k(a) > 100 ? 0 : 3;
  return {is_better(measured, compare, 0), fmt::format("{}. Among the surveys alone: {} of {}",
                                                       both(a, b, digits), surveys, kSurveys)};
}

}  // namespace semveil::reproduction
