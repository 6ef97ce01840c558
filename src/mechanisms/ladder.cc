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

struct Run {
  std::uint64_t order;  // level · kPlaces + place
  std::uint32_t first, count;
  std::uint32_t smallest;  // candidate with the smallest id
};

}  // namespace

CandidateList::CandidateList(const Attribute& attribute) {
  concepts_.reserve(attribute.candidates->count() + 1);
  for (ConceptId c = 0; c < attribute.taxonomy().size(); ++c) {
    if (attribute.candidates->contains(c)) concepts_.push_back(c);
  }
  if (attribute.missing_is_value) concepts_.push_back(missing_value(*attribute.measure));
}

ReferenceLevels::ReferenceLevels(const Attribute& attribute, ConceptId reference) {
  attribute.measure->levels({&reference, 1}, [&](std::size_t, const Levels& levels) {
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

  std::vector<Run> runs;
  const std::span<const ConceptId> list = candidates.concepts();
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
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return a.order != b.order ? a.order < b.order : a.first < b.first;
  });

  const auto distance_of = [&](std::uint64_t level) {
    const bool known = levels != nullptr && level < levels->distance.size();
    return known ? levels->distance[level] : kFarthest;
  };
  const auto add = [&](Side side, std::uint32_t run, double distance) {
    Rungs& on = rungs_[static_cast<std::size_t>(side)];
    if (on.distance.empty() || on.distance.back() != distance) {
      on.distance.push_back(distance);
      on.extent.push_back({run, run});
      if (smallest) on.smallest.push_back(runs[run].smallest);
    }
    on.extent.back().last_run = run + 1;
    if (smallest && rank_of(list[runs[run].smallest]) < rank_of(list[on.smallest.back()])) {
      on.smallest.back() = runs[run].smallest;
    }
  };
  first_.reserve(runs.size());
  before_.reserve(runs.size() + 1);
  before_.push_back(0);
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    first_.push_back(runs[i].first);
    before_.push_back(before_.back() + runs[i].count);
    const double distance = distance_of(runs[i].order / kPlaces);
    const std::uint64_t place = runs[i].order % kPlaces;
    add(Side::kAny, i, distance);
    if (place == kCloserThanX) add(Side::kCloser, i, distance);
    if (place == kFartherThanX) add(Side::kFarther, i, distance);
  }
  guide_.reserve(before_.back() / kGuideStep + 2);
  for (std::uint32_t run = 0, place = 0; place <= before_.back() + kGuideStep;
       place += kGuideStep) {
    while (run + 1 < runs.size() && before_[run + 1] <= place) ++run;
    guide_.push_back(run);
  }
  for (Rungs& on : rungs_) on.make_guide();
  // Without a sign condition both signs lead anywhere.
  if (reference == nullptr) {
    rungs_[static_cast<std::size_t>(Side::kCloser)] = rungs(Side::kAny);
    rungs_[static_cast<std::size_t>(Side::kFarther)] = rungs(Side::kAny);
  }
}

void Ladder::Rungs::make_guide() {
  for (std::size_t i = 0; i <= kGuide; ++i) {
    guide[i] = static_cast<std::uint32_t>(
        std::lower_bound(distance.begin(), distance.end(), static_cast<double>(i) / kGuide) -
        distance.begin());
  }
}

// Spec of the replacement in noise.h; the numbers are its steps.
Ladder::Pick Ladder::choose(double error) const {
  const double reach = std::abs(error) - kErrorTolerance;
  const Side side = error > 0 ? Side::kFarther : Side::kCloser;  // 2
  const std::vector<double>& wanted = rungs(side).distance;
  if (const std::uint32_t rung = rungs(side).first_beyond(reach); rung < wanted.size()) {
    return {Rule::kPaper, side, rung};  // 3
  }
  if (!wanted.empty()) {
    return {Rule::kTruncated, side, static_cast<std::uint32_t>(wanted.size() - 1)};  // 4
  }
  const std::vector<double>& any = rungs(Side::kAny).distance;
  if (const std::uint32_t rung = rungs(Side::kAny).first_beyond(reach); rung < any.size()) {
    return {Rule::kNoSign, Side::kAny, rung};
  }
  return {Rule::kFarthest, Side::kAny, static_cast<std::uint32_t>(any.size() - 1)};
}

std::uint32_t Ladder::random(const Pick& pick, std::uint64_t bits) const {
  const Extent& extent = rungs(pick.side).extent[pick.rung];
  const std::uint32_t begin = before_[extent.first_run];
  const std::uint32_t count = before_[extent.last_run] - begin;
  const auto place = begin + static_cast<std::uint32_t>(below(count, bits));
  std::uint32_t run = extent.first_run;
  std::uint32_t end = extent.last_run;  // the run wanted is in [run, end)
  if (end - run > kFewRuns) {
    run = std::max(run, guide_[place / kGuideStep]);
    end = std::min(end, guide_[place / kGuideStep + 1] + 1);
  }
  while (end - run > 1) {
    const std::uint32_t middle = run + (end - run) / 2;
    const bool behind = before_[middle] <= place;
    run = behind ? middle : run;
    end = behind ? end : middle;
  }
  return first_[run] + place - before_[run];
}

std::size_t Ladder::bytes() const {
  std::size_t bytes = (first_.size() + before_.size() + guide_.size()) * sizeof(std::uint32_t);
  bytes += sizeof(Ladder);
  for (const Rungs& on : rungs_) {
    bytes += on.distance.size() * (sizeof(double) + sizeof(Extent) + sizeof(std::uint32_t));
  }
  return bytes;
}

}  // namespace semveil
