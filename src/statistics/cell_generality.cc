#include "statistics/cell_generality.h"

#include <algorithm>

namespace semveil {
namespace {

std::uint64_t leaves_below(const Taxonomy& taxonomy, ConceptId c) {
  std::uint64_t leaves = 0;
  for (const ConceptId below : taxonomy.descendants(c)) leaves += taxonomy.is_leaf(below) ? 1 : 0;
  return leaves;
}

}  // namespace

ValueGenerality::ValueGenerality(const Attribute& attribute, KnownIntervals intervals)
    : attribute_(attribute), intervals_(std::move(intervals)) {
  if (!attribute.is_nominal()) return;
  all_leaves_ = leaves_below(concepts_of(attribute).taxonomy(), Taxonomy::root());
}

Generality ValueGenerality::of(ConceptId value) const {
  const auto interval = intervals_.by_value.find(value);
  if (interval != intervals_.by_value.end() && intervals_.range > 0) {
    const double width = interval->second.high - interval->second.low;
    const double share = std::min(1.0, width / intervals_.range);
    return {share, share};
  }
  const Attribute& concepts = concepts_of(attribute_);
  const ConceptId c = concept_of(attribute_, value);
  if (c >= concepts.missing_value()) return {1, 1};
  if (!concepts.is_nominal()) return {};
  if (concepts.shares) return {(*concepts.shares)[c], (*concepts.shares)[c]};
  const auto [at, is_new] = known_.try_emplace(c);
  if (!is_new) return at->second;
  const std::uint64_t leaves = leaves_below(concepts.taxonomy(), c);
  if (leaves > 1) {
    at->second = {static_cast<double>(leaves - 1) / static_cast<double>(all_leaves_ - 1),
                  static_cast<double>(leaves) / static_cast<double>(all_leaves_)};
  }
  return at->second;
}

void ColumnGenerality::add(ConceptId before, ConceptId after, std::uint64_t cells) {
  if (before != missing_) cells_[after] += cells;
}

std::optional<Generality> ColumnGenerality::mean() const {
  std::uint64_t all = 0;
  for (const auto& [value, cells] : cells_) all += cells;
  if (all == 0) return std::nullopt;
  return mean_of_records(all);
}

Generality ColumnGenerality::mean_of_records(std::uint64_t records) const {
  Generality out;
  for (const auto& [value, cells] : cells_) {
    const Generality lost = generality_.of(value);
    const double share = static_cast<double>(cells) / static_cast<double>(records);
    out.lm += share * lost.lm;
    out.ncp += share * lost.ncp;
  }
  return out;
}

Generality mean_of(const std::vector<std::optional<Generality>>& columns) {
  Generality out;
  double known = 0;
  for (const std::optional<Generality>& column : columns) {
    if (!column) continue;
    ++known;
    out.lm += column->lm;
    out.ncp += column->ncp;
  }
  if (known == 0) return {};
  return {out.lm / known, out.ncp / known};
}

}  // namespace semveil
