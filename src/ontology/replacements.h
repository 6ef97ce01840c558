// From what is no longer used to what stands for it, over any number of steps.
//
//   A → B, B → C, C live:            A and B lead to C
//   D → E, D → F, both live:         D leads to E and to F
//   G → H, H → G:                    neither leads anywhere
//
// A replacement is what is live and can be reached by way of what is not, whatever the order of the
// steps; a cycle does no harm.
//
// Choice:  a search that meets more than kMostMet is given up: nothing meaningful is left of such a
//          code, and a hostile file could make every search as long as the file.
// Cost:    O(old ones · those met), in practice hardly more than one each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace semveil {

struct Replacements {
  struct Pair {
    std::uint32_t live, old;
  };
  std::vector<Pair> pairs;
  std::uint64_t followed = 0;  // old ones that have one or several
};

struct ReplacementStep {
  std::uint32_t from, to;
};

// The steps by ascending `from`, none of which is live.
template <class IsLive>
Replacements follow_replacements(std::span<const ReplacementStep> steps, IsLive is_live) {
  constexpr std::size_t kMostMet = 256;
  Replacements result;
  std::vector<std::uint32_t> met;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::uint32_t old = steps[i].from;
    if (i > 0 && steps[i - 1].from == old) continue;
    met.assign(1, old);
    for (std::size_t at = 0; at < met.size() && met.size() <= kMostMet; ++at) {
      if (is_live(met[at])) continue;
      auto step = std::ranges::lower_bound(steps, met[at], {}, &ReplacementStep::from);
      for (; step != steps.end() && step->from == met[at] && met.size() <= kMostMet; ++step) {
        if (std::ranges::find(met, step->to) == met.end()) met.push_back(step->to);
      }
    }
    if (met.size() > kMostMet) continue;
    const std::size_t before = result.pairs.size();
    for (const std::uint32_t one : met) {
      if (is_live(one)) result.pairs.push_back({one, old});
    }
    result.followed += result.pairs.size() > before ? 1 : 0;
  }
  return result;
}

}  // namespace semveil
