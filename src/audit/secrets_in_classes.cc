#include "audit/secrets_in_classes.h"

#include <algorithm>
#include <map>

#include "semveil/ean.h"

namespace semveil {
namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

using Counts = std::map<std::uint64_t, std::uint64_t>;  // by group

// The groups that most have, and how many those are.
struct Most {
  explicit Most(const Counts& counts) {
    for (const auto& [group, count] : counts) {
      sum += count;
      if (count > records) {
        records = count;
        equals = 0;
      }
      equals += count == records ? 1 : 0;
    }
  }
  // How often a guess of one of them is right of somebody in the group.
  double right(const Counts& counts, std::uint64_t group) const {
    const auto found = counts.find(group);
    const bool is_one = found != counts.end() && found->second == records;
    return is_one ? share(1, equals) : 0;
  }
  std::uint64_t records = 0, equals = 0, sum = 0;
};

Counts grouped_counts(const ValueCounts& truth, Grouping grouping) {
  Counts out;
  for (std::size_t i = 0; i < truth.values.size(); ++i) {
    out[group_of(grouping, truth.values[i])] += truth.counts[i];
  }
  return out;
}

// How many groups a class shows, and to how many of its people the only one is theirs.
void look_at(const Counts& released, const Counts& people, Disclosed& out) {
  if (released.empty()) return;
  const std::uint64_t groups = released.size();
  out.fewest = out.fewest == 0 ? groups : std::min(out.fewest, groups);
  if (groups > 1) return;
  const auto found = people.find(released.begin()->first);
  if (found != people.end()) out.sharing += found->second;
}

}  // namespace

std::uint64_t group_of(Grouping grouping, ConceptId value) {
  if (value < grouping.size() && grouping[value] != SetColumn::kNoCategory) return grouping[value];
  return (std::uint64_t{1} << 32U) + value;
}

struct SecretsInClasses::Grouped {
  std::vector<Counts> released, truth;  // by class
  Counts nowhere;                       // people whose class shows no secret
  Counts everybody;                     // what who sees no secret goes by
};

SecretsInClasses::SecretsInClasses(const Paired& pairs, ClassOf how, const FitRule& rule) {
  Paired known;  // the pairs as they are, without the secret
  known.attributes.assign(pairs.attributes.begin(), pairs.attributes.end() - 1);
  known.counts = pairs.counts;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto was = pairs.tuple(i, Side::kBefore), is = pairs.tuple(i, Side::kAfter);
    known.before.insert(known.before.end(), was.begin(), was.end() - 1);
    known.after.insert(known.after.end(), is.begin(), is.end() - 1);
  }
  const Classes classes = classes_of(known, Side::kAfter);
  classes_ = classes.size();
  const ConceptId none = pairs.attributes.back()->missing_value();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ConceptId was = pairs.tuple(i, Side::kBefore).back();
    const ConceptId is = pairs.tuple(i, Side::kAfter).back();
    if (is != none) released_.push_back({classes.of[i], is, pairs.counts[i]});
    truth_.push_back({classes.of[i], was, pairs.counts[i]});
  }
  if (how == ClassOf::kValues) use_values(known, classes, rule);
  std::erase_if(truth_, [&](const Count& c) { return c.value == none; });
  for (const Count& c : truth_) people_ += c.count;
}

// People with equal values find the same records: these are their class.
void SecretsInClasses::use_values(const Paired& known, const Classes& classes,
                                  const FitRule& rule) {
  const Classes people = classes_of(known, Side::kBefore);
  for (std::size_t i = 0; i < truth_.size(); ++i) truth_[i].in = people.of[i];
  std::vector<std::vector<Count>> shown(classes.size());
  for (const Count& c : released_) shown[c.in].push_back(c);
  released_.clear();
  classes_ = people.size();
  const Fits fits(known.attributes, people, classes, Fits::Ask::kWhatTheyFit, rule);
  for (std::uint32_t person = 0; person < people.size(); ++person) {
    fits.for_each(person, [&](std::uint32_t found) {
      for (const Count& c : shown[found]) released_.push_back({person, c.value, c.count});
      return true;
    });
  }
}

SecretsInClasses::Grouped SecretsInClasses::grouped(Grouping grouping) const {
  Grouped out;
  out.released.resize(classes_);
  out.truth.resize(classes_);
  for (const Count& c : released_) out.released[c.in][group_of(grouping, c.value)] += c.count;
  for (const Count& c : truth_) {
    const std::uint64_t group = group_of(grouping, c.value);
    out.everybody[group] += c.count;
    // A class that shows no secret tells none.
    const bool tells = !out.released[c.in].empty();
    (tells ? out.truth[c.in] : out.nowhere)[group] += c.count;
  }
  return out;
}

Disclosed SecretsInClasses::belief() const {
  const Grouped secrets = grouped({});
  Disclosed out;
  double sum = 0;
  const auto believe = [&](const Counts& people, const Counts& seen) {
    std::uint64_t all = 0;
    for (const auto& [value, count] : seen) all += count;
    for (const auto& [value, count] : people) {
      const auto found = seen.find(value);
      const double belief = found == seen.end() ? 0 : share(found->second, all);
      sum += static_cast<double>(count) * belief;
      out.worst = std::max(out.worst, belief);
    }
  };
  for (std::size_t c = 0; c < classes_; ++c) {
    believe(secrets.truth[c], secrets.released[c]);
    look_at(secrets.released[c], secrets.truth[c], out);
  }
  believe(secrets.nowhere, secrets.everybody);
  out.mean = people_ == 0 ? 0 : sum / static_cast<double>(people_);
  return out;
}

Disclosed SecretsInClasses::likeliest(Grouping grouping) const {
  const Grouped secrets = grouped(grouping);
  Disclosed out;
  double sum = 0;
  const auto guess = [&](const Counts& people, const Counts& seen) {
    const Most most(seen);
    double right = 0;
    std::uint64_t all = 0;
    for (const auto& [group, count] : people) {
      right += static_cast<double>(count) * most.right(seen, group);
      all += count;
    }
    sum += right;
    if (all > 0) out.worst = std::max(out.worst, right / static_cast<double>(all));
  };
  for (std::size_t c = 0; c < classes_; ++c) {
    guess(secrets.truth[c], secrets.released[c]);
    look_at(secrets.released[c], secrets.truth[c], out);
  }
  guess(secrets.nowhere, secrets.everybody);
  out.mean = people_ == 0 ? 0 : sum / static_cast<double>(people_);
  return out;
}

Disclosed belief_by_frequency(const ValueCounts& truth) {
  Disclosed out;
  const std::uint64_t all = truth.total();
  for (const std::uint64_t count : truth.counts) {
    const double p = share(count, all);
    out.mean += p * p;
    out.worst = std::max(out.worst, p);
  }
  out.fewest = truth.values.size();
  return out;
}

Disclosed likeliest_by_frequency(const ValueCounts& truth, Grouping grouping) {
  const Counts counts = grouped_counts(truth, grouping);
  const Most most(counts);
  const double right = share(most.records, most.sum);
  return {right, right, counts.size(), 0};
}

}  // namespace semveil
