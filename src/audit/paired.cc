#include "audit/paired.h"

#include <algorithm>
#include <numeric>

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

Classes classes_of(const Paired& pairs, Side side) {
  const std::size_t width = pairs.width();
  std::vector<std::uint32_t> ranks;
  ranks.reserve(pairs.size() * width);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      ranks.push_back(rank_of(*pairs.attributes[j], pairs.tuple(i, side)[j]));
    }
  }
  const auto rank = [&](std::uint32_t i) { return std::span(ranks).subspan(i * width, width); };
  std::vector<std::uint32_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare(rank(a), rank(b));
  });

  Classes out;
  out.width = width;
  out.of.resize(pairs.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !std::ranges::equal(rank(order[i]), rank(order[i - 1]))) {
      const auto tuple = pairs.tuple(order[i], side);
      out.tuples.insert(out.tuples.end(), tuple.begin(), tuple.end());
      out.counts.push_back(0);
    }
    out.counts.back() += pairs.counts[order[i]];
    out.of[order[i]] = static_cast<std::uint32_t>(out.counts.size() - 1);
  }
  return out;
}

}  // namespace semveil
