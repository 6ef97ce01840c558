#include "statistics/mean_candidates.h"

#include "ontology/ancestor_index.h"

namespace semveil {
namespace {

// Records at or below every concept: each value reports to each of its ancestors once.
std::vector<std::uint64_t> records_below(const Taxonomy& taxonomy, const ValueCounts& column) {
  std::vector<std::uint64_t> below(taxonomy.size(), 0);
  const AncestorIndex& index = taxonomy.ancestor_index();
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    if (column.values[i] >= taxonomy.size()) continue;  // missing
    if (index.usable()) {
      index.for_each_ancestor(column.values[i],
                              [&](ConceptId a, unsigned) { below[a] += column.counts[i]; });
    } else {
      for (const Ancestor& a : taxonomy.ancestors(column.values[i])) {
        below[a.concept_id] += column.counts[i];
      }
    }
  }
  return below;
}

}  // namespace

std::vector<ConceptId> mean_candidates(const Measure& measure, const ValueCounts& column) {
  const Taxonomy& taxonomy = measure.taxonomy();
  const std::vector<std::uint64_t> below = records_below(taxonomy, column);
  const auto all = static_cast<double>(below[Taxonomy::root()]);
  const double margin = 2 * kTiePerRecord * static_cast<double>(column.total());
  const auto beaten_by_parent = [&](ConceptId c) {
    const auto parents = taxonomy.parents(c);
    if (parents.size() != 1 || taxonomy.is_virtual(parents[0])) return false;
    const StepDown step = measure.step_down(c);
    if (below[c] == 0) return step.least_loss >= 0;
    const auto w = static_cast<double>(below[c]);
    return (all - w) * step.least_loss - w * step.greatest_gain > margin;
  };
  std::vector<ConceptId> candidates;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (!taxonomy.is_virtual(c) && !beaten_by_parent(c)) candidates.push_back(c);
  }
  return candidates;
}

}  // namespace semveil
