#include "release/privacy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/stop.h"
#include "statistics/class_sizes.h"
#include "statistics/diversity.h"

namespace semveil {
namespace {

// Steps of transports: some ten seconds. Only columns of thousands of values in many classes that
// are alike come near it, because a class that cannot be the farthest is passed over.
constexpr std::uint64_t kMostSteps = 10'000'000'000;

}  // namespace

TupleCounter project(const TupleCounter& tuples, std::span<const std::size_t> places) {
  TupleCounter projected(places.size());
  std::vector<Code> tuple(places.size());
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    for (std::size_t i = 0; i < places.size(); ++i) tuple[i] = tuples.tuple(t)[places[i]];
    projected.add(tuple, tuples.count(t));
  }
  return projected;
}

std::vector<std::uint64_t> class_sizes(const TupleCounter& classes, MissingRule missing) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < classes.size(); ++i) sizes.push_back(classes.count(i));
  if (missing != MissingRule::kWildcard) return sizes;
  std::vector<Code> tuples;
  tuples.reserve(classes.size() * classes.width());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    tuples.insert(tuples.end(), classes.tuple(i).begin(), classes.tuple(i).end());
  }
  return matching_records(tuples, sizes, std::vector<Code>(classes.width(), kMissing));
}

// ---- Values of classes --------------------------------------------------------------------------

ClassValues::ClassValues(const TupleCounter& tuples, std::span<const std::size_t> class_places,
                         std::size_t sensitive) {
  std::vector<std::size_t> places(class_places.begin(), class_places.end());
  places.push_back(sensitive);
  const TupleCounter joint = project(tuples, places);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < joint.size(); ++i) {
    if (joint.tuple(i).back() == kMissing) continue;
    order.push_back(i);
    codes_.push_back(joint.tuple(i).back());
  }
  std::sort(codes_.begin(), codes_.end());
  codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
  whole_.resize(codes_.size());
  StopCheck check;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    check();
    return std::ranges::lexicographical_compare(joint.tuple(a), joint.tuple(b));
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::span<const Code> tuple = joint.tuple(order[i]);
    const auto place =
        static_cast<Code>(std::ranges::lower_bound(codes_, tuple.back()) - codes_.begin());
    whole_[place] += joint.count(order[i]);
    counts_.push_back({place, joint.count(order[i])});
    const bool goes_on = i + 1 < order.size() && std::equal(tuple.begin(), tuple.end() - 1,
                                                            joint.tuple(order[i + 1]).begin());
    if (!goes_on) begin_.push_back(counts_.size());
  }
}

ClassValues ClassValues::distinct() const {
  std::vector<PlaceCount> reduced = counts_;
  const auto least = [&](std::size_t i) {
    return std::span(reduced).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  };
  for (std::size_t i = 0; i < size(); ++i) {
    std::uint64_t divisor = 0;
    for (const PlaceCount& value : least(i)) divisor = std::gcd(divisor, value.count);
    for (PlaceCount& value : least(i)) value.count /= divisor;
  }
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto before = [](const PlaceCount& a, const PlaceCount& b) {
    return a.place != b.place ? a.place < b.place : a.count < b.count;
  };
  StopCheck check;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    check();
    const auto x = least(a);
    const auto y = least(b);
    if (x.size() != y.size()) return x.size() < y.size();
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), before);
  });
  ClassValues out;
  out.codes_ = codes_;
  out.whole_ = whole_;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto values = least(order[i]);
    if (i > 0 && std::ranges::equal(values, least(order[i - 1]))) continue;
    out.counts_.insert(out.counts_.end(), values.begin(), values.end());
    out.begin_.push_back(out.counts_.size());
  }
  return out;
}

// ---- Figures ------------------------------------------------------------------------------------

SensitiveFigures sensitive_figures(const ClassValues& classes, const Closeness& closeness) {
  SensitiveFigures out;
  const ClassValues distinct = classes.distinct();
  if (distinct.size() == 0) return out;
  out.l = distinct.of(0).size();
  out.entropy_l = HUGE_VAL;
  double greatest = 0;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const std::vector<std::uint64_t> counts = counts_alone(distinct.of(i));
    out.entropy_l = std::min(out.entropy_l, entropy_l(counts));
    if (out.l > 1) greatest = std::max(greatest, recursive_ratio(counts, out.l));
  }
  if (out.l > 1) out.recursive_c = greatest;

  double t = 0;
  std::uint64_t steps = kMostSteps;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    if (!closeness.may_exceed(distinct.of(i), t)) continue;
    const std::optional<double> found = closeness.t(distinct.of(i), steps);
    if (!found) return out;
    t = std::max(t, *found);
  }
  out.t = t;
  return out;
}

}  // namespace semveil
