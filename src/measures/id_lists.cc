#include "measures/id_lists.h"

#include <algorithm>

namespace semveil {

void IdLists::add(std::span<const std::uint32_t> list) {
  const auto first = static_cast<std::ptrdiff_t>(ids_.size());
  ids_.insert(ids_.end(), list.begin(), list.end());
  std::sort(ids_.begin() + first, ids_.end());
  ids_.erase(std::unique(ids_.begin() + first, ids_.end()), ids_.end());
  if (static_cast<std::size_t>(first) < ids_.size()) bound_ = std::max(bound_, ids_.back() + 1);
  begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
}

Marks& Marks::fresh(std::size_t bound) {
  thread_local Marks marks;
  marks.clear(bound);
  return marks;
}

void Marks::clear(std::size_t bound) {
  if (stamp_.size() < bound) stamp_.resize(bound, 0);
  if (++now_ == 0) {  // after 2^32 uses old stamps would look like new ones
    std::fill(stamp_.begin(), stamp_.end(), 0);
    now_ = 1;
  }
}

}  // namespace semveil
