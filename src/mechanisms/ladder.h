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
// ladder holds runs, never single candidates: 13 KB instead of 330. What a look-up touches before
// the runs, rungs and guides, is 3 KB.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/deviates.h"
#include "semveil/frequency_table.h"
#include "semveil/mechanism.h"

namespace semveil {

// Against an error, distances are compared with this much tolerance: an error of 0.2 asks for a
// distance of 1 − 4/5.
inline constexpr double kErrorTolerance = 1e-9;

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

enum class Side : std::uint8_t { kCloser, kFarther, kAny };

class Ladder {
 public:
  struct Rung {
    double distance;
    std::uint32_t begin, count;  // candidates before it in the ladder's order, and on it
  };
  struct Pick {
    const Rung* rung = nullptr;
    Rule rule = Rule::kZero;
    Side side = Side::kAny;
  };
  struct Run {  // consecutive candidates
    std::uint32_t first;
    std::uint32_t before;  // candidates in the runs before
  };

  // `levels` are the distances from x; nothing for missing_value(). Without a reference there is
  // no sign condition. `smallest` keeps what ties = "first" asks for.
  Ladder(const Attribute& attribute, const CandidateList& candidates, ConceptId x,
         const Levels* levels, const ReferenceLevels* reference, bool smallest);

  bool alone() const { return rungs(Side::kAny).empty(); }
  // Spec of the replacement in noise.h; the numbers are its steps. Not if alone().
  Pick choose(double error) const {
    const double reach = std::abs(error) - kErrorTolerance;
    const Side side = error > 0 ? Side::kFarther : Side::kCloser;  // 2
    const Rungs& wanted = rungs(side);
    if (!wanted.empty()) [[likely]] {
      const Rung* const rung = wanted.first_beyond(reach);
      if (rung != wanted.end()) [[likely]]
        return {rung, Rule::kPaper, side};        // 3
      return {rung - 1, Rule::kTruncated, side};  // 4
    }
    const Rungs& any = rungs(Side::kAny);
    const Rung* const rung = any.first_beyond(reach);
    if (rung != any.end()) return {rung, Rule::kNoSign, Side::kAny};
    return {rung - 1, Rule::kFarthest, Side::kAny};
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
  const std::uint32_t* block(std::uint32_t place) const { return &blocks_[place / kBlock]; }
  const void* near_block(std::uint32_t place) const {
    const std::uint32_t at = *block(place);
    return (at & kListed) != 0
               ? static_cast<const void*>(&listed_[(at & ~kListed) + place % kBlock])
               : static_cast<const void*>(&runs_[at]);
  }
  std::uint32_t candidate(std::uint32_t place) const {
    const std::uint32_t* const at = block(place);
    if ((*at & kListed) != 0) return listed_[(*at & ~kListed) + place % kBlock];
    std::uint32_t run = *at;
    if (broken_) {
      std::uint32_t end = at[1] + 1;  // the run wanted is in [run, end)
      while (end - run > 1) {
        const std::uint32_t middle = run + (end - run) / 2;
        const bool behind = runs_[middle].before <= place;
        run = behind ? middle : run;
        end = behind ? end : middle;
      }
    } else {
      // Steps without a branch, as nobody can foretell them.
      for (std::uint32_t i = 1; i <= kFewRuns; ++i) {
        run += static_cast<std::uint32_t>(runs_[*at + i].before <= place);
      }
    }
    return runs_[run].first + place - runs_[run].before;
  }

  // Calls use(first, last) for runs of candidates that some error leads to, where ties are drawn;
  // for_each_first() where the smallest id is taken.
  template <class Use>
  void for_each_reachable(const Use& use) const {
    for_each_side([&](const Rungs& on) {
      for (const Rung& rung : on.distances()) {
        const std::uint32_t end = rung.begin + rung.count;
        auto run = static_cast<std::size_t>(
            std::lower_bound(runs_.begin(), runs_.end(), rung.begin,
                             [](const Run& r, std::uint32_t place) { return r.before < place; }) -
            runs_.begin());
        for (; runs_[run].before < end; ++run) {
          use(runs_[run].first, runs_[run].first + runs_[run + 1].before - runs_[run].before);
        }
      }
    });
  }
  template <class Use>
  void for_each_first(const Use& use) const {
    for_each_side([&](const Rungs& on) {
      for (const std::uint32_t place : on.smallest) use(place, place + 1);
    });
  }
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kBlock = 128;
  static constexpr std::uint32_t kFewRuns = 4;
  static constexpr std::size_t kShortLists = 64 << 10;
  static constexpr std::uint32_t kListed = 1U << 31U;
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
    if (rungs(Side::kCloser).empty() || rungs(Side::kFarther).empty()) {
      return use(rungs(Side::kAny));
    }
    use(rungs(Side::kCloser));
    use(rungs(Side::kFarther));
  }
  const Rungs& rungs(Side side) const { return rungs_[static_cast<std::size_t>(side)]; }

  void make_blocks(std::uint32_t candidates);

  std::vector<Run> runs_;  // by distance, then side, then number; behind them kFewRuns empty ones
  // Of every kBlock places in this order: the run of the first, or, where more than kFewRuns follow
  // within the block, kListed and where listed_ has its candidates one by one. One more at the end.
  std::vector<std::uint32_t> blocks_;
  std::vector<std::uint32_t> listed_;
  bool broken_ = false;  // into so many runs that the lists would be too long: there are none
  std::array<Rungs, 3> rungs_;
};

}  // namespace semveil
