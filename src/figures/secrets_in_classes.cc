#include "figures/secrets_in_classes.h"

#include <algorithm>
#include <map>

#include "base/share.h"
#include "semveil/ean.h"

namespace semveil {
namespace {

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
    return is_one ? share_of(std::uint64_t{1}, equals) : 0;
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

SecretsInClasses::SecretsInClasses(const Paired& pairs, ClassOf how, const FitRule& rule) {
  Paired known;  // the pairs as they are, without the secret
  known.attributes.assign(pairs.attributes.begin(), pairs.attributes.end() - 1);
  known.counts = pairs.counts;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto was = pairs.tuple(i, Side::kBefore), is = pairs.tuple(i, Side::kAfter);
    known.before.insert(known.before.end(), was.begin(), was.end() - 1);
    known.after.insert(known.after.end(), is.begin(), is.end() - 1);
  }
  shown_in_ = classes_of(known, Side::kAfter);
  // People with equal values find the same records.
  asking_ = how == ClassOf::kValues ? classes_of(known, Side::kBefore) : shown_in_;
  if (how == ClassOf::kValues) {
    found_.emplace(known.attributes, asking_, shown_in_, Fits::Ask::kWhatTheyFit, rule);
  }
  const ConceptId none = pairs.attributes.back()->missing_value();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ConceptId was = pairs.tuple(i, Side::kBefore).back();
    const ConceptId is = pairs.tuple(i, Side::kAfter).back();
    if (is != none) released_.push_back({shown_in_.of[i], is, pairs.counts[i]});
    if (was != none) truth_.push_back({asking_.of[i], was, pairs.counts[i]});
  }
  for (const Count& c : truth_) people_ += c.count;
}

// visit(secrets of the people, secrets that they find) for all who find the same; then
// nowhere(people who find none, everybody): a class that shows no secret tells none.
template <class Visit, class Nowhere>
void SecretsInClasses::walk(Grouping grouping, const Visit& visit, const Nowhere& nowhere) const {
  std::vector<Counts> shown(shown_in_.size()), truth(asking_.size());
  Counts everybody, who_find_none;
  for (const Count& c : released_) shown[c.in][group_of(grouping, c.value)] += c.count;
  for (const Count& c : truth_) {
    const std::uint64_t group = group_of(grouping, c.value);
    truth[c.in][group] += c.count;
    everybody[group] += c.count;
  }
  Counts together;
  for (std::uint32_t c = 0; c < asking_.size(); ++c) {
    if (found_) {
      together.clear();
      found_->for_each(c, [&](std::uint32_t found) {
        for (const auto& [group, count] : shown[found]) together[group] += count;
        return true;
      });
    }
    const Counts& seen = found_ ? together : shown[c];
    if (!seen.empty()) {
      visit(truth[c], seen);
      continue;
    }
    for (const auto& [group, count] : truth[c]) who_find_none[group] += count;
  }
  nowhere(who_find_none, everybody);
}

Disclosed SecretsInClasses::belief() const {
  Disclosed out;
  double sum = 0;
  const auto believe = [&](const Counts& people, const Counts& seen) {
    std::uint64_t all = 0;
    for (const auto& [value, count] : seen) all += count;
    for (const auto& [value, count] : people) {
      const auto found = seen.find(value);
      const double belief = found == seen.end() ? 0 : share_of(found->second, all);
      sum += static_cast<double>(count) * belief;
      out.worst = std::max(out.worst, belief);
    }
  };
  const auto look = [&](const Counts& people, const Counts& seen) {
    believe(people, seen);
    look_at(seen, people, out);
  };
  walk({}, look, believe);
  out.mean = people_ == 0 ? 0 : sum / static_cast<double>(people_);
  return out;
}

Disclosed SecretsInClasses::likeliest(Grouping grouping) const {
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
  const auto look = [&](const Counts& people, const Counts& seen) {
    guess(people, seen);
    look_at(seen, people, out);
  };
  walk(grouping, look, guess);
  out.mean = people_ == 0 ? 0 : sum / static_cast<double>(people_);
  return out;
}

Disclosed belief_by_frequency(const ValueCounts& truth) {
  Disclosed out;
  const std::uint64_t all = truth.total();
  for (const std::uint64_t count : truth.counts) {
    const double p = share_of(count, all);
    out.mean += p * p;
    out.worst = std::max(out.worst, p);
  }
  out.fewest = truth.values.size();
  return out;
}

Disclosed likeliest_by_frequency(const ValueCounts& truth, Grouping grouping) {
  const Counts counts = grouped_counts(truth, grouping);
  const Most most(counts);
  const double right = share_of(most.records, most.sum);
  return {right, right, counts.size(), 0};
}

}  // namespace semveil
