#include "measures/edge_measure.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "base/math.h"
#include "base/stop.h"
#include "measures/edge_keys.h"
#include "measures/sweep.h"
#include "ontology/ancestor_index.h"
#include "ontology/subsumers.h"

namespace semveil {
namespace {

enum class EdgeFormula : std::uint8_t { kWuPalmer, kWuPalmerEdges, kPath, kLeacockChodorow };
constexpr std::array<std::pair<std::string_view, EdgeFormula>, 4> kEdgeFormulas{{
    {"wu-palmer", EdgeFormula::kWuPalmer},
    {"wu-palmer-edges", EdgeFormula::kWuPalmerEdges},
    {"path", EdgeFormula::kPath},
    {"leacock-chodorow", EdgeFormula::kLeacockChodorow},
}};

double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

// `paths` > 0 unless the concepts are equal.
double distance_of(EdgeFormula formula, unsigned depth, unsigned paths, unsigned max_depth) {
  if (paths == 0) return 0;
  switch (formula) {
    case EdgeFormula::kWuPalmer:
      return 1 - ratio(2.0 * depth, 2.0 * depth + paths);
    case EdgeFormula::kWuPalmerEdges:
      return 1 - ratio(2.0 * depth - 2, 2.0 * depth - 2 + paths);
    case EdgeFormula::kPath:
      return ratio(paths, 2.0 * (max_depth - 1));
    case EdgeFormula::kLeacockChodorow:
      return ratio(ln(paths + 1.0), ln(2.0 * max_depth));
  }
  return 0;
}

class EdgeMeasure final : public Measure {
 public:
  EdgeMeasure(std::shared_ptr<const Taxonomy> taxonomy, std::string_view name, EdgeFormula formula)
      : taxonomy_(std::move(taxonomy)),
        name_(name),
        formula_(formula),
        by_depth_(formula == EdgeFormula::kWuPalmer || formula == EdgeFormula::kWuPalmerEdges) {
    const unsigned deepest = taxonomy_->max_depth();
    narrow_ = EdgeKeys<std::uint16_t>::fits(deepest);
    if (!narrow_) return;
    using Keys = EdgeKeys<std::uint16_t>;
    values_.resize(Keys::key(by_depth_ ? deepest : 0, 0) + std::size_t{1});
    for (std::size_t key = 0; key < values_.size(); ++key) {
      values_[key] = distance_of(formula_, Keys::depth(key), Keys::paths(key), deepest);
    }
  }

  std::string_view name() const override { return name_; }
  const Taxonomy& taxonomy() const override { return *taxonomy_; }

  double distance(ConceptId a, ConceptId b) const override {
    if (a == b) return 0;
    const AncestorIndex& index = taxonomy_->ancestor_index();
    if (!index.usable()) return explain(a, b).distance;
    if (!by_depth_) return value(0, index.shortest(a, b));
    const auto [depth, paths] = index.deepest(a, b);
    return value(depth, paths);
  }

  Explanation explain(ConceptId a, ConceptId b) const override {
    const Subsumer best =
        best_common(*taxonomy_, a, b,
                    [this](const Subsumer& s, const Subsumer& than) { return better(s, than); });
    if (a == b) return {0, best};
    return {value(taxonomy_->depth(best.concept_id), best.path_a + best.path_b), best};
  }

  void from(ConceptId source, std::span<double> out) const override {
    check_stop();
    if (narrow_) {
      from_with<std::uint16_t>(source, out);
    } else {
      from_with<std::uint32_t>(source, out);
    }
  }

  void levels(std::span<const ConceptId> sources,
              const std::function<void(std::size_t, const Levels&)>& visit) const override {
    if (!narrow_) return Measure::levels(sources, visit);
    using Key = std::uint16_t;
    constexpr std::size_t kLanes = kSweepLanes<Key>;
    const KeyLevels& known = key_levels();
    const SweepGraph& graph = taxonomy_->sweep_graph();
    const std::span<const std::uint32_t> codes = graph.codes();
    SweepKeys<Key> keys(graph.slots(), kLanes);
    std::vector<std::uint32_t> both(graph.slots() * 2);  // as in from_with()
    std::vector<std::uint32_t> level(codes.size());
    for (std::size_t first = 0; first < sources.size(); first += kLanes) {
      const auto some = sources.subspan(first, std::min(kLanes, sources.size() - first));
      sweep_edge_keys<Key, kLanes>(*taxonomy_, graph, some, by_depth_, keys.data());
      for (std::size_t lane = 0; lane < some.size(); ++lane) {
        for (std::size_t slot = 0; slot < graph.slots(); ++slot) {
          const Key key = keys.data()[slot * kLanes + lane];
          both[slot * 2] = known.of_key[key];
          both[slot * 2 + 1] = known.of_key[static_cast<Key>(key - 1)];
        }
        for (std::size_t c = 0; c < codes.size(); ++c) level[c] = both[codes[c]];
        level[some[lane]] = 0;
        visit(first + lane, {level, known.distance});
      }
    }
  }

  double level_steps() const override {
    if (!narrow_) return Measure::level_steps();
    return 2 * static_cast<double>(taxonomy_->size() + taxonomy_->arrays().parents.size());
  }

  void rows(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
            const VisitRow& visit) const override {
    if (narrow_) {
      rows_with<std::uint16_t>(sources, targets, visit);
    } else {
      rows_with<std::uint32_t>(sources, targets, visit);
    }
  }

  double tie() const override { return formula_ == EdgeFormula::kLeacockChodorow ? 1e-9 : 0; }

  // Common subsumers of c and a v not below it are those of p and v, each one link farther from c:
  // the same one counts, and the path sum P grows by 1. With l at depth d, P is at most
  // (depth(p) − d) + (D − d), because a shortest way is no longer than a longest one. To a v below
  // c the sum shrinks by at most 1.
  StepDown step_down(ConceptId c) const override {
    const double d = taxonomy_->depth(taxonomy_->parents(c)[0]);
    const double deepest = taxonomy_->max_depth();
    switch (formula_) {
      case EdgeFormula::kWuPalmer: {
        // Loss 2d/(s(s + 1)) with s = 2d + P ≤ depth(p) + D and d ≥ 1; the gain is greatest for c
        // itself.
        const double s = d + deepest;
        return {2 / (s * (s + 1)), 1 / (2 * d + 1)};
      }
      case EdgeFormula::kWuPalmerEdges:
        return {0, 1};  // all whose LCS is the root are at distance 1
      case EdgeFormula::kPath:
        return {1 / (2 * (deepest - 1)), 1 / (2 * (deepest - 1))};
      case EdgeFormula::kLeacockChodorow: {
        const double paths = d + deepest - 2;
        return {ln((paths + 2) / (paths + 1)) / ln(2 * deepest), ln(2) / ln(2 * deepest)};
      }
    }
    return {-1, 1};
  }

 private:
  // The subsumer that accounts for the distance: the LCS, or the one on the shortest path.
  bool better(const Subsumer& s, const Subsumer& than) const {
    const unsigned paths = s.path_a + s.path_b;
    const unsigned paths_than = than.path_a + than.path_b;
    if (!by_depth_ && paths != paths_than) return paths < paths_than;
    return closer_subsumer(*taxonomy_, s, than);
  }

  double value(unsigned depth, unsigned paths) const {
    if (narrow_) return values_[EdgeKeys<std::uint16_t>::key(by_depth_ ? depth : 0, paths)];
    return distance_of(formula_, depth, paths, taxonomy_->max_depth());
  }
  double value_of(std::uint16_t key) const { return values_[key]; }
  double value_of(std::uint32_t key) const {
    using Keys = EdgeKeys<std::uint32_t>;
    return distance_of(formula_, Keys::depth(key), Keys::paths(key), taxonomy_->max_depth());
  }

  // Every distance that narrow keys can mean, in order, and the place of each key's.
  struct KeyLevels {
    std::once_flag once;
    std::vector<double> distance;
    std::vector<std::uint16_t> of_key;
  };
  const KeyLevels& key_levels() const {
    std::call_once(key_levels_.once, [this] {
      std::vector<double>& distance = key_levels_.distance;
      distance = values_;
      distance.push_back(0);  // of a concept and itself: level 0
      std::sort(distance.begin(), distance.end());
      distance.erase(std::unique(distance.begin(), distance.end()), distance.end());
      for (const double value : values_) {
        const auto at = std::lower_bound(distance.begin(), distance.end(), value);
        key_levels_.of_key.push_back(static_cast<std::uint16_t>(at - distance.begin()));
      }
    });
    return key_levels_;
  }

  template <class Key>
  void from_with(ConceptId source, std::span<double> out) const {
    const SweepGraph& graph = taxonomy_->sweep_graph();
    SweepKeys<Key> keys(graph.slots(), 1);
    sweep_edge_keys<Key, 1>(*taxonomy_, graph, {&source, 1}, by_depth_, keys.data());
    // Both keys a slot stands for: its own concept's, and that of leaves one link below.
    SweepKeys<Key> both(graph.slots(), 2);
    for (std::size_t slot = 0; slot < graph.slots(); ++slot) {
      both.data()[slot * 2] = keys.data()[slot];
      both.data()[slot * 2 + 1] = static_cast<Key>(keys.data()[slot] - 1);
    }
    const std::span<const std::uint32_t> codes = graph.codes();
    for (std::size_t c = 0; c < codes.size(); ++c) out[c] = value_of(both.data()[codes[c]]);
    out[source] = 0;
  }

  template <class Key>
  void rows_with(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
                 const VisitRow& visit) const {
    constexpr std::size_t kLanes = kSweepLanes<Key>;
    const SweepGraph graph(*taxonomy_, targets);
    std::vector<SweepGraph::Slot> slots;
    for (const ConceptId c : targets) slots.push_back(SweepGraph::slot_of(graph.code(c)));
    SweepKeys<Key> keys(graph.slots(), kLanes);
    std::vector<double> rows(targets.size() * kLanes);
    for (std::size_t first = 0; first < sources.size(); first += kLanes) {
      const auto some = sources.subspan(first, std::min(kLanes, sources.size() - first));
      sweep_edge_keys<Key, kLanes>(*taxonomy_, graph, some, by_depth_, keys.data());
      for (std::size_t j = 0; j < targets.size(); ++j) {
        const Key* column = keys.data() + slots[j] * kLanes;
        for (std::size_t lane = 0; lane < some.size(); ++lane) {
          rows[lane * targets.size() + j] = value_of(column[lane]);
        }
      }
      for (std::size_t lane = 0; lane < some.size(); ++lane) {
        visit(first + lane, std::span(rows).subspan(lane * targets.size(), targets.size()));
      }
    }
  }

  std::shared_ptr<const Taxonomy> taxonomy_;
  std::string_view name_;
  EdgeFormula formula_;
  bool by_depth_;
  bool narrow_ = false;         // keys fit 16 bits
  std::vector<double> values_;  // distance by narrow key
  mutable KeyLevels key_levels_;
};

}  // namespace

std::unique_ptr<const Measure> make_edge_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                 std::string_view name) {
  for (const auto& [known, formula] : kEdgeFormulas) {
    if (known == name) return std::make_unique<EdgeMeasure>(std::move(taxonomy), known, formula);
  }
  return nullptr;
}

}  // namespace semveil
