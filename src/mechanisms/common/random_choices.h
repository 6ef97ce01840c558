// The random choices of one run, in sequence: for methods whose next choice depends on the last.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "base/deviates.h"
#include "semveil/key.h"

namespace semveil {

class RandomChoices {
 public:
  // Runs with another purpose or address share nothing.
  RandomChoices(const Key& key, std::string_view purpose, std::span<const std::string_view> address)
      : draws_(key.derive(purpose, address), "choices") {}

  std::uint64_t below(std::uint64_t count) {  // 0 … count − 1
    if (next_ == words_.size()) {
      draws_.of_rows(read_, 0, words_);
      read_ += words_.size();
      next_ = 0;
    }
    return semveil::below(count, words_[next_++]);
  }
  // The same, but of one without a draw.
  std::uint64_t one_of(std::uint64_t count) { return count == 1 ? 0 : below(count); }
  template <class T>
  void shuffle(std::span<T> list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  Draws draws_;
  std::uint64_t read_ = 0;
  std::array<std::uint64_t, 256> words_{};
  std::size_t next_ = words_.size();
};

}  // namespace semveil
