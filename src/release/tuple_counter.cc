#include "release/tuple_counter.h"

#include <xxhash.h>

#include <algorithm>

namespace semveil {
namespace {

std::size_t hash_of(std::span<const Code> tuple) {
  return XXH3_64bits(tuple.data(), tuple.size_bytes());
}

}  // namespace

void TupleCounter::add(std::span<const Code> tuple, std::uint64_t count) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(tuple) & mask;
  for (; slots_[slot] != kEmpty; slot = (slot + 1) & mask) {
    const std::span<const Code> there = this->tuple(slots_[slot]);
    if (std::equal(there.begin(), there.end(), tuple.begin())) {
      counts_[slots_[slot]] += count;
      return;
    }
  }
  slots_[slot] = static_cast<std::uint32_t>(counts_.size());
  codes_.insert(codes_.end(), tuple.begin(), tuple.end());
  counts_.push_back(count);
  if (counts_.size() * 2 > slots_.size()) grow();
}

void TupleCounter::add_rows(std::span<const std::span<const Code>> columns) {
  std::vector<Code> tuple(width_);
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t j = 0; j < width_; ++j) tuple[j] = columns[j][row];
    add(tuple);
  }
}

void TupleCounter::grow() {
  slots_.assign(slots_.size() * 2, kEmpty);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < counts_.size(); ++i) {
    std::size_t slot = hash_of(tuple(i)) & mask;
    while (slots_[slot] != kEmpty) slot = (slot + 1) & mask;
    slots_[slot] = i;
  }
}

}  // namespace semveil
