#include "figures/window_linkage.h"

#include <algorithm>
#include <bit>

#include "base/parallel.h"
#include "figures/pairs_of_class.h"
#include "figures/swap_windows.h"

namespace semveil {

LinkedRecords linked_by_window(const Paired& pairs, const WindowOptions& options) {
  const Classes before = classes_of(pairs, Side::kBefore), after = classes_of(pairs, Side::kAfter);
  const std::vector<Reach> reach = swap_windows(pairs, before, options);
  const PairsOfClass of_class(after);
  std::vector<double> by_pair(pairs.size(), 0);
  in_parallel(options.threads, after.size(), [&](std::size_t released) {
    std::vector<std::uint64_t> candidates((before.size() + 63) / 64, ~std::uint64_t{0});
    if (before.size() % 64 != 0) {
      candidates.back() = (std::uint64_t{1} << (before.size() % 64)) - 1;
    }
    for (std::size_t j = 0; j < pairs.width(); ++j) {
      const auto column = reach[j].classes(*reach[j].place(after.tuple(released)[j]));
      for (std::size_t w = 0; w < candidates.size(); ++w) candidates[w] &= column[w];
    }
    std::uint64_t records = 0;
    for (std::size_t w = 0; w < candidates.size(); ++w) {
      for (std::uint64_t rest = candidates[w]; rest != 0; rest &= rest - 1) {
        records += before.counts[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
      }
    }
    for (const std::uint32_t pair : of_class[released]) {
      const std::uint32_t own = before.of[pair];
      if ((candidates[own / 64] >> (own % 64) & 1U) == 0) continue;
      by_pair[pair] = 1 / static_cast<double>(records);
    }
  });
  return linked_records(pairs, std::move(by_pair));
}

}  // namespace semveil
