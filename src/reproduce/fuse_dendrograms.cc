// Part 10 of `fuse`: dendrograms of the survey and of what three maskings leave of it (thesis
// figures 10-13), and where they are best cut (figures/ward.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures/class_distances.h"
#include "figures/clusters.h"
#include "figures/ward.h"
#include "reproduce/figures.h"
#include "reproduce/forerunners.h"

namespace semveil::reproduction {
namespace {

constexpr std::uint64_t kK = 5;
constexpr std::size_t kFinest = kMostClusters;
constexpr std::size_t kFine = 4;  // from here on: "a finer partition should be done"

// One table's tree and its cuts.
class Grown {
 public:
  Grown(const Paired& pairs, Side side)
      : classes_(classes_of(pairs, side)), records_(pairs.records()) {
    ClassDistances distances(pairs.attributes, classes_);
    tree_ = ward_tree_by_rows(classes_.counts, [&](std::size_t i, std::span<double> to_later) {
      distances.to_later(i, to_later);
    });
  }
  std::size_t best(std::size_t least) const { return best_cut(records_, tree_, least, kFinest); }
  // The cluster of every pair.
  std::vector<std::uint32_t> cut(std::size_t clusters) const {
    const std::vector<std::uint32_t> of_class = cut_tree(classes_.size(), tree_, clusters);
    std::vector<std::uint32_t> out;
    for (const std::uint32_t c : classes_.of) out.push_back(of_class[c]);
    return out;
  }
  // The height of the merge that leaves c clusters.
  double height(std::size_t clusters) const {
    return clusters < classes_.size() ? std::sqrt(tree_[classes_.size() - clusters - 1].cost) : 0;
  }

 private:
  Classes classes_;
  std::uint64_t records_;
  std::vector<WardMerge> tree_;
};

enum Tree : std::size_t { kOriginal, kByWordNet, kByDiscernibility, kByVgh, kTrees };
constexpr std::array<const char*, kTrees> kNames{"original (figure 10)", "WordNet (figure 11)",
                                                 "discernibility (figure 12)", "VGH (figure 13)"};

struct Trees {  // averages over the surveys
  std::array<double, kTrees> best{}, fine{}, from_original{}, apart{};
  std::array<std::array<double, kFinest - 1>, kTrees> heights{};
};

void add(const std::array<Grown, kTrees>& grown, std::span<const std::uint64_t> counts,
         Trees& out) {
  for (std::size_t t = 0; t < kTrees; ++t) {
    out.best[t] += static_cast<double>(grown[t].best(kFewestClusters)) / kSurveys;
    out.fine[t] += static_cast<double>(grown[t].best(kFine)) / kSurveys;
    out.from_original[t] += std::abs(static_cast<double>(grown[t].best(kFine)) -
                                     static_cast<double>(grown[kOriginal].best(kFine))) /
                            kSurveys;
    for (std::size_t c = 2; c <= kFinest; ++c) {
      out.apart[t] += partition_distance(grown[kOriginal].cut(c), grown[t].cut(c), counts) /
                      (kFinest - 1) / kSurveys;
      out.heights[t][c - 2] += grown[t].height(c - 1) / kSurveys;
    }
  }
}

std::string four(const std::array<double, kTrees>& figures) {
  std::string out;
  for (std::size_t t = 0; t < kTrees; ++t) {
    out += fmt::format("{}{}: {:.3f}", t == 0 ? "" : "; ", kNames[t], figures[t]);
  }
  return out;
}

ReproducedPart shown_trees(const Trees& trees) {
  ReproducedPart part =
      survey_part("k-anonymous fusion, figures 10-13: dendrograms and where they are cut");
  part.notes.back() = fmt::format("Figures are averages over {} such surveys.", kSurveys);
  part.notes.emplace_back(
      "k 5. The thesis shows dendrograms and cuts them by eye, where the ratio between the "
      "variability of and inside clusters is best: all at 3, finer ones at 5 (discernibility: 6). "
      "Ours are cut where (between/(c − 1))/(within/(n − c)) is greatest, as an audit does that "
      "chooses the number of clusters itself.");
  ReproducedTable table;
  table.title = "Where the dendrograms are best cut, and how far they are from the original's";
  table.columns = {"clusters, 2 … 30", "clusters, 4 … 30", "partition distance, mean of 2 … 30"};
  constexpr std::array<double, kTrees> kPrinted{5, 5, 6, 5};
  ReproducedFigure figure;
  figure.title = "Figures 10-13: heights of the last merges";
  figure.x = "clusters before the merge";
  figure.y = "height (√D of Ward's merge)";
  std::vector<double> clusters;
  for (std::size_t c = 2; c <= kFinest; ++c) clusters.push_back(static_cast<double>(c));
  for (std::size_t t = 0; t < kTrees; ++t) {
    table.rows.push_back({kNames[t],
                          {3.0, kPrinted[t], ReproducedCell()},
                          {trees.best[t], trees.fine[t], trees.apart[t]},
                          std::nullopt});
    add_ours(figure, kNames[t], clusters, trees.heights[t]);
  }
  part.tables.push_back(std::move(table));
  part.figures.push_back(std::move(figure));

  const Claims claims("Figures 10-13, dendrograms", part);
  claims.add("WordNet's dendrogram is the most similar to the original's",
             {trees.apart[kByWordNet] < trees.apart[kByVgh] &&
                  trees.apart[kByWordNet] < trees.apart[kByDiscernibility],
              "partition distance, mean of 2 … 30 clusters: " + four(trees.apart)},
             "the large answers, which no masking touches, make the upper part of the tree");
  bool at_three = true;
  for (const double best : trees.best) at_three = at_three && std::round(best) == 3;
  claims.add("all dendrograms have a clear cut in 3 clusters", {at_three, four(trees.best)},
             "the original is cut at 2 or 3. A masked survey has few answers left, each of many "
             "records "
             "at distance 0 from each other: then the ratio grows until every answer is a cluster");
  claims.add(
      "cut finely, WordNet's and the VGH's have the original's number of clusters rather "
      "than discernibility's",
      {trees.from_original[kByWordNet] <= trees.from_original[kByDiscernibility] &&
           trees.from_original[kByVgh] <= trees.from_original[kByDiscernibility],
       "mean difference from the original's number: " + four(trees.from_original)},
      "the ratio is flat: a few records decide between neighbouring cuts");
  return part;
}

}  // namespace

Result<ReproducedPart> fusion_dendrograms(const ReproduceOptions& options, Runs& runs) {
  const auto bench = FuseBench::open(options);
  if (!bench) return fail(bench.error());
  Trees trees;
  for (unsigned s = 1; s <= kSurveys; ++s) {
    const auto masked = bench->masked(draw_survey(s), kK, 0);
    if (!masked) return fail(masked.error());
    const std::array<Grown, kTrees> grown{Grown((*masked)[kWordNetPlace], Side::kBefore),
                                          Grown((*masked)[kWordNetPlace], Side::kAfter),
                                          Grown((*masked)[kDiscernibilityPlace], Side::kAfter),
                                          Grown((*masked)[kVghPlace], Side::kAfter)};
    add(grown, masked->front().counts, trees);
    runs.done();
  }
  return shown_trees(trees);
}

}  // namespace semveil::reproduction
