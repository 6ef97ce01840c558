#include "mechanisms/noise/ladder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "mechanisms/lanes.h"

namespace semveil {
namespace {

constexpr double kFarthest = 1;  // what missing_value() is from every other value

// The level that the distance 1 has, or would have as the greatest.
std::uint32_t level_of_missing(const Levels& levels, double tie) {
  const auto at = std::lower_bound(levels.distance.begin(), levels.distance.end(), kFarthest - tie);
  return static_cast<std::uint32_t>(at - levels.distance.begin());
}

enum Place : std::uint32_t { kCloserThanX, kLevelWithX, kFartherThanX, kPlaces };

struct Found {          // a run of candidates
  std::uint32_t order;  // level · kPlaces + place
  std::uint32_t first, count;
  std::uint32_t smallest;  // candidate with the smallest id
};

// The runs by order, those of one order as they came: counted into their places, as levels are few.
std::vector<Found> by_order(const std::vector<Found>& runs, std::size_t levels) {
  std::vector<std::uint32_t> place(levels * kPlaces + 1, 0);
  for (const Found& run : runs) ++place[run.order + 1];
  for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
  std::vector<Found> sorted(runs.size());
  for (const Found& run : runs) sorted[place[run.order]++] = run;
  return sorted;
}

// Where runs begin among concepts: bit k says that the k-th of a block differs from the one before
// it, in level or in the side of x it lies on.
constexpr std::uint32_t kAtOnce = 32;

std::uint32_t changes(const std::uint32_t* level, const std::uint32_t* from_reference,
                      std::uint32_t x_level) {
  const auto side = [x_level](std::uint32_t far) {
    return static_cast<int>(far > x_level) - static_cast<int>(far < x_level);
  };
  std::uint32_t mask = 0;
  for (std::uint32_t k = 0; k < kAtOnce; ++k) {
    const bool differs = level[k] != level[std::int64_t{k} - 1] ||
                         side(from_reference[k]) != side(from_reference[std::int64_t{k} - 1]);
    mask |= static_cast<std::uint32_t>(differs) << k;
  }
  return mask;
}

#if defined(__x86_64__)
SEMVEIL_TARGET_AVX2 std::uint32_t changes_avx2(const std::uint32_t* level,
                                               const std::uint32_t* from_reference,
                                               std::uint32_t x_level) {
  const __m256i x = _mm256_set1_epi32(static_cast<int>(x_level));
  std::uint32_t same = 0;
  for (std::uint32_t k = 0; k < kAtOnce; k += kLanes) {
    const __m256i far = eight(from_reference + k), far_before = eight(from_reference + k - 1);
    const __m256i level_alike = _mm256_cmpeq_epi32(eight(level + k), eight(level + k - 1));
    const __m256i farther_alike =
        _mm256_cmpeq_epi32(_mm256_cmpgt_epi32(far, x), _mm256_cmpgt_epi32(far_before, x));
    const __m256i closer_alike =
        _mm256_cmpeq_epi32(_mm256_cmpgt_epi32(x, far), _mm256_cmpgt_epi32(x, far_before));
    const __m256i alike =
        _mm256_and_si256(level_alike, _mm256_and_si256(farther_alike, closer_alike));
    same |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(alike))) << k;
  }
  return ~same;
}
#else
constexpr auto changes_avx2 = changes;
#endif

}  // namespace

CandidateList::CandidateList(const Attribute& attribute) {
  concepts_.reserve(attribute.candidates->count() + 1);
  for (ConceptId c = 0; c < attribute.taxonomy().size(); ++c) {
    if (attribute.candidates->contains(c)) concepts_.push_back(c);
  }
  if (attribute.missing_is_value) concepts_.push_back(missing_value(*attribute.measure));
  together_ = !concepts_.empty() && concepts_.back() - concepts_.front() + 1 == concepts_.size();
}

ReferenceLevels::ReferenceLevels(const Attribute& attribute, ConceptId reference) {
  attribute.measure->levels({&reference, 1}, [&](std::size_t, const Levels& levels) {
    levels_.reserve(levels.of.size() + 1);
    levels_.assign(levels.of.begin(), levels.of.end());
    levels_.push_back(level_of_missing(levels, attribute.measure->tie()));
  });
}

// Collects a ladder's runs, and cuts them into blocks.
class Ladder::Places {
 public:
  Places(unsigned place_bits, std::size_t candidates, std::size_t runs) : place_bits_(place_bits) {
    const std::size_t blocks = (candidates >> place_bits) + 1;
    blocks_.reserve(blocks + 1);
    runs_.reserve(runs + blocks + kLookedAt);
  }
  std::uint32_t size() const { return place_; }
  void add(std::uint32_t first, std::uint32_t count) {
    const std::uint32_t block = 1U << place_bits_;
    for (const std::uint32_t end = place_ + count; place_ < end;) {
      const std::uint32_t within = place_ & (block - 1);
      if (within == 0) blocks_.push_back(static_cast<std::uint32_t>(runs_.size()));
      runs_.push_back(first << place_bits_ | within);
      const std::uint32_t here = std::min(block - within, end - place_);
      place_ += here;
      first += here;
    }
  }
  void move_to(Ladder& ladder) {
    blocks_.push_back(static_cast<std::uint32_t>(runs_.size()));
    runs_.insert(runs_.end(), kLookedAt, 0);
    const auto copy = [](const std::vector<std::uint32_t>& from) {
      auto words = std::make_unique_for_overwrite<std::uint32_t[]>(from.size());
      std::copy(from.begin(), from.end(), words.get());
      return words;
    };
    ladder.words_ = blocks_.size() + runs_.size();
    ladder.blocks_ = copy(blocks_);
    ladder.runs_ = copy(runs_);
  }

 private:
  unsigned place_bits_;
  std::uint32_t place_ = 0;
  std::vector<std::uint32_t> blocks_, runs_;
};

Ladder::Ladder(const Attribute& attribute, const CandidateList& candidates, ConceptId x,
               const Levels* levels, const ReferenceLevels* reference, bool smallest) {
  const Taxonomy& taxonomy = attribute.taxonomy();
  const ConceptId missing = missing_value(*attribute.measure);
  const std::uint32_t x_level = reference != nullptr ? reference->of(x) : 0;
  const std::uint32_t missing_level =
      levels != nullptr ? level_of_missing(*levels, attribute.measure->tie()) : 0;

  const auto level_of = [&](ConceptId c) {
    if (levels == nullptr) return 0U;  // x is missing: everything is equally far
    return c == missing ? missing_level : levels->of[c];
  };
  const auto place_of = [&](ConceptId c) -> std::uint32_t {
    if (reference == nullptr) return kLevelWithX;
    const std::uint32_t level = reference->of(c);
    return kLevelWithX + static_cast<std::uint32_t>(level > x_level) -
           static_cast<std::uint32_t>(level < x_level);
  };
  const auto rank_of = [&](ConceptId c) {
    return c == missing ? std::uint32_t(taxonomy.size()) : taxonomy.id_rank(c);
  };

  const std::span<const ConceptId> list = candidates.concepts();
  const auto order_of = [&](ConceptId c) { return level_of(c) * kPlaces + place_of(c); };
  std::vector<Found> runs;
  const auto begin_run = [&](std::uint32_t i) { runs.push_back({order_of(list[i]), i, 0, i}); };
  const auto end_run = [&](std::uint32_t end) {
    if (runs.empty()) return;
    Found& run = runs.back();
    run.count = end - run.first;
    for (std::uint32_t i = run.first; i < end && smallest; ++i) {
      if (rank_of(list[i]) < rank_of(list[run.smallest])) run.smallest = i;
    }
    if (list[run.first] == x) runs.pop_back();
  };
  // Whether a run begins at i; x is one of its own, and is left out.
  const auto differs = [&](std::uint32_t i) {
    return i == 0 || list[i] == x || list[i - 1] == x || order_of(list[i]) != order_of(list[i - 1]);
  };
  // Blocks of consecutive concepts are compared at once.
  const bool comparable = levels != nullptr && reference != nullptr;
  const auto changes_of = has_avx2() ? changes_avx2 : changes;
  for (std::uint32_t i = 0; i < list.size();) {
    const bool block = comparable && i > 0 && i + kAtOnce <= list.size() &&
                       list[i + kAtOnce - 1] - list[i - 1] == kAtOnce &&
                       list[i + kAtOnce - 1] != missing;
    if (!block) {
      if (differs(i)) {
        end_run(i);
        begin_run(i);
      }
      ++i;
      continue;
    }
    const ConceptId c = list[i];
    std::uint32_t mask = changes_of(levels->of.data() + c, reference->data() + c, x_level);
    if (x >= c - 1 && x < c + kAtOnce) {
      if (x >= c) mask |= 1U << (x - c);
      if (x + 1 < c + kAtOnce) mask |= 1U << (x + 1 - c);
    }
    for (; mask != 0; mask &= mask - 1) {
      const std::uint32_t at = i + static_cast<std::uint32_t>(std::countr_zero(mask));
      end_run(at);
      begin_run(at);
    }
    i += kAtOnce;
  }
  end_run(static_cast<std::uint32_t>(list.size()));
  runs = by_order(runs, (levels != nullptr ? levels->distance.size() : 0) + 1);

  const auto distance_of = [&](std::uint32_t level) {
    const bool known = levels != nullptr && level < levels->distance.size();
    return known ? levels->distance[level] : kFarthest;
  };
  // A block costs a word, and a run a word more where a block ends in it: where runs are long,
  // blocks are, too.
  const auto of_run = static_cast<unsigned>(std::bit_width(list.size() / (runs.size() + 1)));
  place_bits_ = std::min(std::max(kPlaceBits, of_run),
                         32U - static_cast<unsigned>(std::bit_width(list.size())));
  Places places(place_bits_, list.size(), runs.size());
  const auto add = [&](ErrorSide side, std::uint32_t run, double distance) {
    Rungs& on = rungs_[static_cast<std::size_t>(side)];
    if (on.list.empty() || on.list.back().distance != distance) {
      on.list.push_back({distance, places.size(), 0});
      if (smallest) on.smallest.push_back(runs[run].smallest);
    }
    on.list.back().count += runs[run].count;
    if (smallest && rank_of(list[runs[run].smallest]) < rank_of(list[on.smallest.back()])) {
      on.smallest.back() = runs[run].smallest;
    }
  };
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    const double distance = distance_of(runs[i].order / kPlaces);
    const std::uint32_t place = runs[i].order % kPlaces;
    add(ErrorSide::kAny, i, distance);
    if (place == kCloserThanX) add(ErrorSide::kCloser, i, distance);
    if (place == kFartherThanX) add(ErrorSide::kFarther, i, distance);
    places.add(runs[i].first, runs[i].count);
  }
  places.move_to(*this);
  for (Rungs& on : rungs_) {
    if (!on.list.empty()) on.make_guide();
  }
  // Without a sign condition both signs lead anywhere.
  if (reference == nullptr) {
    rungs_[static_cast<std::size_t>(ErrorSide::kCloser)] = rungs(ErrorSide::kAny);
    rungs_[static_cast<std::size_t>(ErrorSide::kFarther)] = rungs(ErrorSide::kAny);
  }
}

// Down from the farthest of the closer ones, up to the farthest of the farther ones.
void Ladder::add_steps(const ErrorKeys& keys) {
  if (alone() || !keys.usable()) return;
  const auto led_to = [this](ErrorSide side) {
    return rungs(side).empty() ? rungs(ErrorSide::kAny).distances() : rungs(side).distances();
  };
  // The last rung takes what none reaches; rungs behind one that all errors reach take nothing.
  const auto ends_of = [&](std::span<const Rung> on) {
    std::vector<std::uint32_t> ends;
    for (const Rung& rung : on) {
      ends.push_back(ends.size() + 1 < on.size() ? keys.reached(rung.distance)
                                                 : ErrorKeys::kMiddle);
      if (ends.back() == ErrorKeys::kMiddle) break;
    }
    return ends;
  };
  const std::span<const Rung> down = led_to(ErrorSide::kCloser), up = led_to(ErrorSide::kFarther);
  if (down.size() + up.size() > LadderSteps::kMost) return;
  const std::vector<std::uint32_t> down_ends = ends_of(down), up_ends = ends_of(up);
  std::vector<LadderSteps::Step> steps;
  for (std::size_t i = down_ends.size(); i-- > 0;) {
    steps.push_back({ErrorKeys::kMiddle - down_ends[i], down[i].begin, down[i].count});
  }
  for (std::size_t i = 0; i < up_ends.size(); ++i) {
    steps.push_back({ErrorKeys::kMiddle + (i > 0 ? up_ends[i - 1] : 0), up[i].begin, up[i].count});
  }
  steps_ = LadderSteps(steps);
}

void Ladder::Rungs::make_guide() {
  std::uint32_t rung = 0;
  for (std::size_t i = 0; i <= kGuide; ++i) {
    const double from = static_cast<double>(i) / kGuide;
    while (rung + 1 < list.size() && list[rung].distance < from) ++rung;
    guide[i] = rung;
  }
  list.reserve(list.size() + kSentinels);
  list.insert(list.end(), kSentinels, {std::numeric_limits<double>::infinity(), 0, 0});
  list.shrink_to_fit();
}

std::size_t Ladder::bytes() const {
  std::size_t bytes = sizeof(Ladder) + steps_.bytes();
  bytes += words_ * sizeof(std::uint32_t);
  for (const Rungs& on : rungs_) bytes += on.list.size() * (sizeof(Rung) + sizeof(std::uint32_t));
  return bytes;
}

}  // namespace semveil
