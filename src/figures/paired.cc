#include "figures/paired.h"

#include <algorithm>
#include <numeric>

#include "base/stop.h"

namespace semveil {
namespace {

// Where a value stands among those of its column: by id, missing last.
std::uint32_t rank_of(const Attribute& attribute, ConceptId value) {
  const bool named = attribute.is_nominal() && value < attribute.size();
  return named ? attribute.taxonomy().id_rank(value) : value;
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace

std::uint64_t Paired::records() const { return sum(counts); }

Paired Paired::with(std::vector<std::shared_ptr<const Attribute>> others) const {
  Paired out = *this;
  out.attributes = std::move(others);
  return out;
}

std::uint64_t Classes::records() const { return sum(counts); }

std::uint64_t Classes::smallest() const {
  return counts.empty() ? 0 : *std::ranges::min_element(counts);
}

namespace {

// Equal tuples as one, ascending by the values' ids; `tuple(i)` has counts[i] records.
template <class Tuple>
Classes grouped(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                std::span<const std::uint64_t> counts, const Tuple& tuple) {
  const std::size_t width = attributes.size();
  std::vector<std::uint32_t> ranks;
  ranks.reserve(counts.size() * width);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::span<const ConceptId> values = tuple(i);
    for (std::size_t j = 0; j < width; ++j) ranks.push_back(rank_of(*attributes[j], values[j]));
  }
  const auto rank = [&](std::uint32_t i) { return std::span(ranks).subspan(i * width, width); };
  std::vector<std::uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0U);
  StopCheck check;
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    check();
    return std::ranges::lexicographical_compare(rank(a), rank(b));
  });

  Classes out;
  out.width = width;
  out.of.resize(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !std::ranges::equal(rank(order[i]), rank(order[i - 1]))) {
      const std::span<const ConceptId> values = tuple(order[i]);
      out.tuples.insert(out.tuples.end(), values.begin(), values.end());
      out.counts.push_back(0);
    }
    out.counts.back() += counts[order[i]];
    out.of[order[i]] = static_cast<std::uint32_t>(out.counts.size() - 1);
  }
  return out;
}

// The wanted places of tuples of `width` values, one after the other.
std::vector<ConceptId> columns_of(std::span<const ConceptId> tuples, std::size_t width,
                                  std::span<const std::size_t> columns) {
  std::vector<ConceptId> out;
  out.reserve(tuples.size() / width * columns.size());
  for (std::size_t at = 0; at < tuples.size(); at += width) {
    for (const std::size_t j : columns) out.push_back(tuples[at + j]);
  }
  return out;
}

std::vector<std::shared_ptr<const Attribute>> some_of(
    const std::vector<std::shared_ptr<const Attribute>>& attributes,
    std::span<const std::size_t> columns) {
  std::vector<std::shared_ptr<const Attribute>> out;
  for (const std::size_t j : columns) out.push_back(attributes[j]);
  return out;
}

}  // namespace

Classes classes_of(const Paired& pairs, Side side) {
  return grouped(pairs.attributes, pairs.counts,
                 [&](std::size_t i) { return pairs.tuple(i, side); });
}

Classes classes_over(const Classes& classes,
                     const std::vector<std::shared_ptr<const Attribute>>& attributes,
                     std::span<const std::size_t> columns) {
  const std::vector<ConceptId> tuples = columns_of(classes.tuples, classes.width, columns);
  Classes out = grouped(some_of(attributes, columns), classes.counts, [&](std::size_t i) {
    return std::span<const ConceptId>(tuples).subspan(i * columns.size(), columns.size());
  });
  out.of.clear();
  return out;
}

Paired Paired::over(std::span<const std::size_t> columns) const {
  Paired all;
  all.attributes = some_of(attributes, columns);
  all.before = columns_of(before, width(), columns);
  all.after = columns_of(after, width(), columns);
  all.counts = counts;
  const Classes was = classes_of(all, Side::kBefore), is = classes_of(all, Side::kAfter);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> both;  // classes, records
  for (std::size_t i = 0; i < counts.size(); ++i) {
    both.emplace_back(std::uint64_t{was.of[i]} << 32U | is.of[i], counts[i]);
  }
  StopCheck check;
  std::ranges::sort(both, [&](const auto& a, const auto& b) {
    check();
    return a < b;
  });
  Paired out;
  out.attributes = all.attributes;
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (i > 0 && both[i].first == both[i - 1].first) {
      out.counts.back() += both[i].second;
      continue;
    }
    const auto b = was.tuple(both[i].first >> 32U), a = is.tuple(both[i].first & 0xFFFFFFFFU);
    out.before.insert(out.before.end(), b.begin(), b.end());
    out.after.insert(out.after.end(), a.begin(), a.end());
    out.counts.push_back(both[i].second);
  }
  return out;
}

}  // namespace semveil
