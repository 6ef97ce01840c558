// What WordNet, a hierarchy made for the survey, and no meaning at all leave of it: who can be
// found again, and which clusters.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/fuse_curves.h"

namespace semveil::reproduction {

ReproducedPart fused_and_linked(const MeasuredSurveys& measured) {
  ReproducedPart part = survey_part("k-anonymous fusion, figure 14: record linkage");
  part.notes.emplace_back(
      "Eq 27-28: a released record is linked to the originals with exactly its values. Where it "
      "kept its own, one guess in so many is right; so the records of an answer that is kept add "
      "up to 1, and the percentage counts the answers that are left.");
  constexpr std::array kShown{kWordNetPlace, kVghPlace, kDiscernibilityPlace, kRandomFusePlace};
  ReproducedTable table =
      table_over_k(fmt::format("Record linkage in percent (eq 27). Of the survey as it is: {:.1f}",
                               measured.untouched.linkage));
  add_curves(measured, "linked", &FuseFigures::linkage, kShown, &FuseMethod::knows, table);
  part.tables.push_back(std::move(table));

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
  for (const FusePlace method : {kVghPlace, kDiscernibilityPlace}) {
    claims.add(
        fmt::format("WordNet is linked less than {}", kFuseMethods[method].knows),
        better(measured, {kWordNetPlace, method, &FuseFigures::linkage, false, 0.1}),
        "eq 27 counts the answers that are left. A taxonomy that tells answers apart more finely "
        "fuses small groups with each other as often as a coarse one");
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
  double most_apart = 0;
  double least_apart = 1;
  for (std::size_t m = 0; m < kThree.size(); ++m) {
    const std::string name = fmt::format("original and {}", kFuseMethods[kThree[m]].knows);
    const CurveOverK clusters = curve(measured, kThree[m], &FuseFigures::clusters);
    printed.rows.push_back({name, {kToOriginal[m]}, {clusters[kAtFive]}, std::nullopt});
    table.rows.push_back(curve_row(name, clusters));
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
  }
  add_curves(measured, "quality", &FuseFigures::quality, kThree, &FuseMethod::knows, table);
  part.tables.push_back(std::move(printed));
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
