#include "figures/utility.h"

namespace semveil {
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

Generality generality(const Paired& pairs) {
  std::vector<std::optional<Generality>> columns;
  for (std::size_t j = 0; j < pairs.width(); ++j) {
    ColumnGenerality column(*pairs.attributes[j]);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      column.add(pairs.tuple(i, Side::kBefore)[j], pairs.tuple(i, Side::kAfter)[j],
                 pairs.counts[i]);
    }
    columns.push_back(column.mean());
  }
  return mean_of(columns);
}

Generality own_generality(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                          const Classes& table) {
  std::vector<std::optional<Generality>> columns;
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    ColumnGenerality column(*attributes[j]);
    for (std::size_t c = 0; c < table.size(); ++c) {
      column.add(table.tuple(c)[j], table.tuple(c)[j], table.counts[c]);
    }
    columns.push_back(column.mean());
  }
  return mean_of(columns);
}

}  // namespace semveil
