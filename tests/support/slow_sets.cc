#include "support/slow_sets.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

namespace semveil::test {
namespace {

// What is believed of each value of a record's set; of each category by its name.
using BeliefsOf = std::map<std::string, double>;

double weight_of(SetWeights weights, ConceptId v) {
  return v < weights.size() ? static_cast<double>(weights[v]) : 0;
}

std::map<ConceptId, double> beliefs(const ReleasedSets& sets, std::size_t i, SetWeights weights) {
  double sum = 0;
  for (std::size_t j = 0; j < sets.l; ++j) sum += weight_of(weights, sets.released[i * sets.l + j]);
  std::map<ConceptId, double> out;
  for (std::size_t j = 0; j < sets.l; ++j) {
    const ConceptId v = sets.released[i * sets.l + j];
    out[v] = sum == 0 ? 1.0 / static_cast<double>(sets.l) : weight_of(weights, v) / sum;
  }
  return out;
}

std::string name_of(std::span<const std::uint32_t> category, ConceptId v) {
  if (v >= category.size() || category[v] == SetColumn::kNoCategory) {
    return "value " + std::to_string(v);
  }
  return "category " + std::to_string(category[v]);
}

std::vector<std::size_t> taking_part(const ReleasedSets& sets) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < sets.truth.size(); ++i) {
    bool whole = sets.truth[i] != kMissing;
    for (std::size_t j = 0; j < sets.l; ++j) {
      whole = whole && sets.released[i * sets.l + j] != kMissing;
    }
    if (whole) out.push_back(i);
  }
  return out;
}

template <class Beliefs, class Truth>
SetGuess guess(const ReleasedSets& sets, const Beliefs& beliefs_of, const Truth& truth_of) {
  SetGuess out;
  const auto records = taking_part(sets);
  for (const std::size_t i : records) {
    const auto all = beliefs_of(i);
    double most = 0;
    for (const auto& [what, belief] : all) most = std::max(most, belief);
    std::set<std::decay_t<decltype(all.begin()->first)>> likeliest;
    for (const auto& [what, belief] : all) {
      if (belief > most - 1e-12) likeliest.insert(what);
    }
    out.mean += most / static_cast<double>(records.size());
    out.greatest = std::max(out.greatest, most);
    if (likeliest.contains(truth_of(i))) {
      out.right += 1.0 / static_cast<double>(likeliest.size() * records.size());
    }
  }
  return out;
}

}  // namespace

AttributeDisclosure slow_attribute_disclosure(const ReleasedSets& sets, SetWeights weights) {
  AttributeDisclosure out;
  for (const std::size_t i : taking_part(sets)) {
    const auto all = beliefs(sets, i, weights);
    const auto at = all.find(sets.truth[i]);
    const double posterior = at == all.end() ? 0 : at->second;
    ++out.records;
    out.mean += posterior;
    out.worst = std::max(out.worst, posterior);
    out.above += posterior > 1.0 / static_cast<double>(sets.l) + 1e-12 ? 1 : 0;
  }
  if (out.records == 0) return out;
  out.mean /= static_cast<double>(out.records);
  out.above /= static_cast<double>(out.records);
  return out;
}

SetGuess slow_skewness(const ReleasedSets& sets, SetWeights weights) {
  return guess(
      sets, [&](std::size_t i) { return beliefs(sets, i, weights); },
      [&](std::size_t i) { return sets.truth[i]; });
}

SetGuess slow_similarity_counted(const ReleasedSets& sets,
                                 std::span<const std::uint32_t> category) {
  return slow_similarity_weighted(sets, category, {});
}

SetGuess slow_similarity_weighted(const ReleasedSets& sets, std::span<const std::uint32_t> category,
                                  SetWeights weights) {
  return guess(
      sets,
      [&](std::size_t i) {
        BeliefsOf out;
        for (const auto& [v, belief] : beliefs(sets, i, weights)) {
          out[name_of(category, v)] += belief;
        }
        return out;
      },
      [&](std::size_t i) { return name_of(category, sets.truth[i]); });
}

RepeatedRelease slow_repeated_release(const ReleasedSets& first, const ReleasedSets& second) {
  RepeatedRelease out;
  const auto others = taking_part(second);
  for (const std::size_t i : taking_part(first)) {
    if (std::ranges::find(others, i) == others.end()) continue;
    std::set<ConceptId> both;
    for (std::size_t a = 0; a < first.l; ++a) {
      for (std::size_t b = 0; b < second.l; ++b) {
        const ConceptId v = first.released[i * first.l + a];
        if (v == second.released[i * second.l + b]) both.insert(v);
      }
    }
    ++out.records;
    out.mean_size += static_cast<double>(both.size());
    out.single += both.size() == 1 ? 1 : 0;
    out.found += both == std::set<ConceptId>{first.truth[i]} ? 1 : 0;
  }
  if (out.records == 0) return out;
  for (double* figure : {&out.mean_size, &out.single, &out.found}) {
    *figure /= static_cast<double>(out.records);
  }
  return out;
}

}  // namespace semveil::test
