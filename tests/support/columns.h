// Columns of records made from a seed, for the engine and for its twin.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "semveil/statistics.h"
#include "support/slow_statistics.h"

namespace semveil::test {

struct GeneratedColumn {
  std::string title;
  std::vector<ConceptId> records;  // taxonomy.size() stands for a missing cell

  ValueCounts counts() const {
    std::map<ConceptId, std::uint64_t> count;
    for (const ConceptId c : records) ++count[c];
    ValueCounts out;
    for (const auto& [value, n] : count) {
      out.values.push_back(value);
      out.counts.push_back(n);
    }
    return out;
  }
  SlowColumn slow(const Twins& twins) const {
    SlowColumn out;
    for (const ConceptId c : records) {
      out.push_back(c < twins.node.size() ? std::optional(twins.node[c]) : std::nullopt);
    }
    return out;
  }
};

// Few and many values, one alone, all counts equal, one value above all others, missing cells.
inline std::vector<GeneratedColumn> columns_over(const Taxonomy& taxonomy, std::uint64_t seed) {
  Random random(seed);
  const std::size_t first = taxonomy.has_virtual_root() ? 1 : 0;
  const auto any = [&] {
    return static_cast<ConceptId>(first + random.below(taxonomy.size() - first));
  };
  const auto missing = static_cast<ConceptId>(taxonomy.size());
  std::vector<GeneratedColumn> columns;
  columns.push_back({"one record", {any()}});
  columns.push_back({"one value", std::vector<ConceptId>(7, any())});
  GeneratedColumn few{"few values", {}};
  const std::vector<ConceptId> three{any(), any(), any()};
  for (int i = 0; i < 23; ++i) few.records.push_back(three[random.below(3)]);
  columns.push_back(few);
  GeneratedColumn many{"many values", {}};
  for (int i = 0; i < 40; ++i) many.records.push_back(any());
  columns.push_back(many);
  GeneratedColumn equal{"every concept once", {}};
  for (std::size_t c = first; c < taxonomy.size(); ++c) {
    equal.records.push_back(static_cast<ConceptId>(c));
  }
  columns.push_back(equal);
  GeneratedColumn pair{"two values, equally often", {}};
  const ConceptId a = any();
  const ConceptId b = any();
  for (int i = 0; i < 5; ++i) pair.records.insert(pair.records.end(), {a, b});
  columns.push_back(pair);
  GeneratedColumn heavy{"one value above all others", std::vector<ConceptId>(25, any())};
  for (int i = 0; i < 15; ++i) heavy.records.push_back(any());
  columns.push_back(heavy);
  GeneratedColumn holes{"missing cells", {missing, missing, missing}};
  for (int i = 0; i < 12; ++i) holes.records.push_back(any());
  columns.push_back(holes);
  return columns;
}

}  // namespace semveil::test
