#include "mechanisms/classes/class_table.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"

namespace semveil {
namespace {

constexpr std::size_t kMostKeptDistances = std::size_t{1} << 25U;  // 256 MB
constexpr std::size_t kTableRowsOfAPiece = 64;

}  // namespace

ColumnDistances::ColumnDistances(std::shared_ptr<const Attribute> attribute,
                                 std::vector<ConceptId> values, unsigned threads)
    : attribute_(std::move(attribute)), values_(std::move(values)) {
  const std::size_t size = values_.size();
  if (size == 0 || size > kMostKeptDistances / size) return;
  std::vector<double> table(size * size);
  const bool has_missing = values_.back() == attribute_->missing_value();
  const auto fill = [&](std::size_t first, std::size_t last) {
    if (!attribute_->is_nominal()) {
      for (std::size_t a = first; a < last; ++a) {
        for (std::size_t b = 0; b < size; ++b) {
          table[a * size + b] = attribute_->distance(values_[a], values_[b]);
        }
      }
      return;
    }
    const std::size_t concepts = size - (has_missing ? 1 : 0);
    const std::span<const ConceptId> all = std::span(values_).first(concepts);
    for (std::size_t a = first; a < last; ++a) table[a * size + size - 1] = 1;
    const std::size_t end = std::min(last, concepts);
    if (first < end) {
      attribute_->measure->rows(
          all.subspan(first, end - first), all, [&](std::size_t i, std::span<const double> row) {
            std::copy(row.begin(), row.end(), table.data() + (first + i) * size);
          });
    }
    if (last > concepts) {
      std::fill_n(table.begin() + static_cast<std::ptrdiff_t>(concepts * size), size, 1.0);
    }
    if (has_missing && last == size) table.back() = 0;
  };
  in_parallel(threads, (size + kTableRowsOfAPiece - 1) / kTableRowsOfAPiece,
              [&](std::size_t piece) {
                fill(piece * kTableRowsOfAPiece, std::min(size, (piece + 1) * kTableRowsOfAPiece));
              });
  table_ = std::move(table);
}

void ColumnDistances::rows(std::span<const Code> from, std::vector<double>& out) const {
  const std::size_t size = values_.size();
  out.assign(from.size() * size, 1);
  const ConceptId missing = attribute_->missing_value();
  if (!attribute_->is_nominal()) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      double* const row = out.data() + i * size;
      if (!attribute_->is_numeric()) {
        row[from[i]] = 0;
        continue;
      }
      for (std::size_t b = 0; b < size; ++b) {
        row[b] = attribute_->distance(values_[from[i]], values_[b]);
      }
    }
    return;
  }
  std::vector<ConceptId> sources;
  std::vector<std::size_t> places;  // of their rows
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (values_[from[i]] == missing) {
      out[i * size + from[i]] = 0;
    } else {
      sources.push_back(values_[from[i]]);
      places.push_back(i);
    }
  }
  const std::span<const ConceptId> concepts =
      std::span(values_).first(size - (values_.back() == missing ? 1 : 0));
  if (sources.empty()) return;
  attribute_->measure->rows(
      sources, concepts, [&](std::size_t i, std::span<const double> distances) {
        std::copy(distances.begin(), distances.end(), out.data() + places[i] * size);
      });
}

void ValueRows::fetch(std::vector<Code> values) {
  fetched_ = std::move(values);
  distances_->rows(fetched_, rows_);
}

std::span<const double> ValueRows::row(Code a) {
  if (const std::span<const double> kept = distances_->row(a); !kept.empty()) return kept;
  auto found = std::ranges::lower_bound(fetched_, a);
  if (found == fetched_.end() || *found != a) {
    fetch({a});
    found = fetched_.begin();
  }
  const std::size_t size = distances_->size();
  return std::span(rows_).subspan(static_cast<std::size_t>(found - fetched_.begin()) * size, size);
}

std::uint64_t ClassTable::records() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> ClassTable::sizes() const {
  if (!persons.are_told()) return counts;
  std::vector<std::uint64_t> out;
  for (std::size_t t = 0; t < size(); ++t) out.push_back(size_of(t));
  return out;
}

bool SizeUpTo::add(std::size_t tuple) {
  if (is_reached()) return false;
  if (!table_.persons.are_told()) {
    size_ += table_.counts[tuple];
    return !is_reached();
  }
  for (const std::uint32_t person : table_.persons.of(tuple)) {
    const auto at = std::ranges::lower_bound(seen_, person);
    if (at != seen_.end() && *at == person) continue;
    seen_.insert(at, person);
    if (++size_ == most_) return false;
  }
  return true;
}

ClassTable class_table(const FrequencyTable& table) {
  ClassTable out;
  out.sensitive = table.sensitive;
  out.persons = table.persons;
  const std::size_t width = table.columns.size();
  std::vector<Code> missing;  // by column: the place of missing_value()
  for (const FrequencyColumn& column : table.columns) {
    out.attributes.push_back(column.attribute);
    std::vector<ConceptId>& values = out.values.emplace_back(column.values.values);
    const ConceptId value = column.attribute->missing_value();
    if (column.missing > 0 && (values.empty() || values.back() != value)) values.push_back(value);
    missing.push_back(static_cast<Code>(values.size() - 1));
  }
  if (width == 1) {
    const FrequencyColumn& column = table.columns.front();
    out.counts = column.values.counts;
    if (out.counts.size() < out.values.front().size()) out.counts.push_back(0);
    if (column.missing > 0) out.counts.back() += column.missing;
    out.tuples.resize(out.counts.size());
    std::iota(out.tuples.begin(), out.tuples.end(), Code{0});
    return out;
  }
  out.tuples = table.tuples;
  out.counts = table.tuple_counts;
  // kMissing is the greatest code and missing_value() the greatest value: tuples stay in order.
  for (std::size_t i = 0; i < out.tuples.size(); ++i) {
    if (out.tuples[i] == kMissing) out.tuples[i] = missing[i % width];
  }
  return out;
}

}  // namespace semveil
