// The pairs that belong to each class, ascending.
#pragma once

#include <numeric>

#include "figures/paired.h"

namespace semveil {

class PairsOfClass {
 public:
  explicit PairsOfClass(const Classes& classes)
      : begin_(classes.size() + 1, 0), pairs_(classes.of.size()) {
    for (const std::uint32_t c : classes.of) ++begin_[c + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      pairs_[next[classes.of[i]]++] = static_cast<std::uint32_t>(i);
    }
  }
  std::span<const std::uint32_t> operator[](std::size_t c) const {
    return std::span(pairs_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> pairs_;
};

}  // namespace semveil
