// Where errors lead: the line of all errors cut into steps, for those who compute the probabilities
// of noise instead of drawing it.
//
//   error   −∞ ──────┬────────┬───── 0 ─────┬─────────┬────── ∞
//   leads to   far     nearer   nearest       nearest   farther       all of a step's values alike
//            closer to the reference       farther from the reference
//
// A side without candidates takes those of both sides (nosign); the last step of each side takes
// what no candidate reaches (truncated, farthest). A value that stays has one step, itself.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mechanisms/noise/ladder.h"
#include "mechanisms/noise/noise_model.h"

namespace semveil {

class ErrorLine {  // of one value and reference; as long as the plan
 public:
  struct Step {
    double from, to;      // errors
    std::uint32_t count;  // values, one of which is taken
    const Ladder::Rung* rung;
    ErrorSide side;
  };
  // `ladder` null: x stays. `first`: of equally far ones the smallest id is taken.
  ErrorLine(ConceptId x, std::shared_ptr<const Ladder> ladder, const CandidateList& candidates,
            bool first);

  const std::vector<Step>& steps() const& { return steps_; }  // by ascending errors
  const std::vector<Step>& steps() const&& = delete;
  template <class Use>
  void for_each_value(const Step& step, const Use& use) const {
    if (step.rung == nullptr) return use(x_);
    if (first_) return use((*candidates_)[ladder_->first({step.rung, Rule::kPaper, step.side})]);
    ladder_->for_each_on(*step.rung, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) use((*candidates_)[i]);
    });
  }
  // The value that an error and bits for the tie lead to.
  ConceptId value(double error, std::uint64_t bits) const;

 private:
  ConceptId x_;
  std::shared_ptr<const Ladder> ladder_;
  const CandidateList* candidates_;
  bool first_;
  std::vector<Step> steps_;
};

class NumberNoise;

class NoiseLines {  // what a plan of noise is, besides
 public:
  virtual ~NoiseLines() = default;
  virtual const NoiseModel& model() const = 0;
  // `partner`: the reference's cell for kPair, kMissing for none; elsewhere not looked at.
  // Of words.
  virtual ErrorLine line(std::size_t column, ConceptId x, ConceptId partner) const = 0;
  virtual const NumberNoise* numbers(std::size_t column) const = 0;  // null: words
};
const NoiseLines* noise_lines(const FittedMethod& plan);  // null: not a plan of noise

}  // namespace semveil
