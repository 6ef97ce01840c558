// Errors by the bits they are drawn from.
//
// An error is a growing function of its 64 random bits, and where it leads is a step function of
// the error: so it is a step function of the bits. Who wants only the step need not compute the
// error. The upper 32 bits, the key, tell the step unless they lie next to its edge; of 2^32 keys
// some hundreds do, and their errors are computed as ever. So the answers are the same.
//
//   keys    0 ........ 2^31 ........ 2^32     ε from −8 σ over 0 to 8 σ
//   steps   │ far │ near │ near │  far  │
//
// Cost: a step is found in three cache lines, without a branch that depends on the draw.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

#include "semveil/noise.h"

namespace semveil {

// Against an error, distances are compared with this much tolerance: an error of 0.2 asks for a
// distance of 1 − 4/5.
inline constexpr double kErrorTolerance = 1e-9;

// The keys of errors of one spread.
class ErrorKeys {
 public:
  static constexpr std::uint32_t kMiddle = 1U << 31U;

  ErrorKeys(double deviation, NoiseDistribution distribution)
      : deviation_(deviation), normal_(distribution == NoiseDistribution::kNormal) {}

  // Neighbouring keys must differ by far more than their errors are rounded by.
  bool usable() const { return deviation_ >= kLeastDeviation && deviation_ <= kMostDeviation; }
  double error(std::uint64_t bits) const;
  // How many keys from the middle on, up or down, have errors that a distance reaches; kMiddle: all
  // of them. May be wrong by one.
  std::uint32_t reached(double distance) const;

 private:
  static constexpr double kLeastDeviation = 1e-3, kMostDeviation = 1e3;

  double deviation_;
  bool normal_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<double, std::uint32_t> known_;  // measures have few distances
};

// The steps of one ladder.
class LadderSteps {
 public:
  struct Step {
    std::uint32_t from;          // its least key
    std::uint32_t begin, count;  // places of the ladder's order
  };
  static constexpr std::size_t kMost = 250;  // steps; beyond them there are none

  LadderSteps() = default;
  // By ascending keys, the first from key 0.
  explicit LadderSteps(std::span<const Step> steps);
  bool empty() const { return size_ == 0; }

  // Nothing where the key does not tell. Not if empty().
  const Step* at(std::uint64_t bits) const {
    const auto key = std::min(static_cast<std::uint32_t>(bits >> 32U), kLastKey);
    const Step* step = &steps_[guide_[key >> kCellBits]];
    // The two steps that are mostly enough are taken without a branch.
    step += static_cast<int>(step[1].from <= key) + static_cast<int>(step[2].from <= key);
    while (step[1].from <= key) [[unlikely]]
      ++step;
    const int edges =
        static_cast<int>(near(key, step[0].from)) + static_cast<int>(near(key, step[1].from));
    return edges > 0 ? nullptr : step;
  }
  // Fetches all steps.
  [[gnu::always_inline]] void will_want() const {
    constexpr std::size_t kLine = 64;
    const char* const first = reinterpret_cast<const char*>(steps_.get());
    for (std::size_t at = 0; at < bytes(); at += kLine) __builtin_prefetch(first + at);
  }

  std::size_t bytes() const { return (size_ + kSentinels) * sizeof(Step); }

 private:
  static constexpr unsigned kCellBits = 25;
  static constexpr std::size_t kCells = std::size_t{1} << (32 - kCellBits);
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF, kLastKey = kEnd - 1;
  static constexpr std::size_t kSentinels = 2;
  static constexpr std::uint32_t kMargin = 4;

  static bool near(std::uint32_t key, std::uint32_t edge) {
    return key - edge + kMargin < 2 * kMargin;
  }

  std::unique_ptr<Step[]> steps_;  // sentinels behind
  std::uint32_t size_ = 0;
  std::array<std::uint8_t, kCells> guide_{};  // the step of each cell's first key
};

}  // namespace semveil
