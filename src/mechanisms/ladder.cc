#include "mechanisms/ladder.h"

#include <algorithm>
#include <numeric>

#include "base/deviates.h"

namespace semveil {
namespace {

constexpr std::uint32_t kFewRuns = 8;  // are searched without the guide
constexpr double kFarthest = 1;        // what missing_value() is from every other value

// The level that the distance 1 has, or would have as the greatest.
std::uint32_t level_of_missing(const Levels& levels, double tie) {
  const auto at = std::lower_bound(levels.distance.begin(), levels.distance.end(), kFarthest - tie);
  return static_cast<std::uint32_t>(at - levels.distance.begin());
}

enum Place : std::uint32_t { kCloserThanX, kLevelWithX, kFartherThanX, kPlaces };

struct Found {          // a run of candidates
  std::uint64_t order;  // level · kPlaces + place
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

constexpr std::uint32_t kBlock = 16;

// Whether the kBlock concepts behind one have its level, and lie on its side of x.
bool all_alike(const std::uint32_t* level, const std::uint32_t* from_reference,
               std::uint32_t x_level) {
  std::uint32_t different = 0;
  const std::uint32_t own_level = level[0];
  const std::uint32_t closer = from_reference[0] < x_level ? 1 : 0;
  const std::uint32_t farther = from_reference[0] > x_level ? 1 : 0;
  for (std::uint32_t k = 1; k <= kBlock; ++k) {
    different |= level[k] ^ own_level;
    different |= (from_reference[k] < x_level ? 1U : 0U) ^ closer;
    different |= (from_reference[k] > x_level ? 1U : 0U) ^ farther;
  }
  return different == 0;
}

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

  std::vector<Found> runs;
  const std::span<const ConceptId> list = candidates.concepts();
  // Most candidates are like the one before them: whole blocks are passed over where nothing but
  // their number is wanted.
  const bool plain = levels != nullptr && reference != nullptr && !smallest;
  std::uint64_t last = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const ConceptId c = list[i];
    const std::uint64_t order = std::uint64_t{level_of(c)} * kPlaces + place_of(c);
    if (c == x) {
      last = ~std::uint64_t{0};
      continue;
    }
    if (order != last) {
      runs.push_back({order, i, 0, i});
      last = order;
    }
    ++runs.back().count;
    if (smallest && rank_of(c) < rank_of(list[runs.back().smallest])) runs.back().smallest = i;
    while (plain && runs.back().count >= kBlock && i + kBlock < list.size() &&
           list[i + kBlock] == list[i] + kBlock &&
           all_alike(levels->of.data() + list[i], reference->data() + list[i], x_level) &&
           !(x > list[i] && x <= list[i + kBlock]) && list[i + kBlock] != missing) {
      runs.back().count += kBlock;
      i += kBlock;
    }
  }
  runs = by_order(runs, (levels != nullptr ? levels->distance.size() : 0) + 1);

  const auto distance_of = [&](std::uint64_t level) {
    const bool known = levels != nullptr && level < levels->distance.size();
    return known ? levels->distance[level] : kFarthest;
  };
  const auto add = [&](Side side, std::uint32_t run, double distance) {
    Rungs& on = rungs_[static_cast<std::size_t>(side)];
    if (on.list.empty() || on.list.back().distance != distance) {
      on.list.push_back({distance, run, run, runs_[run].before, 0});
      if (smallest) on.smallest.push_back(runs[run].smallest);
    }
    on.list.back().last_run = run + 1;
    on.list.back().count += runs[run].count;
    if (smallest && rank_of(list[runs[run].smallest]) < rank_of(list[on.smallest.back()])) {
      on.smallest.back() = runs[run].smallest;
    }
  };
  runs_.reserve(runs.size() + 1);
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    runs_.push_back({runs[i].first, before});
    before += runs[i].count;
    const double distance = distance_of(runs[i].order / kPlaces);
    const std::uint64_t place = runs[i].order % kPlaces;
    add(Side::kAny, i, distance);
    if (place == kCloserThanX) add(Side::kCloser, i, distance);
    if (place == kFartherThanX) add(Side::kFarther, i, distance);
  }
  runs_.push_back({0, before});
  guide_.reserve(before / kGuideStep + 2);
  for (std::uint32_t run = 0, place = 0; place <= before + kGuideStep; place += kGuideStep) {
    while (run + 1 < runs.size() && runs_[run + 1].before <= place) ++run;
    guide_.push_back(run);
  }
  for (Rungs& on : rungs_) {
    on.list.shrink_to_fit();
    on.make_guide();
  }
  // Without a sign condition both signs lead anywhere.
  if (reference == nullptr) {
    rungs_[static_cast<std::size_t>(Side::kCloser)] = rungs(Side::kAny);
    rungs_[static_cast<std::size_t>(Side::kFarther)] = rungs(Side::kAny);
  }
}

void Ladder::Rungs::make_guide() {
  std::uint32_t rung = 0;
  for (std::size_t i = 0; i <= kGuide && !list.empty(); ++i) {
    const double from = static_cast<double>(i) / kGuide;
    while (rung + 1 < list.size() && list[rung].distance < from) ++rung;
    guide[i] = rung;
  }
}

// Spec of the replacement in noise.h; the numbers are its steps.
Ladder::Pick Ladder::choose(double error) const {
  const double reach = std::abs(error) - kErrorTolerance;
  const Side side = error > 0 ? Side::kFarther : Side::kCloser;  // 2
  const std::vector<Rung>& wanted = rungs(side).list;
  if (!wanted.empty()) [[likely]] {
    const Rung* const rung = rungs(side).first_beyond(reach);
    const bool found = rung != wanted.data() + wanted.size();
    if (found) return {rung, Rule::kPaper, side};     // 3
    return {&wanted.back(), Rule::kTruncated, side};  // 4
  }
  const std::vector<Rung>& any = rungs(Side::kAny).list;
  const Rung* const rung = rungs(Side::kAny).first_beyond(reach);
  if (rung != any.data() + any.size()) return {rung, Rule::kNoSign, Side::kAny};
  return {&any.back(), Rule::kFarthest, Side::kAny};
}

std::uint32_t Ladder::random(const Pick& pick, std::uint64_t bits) const {
  const Rung& rung = *pick.rung;
  const auto place = rung.begin + static_cast<std::uint32_t>(below(rung.count, bits));
  std::uint32_t run = rung.first_run;
  std::uint32_t end = rung.last_run;  // the run wanted is in [run, end)
  if (end - run > kFewRuns) {
    run = std::max(run, guide_[place / kGuideStep]);
    end = std::min(end, guide_[place / kGuideStep + 1] + 1);
  }
  while (end - run > 1) {
    const std::uint32_t middle = run + (end - run) / 2;
    const bool behind = runs_[middle].before <= place;
    run = behind ? middle : run;
    end = behind ? end : middle;
  }
  return runs_[run].first + place - runs_[run].before;
}

std::size_t Ladder::bytes() const {
  std::size_t bytes = sizeof(Ladder) + runs_.size() * sizeof(Run);
  bytes += guide_.size() * sizeof(std::uint32_t);
  for (const Rungs& on : rungs_) bytes += on.list.size() * (sizeof(Rung) + sizeof(std::uint32_t));
  return bytes;
}

}  // namespace semveil
