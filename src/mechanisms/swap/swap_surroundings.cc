#include "mechanisms/swap/swap_surroundings.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/cpu.h"

namespace semveil {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();

// out[i] = or += row[codes[i]].
template <bool kAdd>
[[gnu::always_inline]] inline void look_up(const std::uint32_t* row, const std::uint32_t* codes,
                                           std::size_t size, std::uint32_t* __restrict out) {
  for (std::size_t i = 0; i < size; ++i) out[i] = (kAdd ? out[i] : 0) + row[codes[i]];
}
void look_up_plain(bool add, const std::uint32_t* row, const std::uint32_t* codes, std::size_t size,
                   std::uint32_t* out) {
  add ? look_up<true>(row, codes, size, out) : look_up<false>(row, codes, size, out);
}
SEMVEIL_TARGET_AVX2 void look_up_avx2(bool add, const std::uint32_t* row,
                                      const std::uint32_t* codes, std::size_t size,
                                      std::uint32_t* out) {
  add ? look_up<true>(row, codes, size, out) : look_up<false>(row, codes, size, out);
}

[[gnu::always_inline]] inline std::uint32_t least(const std::uint32_t* list, std::size_t size) {
  std::uint32_t found = kAny;
  for (std::size_t i = 0; i < size; ++i) found = std::min(found, list[i]);
  return found;
}
std::uint32_t least_plain(const std::uint32_t* list, std::size_t size) { return least(list, size); }
SEMVEIL_TARGET_AVX2 std::uint32_t least_avx2(const std::uint32_t* list, std::size_t size) {
  return least(list, size);
}

// Without a comparison, of which the compiler would make a branch instead of vectors.
[[gnu::always_inline]] inline std::uint32_t ones_unless_0(std::uint32_t x) {
  return 0 - ((x | (0 - x)) >> 31U);
}

// The greatest or least distance of the items with records left. Without such items 0 and kAny.
[[gnu::always_inline]] inline std::uint32_t greatest(const std::uint32_t* distances,
                                                     const std::uint32_t* left, std::size_t size) {
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < size; ++i) {
    found = std::max(found, distances[i] & ones_unless_0(left[i]));
  }
  return found;
}
[[gnu::always_inline]] inline std::uint32_t least_left(const std::uint32_t* distances,
                                                       const std::uint32_t* left,
                                                       std::size_t size) {
  std::uint32_t found = kAny;
  for (std::size_t i = 0; i < size; ++i) {
    found = std::min(found, distances[i] | ~ones_unless_0(left[i]));
  }
  return found;
}
std::uint32_t extreme_plain(bool farthest, const std::uint32_t* distances,
                            const std::uint32_t* left, std::size_t size) {
  return farthest ? greatest(distances, left, size) : least_left(distances, left, size);
}
SEMVEIL_TARGET_AVX2 std::uint32_t extreme_avx2(bool farthest, const std::uint32_t* distances,
                                               const std::uint32_t* left, std::size_t size) {
  return farthest ? greatest(distances, left, size) : least_left(distances, left, size);
}

std::vector<std::uint32_t> items_at_extreme(bool farthest, std::span<const std::uint32_t> distances,
                                            std::span<const std::uint32_t> left) {
  // The extreme of every block tells which blocks to look into.
  constexpr std::size_t kWide = 1024;
  const std::size_t blocks = (distances.size() + kWide - 1) / kWide;
  std::vector<std::uint32_t> by_block(blocks);
  const auto find = has_avx2() ? extreme_avx2 : extreme_plain;
  for (std::size_t b = 0; b < blocks; ++b) {
    by_block[b] = find(farthest, distances.data() + b * kWide, left.data() + b * kWide,
                       std::min(kWide, distances.size() - b * kWide));
  }
  std::vector<std::uint32_t> found;
  if (blocks == 0) return found;
  const std::uint32_t best =
      farthest ? *std::ranges::max_element(by_block) : *std::ranges::min_element(by_block);
  for (std::size_t b = 0; b < blocks; ++b) {
    if (by_block[b] != best) continue;
    for (std::size_t i = b * kWide; i < std::min((b + 1) * kWide, distances.size()); ++i) {
      if (distances[i] == best && left[i] != 0) found.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return found;
}

}  // namespace

SwapDistances::SwapDistances(const SwapItems& items)
    : items_(items), identity_(items.attributes() == 1), scratch_(items.attributes()) {
  if (identity_) {
    const std::vector<std::uint32_t>& codes = items.codes[0];
    for (std::size_t i = 0; i < codes.size(); ++i) identity_ = identity_ && codes[i] == i;
  }
  if (!identity_) sums_.resize(items.size());
}

std::span<const std::uint32_t> SwapDistances::from(std::uint32_t item) {
  if (of_ == item) return distances_;
  of_ = item;
  std::array<const std::uint32_t*, kMostSwapColumns> rows;
  for (std::size_t a = 0; a < items_.attributes(); ++a) {
    rows[a] = items_.rows[a]->row(items_.codes[a][item], scratch_[a]);
  }
  if (identity_) return distances_ = {rows[0], items_.size()};
  // A stretch that stays in the first cache while the attributes are added up.
  constexpr std::size_t kStretch = 2048;
  const auto look = has_avx2() ? look_up_avx2 : look_up_plain;
  for (std::size_t first = 0; first < items_.size(); first += kStretch) {
    const std::size_t size = std::min(kStretch, items_.size() - first);
    for (std::size_t a = 0; a < items_.attributes(); ++a) {
      look(a > 0, rows[a], items_.codes[a].data() + first, size, sums_.data() + first);
    }
  }
  return distances_ = sums_;
}

// How far the record with this rank is, of those that are near; forgets what lies beyond. `reach`
// is what the last call gave.
std::uint32_t SwapDistances::narrow(std::uint64_t rank, std::uint32_t reach) {
  std::uint64_t closer = 0;
  selected_.clear();
  for (const Near& near : near_) {
    if (near.distance >= reach) continue;
    closer += items_.count(near.item);
    selected_.push_back(near);
  }
  if (closer < rank) return reach;
  // Halves the part in which the record is.
  auto first = selected_.begin();
  auto last = selected_.end();
  while (last - first > 1) {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last,
                     [](const Near& a, const Near& b) { return a.distance < b.distance; });
    std::uint64_t before = 0;
    for (auto near = first; near != middle; ++near) before += items_.count(near->item);
    if (rank <= before) {
      last = middle;
    } else {
      rank -= before;
      first = middle;
    }
  }
  reach = first->distance;
  std::erase_if(near_, [reach](const Near& near) { return near.distance > reach; });
  return reach;
}

SwapInterval SwapDistances::interval(std::uint32_t item, std::uint64_t k) {
  const std::span<const std::uint32_t> distances = from(item);
  const std::size_t blocks = (distances.size() + kBlock - 1) / kBlock;
  const std::uint64_t records = k + 1;  // the reference itself is the closest
  const auto find_least = has_avx2() ? least_avx2 : least_plain;
  near_.clear();
  std::uint32_t reach = kAny;
  // Those closer than the reach, which is too far once they are enough. Ties at it may be many.
  std::size_t closer = 0;
  const std::size_t most = 4 * kBlock + 2 * std::min<std::size_t>(k, distances.size());
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = (item / kBlock + b) % blocks * kBlock;
    const std::size_t last = std::min(first + kBlock, distances.size());
    if (find_least(distances.data() + first, last - first) > reach) continue;
    for (std::size_t i = first; i < last; ++i) {
      if (distances[i] > reach) continue;
      near_.push_back({distances[i], static_cast<std::uint32_t>(i)});
      closer += distances[i] < reach ? 1 : 0;
    }
    if (closer < most) continue;
    reach = narrow(records, reach);
    closer = static_cast<std::size_t>(
        std::ranges::count_if(near_, [&](const Near& near) { return near.distance < reach; }));
  }
  reach = narrow(records, reach);
  SwapInterval found;
  std::uint64_t inside = 0;
  for (const Near& near : near_) {
    if (near.distance < reach) {
      inside += items_.count(near.item);
      found.inside.push_back(near.item);
    } else {
      found.edge.push_back(near.item);
    }
  }
  // The reference stands among those inside, or at an edge of distance 0.
  found.places = records - std::max<std::uint64_t>(inside, 1);
  return found;
}

std::vector<std::uint32_t> SwapDistances::farthest(std::uint32_t item,
                                                   std::span<const std::uint32_t> left) {
  return items_at_extreme(true, from(item), left);
}

std::vector<std::uint32_t> SwapDistances::closest(std::uint32_t item,
                                                  std::span<const std::uint32_t> left) {
  return items_at_extreme(false, from(item), left);
}

}  // namespace semveil
