#include "measures/set_measure.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/math.h"
#include "measures/concept_features.h"
#include "measures/feature_sets.h"

namespace semveil {
namespace {

struct Overlap {
  double common, a, b;  // |A ∩ B|, |A|, |B|
  double all() const { return a + b - common; }
};

double jaccard(const Overlap& sets) { return sets.all() == 0 ? 0 : sets.common / sets.all(); }

// What the one and the other set have alone weighs: γ and 1 − γ, or turned around.
struct Weights {
  double a, b;
};

// Master thesis eq 8.
double tversky(const Overlap& sets, const Weights& weights) {
  if (sets.common == 0) return 0;
  const double alone = weights.a * (sets.a - sets.common) + weights.b * (sets.b - sets.common);
  return sets.common / (sets.common + alone);
}

double log2_of(double x) { return ln(x) / ln(2); }

constexpr std::size_t kMostParts = 6;
using Overlaps = std::array<Overlap, kMostParts>;  // as many as the measure has sets

// What a measure makes of overlaps.
struct SetFormula {
  bool is_symmetric;
  double tie;
  // The similarity as published; for symmetric formulas the weights play no part, and the shares
  // (w, u, v) only in Rodríguez & Egenhofer's.
  double (*similarity)(const Overlaps& sets, std::size_t count, const Weights& weights,
                       const FeatureWeights& shares);
};

double sanchez_similarity(const Overlaps& sets, std::size_t /*count*/, const Weights& /*weights*/,
                          const FeatureWeights& /*shares*/) {
  return 1 - log2_of(1 + (sets[0].all() - sets[0].common) / sets[0].all());
}

double tversky_similarity(const Overlaps& sets, std::size_t /*count*/, const Weights& weights,
                          const FeatureWeights& /*shares*/) {
  return tversky(sets[0], weights);
}

// Master thesis eq 10. Names, neighbourhood, then the kinds of features that there are.
double rodriguez_similarity(const Overlaps& sets, std::size_t count, const Weights& weights,
                            const FeatureWeights& shares) {
  constexpr std::size_t kFirstFeature = 2;
  const double known =
      shares.names * tversky(sets[0], weights) + shares.neighbours * tversky(sets[1], weights);
  if (count == kFirstFeature) return known / (shares.names + shares.neighbours);
  double features = 0;
  for (std::size_t i = kFirstFeature; i < count; ++i) {
    features = std::max(features, tversky(sets[i], weights));
  }
  return known + shares.features * features;
}

// Master thesis eq 11-12. The concepts' own names, then all that is compared by kind.
double x_similarity(const Overlaps& sets, std::size_t count, const Weights& /*weights*/,
                    const FeatureWeights& /*shares*/) {
  if (sets[0].common > 0) return 1.0;
  double best = 0;
  for (std::size_t i = 1; i < count; ++i) best = std::max(best, jaccard(sets[i]));
  return best;
}

constexpr SetFormula kSanchez{true, 1e-9, sanchez_similarity};
constexpr SetFormula kTversky{false, 1e-9, tversky_similarity};
constexpr SetFormula kRodriguez{false, 1e-9, rodriguez_similarity};
constexpr SetFormula kXSimilarity{true, 0, x_similarity};

using Parts = std::vector<std::unique_ptr<const FeatureSets>>;

class SetMeasure final : public Measure {
 public:
  SetMeasure(std::shared_ptr<const Taxonomy> taxonomy, std::string_view name,
             const SetFormula& formula, Parts parts, const FeatureWeights& shares)
      : taxonomy_(std::move(taxonomy)),
        name_(name),
        formula_(formula),
        parts_(std::move(parts)),
        shares_(shares) {
    for (ConceptId c = 0; c < taxonomy_->size(); ++c) {
      largest_ = std::max(largest_, parts_[0]->size(c));
    }
  }

  std::string_view name() const override { return name_; }
  const Taxonomy& taxonomy() const override { return *taxonomy_; }

  double distance(ConceptId a, ConceptId b) const override {
    return a == b ? 0 : value(a, b, overlaps(a, b));
  }
  double directed(ConceptId a, ConceptId b) const override {
    if (a == b) return 0;
    const Overlaps sets = overlaps(a, b);
    return std::clamp(1 - similarity(sets, weights(a, b)), 0.0, 1.0);
  }
  bool is_symmetrised() const override { return !formula_.is_symmetric; }

  Explanation explain(ConceptId a, ConceptId b) const override {
    return {distance(a, b), taxonomy_->lcs(a, b)};
  }

  void from(ConceptId source, std::span<double> out) const override {
    std::vector<ConceptId> all(taxonomy_->size());
    std::iota(all.begin(), all.end(), ConceptId{0});
    Counts counts(parts_.size(), taxonomy_->size());
    row(source, all, all, counts, out);
  }

  void rows(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
            const VisitRow& visit) const override {
    std::vector<ConceptId> concepts(targets.begin(), targets.end());
    std::ranges::sort(concepts);
    concepts.erase(std::unique(concepts.begin(), concepts.end()), concepts.end());
    for (std::size_t before = 0; before != concepts.size();) {
      before = concepts.size();  // what one part adds, another must complete
      for (const auto& part : parts_) part->complete(concepts);
    }
    Counts counts(parts_.size(), taxonomy_->size());
    std::vector<double> out(targets.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      row(sources[i], concepts, targets, counts, out);
      visit(i, out);
    }
  }

  double tie() const override { return formula_.tie; }

  // Sánchez: let c have one parent p, s = |A(p)|; then A(c) = A(p) + c. For a v not below c the
  // overlap i ≥ 1 stays and the union u grows by 1, so that sd grows by
  //   log2(1 + i / ((u + 1) (2u − i))),
  // least for i = 1 and the greatest u = s + |A(v)| − 1. For a v at or below c, A(p) and A(c) are
  // parts of A(v): the union stays |A(v)| ≥ s + 1, the overlap grows by 1, and sd shrinks by
  //   log2(1 + 1 / (2 |A(v)| − s − 1)),
  // most for v = c. That the loss is 0 or more to the last bit follows from its size: 2^-33 for
  // the deepest taxonomy of one parent each, far above the rounding of ln.
  // The other measures count names and words that may be shared anywhere: nothing is known.
  StepDown step_down(ConceptId c) const override {
    if (!is_sanchez()) return {-1, 1};
    const double s = parts_[0]->size(taxonomy_->parents(c)[0]);
    const double u = s + largest_ - 1;
    return {log2_of(1 + 1 / ((u + 1) * (2 * u - 1))), log2_of(1 + 1 / (s + 1))};
  }

 private:
  double similarity(const Overlaps& sets, const Weights& weights) const {
    return formula_.similarity(sets, parts_.size(), weights, shares_);
  }
  bool is_sanchez() const { return &formula_ == &kSanchez; }

  // Overlaps with one source: by part and concept.
  struct Counts {
    Counts(std::size_t parts, std::size_t concepts)
        : of(parts, std::vector<std::uint32_t>(concepts)) {}
    std::vector<std::vector<std::uint32_t>> of;
  };

  // Eq 9, both of whose cases are the lesser depth's share.
  Weights weights(ConceptId a, ConceptId b) const {
    const double depth_a = taxonomy_->depth(a);
    const double depth_b = taxonomy_->depth(b);
    const double gamma = std::min(depth_a, depth_b) / (depth_a + depth_b);
    return {gamma, 1 - gamma};
  }

  // Turning a and b around changes no bit: sums of two do not mind.
  double value(ConceptId a, ConceptId b, const Overlaps& sets) const {
    double both = 0;
    if (formula_.is_symmetric) {
      both = similarity(sets, {});
    } else {
      const Weights there = weights(a, b);
      const Weights back{there.b, there.a};
      both = (similarity(sets, there) + similarity(sets, back)) / 2;
    }
    return std::clamp(1 - both, 0.0, 1.0);
  }

  Overlaps overlaps(ConceptId a, ConceptId b) const {
    Overlaps sets{};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      sets[i] = {static_cast<double>(parts_[i]->common(a, b)),
                 static_cast<double>(parts_[i]->size(a)), static_cast<double>(parts_[i]->size(b))};
    }
    return sets;
  }

  // `concepts` ascending and complete for all parts, `targets` any of them.
  void row(ConceptId source, std::span<const ConceptId> concepts,
           std::span<const ConceptId> targets, Counts& counts, std::span<double> out) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i]->common_with(source, concepts, counts.of[i]);
    }
    Known known(*this, source);
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const ConceptId c = targets[j];
      if (c == source) {
        out[j] = 0;
        continue;
      }
      double* const value_known = known.find(counts.of[0][c], parts_[0]->size(c));
      if (value_known != nullptr && *value_known >= 0) {
        out[j] = *value_known;
        continue;
      }
      Overlaps sets;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        sets[i] = {static_cast<double>(counts.of[i][c]),
                   static_cast<double>(parts_[i]->size(source)),
                   static_cast<double>(parts_[i]->size(c))};
      }
      out[j] = value(source, c, sets);
      if (value_known != nullptr) *value_known = out[j];
    }
  }

  // Logarithms are slow, and from one source few sizes of overlap and set occur.
  class Known {
   public:
    Known(const SetMeasure& measure, ConceptId source) {
      const std::size_t size = measure.parts_[0]->size(source) + std::size_t{1};
      width_ = measure.largest_ + std::size_t{1};
      if (!measure.is_sanchez() || size * width_ > kMost) return;
      values_.assign(size * width_, -1.0);
    }
    // nullptr: not kept.
    double* find(std::uint32_t common, std::uint32_t size) {
      return values_.empty() ? nullptr : &values_[common * width_ + size];
    }

   private:
    static constexpr std::size_t kMost = 1 << 14;
    std::size_t width_;
    std::vector<double> values_;
  };

  std::shared_ptr<const Taxonomy> taxonomy_;
  std::string_view name_;
  const SetFormula& formula_;
  Parts parts_;
  FeatureWeights shares_;
  std::uint32_t largest_ = 0;  // set of the first part
};

IdLists every_concept(const Taxonomy& taxonomy) {
  IdLists lists;
  for (std::uint32_t c = 0; c < taxonomy.size(); ++c) lists.add({&c, 1});
  return lists;
}

// For every concept the names of those that `visit(c, append)` names.
template <class Visit>
IdLists names_around(const Taxonomy& taxonomy, const IdLists& names, Visit visit) {
  IdLists lists;
  std::vector<std::uint32_t> list;
  const auto append = [&](std::span<const ConceptId> concepts) {
    for (const ConceptId c : concepts) list.insert(list.end(), names[c].begin(), names[c].end());
  };
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    list.clear();
    visit(c, append);
    lists.add(list);
  }
  return lists;
}

// The features of a domain as the sets of one measure.
class SetsOf {
 public:
  SetsOf(std::shared_ptr<const Taxonomy> taxonomy, const ConceptFeatures& features)
      : taxonomy_(std::move(taxonomy)), features_(features) {}

  Parts rodriguez() const {
    Parts sets;
    sets.push_back(listed_sets(features_.names));
    sets.push_back(listed_sets(names_of([&](ConceptId c, const auto& append) {
      append({&c, 1});
      append(taxonomy_->parents(c));
      append(taxonomy_->children(c));
      append(features_.parts[c]);
      append(features_.wholes[c]);
    })));
    if (features_.has_words()) sets.push_back(listed_sets(features_.words));
    if (features_.has_parts()) sets.push_back(inherited_sets(taxonomy_, names_of_parts()));
    return sets;
  }

  Parts x_similarity() const {
    Parts sets;
    sets.push_back(listed_sets(features_.names));
    sets.push_back(inherited_sets(taxonomy_, features_.names));
    sets.push_back(listed_sets(
        names_of([&](ConceptId c, const auto& append) { append(taxonomy_->children(c)); })));
    sets.push_back(listed_sets(features_.words));
    if (features_.has_parts()) {
      sets.push_back(listed_sets(names_of_parts()));
      sets.push_back(listed_sets(
          names_of([&](ConceptId c, const auto& append) { append(features_.wholes[c]); })));
    }
    return sets;
  }

 private:
  template <class Visit>
  IdLists names_of(Visit visit) const {
    return names_around(*taxonomy_, features_.names, visit);
  }
  IdLists names_of_parts() const {
    return names_of([&](ConceptId c, const auto& append) { append(features_.parts[c]); });
  }

  std::shared_ptr<const Taxonomy> taxonomy_;
  const ConceptFeatures& features_;
};

}  // namespace

std::unique_ptr<const Measure> make_set_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                const MeasureOptions& options) {
  Parts parts;
  const auto made = [&](std::string_view known, const SetFormula& formula) {
    return std::make_unique<SetMeasure>(taxonomy, known, formula, std::move(parts),
                                        options.weights);
  };
  if (options.name == "sanchez") {
    parts.push_back(inherited_sets(taxonomy, every_concept(*taxonomy)));
    return made("sanchez", kSanchez);
  }
  if (options.name == "tversky") {
    parts.push_back(inherited_sets(taxonomy, options.features->names));
    return made("tversky", kTversky);
  }
  if (options.name == "rodriguez-egenhofer") {
    parts = SetsOf(taxonomy, *options.features).rodriguez();
    return made("rodriguez-egenhofer", kRodriguez);
  }
  if (options.name == "x-similarity") {
    parts = SetsOf(taxonomy, *options.features).x_similarity();
    return made("x-similarity", kXSimilarity);
  }
  return nullptr;
}

}  // namespace semveil
