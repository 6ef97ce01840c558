#include "mechanisms/microaggregate/group_centroids.h"

#include <algorithm>

#include "base/parallel.h"

namespace semveil {
namespace {

constexpr std::size_t kGroupsOfAPiece = 256;

ValueCounts values_of(const ClassTable& table, const std::vector<std::uint32_t>& group,
                      std::size_t j) {
  std::vector<std::pair<ConceptId, std::uint64_t>> cells;
  cells.reserve(group.size());
  for (const std::uint32_t t : group) cells.emplace_back(table.value(t, j), table.counts[t]);
  std::ranges::sort(cells);
  ValueCounts out;
  for (const auto& [value, count] : cells) {
    if (out.values.empty() || out.values.back() != value) {
      out.values.push_back(value);
      out.counts.push_back(0);
    }
    out.counts.back() += count;
  }
  return out;
}

ConceptId most_frequent(const ValueCounts& group, ConceptId missing) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < group.values.size(); ++i) {
    if (group.values[i] != missing && group.counts[i] > group.counts[best]) best = i;
  }
  return group.values[best];
}

}  // namespace

Centroids::Centroids(const ClassTable& table) : table_(table) {
  for (const std::shared_ptr<const Attribute>& attribute : table.attributes) {
    means_.push_back(attribute->is_nominal() ? std::make_unique<const GroupMeans>(attribute)
                                             : nullptr);
    numbers_.push_back(attribute->is_numeric() ? std::make_unique<const NumberMeans>(attribute)
                                               : nullptr);
  }
}

std::vector<CentroidCell> Centroids::of(const TupleGroups& groups, unsigned threads) const {
  const std::size_t width = table_.width();
  std::vector<CentroidCell> out(groups.size() * width);
  for (std::size_t j = 0; j < width; ++j) {
    const ConceptId missing = table_.attributes[j]->missing_value();
    std::vector<ValueCounts> values(groups.size());
    const std::size_t pieces = (groups.size() + kGroupsOfAPiece - 1) / kGroupsOfAPiece;
    in_parallel(threads, pieces, [&](std::size_t piece) {
      const std::size_t last = std::min(groups.size(), (piece + 1) * kGroupsOfAPiece);
      for (std::size_t g = piece * kGroupsOfAPiece; g < last; ++g) {
        values[g] = values_of(table_, groups[g], j);
        CentroidCell& cell = out[g * width + j];
        if (numbers_[j]) {
          cell.number = numbers_[j]->of(values[g]);
          cell.value = missing;
        } else if (!means_[j]) {
          cell.value = most_frequent(values[g], missing);
        }
      }
    });
    if (!means_[j]) continue;
    const std::vector<ConceptId> means = means_[j]->of(values, threads);
    for (std::size_t g = 0; g < groups.size(); ++g) out[g * width + j].value = means[g];
  }
  return out;
}

}  // namespace semveil
