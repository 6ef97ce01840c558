// The candidates to replace one value, by distance: what noise looks a record's error up in.
//
// All records with the same value x and reference r share everything but the error. So the
// candidates are put in order once: by sd(c,x) into rungs of equal distance, within a rung by the
// side they lie on as seen from r (closer than x, level with it, farther). Replacing a record is
// then a search for the first rung that reaches |ε| on the wanted side, and a random pick in it.
//
//            closer │ level │ farther
//   0.50  ─────3────┼───0───┼───12────
//   0.33  ─────0────┼───1───┼────4────   ε = +0.4: one of the 12; ε = −0.2: one of the 3
//   0.20  ─────0────┼───0───┼────2────
//                       x
//
// Concepts are numbered so that siblings and cousins stand together, so candidates of one rung and
// side form few runs of consecutive numbers: 1,070 on average for 82,115 WordNet concepts. A
// ladder holds runs, never single candidates: 10 KB instead of 330. Runs are cut where a block of
// 128 places ends, so that one word holds a run, its first candidate and its place in the block,
// and that a look-up ends in one or two cache lines however many runs there are. Where runs are
// longer than that, so are blocks: among two million concepts a ladder takes 10 KB and not 150.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/deviates.h"
#include "mechanisms/noise/error_keys.h"
#include "semveil/frequency_table.h"
#include "semveil/mechanism.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace semveil {

// The concepts that may replace others, numbered; missing_value() is the last where it is a value.
class CandidateList {
 public:
  explicit CandidateList(const Attribute& attribute);
  std::size_t size() const { return concepts_.size(); }
  ConceptId operator[](std::size_t i) const {
    return together_ ? concepts_.front() + static_cast<ConceptId>(i) : concepts_[i];
  }
  std::span<const ConceptId> concepts() const { return concepts_; }

 private:
  std::vector<ConceptId> concepts_;  // ascending
  bool together_ = false;            // without gaps: need not be looked up
};

// How far every concept is from a reference, as levels.
class ReferenceLevels {
 public:
  ReferenceLevels(const Attribute& attribute, ConceptId reference);
  std::uint32_t of(ConceptId c) const { return levels_[c]; }  // missing_value() too
  const std::uint32_t* data() const { return levels_.data(); }

 private:
  std::vector<std::uint32_t> levels_;
};

enum class ErrorSide : std::uint8_t { kCloser, kFarther, kAny };

class alignas(64) Ladder {
 public:
  struct Rung {
    double distance;
    std::uint32_t begin, count;  // candidates before it in the ladder's order, and on it
  };
  struct Pick {
    const Rung* rung = nullptr;
    Rule rule = Rule::kZero;
    ErrorSide side = ErrorSide::kAny;
  };
  // `levels` are the distances from x; nothing for missing_value(). Without a reference there is
  // no sign condition. `smallest` keeps what ties = "first" asks for.
  Ladder(const Attribute& attribute, const CandidateList& candidates, ConceptId x,
         const Levels* levels, const ReferenceLevels* reference, bool smallest);

  bool alone() const { return rungs(ErrorSide::kAny).empty(); }
  // Spec of the replacement in noise.h; the numbers are its steps. Not if alone().
  Pick choose(double error) const {
    const double reach = std::abs(error) - kErrorTolerance;
    const ErrorSide side = error > 0 ? ErrorSide::kFarther : ErrorSide::kCloser;  // 2
    const Rungs& wanted = rungs(side);
    if (!wanted.empty()) [[likely]] {
      const Rung* const rung = wanted.first_beyond(reach);
      if (rung != wanted.end()) [[likely]]
        return {rung, Rule::kPaper, side};        // 3
      return {rung - 1, Rule::kTruncated, side};  // 4
    }
    const Rungs& any = rungs(ErrorSide::kAny);
    const Rung* const rung = any.first_beyond(reach);
    if (rung != any.end()) return {rung, Rule::kNoSign, ErrorSide::kAny};
    return {rung - 1, Rule::kFarthest, ErrorSide::kAny};
  }
  // The place of one of the rung's candidates in the list.
  std::uint32_t random(const Pick& pick, std::uint64_t bits) const {
    return candidate(place(pick, bits));
  }
  std::uint32_t first(const Pick& pick) const {
    const Rungs& on = rungs(pick.side);
    return on.smallest[static_cast<std::size_t>(pick.rung - on.list.data())];
  }

  // random() in steps, for those who ask for many at once and do not want to wait for memory: a
  // place in the ladder's order, the runs it may be in, the candidate.
  static std::uint32_t place(const Pick& pick, std::uint64_t bits) {
    return pick.rung->begin + static_cast<std::uint32_t>(below(pick.rung->count, bits));
  }
  static std::uint32_t place(const LadderSteps::Step& step, std::uint64_t bits) {
    return step.begin + static_cast<std::uint32_t>(below(step.count, bits));
  }
  const std::uint32_t* block(std::uint32_t place) const { return &blocks_[place >> place_bits_]; }
  const std::uint32_t* near_block(std::uint32_t place) const { return &runs_[*block(place)]; }
  std::uint32_t candidate(std::uint32_t place) const {
    const std::uint32_t* const at = block(place);
    const std::uint32_t mask = (1U << place_bits_) - 1;
    const std::uint32_t wanted = place & mask;
    const std::uint32_t* run = &runs_[at[0]];
    std::uint32_t left = at[1] - at[0];  // the run wanted is one of these
    while (left > kLookedAt) {
      const std::uint32_t half = left / 2;
      run += (run[half] & mask) <= wanted ? half : 0;
      left -= half;
    }
    const std::uint32_t behind = last_of(run, left, mask, wanted);
    return (run[behind] >> place_bits_) + wanted - (run[behind] & mask);
  }

  std::span<const Rung> distances(ErrorSide side) const { return rungs(side).distances(); }

  // The errors drawn from bits, looked up by these: see LadderSteps.
  void add_steps(const ErrorKeys& keys);
  const LadderSteps& steps() const { return steps_; }
  // Fetches what is read before a step is found.
  [[gnu::always_inline]] void will_want() const {
    constexpr std::size_t kLine = 64;
    const char* const bytes = reinterpret_cast<const char*>(this);
    for (std::size_t i = 0; i < 3; ++i) __builtin_prefetch(bytes + i * kLine);
  }

  // Calls use(first, last) for runs of candidates that some error leads to, where ties are drawn;
  // for_each_first() where the smallest id is taken.
  template <class Use>
  void for_each_reachable(const Use& use) const {
    for_each_side([&](const Rungs& on) {
      for (const Rung& rung : on.distances()) {
        for_each_run(rung.begin, rung.begin + rung.count, use);
      }
    });
  }
  template <class Use>
  void for_each_first(const Use& use) const {
    for_each_side([&](const Rungs& on) {
      for (const std::uint32_t place : on.smallest) use(place, place + 1);
    });
  }
  // The same for the candidates of one rung.
  template <class Use>
  void for_each_on(const Rung& rung, const Use& use) const {
    for_each_run(rung.begin, rung.begin + rung.count, use);
  }
  std::size_t bytes() const;

 private:
  class Places;
  static constexpr unsigned kPlaceBits = 7;
  static constexpr std::uint32_t kLookedAt = 16;
  struct Rungs {
    bool empty() const { return list.empty(); }
    std::span<const Rung> distances() const {
      return {list.data(), empty() ? 0 : list.size() - kSentinels};
    }
    // The first rung at or beyond a distance, or the end: the sentinel. The guide says where to
    // begin; the two steps that are mostly enough are taken without a branch, as nobody can
    // foretell them.
    const Rung* first_beyond(double reach) const {
      const auto cell = static_cast<std::size_t>(std::clamp(reach, 0.0, 1.0) * kGuide);
      const Rung* rung = list.data() + guide[cell];
      rung +=
          static_cast<int>(rung[0].distance < reach) + static_cast<int>(rung[1].distance < reach);
      while (rung->distance < reach) [[unlikely]]
        ++rung;
      return rung;
    }
    const Rung* end() const { return list.data() + list.size() - kSentinels; }
    void make_guide();

    static constexpr std::size_t kGuide = 64;
    static constexpr std::size_t kSentinels = 2;    // farther than any distance
    std::array<std::uint32_t, kGuide + 1> guide{};  // a rung at or before i / kGuide
    std::vector<Rung> list;                         // by ascending distance, sentinels behind
    std::vector<std::uint32_t> smallest;            // candidate with the smallest id, if asked for
  };
  // The sides that errors lead to.
  template <class Use>
  void for_each_side(const Use& use) const {
    if (rungs(ErrorSide::kCloser).empty() || rungs(ErrorSide::kFarther).empty()) {
      return use(rungs(ErrorSide::kAny));
    }
    use(rungs(ErrorSide::kCloser));
    use(rungs(ErrorSide::kFarther));
  }
  const Rungs& rungs(ErrorSide side) const { return rungs_[static_cast<std::size_t>(side)]; }

  // The runs between two places where runs of one side and distance begin.
  template <class Use>
  void for_each_run(std::uint32_t place, std::uint32_t end, const Use& use) const {
    while (place < end) {
      const std::uint32_t last = std::min(end, ((place >> place_bits_) + 1) << place_bits_);
      const std::uint32_t* run = near_block(place);
      const std::uint32_t* const runs_end = &runs_[block(place)[1]];
      const std::uint32_t mask = (1U << place_bits_) - 1;
      const std::uint32_t first_place = place & ~mask;
      for (; run != runs_end; ++run) {
        const std::uint32_t begin = first_place + (*run & mask);
        const std::uint32_t behind = run + 1 != runs_end ? first_place + (run[1] & mask) : last;
        const std::uint32_t from = std::max(begin, place), to = std::min(behind, last);
        if (from >= to) continue;
        const std::uint32_t first = (*run >> place_bits_) + from - begin;
        use(first, first + to - from);
      }
      place = last;
    }
  }
  // The last of at most kLookedAt runs that begins at the place or before it, the first one does.
  // Without a branch, as nobody can foretell it.
  static std::uint32_t last_of(const std::uint32_t* run, std::uint32_t runs, std::uint32_t mask,
                               std::uint32_t place) {
#if defined(__SSE2__)
    const auto begins_behind = [&](const std::uint32_t* four) {
      const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(four));
      const __m128i begin = _mm_and_si128(words, _mm_set1_epi32(static_cast<int>(mask)));
      const __m128i behind = _mm_cmpgt_epi32(begin, _mm_set1_epi32(static_cast<int>(place)));
      return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(behind)));
    };
    std::uint64_t behind = std::uint64_t{1} << runs;
    for (std::uint32_t i = 0; i < kLookedAt; i += 4)
      behind |= std::uint64_t{begins_behind(run + i)} << i;
    return static_cast<std::uint32_t>(std::countr_zero(behind)) - 1;
#else
    std::uint32_t last = 0;
    for (std::uint32_t i = 1; i < kLookedAt; ++i) {
      last += static_cast<std::uint32_t>(i < runs) &
              static_cast<std::uint32_t>((run[i] & mask) <= place);
    }
    return last;
#endif
  }

  // Runs of candidates by distance, then side, then number, cut where blocks of places end. A run:
  // its first candidate, and in the lowest bits its place in the block. A block: its first run; one
  // more block stands at the end, and behind the runs as many words as are read at once.
  std::unique_ptr<std::uint32_t[]> blocks_, runs_;
  unsigned place_bits_;
  LadderSteps steps_;
  std::size_t words_ = 0;  // of blocks and runs
  std::array<Rungs, 3> rungs_;
};

}  // namespace semveil
