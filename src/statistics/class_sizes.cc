#include "statistics/class_sizes.h"

#include <map>

#include "base/tuple_counter.h"

namespace semveil {
namespace {

using Tuple = std::span<const std::uint32_t>;

// The chosen places of a tuple.
void choose(Tuple tuple, std::span<const std::size_t> places, std::vector<std::uint32_t>& out) {
  out.clear();
  for (const std::size_t j : places) out.push_back(tuple[j]);
}

std::vector<std::size_t> places_in_both(const std::vector<bool>& a, const std::vector<bool>& b) {
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (!a[j] && !b[j]) out.push_back(j);
  }
  return out;
}

}  // namespace

std::vector<std::uint64_t> matching_records(std::span<const std::uint32_t> tuples,
                                            std::span<const std::uint64_t> counts,
                                            std::span<const std::uint32_t> missing) {
  const std::size_t width = missing.size();
  const auto tuple = [&](std::size_t i) { return tuples.subspan(i * width, width); };
  std::map<std::vector<bool>, std::vector<std::size_t>> groups;  // by missing places
  std::vector<bool> misses(width);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) misses[j] = tuple(i)[j] == missing[j];
    groups[misses].push_back(i);
  }
  std::vector<std::uint64_t> sizes(counts.begin(), counts.end());
  std::vector<std::uint32_t> chosen;
  for (const auto& [of_members, members] : groups) {
    for (const auto& [of_others, others] : groups) {
      if (&members == &others) continue;  // of one group only equal tuples match
      const std::vector<std::size_t> places = places_in_both(of_members, of_others);
      TupleCounter known(places.size());
      for (const std::size_t i : others) {
        choose(tuple(i), places, chosen);
        known.add(chosen, counts[i]);
      }
      for (const std::size_t i : members) {
        choose(tuple(i), places, chosen);
        if (const auto at = known.find(chosen)) sizes[i] += known.count(*at);
      }
    }
  }
  return sizes;
}

}  // namespace semveil
