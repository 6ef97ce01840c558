#include "base/tuple_counter.h"

#include <xxhash.h>

#include <algorithm>

namespace semveil {
namespace {

std::size_t hash_of(std::span<const std::uint32_t> tuple) {
  return XXH3_64bits(tuple.data(), tuple.size_bytes());
}

}  // namespace

std::size_t TupleCounter::slot_of(std::span<const Code> tuple) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(tuple) & mask;
  for (; slots_[slot] != kEmpty; slot = (slot + 1) & mask) {
    const std::span<const Code> there = this->tuple(slots_[slot]);
    if (std::equal(there.begin(), there.end(), tuple.begin())) break;
  }
  return slot;
}

std::optional<std::size_t> TupleCounter::find(std::span<const Code> tuple) const {
  const std::uint32_t at = slots_[slot_of(tuple)];
  return at == kEmpty ? std::nullopt : std::optional<std::size_t>(at);
}

std::size_t TupleCounter::add(std::span<const Code> tuple, std::uint64_t count) {
  const std::size_t slot = slot_of(tuple);
  if (const std::uint32_t at = slots_[slot]; at != kEmpty) {
    counts_[at] += count;
    return at;
  }
  const std::size_t at = counts_.size();
  slots_[slot] = static_cast<std::uint32_t>(at);
  codes_.insert(codes_.end(), tuple.begin(), tuple.end());
  counts_.push_back(count);
  if (counts_.size() * 2 > slots_.size()) grow();
  return at;
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
