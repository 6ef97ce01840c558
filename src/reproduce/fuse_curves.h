// How curves over k are shown and compared.
#pragma once

#include "reproduce/fuse_survey.h"

namespace semveil::reproduction {

using FuseFigure = double FuseFigures::*;
using CurveOverK = std::array<double, kFuseKs.size()>;

// One figure of one method, averaged over all surveys (0) or of one of them (from 1).
CurveOverK curve(const MeasuredSurveys& measured, FusePlace method, FuseFigure figure,
                 std::size_t survey = 0);

ReproducedRow curve_row(std::string name, const CurveOverK& ours);
// Methods are called by their measure, or by what they know.
using MethodName = const char* FuseMethod::*;
void add_curves(const MeasuredSurveys& measured, std::string_view what, FuseFigure figure,
                std::span<const FusePlace> methods, MethodName name, ReproducedTable& table);

// The same curves as a figure of the thesis, which shows them as drawings alone.
ReproducedFigure figure_over_k(const MeasuredSurveys& measured, std::string title, std::string y,
                               FuseFigure figure, std::span<const FusePlace> methods,
                               MethodName name);

inline constexpr std::size_t kAtFive = 3;  // the k 5 that the thesis's text speaks of
static_assert(kFuseKs[kAtFive] == 5);

// With the notes that all parts on the survey have.
ReproducedPart survey_part(std::string title);
ReproducedTable table_over_k(std::string title);
std::string shown(const CurveOverK& curve);
// Falls, or grows, from k to k within the tolerance, and in all.
Verdict moves(const CurveOverK& curve, bool up, double tolerance);
CurveOverK gap(const CurveOverK& a, const CurveOverK& b);

double mean_over_k(const CurveOverK& curve);
// Of two curves, or of one with k.
double correlation(std::span<const double> a, std::span<const double> b);
inline constexpr double kLinear = 0.95;          // of correlations
inline constexpr double kLinksTolerance = 0.05;  // of mean links
// Moves smoothly, and nearly in a line.
Verdict straight(const CurveOverK& curve, bool up, double tolerance);
std::string both(const CurveOverK& a, const CurveOverK& b, int digits = 3);

// Smaller figures are better unless `greater`. A is better than B if it is worse by more than the
// tolerance at no k, and better on the average over k. Says in how many surveys alone it is so.
struct Comparison {
  FusePlace a, b;
  FuseFigure figure;
  bool greater;
  double tolerance;
};
Verdict better(const MeasuredSurveys& measured, const Comparison& compare);

}  // namespace semveil::reproduction
