#include "mechanisms/noise/error_keys.h"

#include <cmath>

#include "base/deviates.h"

namespace semveil {

double ErrorKeys::error(std::uint64_t bits) const {
  return deviation_ * (normal_ ? normal_deviate(bits) : laplace_deviate(bits));
}

std::uint32_t ErrorKeys::reached(double distance) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(distance); found != known_.end()) return found->second;
  }
  std::uint32_t reached = 0, beyond = kMiddle;  // the first key beyond is in [reached, beyond]
  while (reached < beyond) {
    const std::uint32_t middle = reached + (beyond - reached) / 2;
    const std::uint64_t bits = std::uint64_t{kMiddle + middle} << 32U;
    if (distance < error(bits) - kErrorTolerance) {
      beyond = middle;
    } else {
      reached = middle + 1;
    }
  }
  const std::lock_guard lock(mutex_);
  known_.emplace(distance, reached);
  return reached;
}

LadderSteps::LadderSteps(std::span<const Step> steps)
    : steps_(std::make_unique_for_overwrite<Step[]>(steps.size() + kSentinels)),
      size_(static_cast<std::uint32_t>(steps.size())) {
  std::fill_n(std::copy(steps.begin(), steps.end(), steps_.get()), kSentinels, Step{kEnd, 0, 0});
  std::size_t step = 0;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    while (steps_[step + 1].from <= cell << kCellBits) ++step;
    guide_[cell] = static_cast<std::uint8_t>(step);
  }
}

}  // namespace semveil
