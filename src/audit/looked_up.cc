#include "audit/looked_up.h"

#include <algorithm>
#include <set>

namespace semveil {

OwnAmongAlike own_among_alike(const LookedUp& tables) {
  const Classes before = classes_of(tables.pairs, Side::kBefore);
  const Classes after = classes_of(tables.pairs, Side::kAfter);
  const Fits fits(tables.attributes, before, after, Fits::Ask::kWhatTheyFit, tables.missing);
  std::vector<std::set<std::uint32_t>> found(before.size());
  std::vector<std::uint64_t> alike(before.size(), 0), own(before.size(), 0);
  for (std::size_t x = 0; x < before.size(); ++x) {
    fits.for_each(x, [&](std::uint32_t c) {
      found[x].insert(c);
      alike[x] += after.counts[c];
      return true;
    });
  }
  for (std::size_t i = 0; i < tables.pairs.size(); ++i) {
    if (found[before.of[i]].contains(after.of[i])) own[before.of[i]] += tables.pairs.counts[i];
  }
  OwnAmongAlike out;
  for (std::size_t x = 0; x < before.size(); ++x) {
    if (own[x] == 0) continue;
    const double chance = static_cast<double>(own[x]) / static_cast<double>(alike[x]);
    out.worst = std::max(out.worst, chance / static_cast<double>(before.counts[x]));
    out.mean += chance;
  }
  out.mean /= static_cast<double>(before.records());
  return out;
}

}  // namespace semveil
