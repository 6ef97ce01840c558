#include "figures/window_linkage.h"

#include <algorithm>
#include <bit>

#include "base/parallel.h"
#include "figures/pairs_of_class.h"
#include "figures/swap_windows.h"

namespace semveil {

void for_each_window(
    const Paired& pairs, const Classes& before, const Classes& after, const WindowOptions& options,
    const std::function<void(std::size_t, std::span<const std::uint32_t>)>& visit) {
  const std::vector<Reach> reach = swap_windows(pairs, before, options);
  in_parallel(options.threads, after.size(), [&](std::size_t released) {
    std::vector<std::uint64_t> candidates((before.size() + 63) / 64, ~std::uint64_t{0});
    if (before.size() % 64 != 0) {
      candidates.back() = (std::uint64_t{1} << (before.size() % 64)) - 1;
    }
    for (std::size_t j = 0; j < pairs.width(); ++j) {
      const auto column = reach[j].classes(*reach[j].place(after.tuple(released)[j]));
      for (std::size_t w = 0; w < candidates.size(); ++w) candidates[w] &= column[w];
    }
    std::vector<std::uint32_t> found;
    for (std::size_t w = 0; w < candidates.size(); ++w) {
      for (std::uint64_t rest = candidates[w]; rest != 0; rest &= rest - 1) {
        found.push_back(
            static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
      }
    }
    visit(released, found);
  });
}

LinkedRecords linked_by_window(const Paired& pairs, const WindowOptions& options) {
  const Classes before = classes_of(pairs, Side::kBefore), after = classes_of(pairs, Side::kAfter);
  const PairsOfClass of_class(after);
  std::vector<double> by_pair(pairs.size(), 0);
  for_each_window(pairs, before, after, options, [&](std::size_t released, auto candidates) {
    std::uint64_t records = 0;
    for (const std::uint32_t c : candidates) records += before.counts[c];
    for (const std::uint32_t pair : of_class[released]) {
      if (!std::ranges::binary_search(candidates, before.of[pair])) continue;
      by_pair[pair] = 1 / static_cast<double>(records);
    }
  });
  return linked_records(pairs, std::move(by_pair));
}

}  // namespace semveil
