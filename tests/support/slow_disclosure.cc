#include "support/slow_disclosure.h"

#include <algorithm>
#include <map>
#include <set>

#include "support/slow_figures.h"

namespace semveil::test {
namespace {

using Tuple = std::vector<ConceptId>;

struct Person {
  Tuple before, after;  // quasi-identifiers
  ConceptId truth, shown;
};

std::vector<Person> people_of(const Paired& pairs) {
  std::vector<Person> out;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto was = pairs.tuple(i, Side::kBefore), is = pairs.tuple(i, Side::kAfter);
    const Person one{
        {was.begin(), was.end() - 1}, {is.begin(), is.end() - 1}, was.back(), is.back()};
    out.insert(out.end(), pairs.counts[i], one);
  }
  return out;
}

Paired known_of(const Paired& pairs) {
  Paired out;
  out.attributes.assign(pairs.attributes.begin(), pairs.attributes.end() - 1);
  return out;
}

// The secrets that an attacker sees of a person.
std::vector<ConceptId> seen_of(const Person& person, const std::vector<Person>& everybody,
                               const Paired& known, ClassOf how, ConceptId missing) {
  std::vector<ConceptId> out;
  for (const Person& other : everybody) {
    const bool in = how == ClassOf::kRecord ? other.after == person.after
                                            : slow_fits(known, person.before, other.after, false);
    if (in && other.shown != missing) out.push_back(other.shown);
  }
  return out;
}

std::vector<ConceptId> truths_of(const std::vector<Person>& everybody, ConceptId missing) {
  std::vector<ConceptId> out;
  for (const Person& person : everybody) {
    if (person.truth != missing) out.push_back(person.truth);
  }
  return out;
}

double share_of(ConceptId value, const std::vector<ConceptId>& among) {
  return static_cast<double>(std::ranges::count(among, value)) / static_cast<double>(among.size());
}

std::uint64_t slow_group(Grouping grouping, ConceptId value) {
  const bool has = value < grouping.size() && grouping[value] != SetColumn::kNoCategory;
  return has ? grouping[value] : 1'000'000'000'000 + value;
}

// How often a guess of the most frequent group is right of `truth`.
double right_of(ConceptId truth, const std::vector<ConceptId>& among, Grouping grouping) {
  std::map<std::uint64_t, int> counts;
  for (const ConceptId value : among) ++counts[slow_group(grouping, value)];
  int most = 0, ties = 0;
  for (const auto& [group, count] : counts) most = std::max(most, count);
  for (const auto& [group, count] : counts) ties += count == most ? 1 : 0;
  const auto own = counts.find(slow_group(grouping, truth));
  return own != counts.end() && own->second == most ? 1.0 / ties : 0;
}

template <class Score>
SlowDisclosed disclosed(const Paired& pairs, ClassOf how, Grouping grouping, bool by_class,
                        const Score& score) {
  const ConceptId missing = pairs.attributes.back()->missing_value();
  const std::vector<Person> everybody = people_of(pairs);
  const std::vector<ConceptId> truths = truths_of(everybody, missing);
  const Paired known = known_of(pairs);
  SlowDisclosed out;
  std::map<std::pair<bool, Tuple>, std::vector<double>> classes;
  for (const Person& person : everybody) {
    const auto seen = seen_of(person, everybody, known, how, missing);
    std::set<std::uint64_t> groups;
    for (const ConceptId value : seen) groups.insert(slow_group(grouping, value));
    if (!groups.empty()) {
      out.fewest =
          out.fewest == 0 ? groups.size() : std::min<std::uint64_t>(out.fewest, groups.size());
    }
    if (person.truth == missing) continue;
    out.sharing +=
        groups.size() == 1 && groups.contains(slow_group(grouping, person.truth)) ? 1 : 0;
    const double told = score(person.truth, seen.empty() ? truths : seen);
    out.mean += told / static_cast<double>(truths.size());
    const Tuple& key = how == ClassOf::kRecord ? person.after : person.before;
    classes[seen.empty() ? std::pair(true, Tuple{}) : std::pair(false, key)].push_back(told);
    if (!by_class) out.worst = std::max(out.worst, told);
  }
  for (const auto& [key, told] : classes) {
    double sum = 0;
    for (const double one : told) sum += one;
    if (by_class) out.worst = std::max(out.worst, sum / static_cast<double>(told.size()));
  }
  double all = 0;
  for (const ConceptId truth : truths) {
    const double alone = score(truth, truths);
    all += alone / static_cast<double>(truths.size());
    if (!by_class) out.baseline_worst = std::max(out.baseline_worst, alone);
  }
  out.baseline = all;
  if (by_class) out.baseline_worst = all;
  return out;
}

}  // namespace

SlowDisclosed slow_belief(const Paired& pairs, ClassOf how) {
  return disclosed(pairs, how, {}, false, [](ConceptId truth, const std::vector<ConceptId>& among) {
    return share_of(truth, among);
  });
}

SlowDisclosed slow_likeliest(const Paired& pairs, ClassOf how, Grouping grouping) {
  return disclosed(pairs, how, grouping, true,
                   [&](ConceptId truth, const std::vector<ConceptId>& among) {
                     return right_of(truth, among, grouping);
                   });
}

double slow_membership(const Paired& pairs, const Paired& control) {
  const std::vector<Person> everybody = people_of(pairs);
  const Paired known = known_of(pairs);
  const auto said = [&](const std::vector<Person>& people) {
    double in = 0;
    for (const Person& person : people) {
      in += std::ranges::any_of(everybody,
                                [&](const Person& other) {
                                  return slow_fits(known, person.before, other.after, false);
                                })
                ? 1
                : 0;
    }
    return in / static_cast<double>(people.size());
  };
  return said(everybody) - said(people_of(control));
}

}  // namespace semveil::test
