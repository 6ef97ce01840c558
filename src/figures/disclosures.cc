#include "figures/disclosures.h"

#include <algorithm>
#include <map>

#include "base/stop.h"

namespace semveil {
namespace {

constexpr double kRounding = 1e-9;

void decide(Disclosure& disclosure) {
  const auto near = [](double found, double baseline) {
    return found <= baseline + kMostDisclosed + kRounding;
  };
  const bool worst = !disclosure.worst || near(*disclosure.worst, *disclosure.baseline_worst);
  disclosure.protects = !near(disclosure.mean, disclosure.baseline) ? Protection::kNo
                        : worst                                     ? Protection::kYes
                                                                    : Protection::kOnAverage;
}

Disclosure told(const char* attack, const Disclosed& found, const Disclosed& baseline) {
  Disclosure out;
  out.attack = attack;
  out.mean = found.mean;
  out.baseline = baseline.mean;
  out.worst = found.worst;
  out.baseline_worst = baseline.worst;
  if (found.fewest > 0) out.fewest = found.fewest;
  decide(out);
  return out;
}

// What is found in a stranger's record is right by chance: at worst it says nothing.
void without_worst(Disclosure& disclosure) {
  disclosure.worst = disclosure.baseline_worst = std::nullopt;
  disclosure.fewest.reset();
  if (disclosure.protects != Protection::kNo) disclosure.protects = Protection::kOnAverage;
}

ValueCounts in_order(const std::map<ConceptId, std::uint64_t>& counts) {
  ValueCounts out;
  for (const auto& [value, count] : counts) {
    out.values.push_back(value);
    out.counts.push_back(count);
  }
  return out;
}

ValueCounts truths(const Paired& pairs) {
  std::map<ConceptId, std::uint64_t> counts;
  const ConceptId missing = pairs.attributes.back()->missing_value();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ConceptId value = pairs.tuple(i, Side::kBefore).back();
    if (value != missing) counts[value] += pairs.counts[i];
  }
  return in_order(counts);
}

ValueCounts truths(const ReleasedSets& sets) {
  std::map<ConceptId, std::uint64_t> counts;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets.takes_part(i)) ++counts[sets.truth[i]];
  }
  return in_order(counts);
}

std::uint64_t fewest_groups(const ReleasedSets& sets, Grouping grouping) {
  std::uint64_t fewest = 0;
  std::vector<std::uint64_t> groups;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets.takes_part(i)) continue;
    groups.clear();
    for (const ConceptId v : sets.set(i)) groups.push_back(group_of(grouping, v));
    std::ranges::sort(groups);
    const auto different =
        static_cast<std::uint64_t>(std::unique(groups.begin(), groups.end()) - groups.begin());
    fewest = fewest == 0 ? different : std::min(fewest, different);
  }
  return fewest;
}

// "He is in", said of everybody whom some released record fits: the share of the people.
double some_record_fits(const Attributes& attributes, const Classes& people,
                        const Classes& released, const FitRule& rule) {
  const Fits fits(attributes, people, released, Fits::Ask::kWhatTheyFit, rule);
  std::uint64_t in = 0;
  for (std::size_t c = 0; c < people.size(); ++c) {
    check_stop();
    bool some = false;
    fits.for_each(c, [&](std::uint32_t) {
      some = true;
      return false;
    });
    in += some ? people.counts[c] : 0;
  }
  return people.records() == 0 ? 0
                               : static_cast<double>(in) / static_cast<double>(people.records());
}

}  // namespace

std::string_view to_string(Protection protection) {
  switch (protection) {
    case Protection::kNo:
      return "no";
    case Protection::kOnAverage:
      return "on average";
    case Protection::kYes:
      return "yes";
  }
  return "";
}

std::vector<FoundDisclosure> class_disclosures(const Paired& pairs, ClassOf how,
                                               const FitRule& rule, const SecretGroups& groups) {
  const SecretsInClasses secrets(pairs, how, rule);
  std::vector<FoundDisclosure> out;
  if (secrets.people() == 0) return out;
  const ValueCounts truth = truths(pairs);
  const auto add = [&](const char* attack, const Disclosed& found, const Disclosed& baseline) {
    out.push_back({told(attack, found, baseline), found.sharing});
    if (how == ClassOf::kRecord) return;
    without_worst(out.back().told);
    out.back().sharing = 0;
  };
  const auto guess = [&](const char* attack, Grouping grouping) {
    add(attack, secrets.likeliest(grouping), likeliest_by_frequency(truth, grouping));
  };
  add("attribute", secrets.belief(), belief_by_frequency(truth));
  guess("skewness", {});
  if (!groups.category.empty()) guess("similarity", groups.category);
  if (!groups.level.empty()) guess("sensitivity", groups.level);
  return out;
}

std::vector<Disclosure> set_disclosures(const ReleasedSets& sets, SetWeights weights,
                                        const SecretGroups& groups) {
  const AttributeDisclosure belief = attribute_disclosure(sets, weights);
  if (belief.records == 0) return {};
  const ValueCounts truth = truths(sets);
  const auto guess = [&](const char* attack, const SetGuess& found, Grouping grouping) {
    return told(attack, {found.right, found.greatest, fewest_groups(sets, grouping), 0},
                likeliest_by_frequency(truth, grouping));
  };
  std::vector<Disclosure> out{
      told("attribute", {belief.mean, belief.worst, fewest_groups(sets, {}), 0},
           belief_by_frequency(truth)),
      guess("skewness", skewness_attack(sets, weights), {})};
  const auto of_groups = [&](const char* attack, Grouping grouping) {
    if (grouping.empty()) return;
    out.push_back(guess(attack, similarity_attack(sets, grouping, weights).weighted, grouping));
  };
  of_groups("similarity", groups.category);
  of_groups("sensitivity", groups.level);
  return out;
}

Disclosure identity_disclosure(double mean, double worst, std::uint64_t released_records) {
  const double chance = 1 / static_cast<double>(released_records);
  return told("identity", {mean, worst, 0, 0}, {chance, chance, 0, 0});
}

Disclosure membership_disclosure(const Attributes& attributes, const Classes& people,
                                 const Classes& control, const Classes& released,
                                 const FitRule& rule) {
  Disclosure out;
  out.attack = "membership";
  out.in = some_record_fits(attributes, people, released, rule);
  out.control = some_record_fits(attributes, control, released, rule);
  out.mean = *out.in - *out.control;
  decide(out);
  return out;
}

}  // namespace semveil
