// What WordNet, a hierarchy made for the survey, and no meaning at all leave of it: who can be
// found again, and which clusters.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/figures.h"
#include "reproduce/fuse_curves.h"

namespace semveil::reproduction {
namespace {

constexpr double kLaterWordNet = 0.26;
constexpr double kLaterDiscernibility = 0.57;
constexpr double kLaterBetween = 0.56;

Verdict allows_smaller_k(const CurveOverK& one, const CurveOverK& other) {
  Verdict out;
  for (std::size_t i = 0; i < kAtFive; ++i) {
    out.holds = out.holds || one[i] <= other[i + 1];
    out.figures += fmt::format("{}k {}: {:.2f}, the other at k {}: {:.2f}", i == 0 ? "" : "; ",
                               kFuseKs[i], one[i], kFuseKs[i + 1], other[i + 1]);
  }
  return out;
}

// The article that followed the thesis prints three of the distances again, and says its k.
ReproducedTable later_table(const std::array<double, 3>& ours) {
  ReproducedTable out;
  out.title = "Partition distance at k 5, the later version of Table 6 and ours";
  out.columns = {"distance"};
  out.rows = {{"original and WordNet", {kLaterWordNet}, {ours[0]}, std::nullopt},
              {"original and discernibility", {kLaterDiscernibility}, {ours[1]}, std::nullopt},
              {"WordNet and discernibility", {kLaterBetween}, {ours[2]}, std::nullopt}};
  return out;
}

}  // namespace

ReproducedPart fused_and_linked(const MeasuredSurveys& measured) {
  ReproducedPart part = survey_part("k-anonymous fusion, figure 14: record linkage");
  part.notes.emplace_back(
      "Eq 27-28: a released record is linked to the originals with exactly its values. Where it "
      "kept its own, one guess in so many is right; so the records of an answer that is kept add "
      "up to 1, and the percentage counts the answers that are left.");
  constexpr std::array kShown{kWordNetPlace, kVghPlace, kDiscernibilityPlace, kRandomFusePlace};
  ReproducedTable table =
      table_over_k(fmt::format("Record linkage in percent (eq 27); the survey as it is: {:.1f}",
                               measured.untouched.linkage));
  add_curves(measured, "linked", &FuseFigures::linkage, kShown, &FuseMethod::knows, table);
  part.tables.push_back(std::move(table));
  part.figures.push_back(figure_over_k(measured, "Figure 14: record linkage",
                                       "linked records, percent (eq 27)", &FuseFigures::linkage,
                                       std::span(kShown).first(3), &FuseMethod::knows));

  const Claims claims("Figure 14, record linkage", part);
  for (const FusePlace method : {kWordNetPlace, kVghPlace, kDiscernibilityPlace}) {
    const CurveOverK linked = curve(measured, method, &FuseFigures::linkage);
    claims.add(fmt::format("{}: record linkage falls with k", kFuseMethods[method].knows),
               moves(linked, false, 0), "more answers are left at a greater k");
    const double before = (linked.front() - linked[kAtFive]) / (kFuseKs[kAtFive] - kFuseKs[0]);
    const double after = (linked[kAtFive] - linked.back()) / (kFuseKs.back() - kFuseKs[kAtFive]);
    claims.add(
        fmt::format("{}: from k 5 on it is quite stable", kFuseMethods[method].knows),
        {linked.back() > linked[kAtFive] / 2,
         fmt::format("k 5: {:.2f}; k 20: {:.2f}; falls by {:.2f} with each k up to 5, by {:.2f} "
                     "from there",
                     linked[kAtFive], linked.back(), before, after)},
        "eq 27 counts the answers that are left, at most one for k records, so it falls as 1/k "
        "does: steeply first, but it does not stop");
  }
  const CurveOverK meaning = curve(measured, kWordNetPlace, &FuseFigures::linkage);
  for (const FusePlace method : {kVghPlace, kDiscernibilityPlace}) {
    claims.add(
        fmt::format("WordNet is linked less than {}", kFuseMethods[method].knows),
        better(measured, {kWordNetPlace, method, &FuseFigures::linkage, false, 0.1}),
        "eq 27 counts the answers that are left. A taxonomy that tells answers apart more finely "
        "fuses small groups with each other as often as a coarse one");
    const CurveOverK ahead = gap(curve(measured, method, &FuseFigures::linkage), meaning);
    const bool most_at_first =
        std::ranges::max(ahead) == *std::ranges::max_element(std::span(ahead).first(kAtFive));
    claims.add(
        fmt::format("WordNet is ahead of {} for small k above all", kFuseMethods[method].knows),
        {most_at_first, "points ahead: " + shown(ahead)}, "it is ahead most at a middle k");
    claims.add(
        fmt::format("WordNet allows a smaller k: it is linked no more at some k up to 5 than "
                    "{} at the next",
                    kFuseMethods[method].knows),
        allows_smaller_k(meaning, curve(measured, method, &FuseFigures::linkage)),
        "from one k to the next linkage falls by more than WordNet is ahead");
  }
  return part;
}

ReproducedPart fused_and_clustered(const MeasuredSurveys& measured) {
  ReproducedPart part = survey_part("k-anonymous fusion, Table 6: clusters, WordNet and a VGH");
  part.notes.emplace_back(
      "Both tables are clustered by Ward's method over the mean distance of the two reasons in "
      "WordNet (Wu-Palmer of eq 7) and cut at 14 clusters; shown is the distance of the two "
      "partitions of the records (eq 23), 0 to 1. The VGH was made for these reasons: 10 groups in "
      "4 fields. The thesis does not say for which k Table 6 is; a later version of it has 0.26 "
      "and 0.57 at k 5.");
  ReproducedTable printed;
  printed.title = "Partition distance, Table 6 and ours at k 5";
  printed.columns = {"distance"};
  printed.printed_digits = 3;
  ReproducedTable table = table_over_k("Partition distance and semantic quality, by k");
  constexpr std::array kThree{kWordNetPlace, kVghPlace, kDiscernibilityPlace};
  constexpr std::array kToOriginal{0.398, 0.515, 0.560};
  constexpr std::array kBetween{0.531, 0.589, 0.623};
  ReproducedFigure figure;
  figure.title = "Table 6 by k: partition distance";
  figure.x = "k";
  figure.y = "distance of the partitions (eq 23); the paper's at k 5 are of the later version";
  constexpr std::array<double, 1> kFive{kFuseKs[kAtFive]};
  double most_apart = 0;
  double least_apart = 1;
  for (std::size_t m = 0; m < kThree.size(); ++m) {
    const std::string name = fmt::format("original and {}", kFuseMethods[kThree[m]].knows);
    const CurveOverK clusters = curve(measured, kThree[m], &FuseFigures::clusters);
    printed.rows.push_back({name, {kToOriginal[m]}, {clusters[kAtFive]}, std::nullopt});
    table.rows.push_back(curve_row(name, clusters));
    add_ours(figure, name, kFuseKs, clusters);
  }
  for (std::size_t i = 0; i < kCompared.size(); ++i) {
    const std::string name = fmt::format("{} and {}", kFuseMethods[kCompared[i][0]].knows,
                                         kFuseMethods[kCompared[i][1]].knows);
    CurveOverK between{};
    for (std::size_t k = 0; k < between.size(); ++k) between[k] = measured.by_k[k][0].between[i];
    most_apart = std::max(most_apart, between[kAtFive]);
    least_apart = std::min(least_apart, between[kAtFive]);
    printed.rows.push_back({name, {kBetween[i]}, {between[kAtFive]}, std::nullopt});
    table.rows.push_back(curve_row(name, between));
    add_ours(figure, name, kFuseKs, between);
  }
  add_theirs(figure, "original and WordNet", kFive, std::array{kLaterWordNet});
  add_theirs(figure, "original and discernibility", kFive, std::array{kLaterDiscernibility});
  add_theirs(figure, "WordNet and discernibility", kFive, std::array{kLaterBetween});
  part.figures.push_back(std::move(figure));
  add_curves(measured, "quality", &FuseFigures::quality, kThree, &FuseMethod::knows, table);
  part.tables.push_back(std::move(printed));
  part.tables.push_back(later_table({measured.of(kWordNetPlace, kAtFive).clusters,
                                     measured.of(kDiscernibilityPlace, kAtFive).clusters,
                                     measured.by_k[kAtFive][0].between[1]}));
  part.tables.push_back(std::move(table));

  const Claims claims("Table 6, clusters", part);
  const auto closer = [&](FusePlace a, FusePlace b, const char* why) {
    claims.add(fmt::format("clusters: {} is closer to the original than {}", kFuseMethods[a].knows,
                           kFuseMethods[b].knows),
               better(measured, {a, b, &FuseFigures::clusters, false, 0.03}), why);
  };
  closer(kWordNetPlace, kVghPlace,
         "fields and groups are what 14 clusters are about: a coarse hierarchy serves them too");
  closer(kVghPlace, kDiscernibilityPlace, "clusters hang on the frequent answers, which stay");
  closer(kWordNetPlace, kDiscernibilityPlace, "clusters hang on the frequent answers, which stay");
  const double own = curve(measured, kWordNetPlace, &FuseFigures::clusters)[kAtFive];
  claims.add("the maskings differ from each other more than WordNet's from the original (k 5)",
             {least_apart > own,
              fmt::format("{:.3f} to {:.3f}, and {:.3f}", least_apart, most_apart, own)},
             "two of them keep the same frequent answers");
  claims.add(
      "quality: WordNet is higher than the VGH",
      better(measured, {kWordNetPlace, kVghPlace, &FuseFigures::quality, true, kFuseTolerance}),
      "the hierarchy tells the reasons apart as well as WordNet");
  return part;
}

}  // namespace semveil::reproduction
