#include "measures/ic_measure.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "measures/sweep.h"
#include "ontology/ancestor_index.h"
#include "ontology/subsumers.h"

namespace semveil {
namespace {

enum class IcFormula : std::uint8_t { kResnik, kLin, kJiangConrath };
constexpr std::array<std::pair<std::string_view, IcFormula>, 3> kIcFormulas{{
    {"resnik", IcFormula::kResnik},
    {"lin", IcFormula::kLin},
    {"jiang-conrath", IcFormula::kJiangConrath},
}};

class IcMeasure final : public Measure {
 public:
  IcMeasure(std::shared_ptr<const Taxonomy> taxonomy, std::string_view name, IcFormula formula,
            LcsRule rule, std::shared_ptr<const InformationContent> ic)
      : taxonomy_(std::move(taxonomy)),
        name_(name),
        formula_(formula),
        rule_(rule),
        ic_(std::move(ic)) {
    // `order_` ranks concepts by who wins among common subsumers: for mica altogether, for the
    // deepest rule among those of equal depth and path sum.
    by_order_.resize(taxonomy_->size());
    std::iota(by_order_.begin(), by_order_.end(), ConceptId{0});
    std::sort(by_order_.begin(), by_order_.end(), [this](ConceptId a, ConceptId b) {
      if (rule_ == LcsRule::kMica) {
        if (ic_->of[a] != ic_->of[b]) return ic_->of[a] < ic_->of[b];
        if (taxonomy_->depth(a) != taxonomy_->depth(b)) {
          return taxonomy_->depth(a) < taxonomy_->depth(b);
        }
      }
      return taxonomy_->id_rank(a) > taxonomy_->id_rank(b);
    });
    order_.resize(taxonomy_->size());
    for (std::uint32_t i = 0; i < by_order_.size(); ++i) order_[by_order_[i]] = i;
  }

  std::string_view name() const override { return name_; }
  const Taxonomy& taxonomy() const override { return *taxonomy_; }

  double distance(ConceptId a, ConceptId b) const override {
    if (a == b) return 0;
    const AncestorIndex& index = taxonomy_->ancestor_index();
    if (!index.usable()) return explain(a, b).distance;
    const ConceptId l = rule_ == LcsRule::kMica ? index.heaviest(a, b, order_) : index.lcs(a, b);
    return value(a, b, l);
  }

  Explanation explain(ConceptId a, ConceptId b) const override {
    const Subsumer best =
        best_common(*taxonomy_, a, b, [this](const Subsumer& s, const Subsumer& than) {
          if (rule_ == LcsRule::kMica) return order_[s.concept_id] > order_[than.concept_id];
          return closer_subsumer(*taxonomy_, s, than);
        });
    return {a == b ? 0 : value(a, b, best.concept_id), best};
  }

  void from(ConceptId source, std::span<double> out) const override {
    const SweepGraph& graph = taxonomy_->sweep_graph();
    SweepKeys<std::uint64_t> keys(graph.slots(), 1);
    sweep_subsumers<1>(graph, {&source, 1}, keys.data());
    const std::span<const std::uint32_t> codes = graph.codes();
    for (ConceptId c = 0; c < taxonomy_->size(); ++c) {
      out[c] = value(source, c, subsumer_of(keys.data()[SweepGraph::slot_of(codes[c])]));
    }
    out[source] = 0;
  }

  void rows(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
            const VisitRow& visit) const override {
    constexpr std::size_t kLanes = kSweepLanes<std::uint64_t>;
    const SweepGraph graph(*taxonomy_, targets);
    SweepKeys<std::uint64_t> keys(graph.slots(), kLanes);
    std::vector<double> row(targets.size());
    for (std::size_t first = 0; first < sources.size(); first += kLanes) {
      const auto some = sources.subspan(first, std::min(kLanes, sources.size() - first));
      sweep_subsumers<kLanes>(graph, some, keys.data());
      for (std::size_t lane = 0; lane < some.size(); ++lane) {
        const ConceptId source = some[lane];
        for (std::size_t j = 0; j < targets.size(); ++j) {
          const std::size_t slot = SweepGraph::slot_of(graph.code(targets[j]));
          const ConceptId l = subsumer_of(keys.data()[slot * kLanes + lane]);
          row[j] = targets[j] == source ? 0 : value(source, targets[j], l);
        }
        visit(first + lane, row);
      }
    }
  }

  double tie() const override { return 1e-9; }

  // The same common subsumer counts for c and for p, whichever the rule: only IC(c) ≥ IC(p) is
  // needed, which frequencies of a file need not grant.
  StepDown step_down(ConceptId c) const override {
    const bool falls = ic_->of[c] < ic_->of[taxonomy_->parents(c)[0]];
    return {formula_ != IcFormula::kResnik && falls ? -1.0 : 0.0, 1};
  }

 private:
  double value(ConceptId a, ConceptId b, ConceptId l) const {
    const std::vector<double>& ic = ic_->of;
    // The sum first, so that swapping a and b changes no bit.
    const double both = ic[a] + ic[b];
    const double shared = ic[l];
    double distance = 0;
    switch (formula_) {
      case IcFormula::kResnik:
        distance = ic_->max == 0 ? 0 : 1 - shared / ic_->max;
        break;
      case IcFormula::kLin:
        distance = both == 0 ? 0 : 1 - 2 * shared / both;
        break;
      case IcFormula::kJiangConrath:
        distance = ic_->max == 0 ? 0 : (both - 2 * shared) / (2 * ic_->max);
        break;
    }
    return std::clamp(distance, 0.0, 1.0);
  }

  static constexpr std::uint64_t kLinkStep = std::uint64_t{1} << 32;
  ConceptId subsumer_of(std::uint64_t key) const {
    return by_order_[static_cast<std::uint32_t>(key)];
  }

  template <std::size_t kLanes>
  void sweep_subsumers(const SweepGraph& graph, std::span<const ConceptId> sources,
                       std::uint64_t* keys) const {
    const bool deepest = rule_ == LcsRule::kDeepest;
    const auto make_key = [&](const Ancestor& a) {
      const std::uint64_t order = order_[a.concept_id];
      if (!deepest) return order;
      const std::uint64_t depth = taxonomy_->depth(a.concept_id);
      return depth << 48 | std::uint64_t{0xffff - a.path} << 32 | order;
    };
    const std::vector<Preset<std::uint64_t>> presets =
        presets_for<std::uint64_t>(*taxonomy_, graph, sources, make_key);
    sweep<std::uint64_t, kLanes>(graph, presets, deepest ? kLinkStep : 0, keys);
  }

  std::shared_ptr<const Taxonomy> taxonomy_;
  std::string_view name_;
  IcFormula formula_;
  LcsRule rule_;
  std::shared_ptr<const InformationContent> ic_;
  std::vector<std::uint32_t> order_;
  std::vector<ConceptId> by_order_;
};

}  // namespace

std::unique_ptr<const Measure> make_ic_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                               const MeasureOptions& options) {
  for (const auto& [known, formula] : kIcFormulas) {
    if (known != options.name) continue;
    auto ic = options.ic;
    if (!ic) {
      ic = std::make_shared<const InformationContent>(InformationContent::seco(*taxonomy));
    }
    return std::make_unique<IcMeasure>(std::move(taxonomy), known, formula, options.lcs,
                                       std::move(ic));
  }
  return nullptr;
}

}  // namespace semveil
