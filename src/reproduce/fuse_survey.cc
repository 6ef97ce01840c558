// The thesis's figures 2-8 and 14 are drawings: their curves cannot be read off to two digits, and
// the answers behind them are not public. What is repeated is what the text says of them.
#include "reproduce/fuse_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/figures.h"
#include "reproduce/fuse_curves.h"

namespace semveil::reproduction {
namespace {

constexpr std::array kMeasures{kWordNetPlace, kPathPlace, kLeacockPlace};
constexpr double kHighlyLike = 0.95;
constexpr double kAlike = 0.25;  // of how far ahead fusion by meaning is
constexpr const char* kQuality = "semantic quality (eq 22, Wu-Palmer of eq 7)";
constexpr const char* kLinks = "mean links between a value and its replacement (eq 5)";

// Wu-Palmer before path and before Leacock-Chodorow at these k.
Verdict ahead_at(const MeasuredSurveys& measured, std::span<const double> ks, FuseFigure figure,
                 bool greater) {
  Verdict out{true, ""};
  const double sign = greater ? 1 : -1;
  for (const FusePlace other : {kPathPlace, kLeacockPlace}) {
    const CurveOverK ahead =
        gap(curve(measured, kWordNetPlace, figure), curve(measured, other, figure));
    out.figures +=
        fmt::format("{}beside {}: ", out.figures.empty() ? "" : ". ", kFuseMethods[other].name);
    out.figures += listed("k", ks, [&](std::size_t i) {
      const double by = ahead[std::ranges::find(kFuseKs, ks[i]) - kFuseKs.begin()];
      out.holds = out.holds && sign * by > 0;
      return fmt::format("{:+.3f}", by);
    });
  }
  return out;
}

}  // namespace

Result<MeasuredSurveys> measure_surveys(const ReproduceOptions& options, bool clusters,
                                        Runs& runs) {
  const auto bench = FuseBench::open(options);
  if (!bench) return fail(bench.error());
  MeasuredSurveys out;
  for (unsigned s = 1; s <= kSurveys; ++s) {
    out.untouched.add(bench->untouched(draw_survey(s)), 1.0 / kSurveys);
  }
  for (std::size_t i = 0; i < kFuseKs.size(); ++i) {
    auto runs_of_k =
        bench->run_trials(static_cast<std::uint64_t>(kFuseKs[i]), clusters, options.work.threads);
    if (!runs_of_k) return fail(runs_of_k.error());
    out.by_k[i] = *std::move(runs_of_k);
    runs.done();
  }
  return out;
}

ReproducedPart fused_by_measure(const MeasuredSurveys& measured) {
  ReproducedPart part = survey_part("k-anonymous fusion, figures 2 and 3: by measure");
  ReproducedTable table = table_over_k(
      "Semantic quality (eq 22, Wu-Palmer of eq 7) and mean links between a value and its "
      "replacement (eq 5), for the measure that guides fusion; records that path and "
      "Leacock-Chodorow mask alike");
  add_curves(measured, "quality", &FuseFigures::quality, kMeasures, &FuseMethod::name, table);
  add_curves(measured, "links", &FuseFigures::links, kMeasures, &FuseMethod::name, table);
  CurveOverK alike{};
  for (std::size_t i = 0; i < alike.size(); ++i) alike[i] = measured.by_k[i][0].alike;
  table.rows.push_back(curve_row("records masked alike", alike));
  part.tables.push_back(std::move(table));
  part.figures = {figure_over_k(measured, "Figure 2: semantic similarity by measure", kQuality,
                                &FuseFigures::quality, kMeasures, &FuseMethod::name),
                  figure_over_k(measured, "Figure 3: path length by measure", kLinks,
                                &FuseFigures::links, kMeasures, &FuseMethod::name)};

  const Claims claims("Figures 2 and 3, by measure", part);
  for (const bool up : {false, true}) {  // quality falls, links grow
    const FuseFigure figure = up ? &FuseFigures::links : &FuseFigures::quality;
    for (const FusePlace method : kMeasures) {
      claims.add(
          fmt::format("{}: the {} smoothly and linearly with k", kFuseMethods[method].name,
                      up ? "links grow" : "quality falls"),
          straight(curve(measured, method, figure), up, up ? kLinksTolerance : kFuseTolerance),
          "the first steps cost most, as the many unique answers go then: from k 5 on the "
          "curve is straighter");
    }
    const CurveOverK by_wu_palmer = curve(measured, kWordNetPlace, figure);
    for (const FusePlace method : {kPathPlace, kLeacockPlace}) {
      const CurveOverK other = curve(measured, method, figure);
      const double like = correlation(by_wu_palmer, other);
      claims.add(fmt::format("Wu-Palmer and {} give highly correlated curves of {}",
                             kFuseMethods[method].name, up ? "links" : "quality"),
                 {like > kHighlyLike,
                  fmt::format("correlation {:.3f}; {}", like, both(by_wu_palmer, other))},
                 "the curves part");
    }
  }
  bool same = true;
  for (const double share : alike) same = same && share == 1;
  CurveOverK alone{};
  for (std::size_t i = 0; i < alone.size(); ++i) alone[i] = measured.by_k[i][0].alike_alone;
  claims.add("path and Leacock-Chodorow give identical results",
             {same, "records with the same values: " + shown(alike)},
             "they rank single values alike, but the mean over two attributes (eq 18) of "
             "logarithms is another ranking than that of paths: 0 and 4 links in all are as far "
             "as 2 and 2 by paths, and closer by their logarithms. The first reason alone: " +
                 shown(alone));
  for (const FusePlace method : {kPathPlace, kLeacockPlace}) {
    claims.add(
        fmt::format("quality: Wu-Palmer is higher than {}", kFuseMethods[method].name),
        better(measured, {kWordNetPlace, method, &FuseFigures::quality, true, kFuseTolerance}),
        "the measures choose too much alike");
    claims.add(
        fmt::format("links: Wu-Palmer gives no more than {}", kFuseMethods[method].name),
        better(measured, {kWordNetPlace, method, &FuseFigures::links, false, kLinksTolerance}),
        "links are what the other measure makes small; Wu-Palmer also looks at how deep "
        "they lie");
  }
  // "See for example the increase … in the range 8-10 or 12-15 in Fig. 2. The same … in Fig. 3."
  constexpr std::array<double, 3> kRange{8, 10, 15};
  claims.add("quality: Wu-Palmer is ahead of both at k 8, 10 and 15",
             ahead_at(measured, kRange, &FuseFigures::quality, true),
             "the measures choose too much alike");
  claims.add("links: Wu-Palmer gives fewer than both at k 8 and 10",
             ahead_at(measured, std::span(kRange).first(2), &FuseFigures::links, false),
             "links are what the measure of paths makes small");
  return part;
}

ReproducedPart fused_by_heuristics(const MeasuredSurveys& measured) {
  ReproducedPart part = survey_part("k-anonymous fusion, figure 4: by heuristic");
  part.notes.emplace_back(
      "A heuristic that is left out makes room for a random choice: without any, a random answer "
      "of too few records takes a random other one; with H1 the least frequent does; H2 brings "
      "similarity in.");
  constexpr std::array kSteps{kRandomFusePlace, kOneHeuristicPlace, kTwoHeuristicsPlace,
                              kWordNetPlace};
  constexpr std::array kNames{"none", "H1", "H1, H2", "H1, H2, H3"};
  ReproducedTable table = table_over_k("Semantic quality (eq 22, Wu-Palmer of eq 7)");
  ReproducedFigure figure;
  figure.title = "Figure 4: what each heuristic adds to the quality";
  figure.x = "k";
  figure.y = kQuality;
  std::array<double, kSteps.size()> means{};
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    const CurveOverK quality = curve(measured, kSteps[i], &FuseFigures::quality);
    means[i] = mean_over_k(quality);
    table.rows.push_back(curve_row(kNames[i], quality));
    add_ours(figure, kNames[i], kFuseKs, quality);
  }
  part.tables.push_back(std::move(table));
  part.figures.push_back(std::move(figure));

  const Claims claims("Figure 4, by heuristic", part);
  claims.add("H1 improves on random substitution",
             better(measured, {kOneHeuristicPlace, kRandomFusePlace, &FuseFigures::quality, true,
                               kFuseTolerance}),
             "what is replaced first makes little difference while the replacement is random");
  const std::string gains =
      fmt::format("gains, mean over k: H1 {:.3f}, H2 {:.3f}, H3 {:.3f}", means[1] - means[0],
                  means[2] - means[1], means[3] - means[2]);
  claims.add("H2 brings the most by far",
             {means[2] - means[1] > 2 * std::max(means[1] - means[0], means[3] - means[2]), gains},
             "similarity is not what decides here");
  claims.add(
      "H3 brings very little, and no loss",
      {means[3] - means[2] >= -kFuseTolerance && means[3] - means[2] < (means[2] - means[1]) / 10,
       gains},
      "ties are not as rare as the thesis found them");
  const CurveOverK ahead = gap(curve(measured, kWordNetPlace, &FuseFigures::quality),
                               curve(measured, kRandomFusePlace, &FuseFigures::quality));
  claims.add("all heuristics are ahead of random substitution, above k 5 more than up to it",
             {ahead.front() > 0 && ahead[kAtFive + 1] > ahead[kAtFive - 1] &&
                  ahead.back() > ahead[kAtFive],
              "ahead by: " + shown(ahead)},
             "random substitution has lost all it can lose");
  return part;
}

ReproducedPart fused_by_distribution(const MeasuredSurveys& measured) {
  ReproducedPart part =
      survey_part("k-anonymous fusion, figures 5-8: by meaning, by discernibility, at random");
  constexpr std::array kThree{kWordNetPlace, kDiscernibilityPlace, kRandomFusePlace};
  constexpr std::array kFour{kWordNetPlace, kDiscernibilityPlace, kRandomFusePlace,
                             kRandomRecordPlace};
  ReproducedTable table =
      table_over_k("Semantic quality (figures 5 and 8), links (figure 6) and C_AVG (eq 2)");
  add_curves(measured, "quality", &FuseFigures::quality, kFour, &FuseMethod::knows, table);
  add_curves(measured, "links", &FuseFigures::links, kFour, &FuseMethod::knows, table);
  add_curves(measured, "C_AVG", &FuseFigures::c_avg, kFour, &FuseMethod::knows, table);
  part.notes.emplace_back(
      "Random: any answer of too few records takes any other. Random record, the thesis's own "
      "words: the first in alphabetical order takes that of a random record.");
  part.tables.push_back(std::move(table));
  ReproducedTable squares = table_over_k(
      fmt::format("Discernibility (figure 7, eq 1) in thousands; {:.3f} before masking",
                  measured.untouched.discernibility / 1000));
  for (const FusePlace method : kThree) {
    CurveOverK thousands = curve(measured, method, &FuseFigures::discernibility);
    for (double& figure : thousands) figure /= 1000;
    squares.rows.push_back(curve_row(kFuseMethods[method].knows, thousands));
  }
  part.tables.push_back(std::move(squares));
  const auto two = std::span(kThree).first(2);
  const auto draw = [&](const char* title, const char* y, FuseFigure which,
                        std::span<const FusePlace> methods) {
    part.figures.push_back(figure_over_k(measured, title, y, which, methods, &FuseMethod::knows));
  };
  draw("Figure 5: semantic similarity, by meaning and by discernibility", kQuality,
       &FuseFigures::quality, two);
  draw("Figure 6: path length, by meaning and by discernibility", kLinks, &FuseFigures::links, two);
  draw("Figure 7: discernibility, by meaning and by discernibility",
       "sum of squares (eq 1), in thousands", &FuseFigures::discernibility, two);
  for (ReproducedFigure::Curve& curve : part.figures.back().curves) {
    for (double& y : curve.y) y /= 1000;
  }
  draw("Figure 8: semantic similarity, by meaning, by discernibility, at random", kQuality,
       &FuseFigures::quality, kThree);

  const Claims claims("Figures 5-8, by meaning or by distribution", part);
  claims.add("quality: fusion by meaning is higher than by discernibility",
             better(measured, {kWordNetPlace, kDiscernibilityPlace, &FuseFigures::quality, true,
                               kFuseTolerance}),
             "few answers are alike");
  claims.add("links: fusion by meaning gives fewer than by discernibility",
             better(measured, {kWordNetPlace, kDiscernibilityPlace, &FuseFigures::links, false,
                               kLinksTolerance}),
             "few answers are alike");
  const CurveOverK meaning = curve(measured, kWordNetPlace, &FuseFigures::quality);
  const CurveOverK distribution = curve(measured, kDiscernibilityPlace, &FuseFigures::quality);
  const CurveOverK ahead = gap(meaning, distribution);
  claims.add("by discernibility the loss is very noticeable above k 5",
             {1 - distribution[kAtFive + 1] > 1.5 * (1 - meaning[kAtFive + 1]) &&
                  ahead.back() > ahead[kAtFive],
              "ahead by: " + shown(ahead)},
             "the loss is there, but not so much larger than by meaning");
  claims.add("discernibility: fusion by discernibility is lower than by meaning",
             better(measured,
                    {kDiscernibilityPlace, kWordNetPlace, &FuseFigures::discernibility, false, 0}),
             "the greedy choice of the smallest partner does not pay in the end");
  const CurveOverK random = curve(measured, kRandomFusePlace, &FuseFigures::quality);
  const CurveOverK ordered = curve(measured, kOneHeuristicPlace, &FuseFigures::quality);
  const auto alike = [&](const CurveOverK& other) {
    return std::abs(mean_over_k(gap(distribution, other))) < kAlike * mean_over_k(ahead);
  };
  const std::string why = fmt::format(
      "discernibility is ahead by {:.3f} (mean over k), because it starts from the least frequent "
      "answers (H1). Random substitution in that order: {}",
      mean_over_k(gap(distribution, random)), shown(ordered));
  claims.add("quality: discernibility and random are alike",
             {alike(random), both(distribution, random)}, why);
  claims.add("quality: discernibility and random in the order of H1 are alike",
             {alike(ordered), both(distribution, ordered)},
             "a partner of few records is not as good as any");
  claims.add("quality: fusion by meaning is higher than random",
             better(measured,
                    {kWordNetPlace, kRandomFusePlace, &FuseFigures::quality, true, kFuseTolerance}),
             "few answers are alike");
  const CurveOverK by_record = curve(measured, kRandomRecordPlace, &FuseFigures::quality);
  claims.add(
      "quality: discernibility and random are alike, random as the thesis words it",
      {alike(by_record), both(distribution, by_record)},
      fmt::format("discernibility is ahead by {:.3f} (mean over k): it starts from the least "
                  "frequent answers and makes small groups",
                  mean_over_k(gap(distribution, by_record))));
  claims.add("quality: fusion by meaning is higher than random as the thesis words it",
             better(measured, {kWordNetPlace, kRandomRecordPlace, &FuseFigures::quality, true,
                               kFuseTolerance}),
             "few answers are alike");
  return part;
}

}  // namespace semveil::reproduction
