// Ladders by value and reference, built when they are first asked for.
//
// A plan is shared by threads and may meet values that the fit did not see (a stream), so shelves
// fill while they are used. What they hold is a pure function of value and reference: it does not
// matter who builds it, or whether it is built twice.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mechanisms/noise/ladder.h"

namespace semveil {

// Whether a value that is the reference itself is bound by the sign of the error.
enum class AtReference : bool { kFree, kBound };

// The ladders of one column for one reference. Memory: about 15 KB a value in WordNet.
class LadderShelf {
 public:
  // With keys, ladders have steps. All but the flags outlive the shelf.
  LadderShelf(const Attribute& attribute, const CandidateList& candidates, ConceptId reference,
              AtReference at_reference, bool smallest, const ErrorKeys* keys);
  LadderShelf(const LadderShelf&) = delete;
  LadderShelf& operator=(const LadderShelf&) = delete;
  ~LadderShelf();

  const Ladder& of(ConceptId x) const {
    const Ladder* ladder = ladders_[x].load(std::memory_order_acquire);
    return ladder != nullptr ? *ladder : build(x);
  }
  // Builds those of many values, 16 at a time.
  void prepare(std::span<const ConceptId> values, unsigned threads);

 private:
  const Ladder& build(ConceptId x) const;
  const Ladder& keep(ConceptId x, std::unique_ptr<Ladder> ladder) const;
  // None where x is the reference itself: the mean is neither farther nor closer than the mean.
  const ReferenceLevels* reference(ConceptId x) const;

  const Attribute& attribute_;
  const CandidateList& candidates_;
  ConceptId reference_;
  ReferenceLevels levels_;
  AtReference at_reference_;
  bool smallest_;
  const ErrorKeys* keys_;
  mutable std::vector<std::atomic<const Ladder*>> ladders_;  // by concept; missing_value() last
};

// The ladders of one column for any reference: as many as fit the budget.
class PairShelf {
 public:
  PairShelf(const Attribute& attribute, const CandidateList& candidates, bool smallest)
      : attribute_(attribute), candidates_(candidates), smallest_(smallest) {}

  // Nothing as reference: no sign condition.
  std::shared_ptr<const Ladder> of(ConceptId x, std::optional<ConceptId> reference) const;

 private:
  static constexpr std::size_t kBudget = std::size_t{64} << 20U;
  std::shared_ptr<const ReferenceLevels> levels(ConceptId reference) const;

  const Attribute& attribute_;
  const CandidateList& candidates_;
  bool smallest_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<ConceptId, ConceptId>, std::shared_ptr<const Ladder>> ladders_;
  mutable std::map<ConceptId, std::shared_ptr<const ReferenceLevels>> levels_;
  mutable std::size_t ladder_bytes_ = 0, level_bytes_ = 0;
};

}  // namespace semveil
