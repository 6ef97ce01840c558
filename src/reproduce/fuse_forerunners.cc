// Parts 7 and 8 of `fuse`: what the forerunners say of their figures, which are drawings alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/figures.h"
#include "reproduce/forerunners.h"

namespace semveil::reproduction {
namespace {

constexpr std::size_t kAtFifteen = 7;
static_assert(kFuseKs[kAtFifteen] == 15);
constexpr double kConsiderable = 1.5;  // times as far
constexpr double kQualityTolerance = 0.01;

ReproducedPart answers_part(std::string title) {
  ReproducedPart part;
  part.title = std::move(title);
  part.notes = {
      "The answers are not public. In their place: the reasons of parts 1-5 and concepts beside or "
      "below them in WordNet, with exactly the repetitions of IPMU Table 1 (975 records, 221 "
      "different answers, 84 unique). Both papers show their results as drawings: what is checked "
      "is what their texts say of them.",
      fmt::format("Figures are averages over {} such draws with {} keys each.", kSurveys,
                  kFuseKeys)};
  return part;
}

void add_rows(const MeasuredForerunners& measured, std::string_view what, ForerunnerFigure figure,
              std::span<const ForerunnerPlace> places, ReproducedTable& table) {
  for (const ForerunnerPlace place : places) {
    table.rows.push_back(
        curve_row(fmt::format("{}, {}", what, name_of(place)), measured.curve(place, figure)));
  }
}

ReproducedFigure drawn(const MeasuredForerunners& measured, std::string title, std::string y,
                       ForerunnerFigure figure, std::span<const ForerunnerPlace> places) {
  ReproducedFigure out;
  out.title = std::move(title);
  out.x = "k";
  out.y = std::move(y);
  for (const ForerunnerPlace place : places) {
    add_ours(out, std::string(name_of(place)), kFuseKs, measured.curve(place, figure));
  }
  return out;
}

// At every k no more than the other, and on the average over k at most a share of it.
Verdict ahead(const CurveOverK& one, const CurveOverK& other, double share) {
  bool never = true;
  for (std::size_t i = 0; i < one.size(); ++i) never = never && one[i] <= other[i];
  return {never && mean_over_k(one) <= share * mean_over_k(other), both(one, other)};
}

// From the first k to 5 and on to the last, the gap grows.
Verdict widens(const CurveOverK& gap_of, std::size_t last) {
  return {gap_of[last] > gap_of[kAtFive] && gap_of[kAtFive] > gap_of.front(),
          "ahead by: " + shown(gap_of)};
}

void claim_measures(const MeasuredForerunners& measured, ForerunnerPlace wu_palmer,
                    ForerunnerPlace path, ForerunnerPlace leacock, const Claims& claims) {
  for (const ForerunnerPlace other : {path, leacock}) {
    const CurveOverK one = measured.curve(wu_palmer, &ForerunnerFigures::links);
    const CurveOverK two = measured.curve(other, &ForerunnerFigures::links);
    const double like = correlation(one, two);
    claims.add(fmt::format("Wu-Palmer and {} give highly correlated results", name_of(other)),
               {like > kLinear, fmt::format("correlation {:.3f}; {}", like, both(one, two))},
               "the curves part");
  }
  claims.add("path and Leacock-Chodorow give identical results",
             {measured.alike, measured.alike ? "every record of every run" : "not in every run"},
             "ties are drawn in another order");
}

}  // namespace

ReproducedPart recoded_answers(const MeasuredForerunners& measured) {
  ReproducedPart part = answers_part("Ontology-based recoding (IPMU), figures 1 and 2");
  part.notes.emplace_back(
      "Every value below k takes the most similar one that has k. Random: a random one that has k. "
      "Naive: that of a random record, values in alphabetical order (guide = \"random-record\"). "
      "At k 20 no answer has k, the most frequent has 19: recoding then makes one answer of all, "
      "and "
      "the margin is looked at up to k 15.");
  constexpr std::array kAll{kRecodeWuPalmer, kRecodePath, kRecodeLeacock, kRandomAnonymous, kNaive};
  constexpr std::array kMeasures{kRecodeWuPalmer, kRecodePath, kRecodeLeacock};
  ReproducedTable table = table_over_k(
      "Mean IC before less that after, IC = −ln p in the sample (eq 4, figure 1), and mean links "
      "between a value and its replacement (figure 2)");
  add_rows(measured, "IC lost", &ForerunnerFigures::ic_loss, kAll, table);
  add_rows(measured, "links", &ForerunnerFigures::links, kAll, table);
  part.tables.push_back(std::move(table));
  part.figures = {drawn(measured, "IPMU figure 1: information loss by local IC", "nats (eq 4)",
                        &ForerunnerFigures::ic_loss, kAll),
                  drawn(measured, "IPMU figure 2: semantic distance", "mean links",
                        &ForerunnerFigures::links, kAll)};

  const Claims claims("IPMU figures 1 and 2, recoding", part);
  const CurveOverK random = measured.curve(kRandomAnonymous, &ForerunnerFigures::links);
  const CurveOverK naive = measured.curve(kNaive, &ForerunnerFigures::links);
  for (const ForerunnerPlace place : kMeasures) {
    const CurveOverK links = measured.curve(place, &ForerunnerFigures::links);
    claims.add(
        fmt::format("{} improves on random substitution by a considerable margin", name_of(place)),
        ahead(links, random, 1 / kConsiderable), "few answers that have k are near a rare one");
    claims.add(fmt::format("{}: the margin is more evident for a high k", name_of(place)),
               widens(gap(random, links), kAtFifteen),
               "random substitution has lost all it can lose");
    claims.add(fmt::format("{}: the distance grows smoothly and linearly with k", name_of(place)),
               straight(links, true, kLinksTolerance),
               "from one printed number of repetitions to the next many answers fall below k at "
               "once");
  }
  claim_measures(measured, kRecodeWuPalmer, kRecodePath, kRecodeLeacock, claims);
  const CurveOverK wu_palmer = measured.curve(kRecodeWuPalmer, &ForerunnerFigures::links);
  const auto up_to_six = std::ranges::find(kFuseKs, 6.0) - kFuseKs.begin();
  for (const auto& [name, other] : {std::pair("random", &random), std::pair("naive", &naive)}) {
    bool three_times = true;
    std::string figures;
    for (std::ptrdiff_t i = 0; i <= up_to_six; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double times = (*other)[at] / wu_palmer[at];
      three_times = three_times && times >= 3;
      figures += fmt::format("{}k {}: {:.2f} times", i == 0 ? "" : "; ", kFuseKs[at], times);
    }
    claims.add(
        fmt::format("up to k 6 the meaning is kept 3 times better than by {} substitution", name),
        {three_times, figures},
        "how far the nearest answer that has k lies depends on the answers, which are not "
        "theirs");
  }
  const CurveOverK lost = measured.curve(kRecodeWuPalmer, &ForerunnerFigures::ic_loss);
  const CurveOverK lost_at_random = measured.curve(kRandomAnonymous, &ForerunnerFigures::ic_loss);
  claims.add("IC: random substitution performs a little worse",
             {mean_over_k(lost_at_random) > mean_over_k(lost), both(lost, lost_at_random)},
             "a random value is each time another, which keeps more of them apart than the nearest "
             "does: IC counts how even the frequencies are, not what the values mean");
  claims.add("IC: the difference is much less noticeable than that of meaning",
             {std::abs(mean_over_k(gap(lost_at_random, lost))) / mean_over_k(lost) <
                  mean_over_k(gap(random, wu_palmer)) / mean_over_k(wu_palmer),
              both(lost, lost_at_random)},
             "the frequencies part as much as the meanings");
  const auto rise = [&](std::size_t from, std::size_t to) {
    return (lost[to] - lost[from]) / (kFuseKs[to] - kFuseKs[from]);
  };
  const auto ten = static_cast<std::size_t>(std::ranges::find(kFuseKs, 10.0) - kFuseKs.begin());
  claims.add("IC: the loss tends to stabilise for k above 9",
             {rise(ten, ten + 1) < rise(0, ten) / 2,
              fmt::format("{:.3f} with each k up to 10, {:.3f} from 10 to 15", rise(0, ten),
                          rise(ten, ten + 1))},
             "most of the printed answers have 7 records or fewer, but those with 11 and 12 go as "
             "well");
  return part;
}

ReproducedPart fused_answers(const MeasuredForerunners& measured) {
  ReproducedPart part = answers_part("Fusion of one attribute (MDAI), figures 1-3");
  part.notes.emplace_back(
      "Random is the papers' own: the first value in alphabetical order that has too few records "
      "takes that of a random record (guide = \"random-record\").");
  constexpr std::array kAll{kFuseWuPalmer, kFusePath, kFuseLeacock, kNaive, kFuseDiscernibility};
  constexpr std::array kMeasures{kFuseWuPalmer, kFusePath, kFuseLeacock};
  constexpr std::array kWithRandom{kFuseWuPalmer, kFusePath, kFuseLeacock, kNaive};
  constexpr std::array kTwo{kFuseWuPalmer, kFuseDiscernibility};
  ReproducedTable table = table_over_k(
      "Semantic quality (Wu-Palmer, figures 1 and 3) and mean links between a value and its "
      "replacement (figure 2)");
  add_rows(measured, "quality", &ForerunnerFigures::quality, kAll, table);
  add_rows(measured, "links", &ForerunnerFigures::links, kAll, table);
  part.tables.push_back(std::move(table));
  constexpr const char* kQuality = "semantic quality (Wu-Palmer)";
  part.figures = {drawn(measured, "MDAI figure 1: semantic similarity", kQuality,
                        &ForerunnerFigures::quality, kWithRandom),
                  drawn(measured, "MDAI figure 2: path length", "mean links",
                        &ForerunnerFigures::links, kWithRandom),
                  drawn(measured, "MDAI figure 3: by meaning and by discernibility", kQuality,
                        &ForerunnerFigures::quality, kTwo)};

  const Claims claims("MDAI figures 1-3, fusion", part);
  const CurveOverK naive = measured.curve(kNaive, &ForerunnerFigures::quality);
  const CurveOverK naive_links = measured.curve(kNaive, &ForerunnerFigures::links);
  for (const ForerunnerPlace place : kMeasures) {
    const CurveOverK quality = measured.curve(place, &ForerunnerFigures::quality);
    const CurveOverK links = measured.curve(place, &ForerunnerFigures::links);
    CurveOverK lost{};
    CurveOverK lost_naive{};
    for (std::size_t i = 0; i < lost.size(); ++i) {
      lost[i] = 1 - quality[i];
      lost_naive[i] = 1 - naive[i];
    }
    claims.add(fmt::format("{} improves on random substitution by a considerable margin (quality)",
                           name_of(place)),
               ahead(lost, lost_naive, 1 / kConsiderable), "few answers are alike");
    claims.add(fmt::format("{} improves on random substitution by a considerable margin (links)",
                           name_of(place)),
               ahead(links, naive_links, 1 / kConsiderable), "few answers are alike");
    claims.add(fmt::format("{}: the margin is more noticeable for a high k", name_of(place)),
               widens(gap(quality, naive), kFuseKs.size() - 1),
               "random substitution has lost all it can lose");
    claims.add(fmt::format("{}: the quality falls smoothly and linearly with k", name_of(place)),
               straight(quality, false, kQualityTolerance),
               "the first steps cost most, as the many unique answers go then");
  }
  claim_measures(measured, kFuseWuPalmer, kFusePath, kFuseLeacock, claims);
  const CurveOverK meaning = measured.curve(kFuseWuPalmer, &ForerunnerFigures::quality);
  const CurveOverK distribution = measured.curve(kFuseDiscernibility, &ForerunnerFigures::quality);
  bool higher = true;
  for (std::size_t i = 0; i < meaning.size(); ++i) higher = higher && meaning[i] > distribution[i];
  claims.add("fusion by meaning is higher than by discernibility",
             {higher, both(meaning, distribution)}, "few answers are alike");
  claims.add("by discernibility the loss is very noticeable above k 5",
             {1 - distribution[kAtFive + 1] > kConsiderable * (1 - meaning[kAtFive + 1]),
              both(meaning, distribution)},
             "the loss is there, but not so much larger than by meaning");
  return part;
}

}  // namespace semveil::reproduction
