#include "mechanisms/generalize/generalize_walk.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace semveil {
namespace {

// splitmix64 (Steele, Lea & Flood 2014).
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

}  // namespace

LevelWalk::LevelWalk(const LocalTable& table) : table_(table) {
  choose_levels();
  for (std::size_t j = 0; j < table.width(); ++j) {
    const Hierarchy& hierarchy = table.task().hierarchies[j];
    auto& keys = keys_.emplace_back();
    for (const unsigned level : levels_[j]) {
      std::vector<std::uint64_t>& own = keys.emplace_back();
      for (Code v = 0; v < hierarchy.values(); ++v) {
        own.push_back(mixed(mixed(j) + hierarchy.node(v, level)));
      }
    }
  }
  make_order();
  const std::size_t slots = std::bit_ceil(2 * table.size() + 2);
  slot_key_.resize(slots);
  slot_use_.assign(slots, 0);
  slot_group_.resize(slots);
}

void LevelWalk::choose_levels() {
  const ClassTable& table = table_.task().table;
  for (std::size_t j = 0; j < table_.width(); ++j) {
    const Hierarchy& hierarchy = table_.task().hierarchies[j];
    std::vector<unsigned>& levels = levels_.emplace_back();
    std::vector<double>& means = means_.emplace_back();
    std::vector<Code> last;
    for (unsigned level = 0; level < hierarchy.levels(); ++level) {
      double sum = 0;
      for (std::uint32_t t = 0; t < table.size(); ++t) {
        sum += static_cast<double>(table.counts[t]) * table_.loss(j, table_.value(t, j), level);
      }
      std::vector<Code> nodes;
      for (Code v = 0; v < hierarchy.values(); ++v) nodes.push_back(hierarchy.node(v, level));
      std::vector<Code> distinct = nodes;
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      // Nested: as many groups are the same groups.
      if (!last.empty() && last.size() == distinct.size()) continue;
      last = std::move(distinct);
      levels.push_back(level);
      means.push_back(sum / static_cast<double>(table_.task().records));
    }
    while (product() > kMostWalked) {
      // The level nearest to the one below, of all columns so far; the last level stays.
      std::size_t column = 0, place = 0;
      double least = 0;
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        for (std::size_t l = 1; l + 1 < levels_[i].size(); ++l) {
          const double step = means_[i][l] - means_[i][l - 1];
          if (place == 0 || step < least) {
            column = i;
            place = l;
            least = step;
          }
        }
      }
      if (place == 0) break;
      levels_[column].erase(levels_[column].begin() + static_cast<std::ptrdiff_t>(place));
      means_[column].erase(means_[column].begin() + static_cast<std::ptrdiff_t>(place));
    }
  }
}

// Of the chosen levels, as far as it is of interest.
std::size_t LevelWalk::product() const {
  std::size_t out = 1;
  for (const auto& levels : levels_) out = std::min(out * levels.size(), 2 * kMostWalked);
  return out;
}

void LevelWalk::make_order() {
  std::vector<std::uint16_t> at(table_.width(), 0);
  std::vector<std::vector<std::uint16_t>> all;
  std::vector<double> losses;
  for (bool more = true; more && all.size() < kMostWalked;) {
    double sum = 0;
    for (std::size_t j = 0; j < at.size(); ++j) sum += means_[j][at[j]];
    all.push_back(at);
    losses.push_back(sum);
    more = false;
    for (std::size_t j = 0; j < at.size() && !more; ++j) {
      more = at[j] + 1U < levels_[j].size();
      at[j] = more ? static_cast<std::uint16_t>(at[j] + 1) : std::uint16_t{0};
    }
  }
  // Columns too many to be combined even with two levels each: at least one way leads to the top.
  std::fill(at.begin(), at.end(), std::uint16_t{0});
  for (bool more = product() > kMostWalked; more;) {
    std::size_t next = at.size();
    const auto rise = [&](std::size_t j) { return means_[j][at[j] + 1U] - means_[j][at[j]]; };
    for (std::size_t j = 0; j < at.size(); ++j) {
      if (at[j] + 1U == levels_[j].size()) continue;
      if (next == at.size() || rise(j) < rise(next)) next = j;
    }
    more = next < at.size();
    if (!more) break;
    ++at[next];
    all.push_back(at);
    losses.push_back(0);
    for (std::size_t j = 0; j < at.size(); ++j) losses.back() += means_[j][at[j]];
  }
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(losses[a], a) < std::pair(losses[b], b);
  });
  for (const std::uint32_t i : order) order_.push_back(std::move(all[i]));
}

void LevelWalk::group(std::size_t place, std::span<const std::uint32_t> tuples, Groups& out) {
  key_.assign(tuples.size(), 0);
  const Code* values = table_.task().table.tuples.data();
  const std::size_t width = table_.width();
  for (std::size_t j = 0; j < width; ++j) {
    const std::vector<std::uint64_t>& keys = keys_[j][order_[place][j]];
    for (std::size_t i = 0; i < tuples.size(); ++i) key_[i] += keys[values[tuples[i] * width + j]];
  }
  ++use_;
  group_of_.resize(tuples.size());
  sizes_.clear();
  const std::size_t mask = slot_key_.size() - 1;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    std::size_t slot = (key_[i] ^ (key_[i] >> 32U)) & mask;
    while (slot_use_[slot] == use_ && slot_key_[slot] != key_[i]) slot = (slot + 1) & mask;
    if (slot_use_[slot] != use_) {
      slot_use_[slot] = use_;
      slot_key_[slot] = key_[i];
      slot_group_[slot] = static_cast<std::uint32_t>(sizes_.size());
      sizes_.push_back(0);
    }
    group_of_[i] = slot_group_[slot];
    ++sizes_[group_of_[i]];
  }
  out.begin.assign(1, 0);
  for (const std::uint32_t size : sizes_) out.begin.push_back(out.begin.back() + size);
  out.tuples.resize(tuples.size());
  for (std::size_t g = 0; g < sizes_.size(); ++g) sizes_[g] = out.begin[g];
  for (std::size_t i = 0; i < tuples.size(); ++i) out.tuples[sizes_[group_of_[i]]++] = tuples[i];
}

}  // namespace semveil
