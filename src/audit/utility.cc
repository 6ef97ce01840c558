#include "audit/utility.h"

#include <map>

namespace semveil {
namespace {

std::uint64_t leaves_below(const Taxonomy& taxonomy, ConceptId c) {
  std::uint64_t leaves = 0;
  for (const ConceptId below : taxonomy.descendants(c)) leaves += taxonomy.is_leaf(below) ? 1 : 0;
  return leaves;
}

// `all`: leaves of the attribute's concepts.
Generality of_value(const Attribute& of_values, ConceptId of, std::uint64_t all) {
  const Attribute& attribute = concepts_of(of_values);
  const ConceptId value = concept_of(of_values, of);
  if (value >= attribute.missing_value()) return {1, 1};
  if (!attribute.is_nominal()) return {};
  const std::uint64_t leaves = leaves_below(attribute.taxonomy(), value);
  if (leaves == 1) return {};
  return {static_cast<double>(leaves - 1) / static_cast<double>(all - 1),
          static_cast<double>(leaves) / static_cast<double>(all)};
}

}  // namespace

double semantic_quality(const Paired& pairs) {
  double quality = 0;
  const auto records = static_cast<double>(pairs.records());
  for (std::size_t j = 0; j < pairs.width(); ++j) {
    double lost = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const ConceptId x = pairs.tuple(i, Side::kBefore)[j];
      const ConceptId z = pairs.tuple(i, Side::kAfter)[j];
      if (x == z) continue;
      lost += static_cast<double>(pairs.counts[i]) * pairs.attributes[j]->distance(x, z);
    }
    quality += (1 - lost / records) / static_cast<double>(pairs.width());
  }
  return quality;
}

std::uint64_t discernibility(const Classes& classes) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : classes.counts) sum += count * count;
  return sum;
}

double c_avg(const Classes& classes, std::uint64_t k) {
  return static_cast<double>(classes.records()) /
         (static_cast<double>(classes.size()) * static_cast<double>(k));
}

Generality generality(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                      const Classes& released) {
  Generality out;
  const double cells =
      static_cast<double>(released.records()) * static_cast<double>(attributes.size());
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    const Attribute& attribute = *attributes[j];
    std::map<ConceptId, std::uint64_t> counts;
    for (std::size_t c = 0; c < released.size(); ++c) {
      counts[released.tuple(c)[j]] += released.counts[c];
    }
    const std::uint64_t all =
        attribute.is_nominal() ? leaves_below(concepts_of(attribute).taxonomy(), Taxonomy::root())
                               : 0;
    for (const auto& [value, count] : counts) {
      const Generality of = of_value(attribute, value, all);
      out.lm += static_cast<double>(count) * of.lm / cells;
      out.ncp += static_cast<double>(count) * of.ncp / cells;
    }
  }
  return out;
}

}  // namespace semveil
