// Random bits for estimates: always the same, and no secret. Nothing that is released is drawn with
// them.
#pragma once

#include <array>

#include "semveil/key.h"

namespace semveil {

// Draws come in batches, each with a stream of its own, whatever the number of threads.
inline constexpr std::size_t kBatches = 8;
inline constexpr double kNormalQuantile = 2.5758;  // 99.5 %: 99 % between both sides

class FixedDraws {
 public:
  // Numbers tell streams apart.
  explicit FixedDraws(std::uint32_t number)
      : draws_(Key::from_bytes(std::array<unsigned char, Key::kSize>{'e', 's', 't'}), "estimate"),
        number_(number) {}

  std::uint64_t next() {
    if (at_ == bits_.size()) {
      draws_.of_rows(row_, number_, bits_);
      row_ += bits_.size();
      at_ = 0;
    }
    return bits_[at_++];
  }

 private:
  Draws draws_;
  std::uint32_t number_;
  std::uint64_t row_ = 0;
  std::array<std::uint64_t, 1024> bits_{};
  std::size_t at_ = 1024;
};

}  // namespace semveil
