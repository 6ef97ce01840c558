#include "mechanisms/noise/noise_lines.h"

#include <limits>

namespace semveil {

ErrorLine::ErrorLine(ConceptId x, std::shared_ptr<const Ladder> ladder,
                     const CandidateList& candidates, bool first)
    : x_(x), ladder_(std::move(ladder)), candidates_(&candidates), first_(first) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (ladder_ == nullptr || ladder_->alone()) {
    steps_.push_back({-kInfinity, kInfinity, 1, nullptr, ErrorSide::kAny});
    return;
  }
  // A rung takes the errors up to its distance and what is tolerated beyond it.
  const auto add = [&](ErrorSide wanted) {
    const ErrorSide side = ladder_->distances(wanted).empty() ? ErrorSide::kAny : wanted;
    const std::span<const Ladder::Rung> rungs = ladder_->distances(side);
    double from = 0;
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      const double to = i + 1 < rungs.size() ? rungs[i].distance + kErrorTolerance : kInfinity;
      steps_.push_back({from, to, first_ ? 1 : rungs[i].count, &rungs[i], side});
      from = to;
    }
  };
  add(ErrorSide::kCloser);
  for (Step& step : steps_) step = {-step.to, -step.from, step.count, step.rung, step.side};
  std::reverse(steps_.begin(), steps_.end());
  add(ErrorSide::kFarther);
}

ConceptId ErrorLine::value(double error, std::uint64_t bits) const {
  const auto step = std::partition_point(steps_.begin(), steps_.end() - 1,
                                         [&](const Step& s) { return s.to < error; });
  if (step->rung == nullptr) return x_;
  const Ladder::Pick pick{step->rung, Rule::kPaper, step->side};
  return (*candidates_)[first_ ? ladder_->first(pick) : ladder_->random(pick, bits)];
}

}  // namespace semveil
