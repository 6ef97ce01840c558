#include "figures/semantic_linkage.h"

#include <algorithm>
#include <numeric>

#include "figures/class_risk.h"
#include "figures/pairs_of_class.h"
#include "figures/tuple_distances.h"

namespace semveil {

namespace {

// Greatest over the classes of the mean of P over their records; suppressed records left out.
double greatest_mean(const Paired& pairs, const Classes& classes, std::span<const double> by_pair) {
  std::vector<double> sums(classes.size(), 0), records(classes.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (was_suppressed(pairs, i)) continue;
    const auto count = static_cast<double>(pairs.counts[i]);
    sums[classes.of[i]] += count * by_pair[i];
    records[classes.of[i]] += count;
  }
  double greatest = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (records[c] > 0) greatest = std::max(greatest, sums[c] / records[c]);
  }
  return greatest;
}

}  // namespace

LinkedRecords linked_records(const Paired& pairs, std::vector<double> by_pair) {
  LinkedRecords out;
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    sum += static_cast<double>(pairs.counts[i]) * by_pair[i];
  }
  if (pairs.size() > 0) out.mean = sum / static_cast<double>(pairs.records());
  out.worst = greatest_mean(pairs, classes_of(pairs, Side::kAfter), by_pair);
  out.by_pair = std::move(by_pair);
  return out;
}

LinkedRecords linked_by_meaning(const Paired& pairs, unsigned threads) {
  const Classes before = classes_of(pairs, Side::kBefore), after = classes_of(pairs, Side::kAfter);
  const PairsOfClass of_class(after);
  const TupleDistances distances(pairs.attributes, after.tuples, after.size(), before.tuples,
                                 before.size(), {.threads = threads});
  std::vector<double> by_pair(pairs.size(), 0);
  distances.nearest([&](std::size_t released, std::span<const std::uint32_t> nearest) {
    std::uint64_t records = 0;
    for (const std::uint32_t c : nearest) records += before.counts[c];
    for (const std::uint32_t pair : of_class[released]) {
      if (!std::ranges::binary_search(nearest, before.of[pair])) continue;
      by_pair[pair] = 1 / static_cast<double>(records);
    }
  });
  return linked_records(pairs, std::move(by_pair));
}

double surest_from_originals(const Paired& pairs, unsigned threads) {
  const Paired shown = unsuppressed(pairs);
  const Classes before = classes_of(shown, Side::kBefore), after = classes_of(shown, Side::kAfter);
  const PairsOfClass of_class(before);
  const TupleDistances distances(shown.attributes, before.tuples, before.size(), after.tuples,
                                 after.size(), {.threads = threads});
  std::vector<double> by_pair(shown.size(), 0);
  distances.nearest([&](std::size_t original, std::span<const std::uint32_t> nearest) {
    std::uint64_t records = 0;
    for (const std::uint32_t c : nearest) records += after.counts[c];
    for (const std::uint32_t pair : of_class[original]) {
      if (!std::ranges::binary_search(nearest, after.of[pair])) continue;
      by_pair[pair] = 1 / static_cast<double>(records);
    }
  });
  return greatest_mean(shown, before, by_pair);
}

std::vector<WithoutColumn> without_each_column(const Paired& pairs, unsigned threads) {
  std::vector<WithoutColumn> out(pairs.width());
  for (std::size_t j = 0; j < pairs.width(); ++j) {
    std::vector<std::size_t> others;
    for (std::size_t other = 0; other < pairs.width(); ++other) {
      if (other != j) others.push_back(other);
    }
    const Paired rest = pairs.over(others);
    if (rest.size() == 0) continue;
    out[j].linkage = linked_by_meaning(rest, threads).mean;
    const Classes released = classes_of(rest, Side::kAfter);
    out[j].uniques = static_cast<double>(std::ranges::count(released.counts, 1U)) /
                     static_cast<double>(rest.records());
  }
  return out;
}

std::vector<ValueRisk> risky_values(const Paired& pairs, std::span<const double> by_pair,
                                    std::size_t most) {
  std::vector<ValueRisk> out;
  std::vector<std::uint32_t> order(pairs.size());
  for (std::size_t j = 0; j < pairs.width(); ++j) {
    const auto value = [&](std::uint32_t i) { return pairs.before[i * pairs.width() + j]; };
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, value);
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      ValueRisk risk{j, value(order[begin]), 0, 0};
      for (; end < order.size() && value(order[end]) == risk.value; ++end) {
        risk.records += pairs.counts[order[end]];
        risk.linked += static_cast<double>(pairs.counts[order[end]]) * by_pair[order[end]];
      }
      risk.linked /= static_cast<double>(risk.records);
      out.push_back(risk);
    }
  }
  std::ranges::stable_sort(out, [](const ValueRisk& a, const ValueRisk& b) {
    return a.linked != b.linked ? a.linked > b.linked : a.records > b.records;
  });
  out.resize(std::min(out.size(), most));
  return out;
}

}  // namespace semveil
