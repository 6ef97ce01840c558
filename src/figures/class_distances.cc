#include "figures/class_distances.h"

#include <algorithm>
#include <numeric>

namespace semveil {
namespace {

constexpr std::size_t kMostValuesOfATable = 2048;  // 32 MB

}  // namespace

ClassDistances::ClassDistances(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                               const Classes& classes) {
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    Column& column = columns_.emplace_back();
    column.attribute = attributes[j].get();
    for (std::size_t c = 0; c < classes.size(); ++c) column.values.push_back(classes.tuple(c)[j]);
    std::ranges::sort(column.values);
    column.values.erase(std::ranges::unique(column.values).begin(), column.values.end());
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const auto at = std::ranges::lower_bound(column.values, classes.tuple(c)[j]);
      column.places.push_back(static_cast<std::uint32_t>(at - column.values.begin()));
    }
    if (column.values.size() > kMostValuesOfATable) continue;
    std::vector<std::uint32_t> all(column.values.size());
    std::iota(all.begin(), all.end(), 0U);
    column.table.resize(all.size() * all.size());
    fill(column, all, column.table);
  }
}

void ClassDistances::to_later(std::size_t c, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  for (Column& column : columns_) {
    const std::span<const double> from = row(column, column.places[c]);
    const std::uint32_t* const places = column.places.data() + c + 1;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += from[places[i]];
  }
  for (double& distance : out) distance /= static_cast<double>(columns_.size());
}

std::span<const double> ClassDistances::row(Column& column, std::uint32_t place) {
  const std::size_t values = column.values.size();
  if (values <= kMostValuesOfATable) {
    return std::span<const double>(column.table).subspan(place * values, values);
  }
  if (column.row_of != place) {
    column.table.resize(values);
    fill(column, std::span(&place, 1), column.table);
    column.row_of = place;
  }
  return column.table;
}

void ClassDistances::fill(const Column& column, std::span<const std::uint32_t> from,
                          std::span<double> out) {
  const Attribute& attribute = *column.attribute;
  const std::size_t values = column.values.size();
  const auto all = std::span<const ConceptId>(column.values);
  const auto known = static_cast<std::size_t>(
      std::ranges::lower_bound(all, static_cast<ConceptId>(attribute.size())) - all.begin());
  if (!attribute.is_nominal()) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t k = 0; k < values; ++k) {
        out[i * values + k] = attribute.distance(all[from[i]], all[k]);
      }
    }
    return;
  }
  std::vector<ConceptId> sources;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::ranges::fill(out.subspan(i * values, values), 1.0);
    out[i * values + from[i]] = 0;
    if (from[i] >= known) continue;  // missing, or a text that means nothing
    sources.push_back(all[from[i]]);
    rows.push_back(i);
  }
  attribute.measure->rows(sources, all.first(known),
                          [&](std::size_t i, std::span<const double> row) {
                            std::ranges::copy(row, out.subspan(rows[i] * values).begin());
                          });
}

}  // namespace semveil
