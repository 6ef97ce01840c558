// Which attacks of EAN's Table I a release resists: each beside the same figure of somebody who
// knows the frequencies alone.
//
//   identity      finding oneself (linkage.own_among_alike), beside 1/n
//   membership    "is in, if some released record fits": how much oftener of people who are in than
//                 of the control, beside 0
//   attribute, skewness, similarity, sensitivity: audit/disclosure.h and audit/set_attacks.h
#include <fmt/format.h>

#include <algorithm>

#include "audit/column_figures.h"
#include "audit/disclosure.h"
#include "audit/set_attacks.h"
#include "release/audit_parts.h"

namespace semveil {
namespace {

constexpr double kRounding = 1e-9;

void add(std::string attack, std::string about, const Disclosed& found, const Disclosed& baseline,
         Audit& out) {
  Disclosure disclosure;
  disclosure.attack = std::move(attack);
  disclosure.about = std::move(about);
  disclosure.mean = found.mean;
  disclosure.baseline = baseline.mean;
  disclosure.worst = found.worst;
  disclosure.baseline_worst = baseline.worst;
  if (found.fewest > 0) disclosure.fewest = found.fewest;
  decide(disclosure);
  out.disclosures.push_back(std::move(disclosure));
}

// A class that shares what it should hide: nobody needs a measure to see it.
void warn(std::string_view id, const std::string& column, std::string_view what,
          const Disclosed& found, const Disclosed& baseline, Severity severity, Audit& out) {
  if (found.sharing == 0 || baseline.fewest < 2) return;
  if (baseline.worst + kMostDisclosed + kRounding >= 1) return;  // nearly everybody has it anyway
  out.findings.push_back(
      {std::string(id),
       severity,
       {column},
       {{"records", static_cast<double>(found.sharing)}},
       fmt::format("column {}: {} in groups that look alike and share one {}: who knows that "
                   "somebody is in such a group knows it, whatever k is",
                   column, found.sharing == 1 ? "1 record is"
                                              : fmt::format("{} records are", found.sharing),
                   what)});
}

ValueCounts truths(const Paired& pairs) {
  std::map<ConceptId, std::uint64_t> counts;
  const ConceptId missing = pairs.attributes.back()->missing_value();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ConceptId value = pairs.tuple(i, Side::kBefore).back();
    if (value != missing) counts[value] += pairs.counts[i];
  }
  ValueCounts out;
  for (const auto& [value, count] : counts) {
    out.values.push_back(value);
    out.counts.push_back(count);
  }
  return out;
}

// Methods that draw or swap quasi-identifiers put nobody into a class.
ClassOf how_found(const AuditTask& task) {
  if (!task.pair.mask) return ClassOf::kRecord;
  const std::string& method = task.pair.mask->method;
  const bool moves = is_swap(method) || (draws_per_cell(method) && !releases_sets(method));
  const bool moved = std::ranges::any_of(task.pair.quasi_identifiers, [&](std::size_t j) {
    return task.pair.columns[j].is_masked;
  });
  return moves && moved ? ClassOf::kValues : ClassOf::kRecord;
}

void of_classes(const AuditTask& task, std::size_t j, Audit& out) {
  std::vector<std::size_t> columns = task.pair.quasi_identifiers;
  columns.push_back(j);
  const Paired pairs = task.pair.pairs.over(columns);
  const SecretsInClasses secrets(pairs, how_found(task));
  if (secrets.people() == 0) return;
  const ValueCounts truth = truths(pairs);
  const TablePair::Impl::Column& column = task.pair.columns[j];
  const auto guess = [&](const char* attack, Grouping grouping) {
    const Disclosed found = secrets.likeliest(grouping);
    const Disclosed baseline = likeliest_by_frequency(truth, grouping);
    add(attack, column.name, found, baseline, out);
    return std::pair(found, baseline);
  };
  const Disclosed belief = secrets.belief(), by_frequency = belief_by_frequency(truth);
  add("attribute", column.name, belief, by_frequency, out);
  warn("class-shares-value", column.name, "value", belief, by_frequency, Severity::kDanger, out);
  guess("skewness", {});
  if (!column.groups.category.empty()) {
    const auto [found, baseline] = guess("similarity", column.groups.category);
    warn("class-shares-category", column.name, "category", found, baseline, Severity::kWarning,
         out);
    const auto least = static_cast<double>(found.fewest);
    out.category_diversity = std::min(out.category_diversity.value_or(least), least);
  }
  if (!column.groups.level.empty()) {
    const auto [found, baseline] = guess("sensitivity", column.groups.level);
    warn("class-shares-level", column.name, "level", found, baseline, Severity::kWarning, out);
  }
}

std::uint64_t fewest_groups(const ReleasedSets& sets, Grouping grouping) {
  std::uint64_t fewest = 0;
  std::vector<std::uint64_t> groups;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets.takes_part(i)) continue;
    groups.clear();
    for (const ConceptId v : sets.set(i)) groups.push_back(group_of(grouping, v));
    std::ranges::sort(groups);
    const auto different = static_cast<std::uint64_t>(
        std::unique(groups.begin(), groups.end()) - groups.begin());
    fewest = fewest == 0 ? different : std::min(fewest, different);
  }
  return fewest;
}

void of_sets(const AuditTask& task, const SetPair& set, Audit& out) {
  const TablePair::Impl::Column& column = task.pair.columns[set.column];
  const ReleasedSets sets{set.truth, set.released, set.l};
  const SetWeights weights = set.fitted.weights;
  const AttributeDisclosure belief = attribute_disclosure(sets, weights);
  if (belief.records == 0) return;
  std::map<ConceptId, std::uint64_t> counts;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets.takes_part(i)) ++counts[set.truth[i]];
  }
  ValueCounts truth;
  for (const auto& [value, count] : counts) {
    truth.values.push_back(value);
    truth.counts.push_back(count);
  }
  const auto told = [&](const SetGuess& guess, Grouping grouping) {
    return Disclosed{guess.right, guess.greatest, fewest_groups(sets, grouping), 0};
  };
  add("attribute", column.name, {belief.mean, belief.worst, fewest_groups(sets, {}), 0},
      belief_by_frequency(truth), out);
  add("skewness", column.name, told(skewness_attack(sets, weights), {}),
      likeliest_by_frequency(truth, {}), out);
  const auto guess = [&](const char* attack, Grouping grouping) {
    if (grouping.empty()) return;
    add(attack, column.name, told(similarity_attack(sets, grouping, weights).weighted, grouping),
        likeliest_by_frequency(truth, grouping), out);
  };
  guess("similarity", column.groups.category);
  guess("sensitivity", column.groups.level);
}

void identity(const AuditTask& task, Audit& out) {
  if (!out.linkage.own_among_alike || !out.linkage.own_among_alike_mean) return;
  const double chance = 1 / static_cast<double>(task.pair.masked_records);
  add("identity", "", {*out.linkage.own_among_alike_mean, *out.linkage.own_among_alike, 0, 0},
      {chance, chance, 0, 0}, out);
}

}  // namespace

std::string_view to_string(Protection protection) {
  switch (protection) {
    case Protection::kNo: return "no";
    case Protection::kOnAverage: return "on average";
    case Protection::kYes: return "yes";
  }
  return "";
}

void decide(Disclosure& disclosure) {
  const auto near = [](double found, double baseline) {
    return found <= baseline + kMostDisclosed + kRounding;
  };
  const bool worst = !disclosure.worst || near(*disclosure.worst, *disclosure.baseline_worst);
  disclosure.protects = !near(disclosure.mean, disclosure.baseline) ? Protection::kNo
                        : worst                                     ? Protection::kYes
                                                                    : Protection::kOnAverage;
}

void audit_disclosure(const AuditTask& task, Audit& out) {
  identity(task, out);
  membership(task, out);
  if (!task.is_paired()) return;
  for (const std::size_t j : task.pair.sensitive) {
    if (!task.pair.columns[j].is_set && !task.pair.quasi_identifiers.empty()) {
      of_classes(task, j, out);
    }
  }
  for (const SetPair& set : task.pair.sets) of_sets(task, set, out);
}

}  // namespace semveil
