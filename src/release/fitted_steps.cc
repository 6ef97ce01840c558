#include "release/fitted_steps.h"

#include <algorithm>

namespace semveil {

Key ModelStep::stream(const Key& secret, const std::string& release) const {
  return by_person() ? person_stream_key(secret) : stream_key(secret, digest, release);
}

FittedSteps::FittedSteps(const std::vector<ModelStep>& steps,
                         std::vector<std::shared_ptr<const FittedMethod>> plans)
    : steps_(&steps), plans_(std::move(plans)) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t column = 0; column < steps[i].columns.size(); ++column) {
      const std::size_t at = steps[i].columns[column];
      places_.resize(std::max(places_.size(), at + 1));
      places_[at] = {i, column};
    }
  }
}

bool FittedSteps::needs_persons() const {
  return std::ranges::any_of(plans_, [](const auto& plan) { return plan->needs_persons(); });
}

bool FittedSteps::knows_origins() const {
  return std::ranges::any_of(plans_, [](const auto& plan) { return plan->knows_origins(); });
}

}  // namespace semveil
