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

namespace {

// By projected tuple: whose records have it.
PersonPairs project_persons(const PersonPairs& persons, std::span<const std::uint32_t> became) {
  PersonPairs out;
  for (const std::uint64_t pair : persons.all()) {
    out.add(became[PersonPairs::tuple_of(pair)], PersonPairs::person_of(pair));
  }
  out.settle();
  return out;
}

struct Projected {
  TupleCounter tuples;
  PersonPairs persons;  // by tuple, where they are told
};

// Counts are of records, or persons.
Projected project_both(const CountedTuples& counted, std::span<const std::size_t> places) {
  Projected out{TupleCounter(places.size()), {}};
  const bool tells_persons = counted.persons != nullptr;
  std::vector<std::uint32_t> became;  // by tuple
  std::vector<Code> tuple(places.size());
  for (std::size_t t = 0; t < counted.tuples.size(); ++t) {
    for (std::size_t i = 0; i < places.size(); ++i) tuple[i] = counted.tuples.tuple(t)[places[i]];
    const std::size_t at = out.tuples.add(tuple, tells_persons ? 0 : counted.tuples.count(t));
    if (tells_persons) became.push_back(static_cast<std::uint32_t>(at));
  }
  if (!tells_persons) return out;
  out.persons = project_persons(*counted.persons, became);
  for (const std::uint64_t pair : out.persons.all()) {
    out.tuples.add(out.tuples.tuple(PersonPairs::tuple_of(pair)), 1);
  }
  return out;
}

// Persons who share a class's values where a missing cell may be any value: those of all tuples
// that match. Cost: tuples with a missing cell times all tuples.
std::vector<std::vector<std::uint32_t>> matching_persons(const Projected& classes) {
  const std::size_t size = classes.tuples.size();
  const PersonLists own = PersonLists::from(classes.persons.all(), size);
  const auto misses = [&](std::size_t t) {
    return std::ranges::find(classes.tuples.tuple(t), kMissing) != classes.tuples.tuple(t).end();
  };
  const auto match = [&](std::size_t a, std::size_t b) {
    return std::ranges::equal(classes.tuples.tuple(a), classes.tuples.tuple(b), [](Code x, Code y) {
      return x == y || x == kMissing || y == kMissing;
    });
  };
  std::vector<std::size_t> incomplete;
  std::vector<std::vector<std::uint32_t>> out(size);
  for (std::size_t t = 0; t < size; ++t) {
    out[t].assign(own.of(t).begin(), own.of(t).end());
    if (misses(t)) incomplete.push_back(t);
  }
  const auto join = [&](std::size_t from, std::size_t to) {
    out[to].insert(out[to].end(), own.of(from).begin(), own.of(from).end());
  };
  for (const std::size_t t : incomplete) {
    check_stop();
    for (std::size_t other = 0; other < size; ++other) {
      if (other == t || !match(t, other)) continue;
      join(other, t);
      if (!misses(other)) join(t, other);
    }
  }
  for (std::vector<std::uint32_t>& persons : out) {
    std::ranges::sort(persons);
    persons.erase(std::unique(persons.begin(), persons.end()), persons.end());
  }
  return out;
}

std::uint64_t different(std::vector<std::uint32_t> persons) {
  std::ranges::sort(persons);
  return static_cast<std::uint64_t>(std::unique(persons.begin(), persons.end()) - persons.begin());
}

}  // namespace

std::uint64_t count_persons(const PersonPairs& persons) {
  std::vector<std::uint32_t> all;
  for (const std::uint64_t pair : persons.all()) all.push_back(PersonPairs::person_of(pair));
  return different(std::move(all));
}

TupleCounter project(const CountedTuples& counted, std::span<const std::size_t> places) {
  return project_both(counted, places).tuples;
}

ClassSizes class_sizes(const CountedTuples& counted, std::span<const std::size_t> places,
                       MissingRule missing) {
  const Projected classes = project_both(counted, places);
  ClassSizes out;
  if (counted.persons == nullptr) {
    out.sizes = class_sizes(classes.tuples, missing);
    out.uniques = static_cast<std::uint64_t>(std::ranges::count(out.sizes, std::uint64_t{1}));
    return out;
  }
  std::vector<std::uint32_t> alone;
  if (missing == MissingRule::kWildcard) {
    for (const std::vector<std::uint32_t>& persons : matching_persons(classes)) {
      out.sizes.push_back(persons.size());
      if (persons.size() == 1) alone.push_back(persons.front());
    }
  } else {
    out.sizes = class_sizes(classes.tuples, missing);
    for (const std::uint64_t pair : classes.persons.all()) {
      if (out.sizes[PersonPairs::tuple_of(pair)] == 1) {
        alone.push_back(PersonPairs::person_of(pair));
      }
    }
  }
  out.uniques = different(std::move(alone));
  return out;
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

ClassValues::ClassValues(const CountedTuples& counted, std::span<const std::size_t> class_places,
                         std::size_t sensitive) {
  std::vector<std::size_t> places(class_places.begin(), class_places.end());
  places.push_back(sensitive);
  const TupleCounter joint = project(counted, places);
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
  if (counted.persons == nullptr) return;
  const TupleCounter whole = project(counted, {&sensitive, 1});  // a person is in several classes
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const Code code = whole.tuple(i).front();
    if (code == kMissing) continue;
    whole_[static_cast<std::size_t>(std::ranges::lower_bound(codes_, code) - codes_.begin())] =
        whole.count(i);
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

double most_common_share(const CountedTuples& counted, std::span<const std::size_t> class_places,
                         std::size_t sensitive, Code empty) {
  std::vector<std::size_t> places(class_places.begin(), class_places.end());
  const TupleCounter classes = project(counted, places);
  places.push_back(sensitive);
  const TupleCounter joint = project(counted, places);
  double greatest = 0;
  for (std::size_t i = 0; i < joint.size(); ++i) {
    const std::span<const Code> tuple = joint.tuple(i);
    if (tuple.back() == kMissing || tuple.back() == empty) continue;
    const std::size_t of = *classes.find(tuple.first(tuple.size() - 1));
    greatest = std::max(
        greatest, static_cast<double>(joint.count(i)) / static_cast<double>(classes.count(of)));
  }
  return greatest;
}

std::optional<SharedValues> shared_values(const ClassValues& classes, Code empty) {
  if (classes.codes().size() < 2) return std::nullopt;
  const auto is_empty = [&](std::size_t place) { return classes.codes()[place] == empty; };
  SharedValues out;
  out.least = classes.codes().size();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    std::uint64_t all = 0, frequent = 0;
    for (const PlaceCount& value : classes.of(i)) {
      all += value.count;
      if (!is_empty(value.place)) frequent = std::max(frequent, value.count);
    }
    if (all < 2) continue;
    ++out.groups;
    out.least = std::min<std::uint64_t>(out.least, classes.of(i).size());
    if (frequent == 0) continue;
    out.belief = std::max(out.belief, static_cast<double>(frequent) / static_cast<double>(all));
    if (frequent < all) continue;
    ++out.shared;
    out.sharing += all;
  }
  if (out.groups == 0) return std::nullopt;
  std::uint64_t table = 0, most = 0;
  for (std::size_t place = 0; place < classes.whole().size(); ++place) {
    table += classes.whole()[place];
    if (!is_empty(place)) most = std::max(most, classes.whole()[place]);
  }
  out.prior = static_cast<double>(most) / static_cast<double>(table);
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
