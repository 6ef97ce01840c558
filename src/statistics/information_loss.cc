#include "statistics/information_loss.h"

namespace semveil {
namespace {

std::size_t leaves_below(const Taxonomy& taxonomy, ConceptId c) {
  std::size_t leaves = 0;
  for (const ConceptId below : taxonomy.descendants(c)) leaves += taxonomy.is_leaf(below) ? 1 : 0;
  return leaves;
}

}  // namespace

Generalisation::Generalisation(const Attribute& attribute) : attribute_(attribute) {
  if (attribute.is_nominal()) leaves_ = leaves_below(attribute.taxonomy(), Taxonomy::root());
}

double Generalisation::loss(ConceptId value) const {
  if (leaves_ < 2 || value >= attribute_.size()) return 0;
  const auto [at, fresh] = known_.try_emplace(value, 0);
  if (fresh) {
    at->second = static_cast<double>(leaves_below(attribute_.taxonomy(), value) - 1) /
                 static_cast<double>(leaves_ - 1);
  }
  return at->second;
}

}  // namespace semveil
