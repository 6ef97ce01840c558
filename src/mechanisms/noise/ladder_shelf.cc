#include "mechanisms/noise/ladder_shelf.h"

#include "base/parallel.h"

namespace semveil {
namespace {

std::unique_ptr<Ladder> make_ladder(const Attribute& attribute, const CandidateList& candidates,
                                    ConceptId x, const ReferenceLevels* reference, bool smallest) {
  if (x == missing_value(*attribute.measure)) {
    return std::make_unique<Ladder>(attribute, candidates, x, nullptr, reference, smallest);
  }
  std::unique_ptr<Ladder> ladder;
  attribute.measure->levels({&x, 1}, [&](std::size_t, const Levels& levels) {
    ladder = std::make_unique<Ladder>(attribute, candidates, x, &levels, reference, smallest);
  });
  return ladder;
}

}  // namespace

LadderShelf::LadderShelf(const Attribute& attribute, const CandidateList& candidates,
                         ConceptId reference, AtReference at_reference, bool smallest,
                         const ErrorKeys* keys)
    : attribute_(attribute),
      candidates_(candidates),
      reference_(reference),
      levels_(attribute, reference),
      at_reference_(at_reference),
      smallest_(smallest),
      keys_(keys),
      ladders_(attribute.taxonomy().size() + 1) {}

LadderShelf::~LadderShelf() {
  for (std::atomic<const Ladder*>& ladder : ladders_) delete ladder.load();
}

const ReferenceLevels* LadderShelf::reference(ConceptId x) const {
  return x == reference_ && at_reference_ == AtReference::kFree ? nullptr : &levels_;
}

const Ladder& LadderShelf::keep(ConceptId x, std::unique_ptr<Ladder> ladder) const {
  if (keys_ != nullptr) ladder->add_steps(*keys_);
  const Ladder* there = nullptr;
  if (ladders_[x].compare_exchange_strong(there, ladder.get(), std::memory_order_acq_rel)) {
    return *ladder.release();
  }
  return *there;  // another thread was faster
}

const Ladder& LadderShelf::build(ConceptId x) const {
  return keep(x, make_ladder(attribute_, candidates_, x, reference(x), smallest_));
}

void LadderShelf::prepare(std::span<const ConceptId> values, unsigned threads) {
  constexpr std::size_t kTogether = 16;  // sources of one sweep
  const bool with_missing = !values.empty() && values.back() == missing_value(*attribute_.measure);
  const std::span<const ConceptId> concepts = values.first(values.size() - (with_missing ? 1 : 0));
  in_parallel(threads, (concepts.size() + kTogether - 1) / kTogether, [&](std::size_t part) {
    const std::size_t first = part * kTogether;
    const auto some = concepts.subspan(first, std::min(kTogether, concepts.size() - first));
    attribute_.measure->levels(some, [&](std::size_t i, const Levels& levels) {
      keep(some[i], std::make_unique<Ladder>(attribute_, candidates_, some[i], &levels,
                                             reference(some[i]), smallest_));
    });
  });
}

std::shared_ptr<const ReferenceLevels> PairShelf::levels(ConceptId reference) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = levels_.find(reference); found != levels_.end()) return found->second;
  }
  auto made = std::make_shared<const ReferenceLevels>(attribute_, reference);
  const std::lock_guard lock(mutex_);
  level_bytes_ += attribute_.taxonomy().size() * sizeof(std::uint32_t);
  if (level_bytes_ > kBudget) {
    levels_.clear();
    level_bytes_ = attribute_.taxonomy().size() * sizeof(std::uint32_t);
  }
  levels_.emplace(reference, made);
  return made;
}

std::shared_ptr<const Ladder> PairShelf::of(ConceptId x, std::optional<ConceptId> reference) const {
  const std::pair key{x, reference.value_or(kMissing)};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = ladders_.find(key); found != ladders_.end()) return found->second;
  }
  const std::shared_ptr<const ReferenceLevels> far = reference ? levels(*reference) : nullptr;
  std::shared_ptr<const Ladder> made =
      make_ladder(attribute_, candidates_, x, far.get(), smallest_);
  const std::lock_guard lock(mutex_);
  ladder_bytes_ += made->bytes();
  if (ladder_bytes_ > kBudget) {
    ladders_.clear();
    ladder_bytes_ = made->bytes();
  }
  ladders_.emplace(key, made);
  return made;
}

}  // namespace semveil
